//! `kinfolk graph` and `kinfolk sequence` on the built program, and graph files.

use std::fs;
use std::sync::Arc;

use kinfolk::demo::{Action, make};
use kinfolk::file::{bvh, graph_file};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Contact, Quat, Skeleton, edit};
use kinfolk::transition::{GraphParts, GraphSettings, TransitionGraph};

use crate::command::{Bench, read, small_walk};

/// A demo clip at 30 frames a second, so that graphs take a moment only.
fn demo(action: Action, index: u64) -> Clip {
    let mut clip = edit::resample(&make(action, 5, index).clip, 30.0).unwrap();
    clip.info.name = format!("{action:?}_{index}");
    clip
}

fn put(bench: &Bench, name: &str, clip: &Clip) {
    let bytes = bvh::write(clip, &bvh::WriteSettings::default()).bytes;
    bench.put(name, &String::from_utf8(bytes).unwrap());
}

/// Demo clips in the folder `clips`.
fn with_clips(bench: &Bench) {
    for (action, n) in [
        (Action::Walk, 2),
        (Action::Jab, 4),
        (Action::Cross, 1),
        (Action::Squat, 1),
    ] {
        for index in 0..n {
            put(
                bench,
                &format!("clips/{action:?}_{index}.bvh"),
                &demo(action, index),
            );
        }
    }
}

/// A folder with demo clips and their graph.
fn with_graph() -> Bench {
    let bench = Bench::new();
    with_clips(&bench);
    let args = ["graph", "clips", "--out", "graph.ron", "--quiet"];
    bench.run(args).ok();
    bench
}

fn graph_of(clips: &[Arc<Clip>], settings: &GraphSettings) -> TransitionGraph {
    TransitionGraph::build(clips, settings, &Ticket::default()).unwrap()
}

fn some_clips() -> Vec<Arc<Clip>> {
    let actions = [Action::Walk, Action::Jab, Action::Squat];
    actions.map(|action| Arc::new(demo(action, 0))).to_vec()
}

#[test]
fn a_graph_is_built_and_told() {
    let bench = Bench::new();
    with_clips(&bench);
    let args = [
        "graph",
        "clips",
        "--out",
        "graph.ron",
        "--dot",
        "graph.dot",
        "--json",
    ];
    let told = bench.run(args).ok().json();
    for key in [
        "frames",
        "left_out",
        "clusters",
        "short_clips",
        "edges",
        "transitions",
        "pairs_with_path",
        "connected",
        "threshold",
        "cluster_seconds",
        "path_seconds",
    ] {
        assert!(told[key].is_number(), "{key}: {told}");
    }
    assert!(told["islands"].is_array(), "{told}");
    assert_eq!(told["file"], "graph.ron");
    assert_eq!(told["clips"], 8);
    let dot = fs::read_to_string(bench.path("graph.dot")).unwrap();
    let n = |key: &str| told[key].as_u64().unwrap() as usize;
    assert_eq!(dot.matches(" -> ").count(), n("edges"), "{dot}");
    assert_eq!(
        dot.matches(" [label=\"").count(),
        n("clusters") + n("edges")
    );
    let again = bench.run(args);
    assert_eq!(again.code(), 2, "not over an old graph");
    assert!(again.err().contains("--force"), "{}", again.err());
    let first = fs::read(bench.path("graph.ron")).unwrap();
    let text = ["graph", "clips", "--out", "graph.ron", "--force"];
    let text = bench.run(text).ok().out();
    assert!(
        text.contains("8 clips") && text.contains("connected"),
        "{text}"
    );
    assert_eq!(
        fs::read(bench.path("graph.ron")).unwrap(),
        first,
        "same bytes"
    );
    let file = String::from_utf8(first).unwrap();
    let folder = bench.path("").display().to_string();
    assert!(!file.contains(&folder), "no folders of this machine");

    let other = |extra: &[&str]| {
        let args = ["graph", "clips", "--out", "other.ron", "--force", "--json"];
        bench.run(args.iter().chain(extra)).ok().json()
    };
    let coarse = other(&["--threshold", "3"]);
    assert_eq!(coarse["threshold"], 3.0);
    assert!(
        coarse["clusters"].as_u64() < told["clusters"].as_u64(),
        "{coarse}"
    );
    let both = other(&["--undirected", "--threshold", "0.4"]);
    let one = other(&["--threshold", "0.4"]);
    assert!(both["edges"].as_u64() > one["edges"].as_u64(), "{both}");
    let still = other(&["--threshold", "0.4", "--velocity", "0"]);
    assert!(
        still["clusters"].as_u64() < one["clusters"].as_u64(),
        "{still}"
    );
    let hands = other(&["--threshold", "0.4", "--weight", "LeftHand=4"]);
    assert!(
        hands["clusters"].as_u64() >= one["clusters"].as_u64(),
        "{hands}"
    );
}

#[test]
fn clips_come_and_go() {
    let bench = with_graph();
    put(&bench, "more/Hook_0.bvh", &demo(Action::Hook, 0));
    // Of the same name as one that is there.
    put(&bench, "more/Jab_0.bvh", &demo(Action::Jab, 9));
    let change = |extra: &[&str]| {
        let args = [
            "graph",
            "--to",
            "graph.ron",
            "--out",
            "new.ron",
            "--json",
            "--force",
        ];
        bench.run(args.iter().chain(extra))
    };
    let added = change(&["--add", "more"]).ok();
    assert!(added.err().contains("Jab_0 (2)"), "{}", added.err());
    assert_eq!(added.json()["clips"], 10);
    let less = change(&["--remove", "Jab_1", "Walk_0"]).ok().json();
    assert_eq!(less["clips"], 6);
    let parts = graph_file::read(&bench.path("new.ron")).unwrap();
    let before = graph_file::read(&bench.path("graph.ron")).unwrap();
    assert_eq!(parts.threshold, before.threshold, "it is not searched anew");
    assert_eq!(parts.rig, before.rig, "poses are compared as before");
    assert_eq!(parts.settings, before.settings);
    let told = parts.build(&Ticket::default()).unwrap().summary();
    assert_eq!(less["clusters"], told.clusters, "told as it will be opened");
    let nobody = change(&["--remove", "Nobody"]);
    assert_eq!(nobody.code(), 1);
    assert!(nobody.err().contains("Walk_0, Walk_1"), "{}", nobody.err());
    bench.put("odd/small.bvh", &small_walk(40));
    let odd = change(&["--add", "odd"]);
    assert_eq!(odd.code(), 1, "named and left out");
    assert!(
        odd.err().contains("small.bvh: it is on another skeleton"),
        "{}",
        odd.err()
    );
    assert_eq!(odd.json()["clips"], 8);
    let names: Vec<String> = before.clips.iter().map(|c| c.info.name.clone()).collect();
    let all: Vec<&str> = ["--remove"]
        .into_iter()
        .chain(names.iter().map(|n| &**n))
        .collect();
    let none = change(&all);
    assert_eq!(none.code(), 1, "nothing is left");
    assert!(none.err().contains("at least one clip"), "{}", none.err());
    assert_eq!(
        bench
            .run(["graph", "clips", "--add", "more", "--out", "x.ron"])
            .code(),
        2
    );
}

#[test]
fn clips_that_do_not_go_together_are_named() {
    let bench = Bench::new();
    with_clips(&bench);
    bench.put("clips/small.bvh", &small_walk(40));
    bench.put("clips/pose.bvh", &small_walk(1));
    bench.put("clips/broken.bvh", "HIERARCHY\nROOT\n");
    let args = ["graph", "clips", "--out", "graph.ron", "--json"];
    let ran = bench.run(args);
    assert_eq!(ran.code(), 1, "the others are done");
    for words in [
        "small.bvh: it is on another skeleton",
        "pose.bvh: it has one frame",
        "broken.bvh: line",
    ] {
        assert!(ran.err().contains(words), "{words}: {}", ran.err());
    }
    assert_eq!(ran.json()["clips"], 8);
    let refused = |args: &[&str], words: &str| {
        let args = ["graph"].iter().chain(args).chain(&["--out", "no.ron"]);
        let ran = bench.run(args);
        assert!((1..=2).contains(&ran.code()), "{words}: {}", ran.err());
        assert!(ran.err().contains(words), "{words}: {}", ran.err());
        assert!(
            !bench.path("no.ron").exists(),
            "{words}: nothing is written"
        );
    };
    // Of two nobody can say which is odd.
    let two = ["clips/small.bvh", "clips/Walk_0.bvh"];
    refused(
        &two,
        "clip \"Walk_0\" is on another skeleton than \"small\"",
    );
    refused(&["clips/pose.bvh"], "none of the clips can be used");
    fs::create_dir(bench.path("empty")).unwrap();
    refused(&["empty"], "a folder without motion files");
    refused(&["nowhere.bvh"], "nowhere.bvh");
    refused(
        &["clips/Walk_0.bvh", "--weight", "Tail=1"],
        "no joint \"Tail\"",
    );
    refused(&["clips/Walk_0.bvh", "--weight", "Tail"], "LeftHand=0.5");
    refused(&["clips/Walk_0.bvh", "--threshold", "0"], "over zero");
    refused(&["clips/Walk_0.bvh", "--paths", "0"], "from 1 to");
    refused(&[], "CLIP");
}

#[test]
fn a_clip_at_another_rate_is_brought_to_that_of_the_first() {
    let bench = Bench::new();
    put(&bench, "a.bvh", &demo(Action::Walk, 0));
    put(&bench, "b.bvh", &make(Action::Jab, 5, 0).clip);
    let ran = bench.run(["graph", "a.bvh", "b.bvh", "--out", "graph.ron", "--json"]);
    assert_eq!(ran.json()["fps"], 30.0);
    assert!(ran.err().contains("1 clip brought to 30"), "{}", ran.err());
    let ran = [
        "graph", "a.bvh", "b.bvh", "--out", "x.ron", "--json", "--fps", "20",
    ];
    assert_eq!(bench.run(ran).ok().json()["fps"], 20.0);
}

#[test]
fn three_actions_are_played_with_transitions() {
    let bench = with_graph();
    let play = |out: &str, extra: &[&str]| {
        let args = [
            "sequence",
            "graph.ron",
            "Walk_0",
            "clips/Squat_0.bvh",
            "Jab_1",
        ];
        bench.run(args.iter().chain(&["--json", "--out", out]).chain(extra))
    };
    let told = play("a.bvh", &[]).ok().json();
    let joins = told["joins"].as_array().unwrap();
    assert_eq!(joins.len(), 2, "{told}");
    assert_eq!(joins[0]["from"], "Walk_0");
    assert_eq!(joins[1]["to"], "Jab_1");
    for join in joins {
        for key in [
            "at",
            "frames",
            "cost",
            "pose_jump",
            "velocity_jump",
            "jerk_ratio",
            "space_jerk_ratio",
            "overshoot_deg",
            "foot_slide",
            "posture",
            "enter",
        ] {
            assert!(join[key].is_number(), "{key}: {join}");
        }
        assert!(
            join["kind"].is_string() && join["path"].is_array(),
            "{join}"
        );
    }
    assert!(told["ms_per_frame"].is_number(), "{told}");
    let clip = read(&bench.path("a.bvh"));
    assert_eq!(told["frames"], clip.n_frames());
    assert_eq!(clip.fps(), 30.0);
    // The same seed gives the same bytes, however many threads there are.
    play("b.bvh", &["--threads", "1"]).ok();
    let bytes = |name: &str| fs::read(bench.path(name)).unwrap();
    assert_eq!(bytes("a.bvh"), bytes("b.bvh"));
    let again = play("a.bvh", &[]);
    assert_eq!(again.code(), 2, "not over an old motion");
    assert!(again.err().contains("--force"), "{}", again.err());

    let interrupted = play("i.bvh", &["--interrupt", "0@9", "--interrupt", "2@5"]);
    let interrupted = interrupted.ok().json();
    assert_eq!(interrupted["joins"][0]["at"], 10, "{interrupted}");
    assert!(interrupted["frames"].as_u64() < told["frames"].as_u64());
    let direct = [
        "--means", "direct", "--join", "quintic", "--length", "0.2", "--feet", "free",
    ];
    let direct = play("d.bvh", &direct).ok().json();
    for join in direct["joins"].as_array().unwrap() {
        assert_eq!(
            (&join["kind"], &join["frames"]),
            (&"quintic".into(), &6.into())
        );
    }
    for (means, join, matching) in [
        ("path", "dead", "pelvis"),
        ("bezier", "fade", "left-foot"),
        ("best", "quintic", "right-foot"),
    ] {
        let how = [
            "--means", means, "--join", join, "--match", matching, "--force",
        ];
        play("m.bvh", &how).ok();
    }
    let twice = play("t.bvh", &["--repeat", "2"]).ok().json();
    assert_eq!(twice["joins"].as_array().unwrap().len(), 5);
    let text = ["sequence", "graph.ron", "Jab_0", "Jab_1", "--out", "x.bvh"];
    let text = bench.run(text).ok().out();
    assert!(text.contains("Jab_0 > Jab_1"), "{text}");
}

#[test]
fn random_play_is_cut_after_its_time() {
    let bench = with_graph();
    let play = |out: &str, extra: &[&str]| {
        let args = [
            "sequence",
            "graph.ron",
            "Walk_0",
            "Squat_0",
            "--random",
            "12",
        ];
        bench.run(args.iter().chain(&["--json", "--out", out]).chain(extra))
    };
    let told = play("a.bvh", &[]).ok().json();
    assert_eq!(told["frames"], 360);
    assert_eq!(read(&bench.path("a.bvh")).n_frames(), 360);
    assert!(told["joins"].as_array().unwrap().len() > 2, "{told}");
    play("b.bvh", &[]).ok();
    let bytes = |name: &str| fs::read(bench.path(name)).unwrap();
    assert_eq!(bytes("a.bvh"), bytes("b.bvh"));
    play("c.bvh", &["--seed", "2"]).ok();
    assert_ne!(bytes("a.bvh"), bytes("c.bvh"));
    let walk = ["--probability", "Walk_0>Squat_0=0"];
    let told = play("d.bvh", &walk).ok().json();
    let mut joins = told["joins"].as_array().unwrap().iter();
    assert!(joins.all(|join| join["to"] == "Walk_0"), "{told}");
    let wrong = play("e.bvh", &["--probability", "Walk_0>Nobody=1"]);
    assert_eq!(wrong.code(), 1);
    assert!(wrong.err().contains("Nobody"), "{}", wrong.err());
}

#[test]
fn a_jab_reaches_its_target() {
    let bench = with_graph();
    // Where an example brings the hand, some centimetres aside.
    let play = |out: &str, extra: &[&str]| {
        let args = ["sequence", "graph.ron", "Squat_0", "Jab_0", "Squat_0"];
        bench.run(args.iter().chain(&["--json", "--out", out]).chain(extra))
    };
    let plain = play("plain.bvh", &[]).ok().json();
    let clip = read(&bench.path("plain.bvh"));
    let hand = clip.skeleton().find("LeftHand").unwrap();
    let at = plain["joins"][0]["at"].as_u64().unwrap() as usize;
    let until = plain["joins"][1]["at"].as_u64().unwrap() as usize;
    let place = |frame: usize| {
        kinfolk::motion::WorldPose::of(clip.skeleton(), clip.frame(frame)).positions[hand]
    };
    let hips = |frame: usize| clip.frame(frame).root();
    let far = |frame: usize| {
        let mut way = place(frame) - hips(frame);
        way.y = 0.0;
        way.norm()
    };
    let effect = (at..until)
        .max_by(|a, b| far(*a).total_cmp(&far(*b)))
        .unwrap();
    let height = kinfolk::motion::body::height(&clip);
    let goal = place(effect) + kinfolk::motion::Vec3::new(0.01, 0.01, 0.0) * height;
    let target = format!("LeftHand={},{},{}@1", goal.x, goal.y, goal.z);
    // Where the examples do not reach, the nearest place that they do reach is told; that one must be met.
    let nearest = play("near.bvh", &["--target", &target]).ok().json();
    let place = &nearest["targets"][0]["place"];
    let goal = kinfolk::motion::Vec3::from([0, 1, 2].map(|i| place[i].as_f64().unwrap()));
    let target = format!("LeftHand={},{},{}@1", goal.x, goal.y, goal.z);
    let told = play("hit.bvh", &["--target", &target]).ok().json();
    let hit = &told["targets"][0];
    let missed = hit["missed"].as_f64().unwrap();
    assert!(missed < 0.01 * height, "{hit}");
    assert_eq!(hit["examples"].as_array().unwrap().len(), 4, "{hit}");
    let made = read(&bench.path("hit.bvh"));
    let at = hit["at"].as_u64().unwrap() as usize;
    let world = kinfolk::motion::WorldPose::of(made.skeleton(), made.frame(at));
    let off = (world.positions[hand] - goal).norm();
    assert!(
        (off - missed).abs() < 1e-3 * height,
        "told as it is: {off} {missed}"
    );

    let sky = format!("LeftHand={},{},{}@1", goal.x, goal.y + 3.0 * height, goal.z);
    let told = play("sky.bvh", &["--target", &sky]).ok().json();
    let hit = &told["targets"][0];
    assert_eq!(hit["is_reachable"], false, "{hit}");
    assert!(hit["missed"].as_f64().unwrap() > 1.5 * height, "{hit}");
    for (wrong, words) in [
        ("Tail=0,0,0@1", "no joint \"Tail\""),
        ("LeftHand=0,0,0@7", "3 clips are played"),
        ("LeftHand=0,0,0@0", "at least 2 examples"),
        ("LeftHand=0,0@0", "expected a joint"),
    ] {
        let ran = play("no.bvh", &["--target", wrong]);
        assert!((1..=2).contains(&ran.code()), "{wrong}");
        assert!(ran.err().contains(words), "{wrong}: {}", ran.err());
        assert!(!bench.path("no.bvh").exists(), "{wrong}");
    }
}

#[test]
fn sequences_that_cannot_be_are_refused_in_words() {
    let bench = with_graph();
    bench.put("small.bvh", &small_walk(40));
    bench.put("pose.bvh", &small_walk(1));
    bench.put("model.ron", "(version: 2, of: ())");
    bench.put("style.ron", "(version: 1, features: (up: \"Y\"))");
    bench.put("later.ron", "(version: 99)");
    bench.put("broken.ron", "(version: 1,\n settings: nonsense)");
    let text = fs::read_to_string(bench.path("graph.ron")).unwrap();
    bench.put("cut.ron", &text[..text.len() / 2]);
    let refused = |args: &[&str], words: &str| {
        let args = ["sequence"].iter().chain(args).chain(&["--out", "no.bvh"]);
        let ran = bench.run(args);
        assert!((1..=2).contains(&ran.code()), "{words}: {}", ran.err());
        assert!(ran.err().contains(words), "{words}: {}", ran.err());
        assert!(
            !bench.path("no.bvh").exists(),
            "{words}: nothing is written"
        );
    };
    refused(
        &["graph.ron", "Walk_0", "Nobody"],
        "no clip \"Nobody\"; it has",
    );
    refused(&["graph.ron", "Walk_0", "small.bvh"], "another skeleton");
    refused(&["graph.ron", "pose.bvh"], "skeleton");
    refused(
        &["graph.ron", "Walk_0", "Jab_0", "--interrupt", "0@9999"],
        "has frames 0 to",
    );
    refused(
        &["graph.ron", "Walk_0", "Jab_0", "--interrupt", "2@1"],
        "2 clips are played",
    );
    refused(&["graph.ron", "Walk_0", "--interrupt", "0"], "such as 1@24");
    let twice = [
        "graph.ron",
        "Walk_0",
        "--interrupt",
        "0@1",
        "--interrupt",
        "0@2",
    ];
    refused(&twice, "interrupted already");
    refused(&["graph.ron", "Walk_0", "--length", "0"], "over zero");
    refused(&["graph.ron"], "CLIP");
    refused(&["model.ron", "Walk_0"], "variation model");
    refused(&["style.ron", "Walk_0"], "a style");
    refused(&["later.ron", "Walk_0"], "format 99");
    refused(&["broken.ron", "Walk_0"], "line 2");
    refused(&["cut.ron", "Walk_0"], "line ");
    refused(&["missing.ron", "Walk_0"], "missing.ron");
    // The other readers know a graph, too.
    let vary = bench.run(["vary", "graph.ron", "--out", "out"]);
    assert_eq!(vary.code(), 1);
    assert!(vary.err().contains("transition graph"), "{}", vary.err());
    let pose = [
        "pose",
        "graph.ron",
        "--handle",
        "Hips=0,0,0",
        "--out",
        "p.bvh",
    ];
    let pose = bench.run(pose);
    assert_eq!(pose.code(), 1);
    assert!(pose.err().contains("transition graph"), "{}", pose.err());
}

#[test]
fn a_graph_comes_back_from_its_file_as_it_was() {
    let mut clips = some_clips();
    // Other bones of the same joints, contacts of its own, and a file somewhere.
    let walk = &clips[0];
    let longer = walk.skeleton().with_offsets(|o| o * 1.1).unwrap();
    let mut info = walk.info.clone();
    info.name = "long \"legs\"".to_owned();
    info.file = Some("/home/somebody/takes/long.bvh".into());
    let long = Clip::new(info, Arc::new(longer), walk.motion().clone()).unwrap();
    let contact = Contact {
        joint: 3,
        frames: 2..9,
    };
    clips.push(Arc::new(long.with_contacts(vec![contact]).unwrap()));
    let undirected = GraphSettings {
        is_undirected: true,
        n_paths: 3,
        ..GraphSettings::default()
    };
    for settings in [GraphSettings::default(), undirected] {
        let graph = graph_of(&clips, &settings);
        let text = graph_file::write(&graph).unwrap();
        let parts = graph_file::parse(text.as_bytes()).unwrap();
        assert_eq!(parts.rig, *graph.rig());
        assert_eq!(parts.settings, settings);
        for (before, after) in clips.iter().zip(&parts.clips) {
            assert!(before.same_motion(after), "bit for bit");
            assert_eq!(before.contacts(), after.contacts());
            assert_eq!(before.info.name, after.info.name);
            assert_eq!(before.info.up, after.info.up);
        }
        assert_eq!(parts.clips[3].info.file, Some("long.bvh".into()));
        let opened = parts.build(&Ticket::default()).unwrap();
        assert_eq!(opened.summary(), graph.summary());
        assert_eq!(opened.clusters(), graph.clusters());
        let edges = |g: &TransitionGraph| -> Vec<_> {
            g.edges().map(|(pair, edge)| (pair, edge.clone())).collect()
        };
        assert_eq!(edges(&opened), edges(&graph));
        assert_eq!(opened.norms(), graph.norms());
        assert_eq!(graph_file::write_parts(&parts).unwrap(), text, "and again");
    }
}

/// The parts of a small graph, on a skeleton of few joints.
fn small_graph() -> GraphParts {
    let bench = Bench::new();
    let path = bench.put("a.bvh", &small_walk(24));
    let clip = Arc::new(read(&path));
    let settings = GraphSettings {
        threshold: Some(0.3),
        ..GraphSettings::default()
    };
    GraphParts::of(&graph_of(&[clip], &settings))
}

#[test]
fn graph_files_that_make_no_sense_are_refused_in_words() {
    let parts = small_graph();
    let text = graph_file::write_parts(&parts).unwrap();
    let refuse = |from: &str, to: &str, words: &str| {
        assert!(text.contains(from), "{from} in {text}");
        let error = graph_file::parse(text.replacen(from, to, 1).as_bytes());
        let error = error.map(|_| ()).expect_err(to).to_string();
        assert!(error.contains(words), "{words}: {error}");
    };
    refuse("version: 1", "version: 7", "format 7");
    refuse(
        "threshold: 0.30000",
        "threshold: -0.3",
        "number over zero, found -0.3",
    );
    refuse("paths: 5", "paths: 0", "from 1 to");
    refuse("paths: 5", "paths: 99999999", "from 1 to");
    refuse("cost_limit: 12.0", "cost_limit: inf", "found inf");
    refuse("velocity_secs: 0.1", "velocity_secs: NaN", "velocities");
    refuse(
        "undirected: false",
        "weights: [(\"Tail\", 1.0)], undirected: false",
        "Tail",
    );
    refuse("up: \"Y\"", "up: \"W\"", "W");
    refuse("root: 0", "root: 99", "joint 99");
    refuse("carrier: 0", "carrier: 1", "cannot be moved");
    refuse("carrier: 0", "carrier: 999", "cannot be moved");
    refuse("metres: 0", "metres: -0", "scale");
    refuse("fps: 30.0", "fps: 0.0", "frame rate");
    refuse("fps: 30.0", "fps: 31.0", "clip 0 (\"a\"): it has 30");
    let upright = text.split_once("upright: ").unwrap().1;
    let upright = upright.split_once(')').unwrap().0;
    refuse(upright, "(2.0, 0.0, 0.0, 0.0", "not a rotation");
    refuse("frames: 24", "frames: 25", "expected 25 frames");
    refuse(
        "frames: 24",
        "frames: 18446744073709551615",
        "expected 18446744073709551615",
    );
    refuse("frame_secs: 0.0", "frame_secs: -0.0", "frame time");
    refuse("motion: \"", "motion: \"A", "groups of four");
    refuse("motion: \"", "motion: \"====", "character 0");
    refuse("parent: 0", "parent: 77", "skeleton 0");
    refuse("name: \"Hips\"", "name: \"Pelvis\", channels: \"Rq\"", "");
    let broken = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = text.clone().into_bytes();
        change(&mut bytes);
        graph_file::parse(&bytes)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(
        broken(&|b| b.truncate(b.len() / 2)).contains("line"),
        "cut off"
    );
    assert!(broken(&Vec::clear).contains("an empty file"), "empty");
    broken(&|b| b.iter_mut().for_each(|b| *b = 0xff));
    // Numbers that are not finite or no rotations are told with their place.
    let with = |change: &dyn Fn(&mut kinfolk::motion::Motion)| {
        let clip = &parts.clips[0];
        let mut motion = clip.motion().clone();
        change(&mut motion);
        let clip = Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap();
        let parts = GraphParts {
            clips: vec![Arc::new(clip)],
            ..parts.clone()
        };
        let text = graph_file::write_parts(&parts).unwrap();
        graph_file::parse(text.as_bytes())
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let n = parts.rig.skeleton().n_joints();
    let twice = |m: &mut kinfolk::motion::Motion| {
        m.rotations[2 * n + 1] = Quat::new_unchecked(m.rotations[2 * n + 1].into_inner() * 2.0);
    };
    let said = with(&twice);
    assert!(said.contains("frame 2, joint \"LeftUpLeg\""), "{said}");
    let none = GraphParts {
        clips: Vec::new(),
        ..parts.clone()
    };
    let none = graph_file::write_parts(&none).unwrap();
    assert!(graph_file::parse(none.as_bytes()).is_err(), "no clips");
}

/// A joint more or less is another skeleton; longer bones are not.
#[test]
fn skeletons_of_one_structure_share_a_graph() {
    let clips = some_clips();
    let scaled: Skeleton = clips[1].skeleton().with_offsets(|o| o * 0.9).unwrap();
    let short = Clip::new(
        clips[1].info.clone(),
        Arc::new(scaled),
        clips[1].motion().clone(),
    );
    let mixed = [Arc::clone(&clips[0]), Arc::new(short.unwrap())];
    let graph = graph_of(&mixed, &GraphSettings::default());
    let parts = graph_file::parse(graph_file::write(&graph).unwrap().as_bytes()).unwrap();
    assert_ne!(parts.clips[0].skeleton(), parts.clips[1].skeleton());
    assert_eq!(parts.clips[1].skeleton(), mixed[1].skeleton());
}
