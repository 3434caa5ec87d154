//! Clips of several skeletons in one window: FBX takes, the offer to bring them onto one, the bone map, exports and
//! poses.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::previews::Preview;
use kinfolk::app::shell::retarget::maps::BoneMaps;
use kinfolk::app::shell::retarget::pose::{PoseOn, pose_onto};
use kinfolk::app::variation::models_of;
use kinfolk::demo::{self, Action};
use kinfolk::motion::{Clip, NoteKind, WorldPose, body};
use kinfolk::retarget::{Character, ReferencePose, RetargetSettings, onto};

use super::library::{demo_clips, text_of, with, workspace};
use super::{Window, on_disk};
use crate::fbx_text::{Fbx, Take, Turn};
use crate::{quick, rigs};

fn character(clip: &Clip) -> Character {
    Character::of(clip, ReferencePose::Found).unwrap()
}

/// A built-in walk on the skeleton of a rig.
fn on_rig(rig: &rigs::Rig, index: u64) -> Clip {
    let walk = demo::make(Action::Walk, 3, index).clip;
    let target = character(&rig.clip());
    onto(&walk, &target, &RetargetSettings::default())
        .unwrap()
        .clip
}

/// Three walks on the built-in skeleton and one on Mixamo's.
fn mixed() -> Vec<(String, Clip)> {
    let mut clips = demo_clips(Action::Walk, 0..3);
    clips.push(("stranger".to_owned(), on_rig(&rigs::mixamo(), 3)));
    clips
}

fn joints(window: &Window) -> Vec<usize> {
    let clips = window.app().shell.document().clips();
    clips.map(|(_, clip)| clip.skeleton().n_joints()).collect()
}

/// Opens the tool for the selected clips, onto the skeleton of this file.
fn retarget_onto(window: &mut Window, file: &Path) {
    window.click("Clip");
    window.click("Retarget…");
    window.click("Onto");
    window.click("Skeleton of a file…");
    window.type_in("Skeleton file", &file.display().to_string());
    window.click("Read");
    window.until_idle();
}

#[test]
fn every_take_of_an_fbx_file_is_a_clip_with_notes() {
    let mut fbx = Fbx::arm();
    fbx.takes.push(Take {
        name: "Twist",
        seconds: 0.5,
        layers: vec![vec![Turn {
            bone: 0,
            axis: 'Y',
            to_deg: 30.0,
        }]],
    });
    let text = fbx.text();
    let mut window = Window::open(&[("arm.fbx", &text), ("bad.fbx", "FBX")], &["arm.fbx"]);
    window.until("imported", |app| app.shell.document().n_clips() == 2);
    window.until_idle();
    assert_eq!(window.names(), ["arm Bend", "arm Twist"]);
    let report = window.app().shell.last_import.as_ref().unwrap();
    let notes = report.files[0].result.as_ref().unwrap().notes();
    assert_eq!(notes[0].kind, NoteKind::Noticed);
    assert!(notes[0].text.starts_with("2 takes: arm Bend"), "{notes:?}");
    assert!(
        notes.iter().any(|n| n.text.contains("Y is up")),
        "{notes:?}"
    );
    // One undo takes both away again; a broken file is told in words.
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(window.names().is_empty(), "one step");
    window.press(Modifiers::COMMAND, Key::I);
    let path = window.path("bad.fbx").display().to_string();
    window.type_in("Path", &path);
    window.click("Import");
    window.until("a report", |app| {
        matches!(app.shell.dialog, Some(Dialog::ImportReport))
    });
    window
        .harness
        .get_by_label_contains("no FBX file, or a broken one");
}

#[test]
fn takes_of_two_skeletons_are_brought_onto_one_and_learned_from() {
    let mut window = workspace("Variation", &mixed());
    window.click("Use 4 selected clips");
    window.until_idle();
    window
        .harness
        .get_by_label_contains("cannot be used together as they are");
    let before = window.app().shell.document().clone();
    window.click("Bring onto one skeleton…");
    window.until_idle();
    // The skeleton of three of the four is proposed; before and after are on stage.
    let tool = window.app().shell.retarget_tool.as_ref().unwrap();
    let target = tool.choice.target.as_ref().unwrap();
    assert_eq!(target.name, "walk_0");
    assert!(
        !tool.keeps_originals,
        "whoever chose the clips goes on with them"
    );
    let shown = window.app().shell.previews.shown();
    let Some(Preview::Family(family)) = shown else {
        panic!("nothing on stage: {shown:?}");
    };
    assert_eq!((family.inputs.len(), family.variants.len()), (4, 4));
    let n_joints = target.clip.skeleton().n_joints();
    assert_eq!(family.variants[3].skeleton().n_joints(), n_joints);
    window
        .harness
        .get_by_label("3 clips on this skeleton already");
    window.click("Retarget 4 clips");
    window.until_idle();
    assert!(window.app().shell.retarget_tool.is_none(), "closed");
    assert_eq!(window.undo_label(), "retarget stranger");
    assert_eq!(joints(&window), [n_joints; 4]);
    assert!(
        window
            .said()
            .contains(&"1 clip brought onto the skeleton of walk_0, 3 had it already"),
        "{:?}",
        window.said()
    );
    window.app_mut().variation.takes.settings = quick::settings(None);
    window.harness.run_steps(2);
    window.click("Learn from 4 takes");
    window.until("learned", |app| {
        models_of(app.shell.document()).count() == 1
    });
    window.until_idle();
    window.press(Modifiers::COMMAND, Key::Z);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(*window.app().shell.document(), before, "as it was");
}

#[test]
fn a_map_changed_by_clicks_is_kept_for_the_pair_and_used_without_asking() {
    let walk = demo::make(Action::Walk, 3, 0).clip;
    let mut window = with(&[("walk", &walk)]);
    let file = window.path("rig.bvh");
    std::fs::write(&file, text_of(&on_rig(&rigs::mixamo(), 1))).unwrap();
    // Joints are numbered as the file has them.
    let rig = kinfolk::file::read_clip(&file).unwrap();
    retarget_onto(&mut window, &file);
    window.click("Bone map…");
    window.until("the map", |app| {
        matches!(app.shell.dialog, Some(Dialog::BoneMap(_)))
    });
    let map = |window: &Window| match &window.app().shell.dialog {
        Some(Dialog::BoneMap(map)) => map.clone(),
        other => panic!("{other:?}"),
    };
    assert!(map(&window).is_as_found(), "nothing was changed yet");
    // The left arm follows the right arm of the source.
    let (source, target) = (character(&walk), character(&rig));
    let from = source.labels().arms.as_ref().unwrap()[1].upper;
    let to = target.labels().arms.as_ref().unwrap()[0].upper;
    let name = |clip: &Clip, joint: usize| clip.skeleton().joints()[joint].name.clone();
    window.click(&format!("Source joint {}", name(&walk, from)));
    window.click(&format!("Target joint {}", name(&rig, to)));
    let link = |window: &Window| map(window).pairing.map.link_of(to).map(|link| link.from);
    assert_eq!(link(&window), Some(from), "linked by two clicks");
    window.click("Use this map");
    window.until_idle();
    window.harness.get_by_label_contains("set by hand");
    window.click("Retarget 1 clip");
    window.until_idle();
    let names = window.names();
    assert_eq!(names, ["walk", "walk on rig.bvh"], "the clip stays");
    // Another window with the same preferences knows it; reset forgets it.
    let kept = window.path("data/bone maps");
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 1, "one file");
    let folder = window.folder;
    let open = vec![folder.path().join("takes/walk.bvh")];
    let mut window = Window::on(folder, open);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    let file = window.path("rig.bvh");
    retarget_onto(&mut window, &file);
    window.harness.get_by_label_contains("set by hand");
    window.click("Bone map…");
    window.until("the map", |app| {
        matches!(app.shell.dialog, Some(Dialog::BoneMap(_)))
    });
    assert_eq!(link(&window), Some(from), "as it was set");
    window.click("Reset to found");
    window.until_idle();
    assert!(map(&window).is_as_found(), "found anew");
    window.click("Use this map");
    window.until_idle();
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 0, "forgotten");
}

#[test]
fn a_joint_can_be_left_to_its_parent_and_a_pose_set_by_hand() {
    let walk = demo::make(Action::Walk, 3, 0).clip;
    let mut window = with(&[("walk", &walk)]);
    let file = window.path("rig.bvh");
    std::fs::write(&file, text_of(&on_rig(&rigs::mixamo(), 1))).unwrap();
    retarget_onto(&mut window, &file);
    window.click("Bone map…");
    window.until("the map", |app| {
        matches!(app.shell.dialog, Some(Dialog::BoneMap(_)))
    });
    window
        .harness
        .get_by_label("Moves mixamorig:Head")
        .click_accesskit();
    window.harness.run_steps(3);
    window.click("– follows its parent");
    let map = |window: &Window| match &window.app().shell.dialog {
        Some(Dialog::BoneMap(map)) => map.clone(),
        other => panic!("{other:?}"),
    };
    let unmapped = map(&window).unmapped();
    assert!(
        unmapped.target.iter().any(|name| name == "mixamorig:Head"),
        "{unmapped:?}"
    );
    window
        .harness
        .get_by_label_contains("Joints that only follow their parents");
    window
        .harness
        .get_by_label("Reference pose from")
        .click_accesskit();
    window.harness.run_steps(3);
    window.harness.get_by_label_contains("(playhead)").click();
    window.harness.run_steps(3);
    window.until_idle();
    let pose = map(&window).pairing.source_pose.clone();
    assert!(matches!(pose, ReferencePose::Turns(_)), "{pose:?}");
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.app().shell.dialog.is_none(), "closed");
    assert!(
        window.app().shell.retarget_tool.is_some(),
        "and the tool is still there"
    );
}

#[test]
fn exports_go_onto_a_rig_from_a_file() {
    let clips = demo_clips(Action::Walk, 0..2);
    let clips: Vec<(&str, &Clip)> = clips.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut window = with(&clips);
    let rig = on_rig(&rigs::unreal(), 0);
    let file = window.path("hero.bvh");
    std::fs::write(&file, text_of(&rig)).unwrap();
    window.press(Modifiers::COMMAND, Key::E);
    let folder = window.path("out").display().to_string();
    window.type_in("Folder", &folder);
    window.click("Onto skeleton of");
    window.click("Skeleton of a file…");
    window.type_in("Skeleton file", &file.display().to_string());
    window.click("Read");
    window.until_idle();
    window.click("Export 2 clips");
    window.until_idle();
    let rig = kinfolk::file::read_clip(&file).unwrap();
    for name in ["walk_0", "walk_1"] {
        let path = window.path(&format!("out/{name}.bvh"));
        let written = kinfolk::file::read_clip(&path).unwrap();
        assert!(written.skeleton().same_structure(rig.skeleton()), "{name}");
    }
    assert_eq!(joints(&window)[0], clips[0].1.skeleton().n_joints());
}

#[test]
fn a_set_of_two_skeletons_offers_it_too() {
    let clips = mixed();
    let clips: Vec<(&str, &Clip)> = clips.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut window = with(&clips);
    window.press(Modifiers::COMMAND, Key::G);
    window.until_idle();
    window.click("Bring onto one skeleton…");
    window.until_idle();
    window.click("Retarget 4 clips");
    window.until_idle();
    window.harness.get_by_label("Aligned curves");
}

#[test]
fn graphs_and_textures_offer_it_too() {
    let offer = "Bring onto one skeleton…";
    let mut window = workspace("Sequence", &mixed());
    let n_offers = |window: &Window| window.harness.query_all_by_label(offer).count();
    assert_eq!(n_offers(&window), 1, "where a graph is built");
    window.app_mut().shell.wanted_pane = Some(Pane::Path);
    window.harness.run_steps(3);
    assert_eq!(n_offers(&window), 2, "and where a texture is learned");
    let mut offers = window.harness.query_all_by_label(offer);
    offers.next().unwrap().click();
    drop(offers);
    window.until_idle();
    window.click("Retarget 4 clips");
    window.until_idle();
    let n_joints = joints(&window)[0];
    assert_eq!(joints(&window), [n_joints; 4]);
    assert_eq!(n_offers(&window), 0, "nothing to offer any more");
}

#[test]
fn a_pose_goes_from_one_character_to_another() {
    let walk = demo::make(Action::Walk, 3, 0).clip;
    let rig = rigs::unreal().clip();
    let (kept, at_rest) = (walk.frame(12).to_pose(), rig.frame(0).to_pose());
    let from = PoseOn {
        skeleton: walk.skeleton(),
        up: walk.info.up,
        pose: &kept,
    };
    let to = PoseOn {
        skeleton: rig.skeleton(),
        up: rig.info.up,
        pose: &at_rest,
    };
    let pose = pose_onto(&BoneMaps::default(), from, to).unwrap();
    // Limbs point where they did.
    let (before, after) = (
        WorldPose::of(walk.skeleton(), walk.frame(12)),
        WorldPose::of(rig.skeleton(), pose.as_ref()),
    );
    let (own, other) = (character(&walk), character(&rig));
    for (a, b) in own.labels().legs.iter().zip(&other.labels().legs) {
        let thigh = |world: &WorldPose, upper: usize, middle: usize| {
            (world.positions[middle] - world.positions[upper]).normalize()
        };
        let off = thigh(&before, a.upper, a.middle).angle(&thigh(&after, b.upper, b.middle));
        assert!(off.to_degrees() < 6.0, "{:.1} degrees", off.to_degrees());
    }
    assert!(body::height(&rig) > 0.0, "a body");
}

#[test]
fn one_long_take_is_learned_from_by_its_repeats() {
    let take = demo::make(Action::WalkTake, 11, 0).clip;
    let mut window = workspace("Variation", &[("long".to_owned(), take)]);
    window.click("Use 1 selected clip");
    window.until_idle();
    window.app_mut().variation.takes.settings = quick::settings(None);
    window.harness.run_steps(2);
    window.click("Learn from 1 take");
    window.until("learned", |app| {
        models_of(app.shell.document()).count() == 1
    });
    window.until_idle();
    let said = window.said();
    assert!(
        said.iter()
            .any(|s| s.contains("cut into") && s.contains("repeats")),
        "{said:?}"
    );
    let (_, model) = models_of(window.app().shell.document())
        .map(|model| (model.0, model.1))
        .next()
        .unwrap();
    assert!(model.model().examples().n_takes() >= 3, "its repeats");
    let path = window.path("one.kinfolk");
    super::projects::save_as(&mut window, "one.kinfolk");
    assert_eq!(on_disk(&path).models().len(), 1);
    let tab = window.harness.get_by_role_and_label(Role::Tab, "Library");
    tab.click();
    window.harness.run_steps(2);
    assert!(Arc::strong_count(&model) > 1, "the project has it");
}
