//! What the variation workspace promises: a frame with the network of 70 degrees of freedom, one of its nodes and
//! fifteen variants playing under 6 ms of the program's own time, and an answer to the amount slider on the looked-at
//! variant within 100 ms. The graphics card's work is not counted.

#[path = "common/demo_window.rs"]
mod demo_window;

use std::sync::{Arc, LazyLock};

use divan::{Bencher, black_box};
use egui_kittest::Harness;
use kinfolk::app::App;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::requests::Request;
use kinfolk::demo::{Action, make};
use kinfolk::document::{Command, Learned};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Joint, Motion, Quat, Skeleton, Vec3};
use kinfolk::variation::{ClipModel, LearnSettings};

use demo_window::{demo_window, settle};

fn main() {
    divan::main();
}

/// How many degrees of freedom the promise is about.
const DOFS: usize = 70;

/// The demo's body with a joint more in each hand, so that there are as many degrees of freedom as in the paper.
fn with_fingers(body: &Skeleton) -> Skeleton {
    let mut joints = body.joints().to_vec();
    for hand in ["LeftHand", "RightHand"] {
        let parent = body.find(hand).expect("the demo has hands");
        joints.push(Joint {
            name: format!("{hand}Fingers"),
            parent: Some(parent),
            ..joints[parent].clone()
        });
    }
    Skeleton::new(joints, body.ends().to_vec()).expect("parents come first")
}

/// A walk in which also joints move that usually do not.
fn lively(index: u64) -> Clip {
    let clip = make(Action::Walk, 1, index).clip;
    let skeleton = Arc::new(with_fingers(clip.skeleton()));
    let n_frames = clip.n_frames();
    let mut motion = Motion::with_capacity(&skeleton, clip.frame_secs(), n_frames);
    for (frame, pose) in clip.frames().enumerate() {
        let phase = std::f64::consts::TAU * frame as f64 / n_frames as f64;
        let mut pose = pose.to_pose();
        pose.rotations.resize(skeleton.n_joints(), Quat::identity());
        for (joint, rotation) in pose.rotations.iter_mut().enumerate().skip(1) {
            let own = joint as f64 + 0.1 * index as f64;
            let sway = Vec3::new(
                (phase + own).sin(),
                (phase + 2.0 * own).sin(),
                (phase + 3.0 * own).cos(),
            );
            *rotation *= Quat::from_scaled_axis(0.08 * sway);
        }
        motion.push(pose.as_ref());
    }
    Clip::new(clip.info.clone(), skeleton, motion)
        .expect("a walk that was turned a little is a clip")
}

/// Learned once for all.
static MODEL: LazyLock<Arc<ClipModel>> = LazyLock::new(|| Arc::new(learned()));

fn learned() -> ClipModel {
    let clips: Vec<Clip> = (0..4).map(lively).collect();
    let clips: Vec<&Clip> = clips.iter().collect();
    let settings = LearnSettings::default();
    let model = ClipModel::learn(&clips, &settings, &Ticket::default())
        .expect("four walks can be learned from");
    let n_dofs = model.chart().n_dofs();
    assert!(n_dofs >= DOFS, "only {n_dofs} degrees of freedom");
    model
}

/// The workspace with fifteen variants playing, the network in front and a node selected.
fn inspecting(is_matrix: bool) -> Harness<'static, App> {
    let mut window = demo_window([1600.0, 1000.0]);
    let shell = &mut window.state_mut().shell;
    shell.preferences.workspace = Workspace::Variation;
    let learned = Learned::Variation(Arc::clone(&MODEL));
    shell.ask(Request::Edit(Command::AddModel {
        name: "walk".to_owned(),
        learned,
    }));
    settle(&mut window);
    window.state_mut().variation.count = 15;
    let app = window.state_mut();
    app.variation.make_variants(&mut app.shell);
    settle(&mut window);
    let app = window.state_mut();
    app.variation.network.is_matrix = is_matrix;
    app.variation.network.selected = Some(DOFS / 2);
    app.shell.session.is_playing = true;
    for pane in [Pane::Network, Pane::Node] {
        window.state_mut().shell.wanted_pane = Some(pane);
        settle(&mut window);
    }
    let made = window.state().variation.batches.values().next();
    let n_made = made.map_or(0, |batch| batch.made.len());
    assert_eq!(n_made, 15, "variants that play");
    window
}

/// Logic, all panels, and triangles for the graphics card.
fn one_frame(window: &mut Harness<'static, App>) -> usize {
    window.step();
    let output = window.output();
    let shapes = output.shapes.clone();
    window.ctx.tessellate(shapes, output.pixels_per_point).len()
}

#[divan::bench(args = [false, true])]
fn frame_with_network_and_15_variants(bencher: Bencher<'_, '_>, is_matrix: bool) {
    let mut window = inspecting(is_matrix);
    bencher.bench_local(|| one_frame(black_box(&mut window)));
}

/// From the moment the slider is moved to the variant that answers it.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn answer_to_the_amount_slider(bencher: Bencher<'_, '_>) {
    let mut window = inspecting(false);
    window.state_mut().shell.session.is_playing = false;
    let mut amount = 1.0;
    bencher.bench_local(|| {
        amount = if amount > 1.5 { 0.5 } else { amount + 0.07 };
        window.state_mut().variation.recipe.amount = amount;
        loop {
            window.step();
            let batch = window.state().variation.batches.values().next();
            let looked_at = batch.and_then(|b| b.made.get(b.looked_at?));
            if looked_at.is_some_and(|made| made.recipe.amount == amount) {
                break;
            }
            std::thread::yield_now();
        }
    });
}
