//! ASF/AMC against the BVH conversion of the same takes, and what is refused (`tests/hostile.rs` has hostile text).

use std::fs;
use std::path::Path;

use kinfolk::file::asf_amc::{AmcSettings, Asf, find_asf, read_amc, read_asf};
use kinfolk::file::bvh::{self, ReadSettings};
use kinfolk::file::{ReadError, SyntaxError};
use kinfolk::motion::{Clip, Dim, Quat, Site, Vec3, WorldPose, rotation};

use crate::data::shared;

/// A motion of the development set, read with the skeleton that is found for it.
fn take(name: &str) -> Option<Clip> {
    let path = shared(&format!("asf_amc/{name}"))?;
    let asf = read_asf(&fs::read(find_asf(&path).unwrap()).unwrap()).unwrap();
    assert_eq!(asf.notes, [], "{name}");
    let clip = read_amc(&asf, &fs::read(path).unwrap(), &AmcSettings::default());
    Some(clip.unwrap())
}

/// Joints that are at the same place in both: (ASF, BVH).
const SAME_PLACE: [(&str, &str); 13] = [
    ("lhipjoint", "LHipJoint"),
    ("lfemur", "LeftUpLeg"),
    ("ltibia", "LeftLeg"),
    ("lfoot", "LeftFoot"),
    ("ltoes", "LeftToeBase"),
    ("rhipjoint", "RHipJoint"),
    ("rfemur", "RightUpLeg"),
    ("rtibia", "RightLeg"),
    ("rfoot", "RightFoot"),
    ("rtoes", "RightToeBase"),
    ("lowerback", "LowerBack"),
    ("upperback", "Spine"),
    ("thorax", "Spine1"),
];

/// Joints above the thorax, whose bone the conversion lost. (It lost the wrists' too, so fingers are left out here.)
const ABOVE: [(&str, &str); 11] = [
    ("lowerneck", "Neck"),
    ("upperneck", "Neck1"),
    ("head", "Head"),
    ("lhumerus", "LeftArm"),
    ("lradius", "LeftForeArm"),
    ("lwrist", "LeftHand"),
    ("rhumerus", "RightArm"),
    ("rradius", "RightForeArm"),
    ("rwrist", "RightHand"),
    ("lclavicle", "LeftShoulder"),
    ("rclavicle", "RightShoulder"),
];

fn world(clip: &Clip, frame: usize) -> WorldPose {
    WorldPose::of(clip.skeleton(), clip.frame(frame))
}

fn at(clip: &Clip, world: &WorldPose, name: &str) -> Vec3 {
    let joint = clip.skeleton().find(name).unwrap();
    world.site(clip.skeleton(), Site::Joint(joint))
}

/// `first` is the number of the first AMC frame, which is also the index of its BVH frame: the conversion added one
/// frame at the front and AMC counts from 1.
fn agrees(amc_name: &str, bvh_name: &str, first: usize) {
    let (Some(amc), Some(path)) = (take(amc_name), shared(&format!("walk_full/{bvh_name}"))) else {
        return;
    };
    let bvh = bvh::read(&fs::read(path).unwrap(), &ReadSettings::default()).unwrap();
    assert_eq!(amc.n_frames() + first, bvh.n_frames(), "{amc_name}");
    assert_eq!(amc.fps(), 120.0, "the usual rate");
    let thorax = amc.skeleton().find("lowerneck").unwrap();
    let lost = amc.skeleton().joints()[thorax].offset.norm();
    let (mut worst, mut worst_above) = (0.0_f64, 0.0_f64);
    for frame in 0..amc.n_frames() {
        let (a, b) = (world(&amc, frame), world(&bvh, frame + first));
        // The conversion rounds the root to four decimals, which alone can be 0.87e-4 apart; so everything else is
        // looked at from the root.
        let roots = at(&amc, &a, "root") - at(&bvh, &b, "Hips");
        assert!(roots.amax() < 0.51e-4, "{amc_name} {frame}: {roots:?}");
        for (ours, theirs) in SAME_PLACE {
            let apart = (at(&amc, &a, ours) - at(&bvh, &b, theirs) - roots).norm();
            worst = worst.max(apart);
            assert!(apart < 1e-4, "{amc_name} {frame} {ours}: {apart:e}");
        }
        for (ours, theirs) in ABOVE {
            let apart = (at(&amc, &a, ours) - at(&bvh, &b, theirs)).norm();
            worst_above = worst_above.max((apart - lost).abs());
            assert!(
                (apart - lost).abs() < 1e-4,
                "{amc_name} {frame} {ours}: {apart} and not {lost}"
            );
        }
    }
    eprintln!(
        "{amc_name}: legs and spine within {worst:.1e}, above within {worst_above:.1e} of {lost:.4}"
    );
}

#[test]
fn takes_agree_with_their_bvh_conversion() {
    agrees("35_01.amc", "35_01.bvh", 1);
    agrees("35_14.amc", "35_14.bvh", 1);
    agrees("16_21.amc", "16_21.bvh", 1);
}

#[test]
fn a_take_that_starts_late_agrees_by_its_frame_numbers() {
    agrees("35_02_starts_at_20.amc", "35_02.bvh", 20);
    if let Some(clip) = take("35_02_starts_at_20.amc") {
        let notes: Vec<&str> = clip.info.notes.iter().map(|n| n.text.as_str()).collect();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("120 frames per second"), "{notes:?}");
        assert!(notes[1].contains("frames from 20"), "{notes:?}");
    }
}

const ARM_ASF: &str = "# made by hand
:version 1.10
:name arm
:units
  mass 1.0
  length 1.0
  angle deg
:documentation
  begin of nothing
:root
  order TX TY TZ RZ RX RY
  axis XYZ
  position 1 2 3
  orientation 0 0 0
:bonedata
  begin
    id 1
    name upper
    direction 1 0 0
    length 2
    axis 0 0 90 XYZ
    dof rx l
    limits (-160.0 20.0)
           (0 inf)
  end
  begin
    name lower
    direction 0.0 1.0 0.0
    length 3
    axis 0 90 0 ZYX
    dof tz rz ry
  end
  begin
    name fixed
    direction 0 0 1
    length 0.5
  end
:hierarchy
  begin
    root upper
    upper lower
    lower fixed
  end
";

const ARM_AMC: &str = "#!OML:ASF
:FULLY-SPECIFIED
:DEGREES
7
root 10 20 30 90 0 0
upper 90 0.5
lower 4 0 90
8
root 10 20 30 0 90 0
upper 0 0
lower 0 0 0
";

fn arm() -> Asf {
    read_asf(ARM_ASF.as_bytes()).unwrap()
}

fn arm_clip(text: &str) -> Result<Clip, ReadError> {
    read_amc(&arm(), text.as_bytes(), &AmcSettings::default())
}

#[test]
fn every_kind_of_freedom_moves_as_it_should() {
    let clip = arm_clip(ARM_AMC).unwrap();
    let names: Vec<&str> = clip
        .skeleton()
        .joints()
        .iter()
        .map(|j| j.name.as_str())
        .collect();
    assert_eq!(names, ["root", "upper", "lower", "fixed"]);
    let quarter = std::f64::consts::FRAC_PI_2;
    let close = |a: Vec3, b: [f64; 3]| {
        assert!((a - Vec3::from(b)).norm() < 1e-12, "{a:?} instead of {b:?}");
    };
    let first = world(&clip, 0);
    // The root sits at its position plus the motion's, turned a quarter about z: what pointed along x points along y.
    close(at(&clip, &first, "root"), [11.0, 22.0, 33.0]);
    close(at(&clip, &first, "upper"), [11.0, 22.0, 33.0]);
    // The upper bone's own x axis is y at rest (its axes are turned a quarter about z).
    let upper = clip.frame(0).rotations[1];
    assert!(
        upper.angle_to(&rotation::about(Dim::Y, quarter)) < 1e-12,
        "{upper:?}"
    );
    // Along x for 2 and stretched by 0.5; the lower bone is shifted by 4 along its own z, which is x at rest. Turned a
    // quarter about y, x becomes -z; the root leaves that alone.
    close(at(&clip, &first, "lower"), [11.0, 22.0, 33.0 - 6.5]);
    // The lower bone turns about its own y, which is y at rest as well.
    let lower = clip.frame(0).rotations[2];
    assert!(
        lower.angle_to(&rotation::about(Dim::Y, quarter)) < 1e-12,
        "{lower:?}"
    );
    let second = world(&clip, 1);
    // Turned a quarter about x: y becomes z.
    close(at(&clip, &second, "lower"), [13.0, 22.0, 33.0]);
    close(at(&clip, &second, "fixed"), [13.0, 22.0, 36.0]);
    close(
        second.site(clip.skeleton(), Site::End(0)),
        [13.0, 21.5, 36.0],
    );
}

#[test]
fn turns_are_applied_in_the_order_of_the_list() {
    let text = ARM_AMC.replace("lower 4 0 90\n", "lower 0 30 40\n");
    let clip = arm_clip(&text).unwrap();
    // dof tz rz ry: z first, then y; about the bone's axes, which are those of the rest pose turned 90 about y.
    let axes = rotation::about(Dim::Y, 90_f64.to_radians());
    let turn: Quat =
        rotation::about(Dim::Y, 40_f64.to_radians()) * rotation::about(Dim::Z, 30_f64.to_radians());
    let expected = axes * turn * axes.inverse();
    let found = clip.frame(0).rotations[2];
    assert!(found.angle_to(&expected) < 1e-9, "{found:?}, {expected:?}");
}

#[test]
fn radians_rates_case_and_line_ends() {
    let degrees = arm_clip(ARM_AMC).unwrap();
    let quarter = std::f64::consts::FRAC_PI_2.to_string();
    let text = ARM_AMC
        .replace("90", &quarter)
        .replace(":DEGREES", ":radians\n:SAMPLES-PER-SECOND 60")
        .replace("upper", "Upper")
        .replace('\n', "\r\n");
    let radians = arm_clip(&text).unwrap();
    assert_eq!(radians.fps(), 60.0);
    for (a, b) in degrees.frames().zip(radians.frames()) {
        for (qa, qb) in a.rotations.iter().zip(b.rotations) {
            assert!(qa.angle_to(qb) < 1e-9, "{qa:?} {qb:?}");
        }
    }
    let asf_radians = ARM_ASF
        .replace("angle deg", "angle rad")
        .replace("90", &quarter);
    let asf = read_asf(asf_radians.as_bytes()).unwrap();
    let settings = AmcSettings { fps: Some(30.0) };
    let text = ARM_AMC.replace("90", &quarter).replace(":DEGREES\n", "");
    let both = read_amc(&asf, text.as_bytes(), &settings).unwrap();
    assert_eq!(both.fps(), 30.0);
    let (a, b) = (world(&both, 0), world(&degrees, 0));
    assert!(
        (at(&both, &a, "fixed") - at(&degrees, &b, "fixed")).norm() < 1e-9,
        "same place"
    );
}

#[test]
fn a_bone_may_begin_with_a_digit() {
    let asf = read_asf(ARM_ASF.replace("upper", "1st").as_bytes()).unwrap();
    let text = ARM_AMC.replace("upper", "1st");
    let clip = read_amc(&asf, text.as_bytes(), &AmcSettings::default()).unwrap();
    assert_eq!(clip.n_frames(), 2);
}

fn amc_notes(text: &str) -> Vec<String> {
    let notes = arm_clip(text).unwrap().info.notes;
    // The rate and the stretched tip are told of every clip of this skeleton.
    notes.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_odd_but_clear_is_noted() {
    let has = |text: &str, expected: &str| {
        let notes = amc_notes(text);
        assert!(notes.iter().any(|n| n.starts_with(expected)), "{notes:?}");
    };
    has(ARM_AMC, "AMC files do not state their frame rate");
    has(ARM_AMC, "the file numbers its frames from 7");
    has(
        &ARM_AMC.replace("\n8\n", "\n12\n"),
        "line 8: frame numbers do not go on by one in 1 place",
    );
    has(
        &ARM_AMC.replacen("upper 90 0.5\n", "", 1),
        "line 4: bones are missing",
    );
    let cut = ARM_AMC.strip_suffix(" 0\n").unwrap();
    has(cut, "line 11: the file breaks off");
    assert_eq!(arm_clip(cut).unwrap().n_frames(), 1);
    let cut = ARM_AMC.strip_suffix("lower 0 0 0\n").unwrap();
    has(cut, "line 8: the file breaks off");
    let kept = arm_clip(&ARM_AMC.replace("upper 0 0\n", "")).unwrap();
    let rotations = |f: usize| kept.frame(f).rotations[1];
    assert_eq!(
        kept.n_frames(),
        1,
        "missing only in the last frame: cut off"
    );
    assert_eq!(
        rotations(0),
        arm_clip(ARM_AMC).unwrap().frame(0).rotations[1]
    );
    let asf = |text: &str| read_asf(text.as_bytes()).unwrap().notes;
    assert!(
        asf(&ARM_ASF.replace("lower fixed\n", "\n"))[0]
            .text
            .contains("\"fixed\""),
        "left out"
    );
    assert!(
        asf(&ARM_ASF.replace("direction 1 0 0", "direction 3 0 0"))[0]
            .text
            .contains("length 3"),
        "direction"
    );
    assert!(
        asf(&ARM_ASF.replace("orientation 0 0 0", "orientation 0 9 0"))[0]
            .text
            .contains("orientation"),
        "guessed"
    );
}

fn asf_error(from: &str, to: &str) -> SyntaxError {
    assert!(ARM_ASF.contains(from), "{from}");
    match read_asf(ARM_ASF.replacen(from, to, 1).as_bytes()) {
        Err(ReadError::Syntax(error)) => error,
        other => panic!("{from} -> {to}: {other:?}"),
    }
}

#[test]
fn every_refusal_of_a_skeleton_names_its_place() {
    for (from, to, line, column, found) in [
        ("# made by hand\n", "HIERARCHY\n", 1, 1, "\"HIERARCHY\""),
        ("angle deg", "angle grad", 7, 9, "\"grad\""),
        ("angle deg", "angle", 7, 8, "the end of the line"),
        ("TX TY TZ RZ RX RY", "TX TY TZ RZ RX RX", 11, 24, "\"RX\""),
        ("axis XYZ", "axis XYY", 12, 8, "\"XYY\""),
        (
            "position 1 2 3",
            "position 1 2",
            13,
            15,
            "the end of the line",
        ),
        ("  begin\n    id 1", "  start\n    id 1", 16, 3, "\"start\""),
        ("name upper", "name", 18, 9, "the end of the line"),
        ("name lower", "name UPPER", 27, 10, "\"UPPER\""),
        ("direction 1 0 0", "direction 1 0 x", 19, 19, "\"x\""),
        ("length 2", "length nan", 20, 12, "\"nan\""),
        ("axis 0 0 90 XYZ", "axis 0 0 90 X", 21, 17, "\"X\""),
        ("dof rx l", "dof rx wobble", 22, 12, "\"wobble\""),
        ("    name fixed\n", "", 36, 3, "\"end\""),
        ("    length 0.5\n", "", 36, 3, "\"end\""),
        ("  end\n:hierarchy", ":hierarchy", 37, 1, "\":hierarchy\""),
        ("upper lower", "upper nobody", 41, 11, "\"nobody\""),
        ("lower fixed", "lower fixed upper", 42, 17, "\"upper\""),
        ("lower fixed", "lower root", 42, 11, "\"root\""),
    ] {
        let error = asf_error(from, to);
        let place = (error.line, error.column, error.found.as_str());
        assert_eq!(place, (line, column, found), "{from} -> {to}: {error}");
    }
    for text in ["", ":version 1.10\n", ":bonedata\nbegin\nname x\n"] {
        let error = read_asf(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("the end of the file"), "{text:?}: {error}");
    }
}

#[test]
fn every_refusal_of_a_motion_names_its_place() {
    for (from, to, line, column) in [
        ("7\nroot", "root", 4, 1),
        ("\n8\n", "\n8 9\n", 8, 3),
        ("\n8\n", "\n99999999999999999999999\n", 8, 1),
        ("upper 90", "nobody 90", 6, 1),
        ("upper 90 0.5", "upper 90", 6, 9),
        ("upper 90 0.5", "upper 90 0.5 1", 6, 14),
        ("upper 90 0.5", "upper 90 1e999", 6, 10),
        ("lower 4", "upper 4", 7, 1),
        (":DEGREES", ":SAMPLES-PER-SECOND -1", 3, 21),
    ] {
        let text = ARM_AMC.replacen(from, to, 1);
        match arm_clip(&text) {
            Err(ReadError::Syntax(e)) => {
                assert_eq!((e.line, e.column), (line, column), "{to}: {e}");
            }
            other => panic!("{from} -> {to}: {other:?}"),
        }
    }
    let empty = arm_clip(":DEGREES\n");
    assert!(matches!(empty, Err(ReadError::Clip(_))), "{empty:?}");
    let settings = AmcSettings { fps: Some(0.0) };
    let still = read_amc(&arm(), ARM_AMC.as_bytes(), &settings);
    assert!(matches!(still, Err(ReadError::Clip(_))), "{still:?}");
}

#[test]
fn the_skeleton_of_a_motion_is_found_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, "").unwrap();
        path
    };
    let found = |name: &str| find_asf(&folder.path().join(name));
    let error = found("35_01.amc").unwrap_err().to_string();
    assert!(error.contains("35_01.asf, 35.asf, any"), "{error}");
    let only = file("x.ASF");
    assert_eq!(found("35_01.amc").unwrap(), only);
    let subject = file("35.asf");
    assert_eq!(found("35_01.amc").unwrap(), subject);
    assert_eq!(found("35_01_late.amc").unwrap(), subject);
    let own = file("35_01.asf");
    assert_eq!(found("35_01.amc").unwrap(), own);
    let error = found("36_01.amc").unwrap_err().to_string();
    assert!(error.contains("there are 3"), "{error}");
    find_asf(Path::new("/no/such/folder/a.amc")).unwrap_err();
}

#[test]
fn many_bones_and_empty_frames_do_not_fill_the_memory() {
    use std::fmt::Write as _;
    let mut asf = String::from(":bonedata\n");
    let mut family = String::from(":hierarchy\n");
    let mut parent = "root".to_owned();
    for idx in 0..50_000 {
        let name = format!("b{idx}");
        write!(asf, "begin\nname {name}\ndirection 1 0 0\nlength 1\nend\n").unwrap();
        writeln!(family, "{parent} {name}").unwrap();
        parent = name;
    }
    asf.push_str(&family);
    let asf = read_asf(asf.as_bytes()).unwrap();
    assert_eq!(asf.skeleton.n_joints(), 50_001);
    let mut amc = String::new();
    for frame in 1..100_000 {
        writeln!(amc, "{frame}").unwrap();
    }
    let refused = read_amc(&asf, amc.as_bytes(), &AmcSettings::default());
    assert!(matches!(refused, Err(ReadError::Syntax(_))), "refused");
}
