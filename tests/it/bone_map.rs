//! Bodies of several programs recognised and matched, against labels written by hand.

use kinfolk::file::map_file;
use kinfolk::motion::Clip;
use kinfolk::retarget::{BoneMap, Character, Labels, Link, MapError, Pairing, ReferencePose};

use crate::rigs::{self, MAIN, Rig};

fn character(clip: &Clip) -> Character {
    Character::of(clip, ReferencePose::Found).unwrap()
}

/// Of the main joints of two rigs, the share that is matched as the labels say; wrong ones are named.
fn right_share(source: (&Rig, &Clip), target: (&Rig, &Clip)) -> f64 {
    let (from, to) = (character(source.1), character(target.1));
    let map = BoneMap::between(&from, &to);
    // Joints stay in order when names are scrubbed, so labels are looked up in the named rigs.
    let index = |rig: &Rig, nth: usize| rig.clip().skeleton().find(rig.main[nth]).unwrap();
    let mut right = 0;
    for (nth, label) in MAIN.iter().enumerate() {
        let (wanted, joint) = (index(source.0, nth), index(target.0, nth));
        let link = map.links().iter().find(|link| link.to == joint);
        if link.is_some_and(|link| link.from == wanted) {
            right += 1;
        } else {
            let found =
                link.map(|link| source.0.clip().skeleton().joints()[link.from].name.clone());
            eprintln!(
                "{} -> {}: {label} from {found:?}",
                source.0.name, target.0.name
            );
        }
    }
    f64::from(right) / MAIN.len() as f64
}

#[test]
fn every_pair_of_rigs_is_matched_without_help() {
    let rigs = rigs::all();
    for source in &rigs {
        for target in &rigs {
            let share = right_share((source, &source.clip()), (target, &target.clip()));
            assert!(share >= 0.95, "{} to {}: {share}", source.name, target.name);
        }
    }
}

#[test]
fn shape_tells_what_names_do_not() {
    let rigs = rigs::all();
    let mut sum = 0.0;
    for source in &rigs {
        for target in &rigs {
            let share = right_share((source, &source.scrubbed()), (target, &target.scrubbed()));
            assert!(share >= 0.85, "{} to {}: {share}", source.name, target.name);
            sum += share;
        }
    }
    let mean = sum / (rigs.len() * rigs.len()) as f64;
    eprintln!(
        "without names {:.1} % of the main joints are right",
        100.0 * mean
    );
    assert!(mean >= 0.95, "{mean}");
}

#[test]
fn programs_are_recognised_by_their_names() {
    let preset = |rig: Rig| Labels::of(&rig.clip()).unwrap().preset;
    assert_eq!(preset(rigs::mixamo()), Some("Mixamo or HumanIK"));
    assert_eq!(preset(rigs::unreal()), Some("Unreal mannequin"));
    assert_eq!(preset(rigs::biped()), Some("3ds Max Biped"));
    let scrubbed = Labels::of(&rigs::mixamo().scrubbed()).unwrap();
    assert_eq!(scrubbed.preset, None);
}

#[test]
fn root_bones_and_hips_are_told_apart() {
    let unreal = rigs::unreal();
    let labels = Labels::of(&unreal.clip()).unwrap();
    let name = |joint: usize| unreal.clip().skeleton().joints()[joint].name.clone();
    assert_eq!(name(labels.hips), "pelvis");
    assert_eq!(labels.root_bone().map(name).as_deref(), Some("root"));
    assert_eq!(
        Labels::of(&rigs::mixamo().clip()).unwrap().root_bone(),
        None
    );
}

#[test]
fn fingers_are_matched_by_name_and_what_is_missing_is_said() {
    let (mixamo, unreal) = (rigs::mixamo(), rigs::unreal());
    let (from, to) = (character(&mixamo.clip()), character(&unreal.clip()));
    let map = BoneMap::between(&from, &to);
    let joint = |rig: &Rig, name: &str| rig.clip().skeleton().find(name).unwrap();
    let wanted = joint(&mixamo, "mixamorig:LeftHandIndex1");
    let link = map
        .links()
        .iter()
        .find(|l| l.to == joint(&unreal, "index_01_l"));
    assert_eq!(link.map(|l| l.from), Some(wanted));
    let unmapped = map.unmapped(from.skeleton(), to.skeleton());
    assert!(
        unmapped.target.iter().any(|n| n == "index_metacarpal_l"),
        "{unmapped:?}"
    );
    assert!(
        !unmapped.target.iter().any(|n| n == "upperarm_l"),
        "{unmapped:?}"
    );
}

#[test]
fn spines_of_two_to_six_joints_share_one_bend() {
    let (mixamo, unreal) = (rigs::mixamo(), rigs::unreal());
    let (three, five) = (character(&mixamo.clip()), character(&unreal.clip()));
    let map = BoneMap::between(&three, &five);
    let spine = &five.labels().spine;
    let links: Vec<&Link> = spine
        .iter()
        .map(|j| map.links().iter().find(|l| l.to == *j).unwrap())
        .collect();
    assert_eq!(links.len(), 5);
    assert_eq!(links[4].from, three.labels().chest());
    assert!(
        links.iter().any(|link| link.share > 0.05),
        "some lie between two joints: {links:?}"
    );
    let order = |link: &&Link| link.from;
    assert!(
        links
            .windows(2)
            .all(|pair| order(&pair[0]) <= order(&pair[1])),
        "{links:?}"
    );
}

#[test]
fn maps_come_back_from_their_files_as_they_were() {
    let (from, to) = (
        character(&rigs::mixamo().clip()),
        character(&rigs::unreal().clip()),
    );
    let found = Pairing::between(&from, &to);
    let by_hand = Pairing {
        source_pose: ReferencePose::of_frame(&rigs::mixamo().clip(), 3),
        target_pose: ReferencePose::Rest,
        ..found.clone()
    };
    for pairing in [found, by_hand] {
        comes_back(&pairing, &from, &to);
    }
}

fn comes_back(pairing: &Pairing, from: &Character, to: &Character) {
    let text = map_file::write(pairing, from.skeleton(), to.skeleton()).unwrap();
    let file = map_file::parse(text.as_bytes()).unwrap();
    assert!(
        file.is_for(from.skeleton(), to.skeleton()),
        "made for this pair"
    );
    assert!(
        !file.is_for(to.skeleton(), from.skeleton()),
        "and for no other"
    );
    let back = file.fit(from.skeleton(), to.skeleton()).unwrap();
    assert_eq!(back.map, pairing.map, "the links");
    assert_eq!(back.target_pose, pairing.target_pose, "the pose");
    match (&back.source_pose, &pairing.source_pose) {
        (ReferencePose::Turns(a), ReferencePose::Turns(b)) => {
            let off = a.iter().zip(b.iter()).map(|(a, b)| a.angle_to(b));
            assert!(off.fold(0.0, f64::max) < 1e-7, "turns to the last digit");
        }
        (a, b) => assert_eq!(a, b, "the pose"),
    }
}

#[test]
fn a_pose_with_too_few_turns_or_turns_that_are_none_is_refused() {
    let clip = rigs::mixamo().clip();
    let (from, to) = (character(&clip), character(&rigs::unreal().clip()));
    let pairing = Pairing {
        source_pose: ReferencePose::of_frame(&clip, 0),
        ..Pairing::between(&from, &to)
    };
    let text = map_file::write(&pairing, from.skeleton(), to.skeleton()).unwrap();
    let first = text.find("Turns([").unwrap() + "Turns([".len();
    let end = first + text[first..].find(')').unwrap() + 1;
    let numbers = text[first..end].trim().to_owned();
    for wrong in ["(0.0, 0.0, 0.0, 0.0)", "(NaN, 0.0, 0.0, 1.0)"] {
        let text = text.replacen(&numbers, wrong, 1);
        let refused = map_file::parse(text.as_bytes()).unwrap();
        let refused = refused.fit(from.skeleton(), to.skeleton()).unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("the pose of the source skeleton"),
            "{refused}"
        );
    }
}

#[test]
fn a_link_is_set_and_taken_away_by_hand() {
    let (from, to) = (
        character(&rigs::mixamo().clip()),
        character(&rigs::unreal().clip()),
    );
    let map = BoneMap::between(&from, &to);
    let head = to.labels().head.unwrap();
    let changed = map.with(head, Some(0));
    assert_eq!(changed.link_of(head).map(|link| link.from), Some(0));
    assert_eq!(changed.links().len(), map.links().len());
    let less = changed.with(head, None);
    assert_eq!(less.link_of(head), None);
    assert_eq!(less.links().len() + 1, map.links().len());
    let back = less.with(head, map.link_of(head).map(|link| link.from));
    assert_eq!(back, map, "as it was found");
}

#[test]
fn every_refusal_of_links() {
    let link = |to, from| Link {
        to,
        from,
        toward: from,
        share: 0.0,
    };
    let new = |links| BoneMap::new(links, 3, 4);
    assert_eq!(new(vec![link(1, 0), link(1, 2)]), Err(MapError::Twice(1)));
    assert_eq!(new(vec![link(4, 0)]), Err(MapError::NoJoint(4)));
    assert_eq!(new(vec![link(0, 3)]), Err(MapError::NoJoint(3)));
    let share = Link {
        share: f64::NAN,
        ..link(0, 0)
    };
    assert_eq!(new(vec![share]), Err(MapError::Share("NaN".to_owned())));
    assert!(new(vec![link(0, 2)]).is_ok(), "one good link");
}
