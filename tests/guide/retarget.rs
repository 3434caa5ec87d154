//! Clips brought onto another skeleton.

use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::session::Framing;
use kinfolk::demo::{self, Action};
use kinfolk::file::bvh;
use kinfolk::motion::Clip;
use kinfolk::retarget::{Character, ReferencePose, RetargetSettings, onto};

use super::{at, keep, with_clips};
use crate::rigs;

fn character(clip: &Clip) -> Character {
    Character::of(clip, ReferencePose::Found).unwrap()
}

#[test]
fn a_walk_goes_onto_a_rig() {
    let walk = demo::make(Action::Walk, 3, 0).clip;
    let Some(mut window) = with_clips(&[("walk", &walk)]) else {
        return;
    };
    let target = character(&rigs::mixamo().clip());
    let rig = onto(&walk, &target, &RetargetSettings::default())
        .unwrap()
        .clip;
    let file = window.path("hero.bvh");
    let text = bvh::write(&rig, &bvh::WriteSettings::default()).bytes;
    std::fs::write(&file, text).unwrap();
    at(&mut window, 0.35);
    window.click("Clip");
    window.click("Retarget…");
    window.click("Onto");
    window.click("Skeleton of a file…");
    window.type_in("Skeleton file", &file.display().to_string());
    window.click("Read");
    window.until_idle();
    window.app_mut().shell.session.framing = Some(Framing::All);
    keep(&mut window, "retarget-window");
    window.click("Bone map…");
    window.until("the map", |app| {
        matches!(app.shell.dialog, Some(Dialog::BoneMap(_)))
    });
    keep(&mut window, "bone-map");
}
