//! `kinfolk texture` on the built program.

use std::fmt::Write as _;
use std::fs;
use std::sync::OnceLock;

use kinfolk::demo::{Action, make};
use kinfolk::file::{bvh, texture_file};
use kinfolk::motion::{Clip, edit};
use serde_json::Value;

use crate::command::{Bench, Ran, read, small_walk};

/// A demo clip at 30 frames a second, so that learning takes a moment only.
fn demo(action: Action, index: u64, frames: std::ops::Range<usize>) -> Clip {
    let clip = edit::resample(&make(action, 5, index).clip, 30.0).unwrap();
    let end = frames.end.min(clip.n_frames());
    edit::trim(&clip, frames.start..end).unwrap()
}

fn put(bench: &Bench, name: &str, clip: &Clip) {
    let bytes = bvh::write(clip, &bvh::WriteSettings::default()).bytes;
    bench.put(name, &String::from_utf8(bytes).unwrap());
}

/// Two walks and two raw takes in the folder `clips`, and what they are called.
fn with_clips() -> Bench {
    let bench = Bench::new();
    let mut labels = "label,file,note\n".to_owned();
    for (name, action, index, frames) in [
        ("walk_01", Action::WalkTake, 0, 90..420),
        ("walk_02", Action::WalkTake, 1, 90..420),
        ("mixed_01", Action::MixedTake, 0, 0..420),
        ("front_kick_01", Action::FrontKick, 0, 0..90),
    ] {
        put(
            &bench,
            &format!("clips/{name}.bvh"),
            &demo(action, index, frames),
        );
        let label = name.rsplit_once('_').unwrap().0;
        writeln!(labels, "\"{label}\",clips/{name}.bvh,x").unwrap();
    }
    bench.put("labels.csv", &labels);
    bench
}

/// The texture of the clips, and what was told; learned once for all tests.
fn learned() -> &'static (String, Value) {
    static LEARNED: OnceLock<(String, Value)> = OnceLock::new();
    LEARNED.get_or_init(|| {
        let bench = with_clips();
        let args = [
            "texture",
            "learn",
            "clips",
            "--labels",
            "labels.csv",
            "--out",
            "t.ron",
            "--json",
        ];
        let told = bench.run(args).ok().json();
        let folder = bench.path("").display().to_string();
        let text = fs::read_to_string(bench.path("t.ron")).unwrap();
        assert!(!text.contains(&folder), "no folders of this machine");
        (text, told)
    })
}

/// A folder with the texture `t.ron`.
fn with_texture() -> Bench {
    let bench = Bench::new();
    bench.put("t.ron", &learned().0);
    bench
}

fn play(bench: &Bench, out: &str, extra: &[&str]) -> Ran {
    let args = ["texture", "play", "t.ron", "--json", "--out", out];
    bench.run(args.iter().chain(extra))
}

fn is_said(ran: &Ran, code: i32, words: &str) {
    assert_eq!(ran.code(), code, "{words}: {}", ran.err());
    assert!(ran.err().contains(words), "{words}: {}", ran.err());
}

/// Either a mistake in the command or something that the texture does not have.
fn is_refused(ran: &Ran, words: &str) {
    assert!((1..=2).contains(&ran.code()), "{words}: {}", ran.err());
    assert!(ran.err().contains(words), "{words}: {}", ran.err());
}

#[test]
fn a_texture_is_learned_and_told() {
    let told = &learned().1;
    for key in [
        "frames",
        "systems",
        "sections",
        "transitions",
        "covered_frames",
        "alone_frames",
        "too_far_frames",
        "left_out_frames",
        "mended",
        "error_deg",
        "dims",
        "threshold",
        "label_pairs_reachable",
        "seconds",
    ] {
        assert!(told[key].is_number(), "{key}: {told}");
    }
    assert_eq!((&told["clips"], &told["labels"]), (&4.into(), &3.into()));
    assert_eq!(
        told["label_names"],
        serde_json::json!(["front_kick", "mixed", "walk"])
    );
    let n = |key: &str| told[key].as_u64().unwrap();
    let parts = [
        "covered_frames",
        "alone_frames",
        "too_far_frames",
        "left_out_frames",
    ];
    assert_eq!(parts.iter().map(|p| n(p)).sum::<u64>(), n("frames"));
    assert!(n("transitions") > 100 && n("systems") > 3, "{told}");
}

#[test]
fn labels_come_from_names_or_a_table_and_gaps_are_named() {
    let bench = with_clips();
    let learn = |extra: &[&str]| {
        let few = [
            "texture",
            "learn",
            "clips/walk_01.bvh",
            "clips/walk_02.bvh",
            "--out",
            "x.ron",
            "--force",
        ];
        bench.run(few.iter().chain(extra))
    };
    let text = learn(&["--threshold", "1.5", "--em", "1", "--max-error", "4"])
        .ok()
        .out();
    assert!(
        text.contains("1 labels, by the names of the clips: walk"),
        "{text}"
    );
    assert!(text.contains("up to a distance of 1.50"), "{text}");
    let parts = texture_file::read(&bench.path("x.ron")).unwrap();
    assert_eq!(parts.settings.threshold, Some(1.5));
    assert_eq!(
        (parts.settings.em_rounds, parts.settings.most_error_deg),
        (1, 4.0)
    );
    // One row for no file, one without a label, a clip without a row; the rest is done.
    bench.put(
        "some.csv",
        "file,label\nclips/walk_01.bvh,stroll\nclips/gone.bvh,walk\nclips/mixed_01.bvh\n",
    );
    let some = learn(&["--labels", "some.csv", "--json"]);
    is_said(
        &some,
        1,
        "some.csv: line 3: there is no file \"clips/gone.bvh\"",
    );
    is_said(&some, 1, "some.csv: line 4, column 19: expected a label");
    is_said(&some, 1, "walk_02.bvh: it has no label in some.csv");
    assert_eq!(some.json()["label_names"], serde_json::json!(["stroll"]));
    assert_eq!(some.json()["label_pairs_reachable"], Value::Null);
    bench.put("none.csv", "name,label\nclips/walk_01.bvh,stroll\n");
    is_said(
        &learn(&["--labels", "none.csv"]),
        1,
        "line 1, column 1: expected a header with file, label",
    );
    bench.put("other.csv", "file,label\nclips/mixed_01.bvh,mixed\n");
    is_said(
        &learn(&["--labels", "other.csv"]),
        1,
        "none of the clips can be used",
    );
    is_said(&learn(&["--labels", "gone.csv"]), 1, "gone.csv");
    is_said(&learn(&["--em", "101"]), 2, "from 0 to 100");
    is_said(&learn(&["--threshold", "0"]), 2, "over zero");
    bench.put("clips/small.bvh", &small_walk(40));
    let odd = learn(&["clips/small.bvh"]);
    is_said(&odd, 1, "small.bvh: it is on another skeleton");
}

#[test]
fn actions_follow_each_other() {
    let bench = with_texture();
    let told = play(&bench, "a.bvh", &["--actions", "walk:3,mixed"])
        .ok()
        .json();
    let clip = read(&bench.path("a.bvh"));
    assert_eq!(
        (&told["frames"], clip.fps()),
        (&clip.n_frames().into(), 30.0)
    );
    let labels = told["labels"].as_array().unwrap();
    assert_eq!(labels[0], serde_json::json!(["walk", 0]), "{told}");
    assert_eq!(labels.last().unwrap()[0], "mixed", "{told}");
    let secs = clip.n_frames() as f64 / 30.0;
    let others = told["detours"].as_array().unwrap().iter();
    let others: f64 = others.map(|d| d["secs"].as_f64().unwrap()).sum();
    assert!(
        (6.0..9.0).contains(&(secs - others)),
        "3 s and 4 s, and {others} s between: {secs}"
    );
    for key in ["foot_skate", "foot_skate_metres_per_sec", "ms_per_frame"] {
        assert!(told[key].is_number(), "{key}: {told}");
    }
    for key in [
        "path_error_mean",
        "path_error_p95",
        "path_error_max",
        "hits",
        "covered",
        "bends",
    ] {
        assert!(told[key].is_null(), "{key}: {told}");
    }
    for join in told["joins"].as_array().unwrap() {
        for key in [
            "at",
            "frames",
            "pose_jump",
            "velocity_jump",
            "jerk_ratio",
            "overshoot_deg",
            "foot_slide",
        ] {
            assert!(join[key].is_number(), "{key}: {join}");
        }
        assert!(join["from"].is_string() && join["to"].is_string() && join["kind"].is_string());
        assert!(join["fallback"].is_boolean(), "{join}");
    }
    let bytes = |name: &str| fs::read(bench.path(name)).unwrap();
    let other = |out: &str, extra: &[&str]| {
        play(
            &bench,
            out,
            &[&["--actions", "walk:3,mixed"], extra].concat(),
        )
        .ok();
        bytes(out)
    };
    assert_eq!(
        bytes("a.bvh"),
        other("b.bvh", &["--threads", "1"]),
        "same seed, same bytes"
    );
    assert_ne!(bytes("a.bvh"), other("c.bvh", &["--seed", "2"]));
    let replay = other("d.bvh", &["--replay"]);
    assert_ne!(bytes("a.bvh"), replay, "not the clips' own frames");
    assert_ne!(bytes("a.bvh"), other("e.bvh", &["--amount", "2"]));
    is_said(&play(&bench, "a.bvh", &["--actions", "walk"]), 2, "--force");
    let far = play(
        &bench,
        "k.bvh",
        &["--actions", "walk:2,front_kick:2", "--fps", "25"],
    );
    is_said(&far, 0, "30 frames a second of the texture");
    let text = [
        "texture",
        "play",
        "t.ron",
        "--actions",
        "walk:2",
        "--out",
        "t.bvh",
    ];
    let text = bench.run(text).ok().out();
    assert!(
        text.contains("  walk\n") && text.contains("toes that are down"),
        "{text}"
    );
}

#[test]
fn a_path_is_followed_with_its_corners_rounded() {
    let bench = with_texture();
    bench.put("path.csv", "x,z\n0,0\n0,300\n300,300\n");
    let along = ["--path", "path.csv", "--actions", "walk", "--plan", "p.png"];
    let told = play(&bench, "p.bvh", &along).ok().json();
    let plan = image::load_from_memory(&fs::read(bench.path("p.png")).unwrap()).unwrap();
    let plan = plan.to_rgb8();
    let blue = plan.pixels().filter(|p| p.0 == [0, 114, 178]).count();
    assert!(
        blue > 500,
        "the way is drawn in the colour of its action: {blue}"
    );
    let number = |key: &str| {
        told[key]
            .as_f64()
            .unwrap_or_else(|| panic!("{key}: {told}"))
    };
    assert!(number("covered") > 0.95 && number("hits") > 0.9, "{told}");
    assert!(number("path_error_mean") < 3.0, "centimetres: {told}");
    assert!(number("path_error_mean") <= number("path_error_p95"));
    assert!(number("path_error_p95") <= number("path_error_max"));
    let radius = number("radius");
    assert!((29.0..=201.0).contains(&radius), "0.3 to 2 m: {told}");
    // A right angle that is rounded by an arc is left by (sqrt 2 - 1) of its radius.
    let left = number("left_drawn_by");
    assert!((left / radius - 0.414).abs() < 0.05, "{told}");
    for key in ["off_label", "bends", "hairpins"] {
        assert!(told[key].is_array(), "{key}: {told}");
    }
    let end = read(&bench.path("p.bvh"));
    let root = end.frame(end.n_frames() - 1).root();
    assert!(
        (root.x - 300.0).abs() < 40.0 && (root.z - 300.0).abs() < 40.0,
        "{root:?}"
    );
    // A third column says what to do; a line back is walked as a loop.
    bench.put("back.csv", "0,0,walk\n0,400\n0,0\n");
    let back = ["--path", "back.csv", "--radius", "40"];
    let told = play(&bench, "h.bvh", &back).ok().json();
    assert_eq!(told["radius"], 40.0);
    assert_eq!(told["hairpins"].as_array().unwrap().len(), 1, "{told}");
    let text = [
        "texture", "play", "t.ron", "--path", "back.csv", "--out", "x.bvh",
    ];
    let text = bench.run(text).ok().out();
    assert!(text.contains("turns back on itself"), "{text}");
    assert!(text.contains("corners rounded to a radius of"), "{text}");
}

#[test]
fn a_walk_is_steered() {
    let bench = with_texture();
    bench.put(
        "steer.csv",
        "time,heading,speed,action\n0,0,,walk\n2,90,,\n",
    );
    let told = play(&bench, "s.bvh", &["--steer", "steer.csv"]).ok().json();
    let secs = told["frames"].as_f64().unwrap() / 30.0;
    assert!((5.0..6.0).contains(&secs), "3 s after the last row: {secs}");
    assert!(told["path_error_mean"].is_null(), "{told}");
    let long = ["--steer", "steer.csv", "--secs", "8"];
    let told = play(&bench, "l.bvh", &long).ok().json();
    assert!(told["frames"].as_u64().unwrap() >= 240, "{told}");
    let clip = read(&bench.path("l.bvh"));
    let (turn, end) = (
        clip.frame(60).root(),
        clip.frame(clip.n_frames() - 1).root(),
    );
    assert!(
        end.x - turn.x > 50.0,
        "90 degrees are to the left, along x: {turn:?} {end:?}"
    );
}

#[test]
fn names_by_hand_are_kept_and_played() {
    let bench = with_texture();
    let annotate = |extra: &[&str]| {
        let args = [
            "texture", "annotate", "t.ron", "--out", "new.ron", "--json", "--force",
        ];
        bench.run(args.iter().chain(extra))
    };
    let name = [
        "--name",
        "walk, then on",
        "--span",
        "walk_01:30..75",
        "clips/walk_02.bvh:..40",
    ];
    let told = annotate(&name).ok().json();
    assert_eq!(told["frames"], 85, "{told}");
    assert_eq!(
        told["spans"][1],
        serde_json::json!({"clip": "walk_02", "from": 0, "to": 40})
    );
    let list = |file: &str| bench.run(["texture", "list", file, "--json"]).ok().json();
    let (before, after) = (list("t.ron"), list("new.ron"));
    let commands = |told: &Value| told["commands"].as_array().unwrap().clone();
    assert_eq!((commands(&before).len(), commands(&after).len()), (3, 4));
    let last = &commands(&after)[3];
    assert_eq!(
        (&last["name"], &last["by_hand"]),
        (&"walk, then on".into(), &true.into())
    );
    assert_eq!(
        commands(&after)[2]["frames"],
        commands(&before)[2]["frames"],
        "still walks"
    );
    for system in before["systems"].as_array().unwrap() {
        assert!(!system["labels"].as_array().unwrap().is_empty(), "{system}");
        assert!(system["sections"].as_u64().unwrap() > 0, "{system}");
    }
    let systems = before["systems"].as_array().unwrap().len();
    assert_eq!(learned().1["systems"], systems);
    let text = bench.run(["texture", "list", "new.ron"]).ok().out();
    assert!(text.contains("walk, then on (by hand)"), "{text}");
    let args = [
        "texture",
        "play",
        "new.ron",
        "--actions",
        "\"walk, then on\":2",
        "--json",
        "--out",
        "w.bvh",
    ];
    let told = bench.run(args).ok().json();
    assert_eq!(told["labels"][0][0], "walk, then on", "{told}");
    for (extra, words) in [
        (
            ["--name", "x", "--span", "nobody:1..2"],
            "the texture has no clip \"nobody\"; it has",
        ),
        (
            ["--name", "x", "--span", "walk_01:5..999"],
            "5..999 cannot be annotated",
        ),
        (
            ["--name", "x", "--span", "walk_01:9..9"],
            "there is no frame in \"9..9\"",
        ),
        (
            ["--name", "walk", "--span", "walk_01:1..9"],
            "another name is needed",
        ),
        (["--name", " ", "--span", "walk_01:1..9"], "--name is empty"),
        (
            ["--name", "x", "--span", "walk_01"],
            "such as walk_01:10..50",
        ),
    ] {
        is_refused(&annotate(&extra), words);
    }
}

#[test]
fn plays_that_cannot_be_are_refused_in_words() {
    let bench = with_texture();
    bench.put("point.csv", "0,0\n");
    bench.put("same.csv", "1,1\n1,1\n");
    bench.put("bad.csv", "0,0\n1,north\n");
    bench.put("swim.csv", "0,0\n0,300,swim\n");
    bench.put("good.csv", "0,0\n0,300\n");
    bench.put("steer.csv", "0,0,,walk\n");
    bench.put("late.csv", "2,0\n1,0\n");
    bench.put("fly.csv", "0,0,,fly\n");
    let refused = |extra: &[&str], words: &str| {
        is_refused(&play(&bench, "no.bvh", extra), words);
        assert!(
            !bench.path("no.bvh").exists(),
            "{words}: nothing is written"
        );
    };
    refused(
        &["--actions", "swim"],
        "no action is called \"swim\"; there are: front_kick, mixed, walk",
    );
    refused(&["--actions", "walk:0"], "seconds over zero");
    refused(&["--actions", ""], "such as walk,run:6");
    refused(&[], "--actions");
    refused(
        &["--path", "point.csv"],
        "point.csv: a path needs two points at least, found 1",
    );
    refused(
        &["--path", "same.csv"],
        "same.csv: all points of the path are at the same place",
    );
    refused(
        &["--path", "bad.csv"],
        "bad.csv: line 2, column 3: expected a number for z",
    );
    refused(
        &["--path", "swim.csv"],
        "swim.csv: line 2: no action is called \"swim\"",
    );
    refused(&["--path", "gone.csv"], "gone.csv");
    refused(
        &["--path", "good.csv", "--actions", "swim"],
        "no action is called \"swim\"",
    );
    refused(&["--path", "good.csv", "--radius", "0"], "over zero");
    refused(
        &["--path", "good.csv", "--steer", "steer.csv"],
        "cannot be used with",
    );
    refused(
        &["--actions", "walk", "--steer", "steer.csv"],
        "cannot be used with",
    );
    refused(&["--actions", "walk", "--radius", "3"], "--path");
    refused(&["--actions", "walk", "--secs", "3"], "cannot be used with");
    refused(
        &["--steer", "steer.csv", "--radius", "3"],
        "cannot be used with",
    );
    refused(&["--secs", "3"], "--steer");
    refused(&["--actions", "walk", "--amount", "3.5"], "from 0 to 3");
    refused(
        &["--steer", "late.csv"],
        "late.csv: line 2, column 1: expected a time of at least 2 s",
    );
    refused(
        &["--steer", "fly.csv"],
        "fly.csv: line 1: no action is called \"fly\"",
    );
    // Other readers know a texture, and this one knows theirs.
    for args in [
        ["sequence", "t.ron", "walk_01", "--out", "no.bvh"].as_slice(),
        &["vary", "t.ron", "--out", "no"],
        &["pose", "t.ron", "--handle", "Hips=0,0,0", "--out", "no.bvh"],
    ] {
        is_said(&bench.run(args), 1, "this is a motion texture");
    }
    bench.put("graph.ron", "(version: 1, rig: (fps: 30.0))");
    is_said(
        &bench.run(["texture", "list", "graph.ron"]),
        1,
        "this is a transition graph",
    );
}
