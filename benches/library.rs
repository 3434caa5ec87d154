//! The library with 100 000 clips: a frame of the table under 3 ms, a letter typed into the search under 50 ms.

use std::path::PathBuf;
use std::sync::Arc;

use divan::{Bencher, black_box};
use kinfolk::app::library::clips::listing::{Column, Listing, Sort};
use kinfolk::app::library::clips::ui;
use kinfolk::app::library::state::LibraryWorkspace;
use kinfolk::app::shell::Shell;
use kinfolk::app::shell::preferences::Preferences;
use kinfolk::app::shell::requests::Request;
use kinfolk::demo::{Action, make};
use kinfolk::document::Command;
use kinfolk::motion::Clip;

const N_CLIPS: usize = 100_000;

fn main() {
    divan::main();
}

/// One short motion under 100 000 names, with tags and files as a large library has them.
fn clips() -> Vec<Arc<Clip>> {
    let clip = make(Action::Jab, 1, 0).clip;
    let kinds = ["walk", "jog", "sneak", "hop", "throw", "wave"];
    let named = |n: usize| {
        let mut clip = clip.clone();
        let kind = kinds[n % kinds.len()];
        clip.info.name = format!("{kind}_{n:06}");
        clip.info.tags = [kind.to_owned(), format!("day {}", n / 5000)].into();
        let file = format!("/capture/day_{:02}/{kind}_{n:06}.bvh", n / 5000);
        clip.info.file = Some(PathBuf::from(file));
        Arc::new(clip)
    };
    (0..N_CLIPS).map(named).collect()
}

struct Desk {
    ctx: egui::Context,
    shell: Shell,
    library: LibraryWorkspace,
    time: f64,
}

impl Desk {
    fn new() -> Self {
        let ctx = egui::Context::default();
        egui_material_icons::initialize(&ctx);
        let mut shell = Shell::new(ctx.clone(), Preferences::default(), None);
        shell.ask(Request::Edit(Command::AddClips(clips())));
        let mut desk = Self {
            ctx,
            shell,
            library: LibraryWorkspace::default(),
            time: 0.0,
        };
        desk.frame(Vec::new());
        desk
    }

    /// One frame of the table as it is at 1280 x 800, down to triangles.
    fn frame(&mut self, events: Vec<egui::Event>) -> usize {
        self.time += 1.0 / 60.0;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                egui::vec2(440.0, 580.0),
            )),
            time: Some(self.time),
            events,
            ..egui::RawInput::default()
        };
        for request in self.shell.take_requests() {
            self.shell.answer(request);
        }
        let (shell, library) = (&mut self.shell, &mut self.library);
        let mut output = self
            .ctx
            .run_ui(input, |ui| ui::library_ui(ui, shell, library));
        // Nobody draws the letters here.
        output.textures_delta.clear();
        let shapes = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        shapes.len()
    }
}

#[divan::bench]
fn a_frame_of_the_table(bencher: Bencher<'_, '_>) {
    let mut desk = Desk::new();
    bencher.bench_local(|| black_box(desk.frame(Vec::new())));
}

#[divan::bench]
fn a_frame_while_scrolling(bencher: Bencher<'_, '_>) {
    let mut desk = Desk::new();
    desk.frame(vec![egui::Event::PointerMoved(egui::pos2(200.0, 300.0))]);
    bencher.bench_local(|| {
        let wheel = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -500.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        };
        black_box(desk.frame(vec![wheel]))
    });
}

#[divan::bench]
fn a_frame_with_everything_selected(bencher: Bencher<'_, '_>) {
    let mut desk = Desk::new();
    let all = desk.shell.document().clip_order().to_vec();
    desk.shell.session.select(all);
    bencher.bench_local(|| black_box(desk.frame(Vec::new())));
}

/// Every letter of a search, one after another: the time is that of one letter.
#[divan::bench]
fn a_letter_of_the_search(bencher: Bencher<'_, '_>) {
    let desk = Desk::new();
    let mut listing = Listing::default();
    let words = [
        "s", "sn", "sne", "snea", "sneak", "sneak 0", "sneak 09", "sneak",
    ];
    listing.update(desk.shell.document(), None, "", None);
    let mut letters = words.iter().cycle();
    bencher.bench_local(|| {
        let search = letters.next().copied().unwrap_or_default();
        listing.update(desk.shell.document(), None, search, None);
        black_box(listing.rows().len())
    });
}

/// The first look, and every look after the document changed.
#[divan::bench(sample_count = 20)]
fn a_changed_document_sorted_by_name(bencher: Bencher<'_, '_>) {
    let desk = Desk::new();
    let sort = Some(Sort {
        by: Column::Name,
        is_descending: true,
    });
    bencher.bench_local(|| {
        let mut listing = Listing::default();
        listing.update(desk.shell.document(), sort, "walk", None);
        black_box(listing.rows().len())
    });
}
