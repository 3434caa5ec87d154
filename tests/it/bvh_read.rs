//! The BVH reader on real files, on broken ones, and on everything it notes or refuses.

use std::fs;

use kinfolk::demo::{Action, make};
use kinfolk::file::ReadError;
use kinfolk::file::bvh::{ReadSettings, RootOffset, read};
use kinfolk::motion::{Clip, Dim, NoteKind, Pose, Quat, Site, Vec3, WorldPose, rotation};

use crate::data::{files_below, shared};

fn read_file(path: &std::path::Path) -> Result<Clip, ReadError> {
    read(&fs::read(path).unwrap(), &ReadSettings::default())
}

#[test]
fn positions_agree_with_other_programs() {
    let (Some(root), Some(reference)) = (shared(""), shared("reference/positions")) else {
        return;
    };
    let clips = files_below(&root, "bvh");
    let tables = files_below(&reference, "csv");
    assert!(tables.len() >= 22, "the reference is complete");
    for table in tables {
        let stem = table.file_stem().unwrap();
        let path = clips.iter().find(|c| c.file_stem() == Some(stem)).unwrap();
        let clip = read_file(path).unwrap();
        let text = fs::read_to_string(&table).unwrap();
        // Blender computes in single precision.
        let is_f32 = stem.to_string_lossy().starts_with("raise-up-both-hands");
        let tolerance = if is_f32 { 1e-3 } else { 1e-5 };
        let skeleton = clip.skeleton();
        let mut n_rows = 0;
        let mut rows = text
            .lines()
            .skip(1)
            .map(|l| l.split(',').collect::<Vec<_>>());
        for row in &mut rows {
            let frame: usize = row[0].parse().unwrap();
            let joint = n_rows % skeleton.n_joints();
            assert_eq!(skeleton.joints()[joint].name, row[1], "{}", table.display());
            let world = WorldPose::of(skeleton, clip.frame(frame));
            let position = world.site(skeleton, Site::Joint(joint));
            for (axis, text) in row[2..5].iter().enumerate() {
                let expected: f64 = text.parse().unwrap();
                let error = (position[axis] - expected).abs();
                assert!(
                    error < tolerance,
                    "{}: {row:?} is {position}",
                    table.display()
                );
            }
            n_rows += 1;
        }
        assert!(n_rows >= 2 * skeleton.n_joints(), "{}", table.display());
    }
}

#[test]
fn every_good_file_reads_and_needs_no_repair() {
    let Some(root) = shared("") else {
        return;
    };
    let mut n_read = 0;
    for path in files_below(&root, "bvh") {
        if path.components().any(|c| c.as_os_str() == "malformed") {
            continue;
        }
        let clip = read_file(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // No file of the set writes positions relative to the root's offset, so nothing is guessed either.
        let mended = clip.info.notes.iter().find(|n| n.kind != NoteKind::Noticed);
        assert_eq!(mended, None, "{}", path.display());
        n_read += 1;
    }
    assert!(n_read > 400, "only {n_read} files");
}

#[test]
fn broken_files_do_what_the_table_expects() {
    let Some(folder) = shared("malformed") else {
        return;
    };
    let table = fs::read_to_string(folder.join("EXPECT.csv")).unwrap();
    for line in table.lines().skip(1) {
        let (file, rest) = line.split_once(',').unwrap();
        let result = read_file(&folder.join(file));
        let words = rest.trim_start_matches('"');
        match (words.split(':').next().unwrap(), &result) {
            ("load", Ok(clip)) => {
                let repaired = clip.info.notes.iter().any(|n| n.kind == NoteKind::Repaired);
                assert!(!repaired, "{file} is harmless");
            }
            ("error", Err(ReadError::Syntax(error))) => assert!(error.line > 0, "{file}: {error}"),
            ("either", Ok(clip)) => assert!(!clip.info.notes.is_empty(), "{file} is noted"),
            ("either", Err(_)) => {}
            (expected, _) => panic!("{file} should {expected}, got {result:?}"),
        }
    }
}

/// `bvh_anim` is an independent reader; where it can read a file, both must see the same numbers.
#[test]
fn another_reader_sees_the_same() {
    let Some(root) = shared("") else {
        return;
    };
    let mut n_compared = 0;
    for folder in ["odd_bvh", "walk_full", "bandai_nc"] {
        for path in files_below(&root.join(folder), "bvh") {
            // It drops joints without an End Site.
            if path.ends_with("no_end_sites_4j.bvh") {
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let Ok(other) = bvh_anim::from_bytes(&bytes) else {
                continue;
            };
            let clip = read(&bytes, &ReadSettings::default()).unwrap();
            compare(&clip, &other, &path.display().to_string());
            n_compared += 1;
        }
    }
    assert!(n_compared > 30, "only {n_compared} files");
}

#[test]
fn a_clip_comes_back_from_another_crate_in_single_precision() {
    let clip = make(Action::Throw, 3, 0).clip;
    let there = bvh_anim::Bvh::try_from(&clip).unwrap();
    assert_eq!(there.joints().count(), clip.skeleton().n_joints());
    let back = Clip::try_from(&there).unwrap();
    assert_eq!(back.n_frames(), clip.n_frames());
    assert!((back.frame_secs() - clip.frame_secs()).abs() < 1e-6, "rate");
    let skeleton = clip.skeleton();
    for frame in 0..clip.n_frames() {
        let ours = WorldPose::of(skeleton, clip.frame(frame));
        let theirs = WorldPose::of(back.skeleton(), back.frame(frame));
        for site in skeleton.sites() {
            let off = ours.site(skeleton, site) - theirs.site(back.skeleton(), site);
            assert!(off.norm() < 1e-3, "frame {frame}: {} cm off", off.norm());
        }
    }
    let empty = Clip::try_from(&bvh_anim::Bvh::new()).unwrap_err();
    assert!(empty.to_string().contains("line"), "{empty}");
}

fn compare(clip: &Clip, other: &bvh_anim::Bvh, name: &str) {
    let joints = clip.skeleton().joints();
    assert_eq!(joints.len(), other.joints().count(), "{name}");
    assert_eq!(clip.n_frames(), other.frames().len(), "{name}");
    for (idx, (ours, theirs)) in joints.iter().zip(other.joints()).enumerate() {
        let theirs = theirs.data();
        // It ends names at a colon.
        let short_name = ours.name.split(':').next().unwrap();
        assert_eq!(short_name, theirs.name().to_string(), "{name}");
        assert_eq!(ours.channels.len(), theirs.num_channels(), "{name}");
        assert_eq!(ours.parent, theirs.parent_index(), "{name}: {}", ours.name);
        let offset = theirs.offset();
        for (axis, value) in [offset.x, offset.y, offset.z].into_iter().enumerate() {
            assert_eq!(ours.offset[axis] as f32, value, "{name}: {}", ours.name);
        }
        for frame in [0, clip.n_frames() / 2, clip.n_frames() - 1] {
            let pose = clip.frame(frame);
            let mut turn = Quat::identity();
            for channel in theirs.channels() {
                let value = other.get_motion(frame, channel);
                let dim = match channel.channel_type().axis() {
                    bvh_anim::Axis::X => Dim::X,
                    bvh_anim::Axis::Y => Dim::Y,
                    bvh_anim::Axis::Z => Dim::Z,
                };
                if channel.channel_type().is_rotation() {
                    turn *= rotation::about(dim, f64::from(value).to_radians());
                } else {
                    let slot = clip.skeleton().translation_slot(idx).unwrap();
                    let place = pose.translations[slot][dim.index()];
                    assert_eq!(place as f32, value, "{name}: {} at {frame}", ours.name);
                }
            }
            let error = (turn.coords - pose.rotations[idx].coords).norm();
            assert!(
                error < 1e-6,
                "{name}: {} at {frame} is off by {error}",
                ours.name
            );
        }
    }
}

/// A root with a position and rotations, a child, three frames.
const GOOD: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 0 -1 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -1 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.01
1 2 3 10 20 30 40
2 3 4 11 21 31 41
3 4 5 12 22 32 42
";

fn read_text(text: &str) -> Result<Clip, ReadError> {
    read(text.as_bytes(), &ReadSettings::default())
}

/// The good file with one thing changed.
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "the good file has {from:?}");
    GOOD.replacen(from, to, 1)
}

/// The only note of the file, as `Kind line: text`.
fn note(text: &str) -> String {
    let clip = read_text(text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    let notes = &clip.info.notes;
    assert_eq!(notes.len(), 1, "{notes:?} of\n{text}");
    format!("{:?} {}", notes[0].kind, notes[0])
}

#[track_caller]
fn assert_noted(text: &str, expected: &str) {
    let note = note(text);
    assert!(
        note.starts_with(expected),
        "{note:?} does not say {expected:?}"
    );
}

/// The message of the refusal, place first.
fn refusal(text: &str) -> String {
    match read_text(text) {
        Err(ReadError::Syntax(error)) => error.to_string(),
        other => panic!("{other:?} of\n{text}"),
    }
}

#[track_caller]
fn assert_refused(text: &str, expected: &str) {
    assert_eq!(refusal(text), expected, "{text}");
}

#[test]
fn a_plain_file_means_what_it_says() {
    let clip = read_text(GOOD).unwrap();
    assert_eq!(clip.info.notes, []);
    assert_eq!(clip.info.name, "clip");
    assert_eq!((clip.n_frames(), clip.fps()), (3, 100.0));
    let skeleton = clip.skeleton();
    assert_eq!(skeleton.ends().len(), 1);
    let pose = clip.frame(1);
    assert_eq!(pose.root(), Vec3::new(2.0, 3.0, 4.0));
    let order = skeleton.joints()[0].channels.rotation_order();
    let angles = [11.0_f64, 21.0, 31.0].map(f64::to_radians);
    let hips = rotation::from_euler(order, angles);
    assert!(
        (pose.rotations[0].coords - hips.coords).norm() < 1e-15,
        "hips"
    );
    let leg = rotation::about(Dim::X, 41.0_f64.to_radians());
    assert!(
        (pose.rotations[1].coords - leg.coords).norm() < 1e-15,
        "leg"
    );
}

#[test]
fn harmless_spellings_change_nothing() {
    let good = read_text(GOOD).unwrap();
    let variants = [
        GOOD.replace('\n', "\r\n"),
        GOOD.replace('\n', "\r"),
        GOOD.replace('\n', " \t\n\n"),
        GOOD.replace("  ", "\t"),
        GOOD.replace("\n{", " {"),
        GOOD.trim_end().to_owned(),
        format!("\u{feff}{GOOD}"),
        with("Frames: 3", "Frames:\t3"),
        with("Frames: 3", "Frames : 3"),
        with("Frames: 3", "Frames:3"),
        with("Frames: 3", "FRAMES 3"),
        with("Frames: 3\nFrame Time: 0.01", "Frame Time: 0.01\nFrames: 3"),
        with("Frame Time: 0.01", "Frame Time:\t.01"),
        with("Frame Time: 0.01", "FrameTime : 1e-002"),
        with("1 2 3 10", "1.0 2. +3 1e1"),
        with("End Site", "EndSite"),
        with(
            "OFFSET 0 -1 0\n    CHANNELS 1 Xrotation",
            "CHANNELS 1 Xrotation\n    OFFSET 0 -1 0",
        ),
    ];
    for text in variants {
        let clip = read_text(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
        assert_eq!(clip, good, "{text}");
    }
}

#[test]
fn everything_unusual_is_noted_at_its_line() {
    let utf16: Vec<u8> = GOOD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let clip = read(&utf16, &ReadSettings::default()).unwrap();
    assert_eq!(clip.motion(), read_text(GOOD).unwrap().motion());
    assert!(
        clip.info.notes[0].text.contains("UTF-16"),
        "{:?}",
        clip.info.notes
    );
    for (text, expected) in [
        (with("JOINT", "joint"), "Noticed line 6: one keyword"),
        (
            with("MOTION", "# by hand\nMOTION"),
            "Noticed line 16: one comment",
        ),
        (
            with("2 3 4", "// half way\n2 3 4"),
            "Noticed line 20: one comment",
        ),
        (
            with("ROOT Hips", "ROOT My Hips"),
            "Noticed line 2: one joint name holds blanks, first \"My Hips\"",
        ),
        (
            with("JOINT Leg", "JOINT"),
            "Repaired line 6: one joint has no name; the first is called \"joint1\"",
        ),
        (
            with("JOINT Leg", "JOINT Hips"),
            "Noticed one joint has the same name as an earlier joint, first \"Hips\"",
        ),
        (
            with("End Site", "End Site Toe"),
            "Noticed line 10: one end site has a name",
        ),
        (
            with("End Site\n    {\n      OFFSET 0 -1 0\n    }\n", ""),
            "Noticed line 10: one joint ends a limb without an End Site, first \"Leg\"",
        ),
        (
            with("Frames: 3", "Frames: 1000000000000"),
            "Repaired line 17: the file promises 1000000000000 frames and holds 3",
        ),
        (
            with("Frames: 3", "Frames: 2"),
            "Repaired line 17: the file promises 2 frames and holds 3",
        ),
        (
            with("Frames: 3", "Frames: 0"),
            "Repaired line 17: the file promises 0 frames and holds 3",
        ),
        (
            with("Frames: 3\n", ""),
            "Repaired line 16: there is no Frames line",
        ),
        (
            with("3 4 5 12 22 32 42\n", "3 4 5 12 22 32 42\nthe end\n"),
            "Repaired line 22: \"the\" and whatever follows",
        ),
        (
            with("1 2 3 10 20 30 40", "1 2 3 10 20 30-40"),
            "Repaired line 19: one number was written without a blank",
        ),
    ] {
        assert_noted(&text, expected);
    }
}

#[test]
fn a_frame_time_that_cannot_be_meant_is_replaced() {
    for secs in ["0", "0.0", "1e-300", "1e300", "33.3"] {
        let text = with("Frame Time: 0.01", &format!("Frame Time: {secs}"));
        let expected = format!("Guessed line 18: the frame time cannot be \"{secs}\"; 1/30 s");
        assert_noted(&text, &expected);
        assert_eq!(read_text(&text).unwrap().frame_secs(), 1.0 / 30.0);
    }
}

#[test]
fn a_header_that_means_nothing_is_refused() {
    for (text, place, words) in [
        (
            with("Frames: 3", "Frames: -3"),
            "line 17, column 9",
            "expected the number of frames, found \"-3\"",
        ),
        (
            with("Frames: 3", "Frames: many"),
            "line 17, column 9",
            "the number of frames",
        ),
        (
            with("Frames: 3", "Frames: 2.5"),
            "line 17, column 9",
            "the number of frames",
        ),
        (
            with("Frames: 3", "Frames:"),
            "line 17, column 8",
            "found the end of the line",
        ),
        (
            with("Frame Time: 0.01", "Frame Time: -0.01"),
            "line 18, column 13",
            "the seconds from one frame to the next",
        ),
        (
            with("Frame Time: 0.01", "Frame Time: NaN"),
            "line 18, column 13",
            "found \"NaN\"",
        ),
        (
            with("Frame Time: 0.01", "Frame Time: 1e999"),
            "line 18, column 13",
            "found \"1e999\"",
        ),
        (
            with("Frame Time: 0.01", "Frame Time: fast"),
            "line 18, column 13",
            "found \"fast\"",
        ),
        (
            with("Frame Time: 0.01\n", ""),
            "line 18, column 1",
            "expected Frame Time: and the seconds",
        ),
        (
            with("Xrotation\n", "Wrotation\n"),
            "line",
            "a channel such as Xrotation",
        ),
    ] {
        let error = refusal(&text);
        assert!(error.starts_with(place) && error.contains(words), "{error}");
    }
}

#[test]
fn a_last_number_that_was_cut_off_is_noticed() {
    let head = GOOD.split("1 2 3 10").next().unwrap();
    let rows = "1.0000 2.0000 3.0000 10.0000 20.0000 30.0000 -19.4887\n".repeat(3);
    let whole = format!("{head}{rows}");
    assert_eq!(
        read_text(&whole).unwrap().info.notes.len(),
        0,
        "nothing to say"
    );
    assert_eq!(
        read_text(whole.trim_end()).unwrap().info.notes.len(),
        0,
        "it is whole"
    );
    // Four decimals everywhere: the row is known to be broken, like one that lacks the number.
    let cut = whole.trim_end().trim_end_matches("9.4887");
    let clip = read_text(cut).unwrap();
    assert_eq!(clip.n_frames(), 2);
    let said: Vec<String> = clip.info.notes.iter().map(ToString::to_string).collect();
    let cut_row = "line 21: the last row breaks off after 6 of 7 values";
    assert!(
        said.iter().any(|note| note.starts_with(cut_row)),
        "{said:?}"
    );
    // As many decimals as each number needs: it may be whole, and stays.
    let free = cut.replace("10.0000", "10.5").replace("20.0000", "20");
    let clip = read_text(&free).unwrap();
    assert_eq!(clip.n_frames(), 3);
    assert_noted(
        &free,
        "Noticed line 21: the file ends without a line end in \"-1\"",
    );
}

#[test]
fn without_frames_there_is_the_rest_pose() {
    let header = GOOD.split("1 2 3").next().unwrap();
    let no_rows = header.replace("Frames: 3", "Frames: 0");
    assert_noted(&no_rows, "Repaired line 17: there are no frames");
    let promised = "Repaired line 17: there are no frames; the clip is one frame of the rest pose";
    assert_noted(header, promised);
    let no_motion = GOOD.split("MOTION").next().unwrap();
    for text in [&no_rows, header, no_motion, &format!("{no_motion}MOTION\n")] {
        let clip = read_text(text).unwrap();
        let rest = Pose::rest(clip.skeleton());
        assert_eq!(clip.n_frames(), 1, "{text}");
        assert_eq!(clip.frame(0), rest.as_ref());
    }
    let notes = read_text(no_motion).unwrap().info.notes;
    assert!(
        notes.iter().any(|n| n.text == "there is no MOTION part"),
        "{notes:?}"
    );
    // Joints without any channel have nothing to write in a row.
    let still = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n\n\n";
    assert_eq!(
        read_text(still).unwrap().frame(0).root(),
        Vec3::new(1.0, 2.0, 3.0)
    );
}

#[test]
fn a_row_that_was_cut_off_is_left_out() {
    for cut in [
        "3 4 5 12 22",
        "3 4 5 12 22\n\n",
        "3 4 5 12 22 32 -",
        "3 4 5 12 22 32 1e-",
    ] {
        let text = with("3 4 5 12 22 32 42\n", cut);
        let clip = read_text(&text).unwrap();
        assert_eq!(clip.n_frames(), 2, "{cut}");
        let texts: Vec<String> = clip.info.notes.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert!(
            texts[0].starts_with("line 17: the file promises 3 frames"),
            "{texts:?}"
        );
        assert!(
            texts[1].starts_with("line 21: the last row breaks off after"),
            "{texts:?}"
        );
    }
}

#[test]
fn wrapped_rows_are_read_as_a_stream() {
    let (head, rows) = GOOD.split_at(GOOD.find("1 2 3 10").unwrap());
    let values: Vec<&str> = rows.split_whitespace().collect();
    for per_line in [1, 2, 3, 5, 6, 8, 13, 21] {
        let lines: Vec<String> = values.chunks(per_line).map(|line| line.join(" ")).collect();
        let text = format!("{head}{}\n", lines.join("\n"));
        let lines = lines.len();
        assert_noted(
            &text,
            &format!("Repaired line 19: rows do not end where frames do ({lines} lines)"),
        );
        assert_eq!(
            read_text(&text).unwrap().motion(),
            read_text(GOOD).unwrap().motion()
        );
    }
}

#[test]
fn wrapping_may_begin_late_but_a_value_may_not_slip() {
    let late = with("2 3 4 11 21 31 41", "2 3 4 11\n21 31 41");
    assert_noted(
        &late,
        "Repaired line 19: rows do not end where frames do (4 lines)",
    );
    assert_eq!(
        read_text(&late).unwrap().motion(),
        read_text(GOOD).unwrap().motion()
    );
    let slipped = with("2 3 4 11 21 31 41\n3", "2 3 4 11 21 31\n41 3");
    assert_refused(
        &slipped,
        "line 20, column 15: expected another value (frame 1 has 6 of 7), found the end of the line",
    );
}

#[test]
fn only_the_first_skeleton_is_read_and_the_columns_of_others_are_skipped() {
    let other = "}\nROOT Prop\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yposition\n}\nMOTION";
    let text = with("}\nMOTION", other)
        .replace(" 40\n", " 40 7 8\n")
        .replace(" 41\n", " 41 7 8\n")
        .replace(" 42\n", " 42 7 8\n");
    let clip = read_text(&text).unwrap();
    assert_eq!(clip.motion(), read_text(GOOD).unwrap().motion());
    let notes: Vec<String> = clip.info.notes.iter().map(ToString::to_string).collect();
    assert!(
        notes
            .iter()
            .any(|n| n.starts_with("line 16: one further skeleton in this file, first \"Prop\"")),
        "{notes:?}"
    );
    let scaled = with("1 Xrotation", "2 Xscale Xrotation")
        .replace(" 40\n", " 7 40\n")
        .replace(" 41\n", " 7 41\n")
        .replace(" 42\n", " 7 42\n");
    assert_noted(&scaled, "Noticed line 9: one scale channel skipped");
    assert_eq!(
        read_text(&scaled).unwrap().motion(),
        read_text(GOOD).unwrap().motion()
    );
}

#[test]
fn positions_replace_the_offset_axis_by_axis() {
    let text = with(
        "OFFSET 0 -1 0\n    CHANNELS 1 Xrotation",
        "OFFSET 5 -1 6\n    CHANNELS 1 Yposition",
    );
    let clip = read_text(&text).unwrap();
    assert_eq!(clip.frame(1).translations[1], Vec3::new(5.0, 41.0, 6.0));
    let mixed = with(
        "Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "Zrotation Yposition Xrotation Xposition Yrotation Zposition",
    );
    let clip = read_text(&mixed).unwrap();
    assert_eq!(clip.frame(0).root(), Vec3::new(10.0, 2.0, 30.0));
}

#[test]
fn a_root_offset_is_added_only_where_a_depth_camera_wrote_it() {
    // The body reaches two units from its root.
    let far = with("OFFSET 0 0 0", "OFFSET 1 0 9");
    let camera = far
        .replace("1 2 3 10", "0 0 0.1 10")
        .replace("2 3 4 11", "0.1 0.2 0.5 11")
        .replace("3 4 5 12", "0 1 2 12");
    let root = |text: &str, meaning| {
        let settings = ReadSettings {
            root_offset: meaning,
        };
        read(text.as_bytes(), &settings).unwrap().frame(1).root()
    };
    let (added, replaced) = (Vec3::new(1.1, 0.2, 9.5), Vec3::new(0.1, 0.2, 0.5));
    assert_eq!(root(&camera, RootOffset::Guess), added);
    assert_eq!(root(&camera, RootOffset::Add), added);
    assert_eq!(root(&camera, RootOffset::Replace), replaced);
    assert_noted(
        &camera,
        "Guessed the root's offset is large (9.0554 from the origin)",
    );
    // Positions in the room, an offset that is only the height of the hips, or a root that does not move in all ways.
    let in_room = far.replace("1 2 3 10", "0 2 0 10");
    let hips = camera.replace("OFFSET 1 0 9", "OFFSET 0 2 0");
    let two_axes = camera
        .replace("6 Xposition Yposition", "5 Yposition")
        .replace("0 0 0.1 10", "0 0.1 10")
        .replace("0.1 0.2 0.5 11", "0.2 0.5 11")
        .replace("0 1 2 12", "1 2 12");
    for text in [&in_room, &hips, &two_axes] {
        let clip = read_text(text).unwrap();
        assert_eq!(clip.info.notes, [], "{text}");
        assert_eq!(
            root(text, RootOffset::Guess),
            root(text, RootOffset::Replace)
        );
    }
    assert_eq!(root(&in_room, RootOffset::Add), Vec3::new(3.0, 3.0, 13.0));
    assert_eq!(root(&two_axes, RootOffset::Add), Vec3::new(1.0, 0.2, 9.5));
}

#[test]
fn every_refusal_names_its_place() {
    let begins = "HIERARCHY, with which every BVH file begins";
    assert_refused(
        "",
        &format!("line 1, column 1: expected {begins}, found the end of the file"),
    );
    assert_refused(
        "\n :version 1.10",
        &format!("line 2, column 2: expected {begins}, found \":version\""),
    );
    assert_refused(
        "Kaydara FBX Binary",
        &format!("line 1, column 1: expected {begins}, found \"Kaydara\""),
    );
    let png = read(b"\x89PNG\r\n\x1a\n", &ReadSettings::default()).unwrap_err();
    assert_eq!(
        png.to_string(),
        format!("line 1, column 1: expected {begins}, found \"\u{fffd}PNG\"")
    );
    for (text, expected) in [
        (
            "HIERARCHY\nJOINT a".to_owned(),
            "line 2, column 1: expected ROOT, found \"JOINT\"",
        ),
        (
            with("{", "OFFSET"),
            "line 3, column 1: expected \"{\", found \"OFFSET\"",
        ),
        (
            with("OFFSET 0 0 0", ""),
            "line 6, column 3: expected OFFSET, found \"JOINT\"",
        ),
        (
            with("OFFSET 0 0 0", "OFFSET 0 0"),
            "line 5, column 3: expected a number, found \"CHANNELS\"",
        ),
        (
            with("OFFSET 0 0 0", "OFFSET 0 0,5 0"),
            "line 4, column 12: expected a number with a decimal point, and no commas, found \"0,5\"",
        ),
        (
            with("OFFSET 0 0 0", "OFFSET 0 nan 0"),
            "line 4, column 12: expected a finite number, found \"nan\"",
        ),
        (
            with("OFFSET 0 0 0", "OFFSET 0 0 1e300"),
            "line 4, column 14: expected a length below 1e15, found \"1e300\"",
        ),
        (
            with("CHANNELS 1", "CHANNELS one"),
            "line 9, column 14: expected the number of channels, found \"one\"",
        ),
        (
            with("CHANNELS 1", "CHANNELS 2"),
            "line 10, column 5: expected a channel such as Xrotation (1 of 2 are named), found \"End\"",
        ),
        (
            with("CHANNELS 6", "CHANNELS 5"),
            "line 5, column 64: expected only 5 channels, as the line says, found \"Yrotation\"",
        ),
        (
            with("Xrotation Yrotation", "Xrotation Zrotation"),
            "line 5, column 64: expected each channel only once, found \"Zrotation\"",
        ),
        (
            with("JOINT", "JOIN"),
            "line 6, column 3: expected JOINT, End Site or \"}\", found \"JOIN\"",
        ),
        (
            with("}\nMOTION", "MOTION"),
            "line 15, column 1: expected JOINT, End Site or \"}\", found \"MOTION\"",
        ),
        (
            with("}\nMOTION", "}\n}\nMOTION"),
            "line 16, column 1: expected MOTION or another ROOT, found \"}\"",
        ),
        (
            with("      OFFSET 0 -1 0\n    }", "      OFFSET 0 -1 0 0"),
            "line 12, column 21: expected \"}\" of the End Site, found \"0\"",
        ),
        (
            with("MOTION\nFrames", "MOTION\nFrame count"),
            "line 17, column 1: expected Frame Time: and the seconds from one frame to the next, found \"Frame\"",
        ),
        (
            with("2 3 4 11 21 31 41", "2 3 4 11 21 31"),
            "line 20, column 15: expected another value (frame 1 has 6 of 7), found the end of the line",
        ),
        (
            with("2 3 4 11 21 31 41", "2 3 4 11 21 31 41 51"),
            "line 20, column 19: expected the end of the line after 7 values, found \"51\"",
        ),
        (
            with("2 3 4 11", "2 3 nan 11"),
            "line 20, column 5: expected a finite number, found \"nan\"",
        ),
        (
            with("2 3 4 11", "-inf 3 4 11"),
            "line 20, column 1: expected a finite number, found \"-inf\"",
        ),
        (
            with("2 3 4 11", "2 3 4 1e999"),
            "line 20, column 7: expected a finite number, found \"1e999\"",
        ),
        (
            with("2 3 4 11", "2 3 4 1.1.1"),
            "line 20, column 7: expected a number, found \"1.1.1\"",
        ),
        (
            with("2 3 4 11", "2 3 4 eleven"),
            "line 20, column 7: expected a number, found \"eleven\"",
        ),
        (
            with("2 3 4 11", "2,5 3 4 11"),
            "line 20, column 1: expected a number with a decimal point, and no commas, found \"2,5\"",
        ),
        (
            with("2 3 4 11", "2 3 -1e20 11"),
            "line 20, column 5: expected a length below 1e15, found \"-1e20\"",
        ),
        (
            with("2 3 4 11", "two\n2 3 4 11"),
            "line 20, column 1: expected a number, found \"two\"",
        ),
    ] {
        assert_refused(&text, expected);
    }
    // The only row is cut off: nothing to show.
    let (head, _) = GOOD.split_at(GOOD.find("1 2 3 10").unwrap());
    assert_refused(
        &format!("{head}1 2 3"),
        "line 19, column 6: expected another value (frame 0 has 3 of 7), found the end of the file",
    );
    let long = refusal(&with("2 3 4 11", &format!("2 3 4 {}", "x".repeat(500))));
    assert!(long.len() < 120, "{long}");
}

#[test]
fn huge_angles_still_turn() {
    let clip = read_text(&with(" 40\n", " 1e300\n")).unwrap();
    let leg = clip.frame(0).rotations[1];
    assert!((leg.coords.norm() - 1.0).abs() < 1e-14, "{leg:?}");
}
