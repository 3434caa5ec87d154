//! How fast styles are learned and looked at.
//!
//! The clips are the demo's: walks of 500 frames in all, and every demo motion for the many-poses case. Learning uses
//! one core but for the choice of poses.

use divan::{Bencher, black_box};
use kinfolk::demo::{Action, LIBRARY_SEED, library, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::Clip;
use kinfolk::style::gplvm::LatentTerms;
use kinfolk::style::{LearnSettings, MapView, Method, Sharpness, Style};

fn main() {
    divan::main();
}

/// Walks of about this many frames together.
fn walks(n_frames: usize) -> Vec<Clip> {
    let mut total = 0;
    (0..100)
        .map(|index| make(Action::Walk, LIBRARY_SEED, index).clip)
        .take_while(|clip| {
            total += clip.n_frames();
            total <= n_frames
        })
        .collect()
}

fn learned(clips: &[Clip], settings: &LearnSettings) -> Style {
    let refs: Vec<&Clip> = clips.iter().collect();
    Style::learn(&refs, settings, &Ticket::default()).expect("walks can be learned")
}

fn with(method: Method) -> LearnSettings {
    LearnSettings {
        method,
        ..LearnSettings::default()
    }
}

/// 500 frames, 100 kept, three latent dimensions. Promised: under 2 s.
#[divan::bench(sample_count = 5, args = [Method::Gaussian, Method::Full, Method::ActiveSet])]
fn learn_500_frames(bencher: Bencher<'_, '_>, method: Method) {
    let clips = walks(500);
    bencher.bench(|| learned(black_box(&clips), &with(method)));
}

/// Some ten thousand frames of everything.
#[divan::bench(sample_count = 3)]
fn learn_the_whole_library(bencher: Bencher<'_, '_>) {
    let clips: Vec<Clip> = library().into_iter().map(|demo| demo.clip).collect();
    bencher.bench(|| learned(black_box(&clips), &with(Method::Full)));
}

/// One value with all derivatives: what a solver asks for several times a step.
#[divan::bench]
fn evaluate(bencher: Bencher<'_, '_>) {
    let style = learned(&walks(500), &LearnSettings::default());
    let model = style.latent().expect("it was learned");
    let mut y = vec![0.0; model.n_features()];
    style.map().encode(style.active()[7].as_ref(), &mut y);
    let mut terms = LatentTerms::default();
    let x = model.latent(3).to_vec();
    bencher.bench_local(|| {
        model.evaluate(Sharpness::Sharp, black_box(&x), &y, &mut terms);
        terms.cost()
    });
}

/// The latent map of the window.
#[divan::bench(sample_count = 20)]
fn likelihood_image_256(bencher: Bencher<'_, '_>) {
    let style = learned(&walks(500), &LearnSettings::default());
    let model = style.latent().expect("it was learned");
    let view = MapView::whole(model);
    bencher.bench(|| model.likelihood_image(Sharpness::Sharp, &view, 256, 256));
}
