//! A character posed by its handles, through the real window.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::demo::{self, Action};
use kinfolk::document::{PinMode, Posed};
use kinfolk::motion::Clip;

use super::library::with;
use super::projects::save_as;
use super::{Window, on_disk};

fn demo_clips(action: Action, indices: std::ops::Range<u64>) -> Vec<(String, Clip)> {
    let clip = |index| {
        let name = format!("{action:?}_{index}").to_lowercase();
        (name, demo::make(action, 3, index).clip)
    };
    indices.map(clip).collect()
}

/// The workspace with these clips, all of them selected.
fn workspace(clips: &[(String, Clip)]) -> Window {
    let clips: Vec<(&str, &Clip)> = clips.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut window = with(&clips);
    let tab = |window: &Window| {
        let tab = window.harness.get_by_role_and_label(Role::Tab, "Pose");
        tab.click();
    };
    tab(&window);
    window.harness.run_steps(3);
    window
}

fn posed(window: &Window) -> &Posed {
    &window.app().studio.document().posed()[0].1
}

#[test]
fn a_character_is_made_from_a_moment_of_a_clip_and_is_there_again() {
    let mut window = workspace(&demo_clips(Action::Walk, 0..1));
    window.app_mut().studio.session.playhead_secs = 0.5;
    window.click("New character from this clip");
    window.until_idle();
    let clip = window.app().studio.active_clip().unwrap().clone();
    assert_eq!(posed(&window).pose, clip.pose_at(0.5 * clip.fps()));
    let held = posed(&window).pins.iter();
    assert!(
        held.clone().count() > 0 && held.clone().all(|pin| pin.position == PinMode::Hard),
        "feet stand: {:?}",
        posed(&window).pins
    );
    let path = window.path("posed.kinfolk");
    save_as(&mut window, "posed.kinfolk");
    let (here, there) = (window.app().studio.document().clone(), on_disk(&path));
    assert_eq!(here.posed(), there.posed(), "bit by bit");
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(
        window.app().studio.document().posed().is_empty(),
        "one step back"
    );
}
