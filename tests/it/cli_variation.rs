//! `kinfolk learn`, `vary`, `similar`, `stroke` and `measure --baselines` on the built program.

use std::collections::BTreeSet;
use std::fs;

use kinfolk::demo::{Action, make};
use kinfolk::file::bvh;
use kinfolk::motion::edit;

use crate::command::{Bench, Ran, read, small_walk};

/// A folder with some clips of a demo action, at 30 frames a second so that learning takes a moment only.
fn with_clips(bench: &Bench, folder: &str, action: Action, indices: std::ops::Range<u64>) {
    for index in indices {
        let clip = make(action, 5, index).clip;
        let bytes = bvh::write(&clip, &bvh::WriteSettings::default()).bytes;
        let text = String::from_utf8(bytes).unwrap();
        bench.put(&format!("{folder}/{action:?}_{index}.bvh"), &text);
    }
}

#[test]
fn a_family_is_learned_varied_in_shards_and_measured() {
    let bench = Bench::new();
    with_clips(&bench, "walks", Action::Walk, 0..4);
    with_clips(&bench, "others", Action::Walk, 4..6);
    let learn = [
        "learn",
        "walks",
        "--out",
        "walk.ron",
        "--fps",
        "30",
        "--json",
        "--dot",
        "net.dot",
        "--edges",
        "edges.csv",
    ];
    let learned = bench.run(learn).ok().json();
    for key in ["frames", "dofs", "parents_mean", "score", "seconds"] {
        assert!(learned[key].is_number(), "{key}: {learned}");
    }
    let [dot, edges] = ["net.dot", "edges.csv"].map(|n| fs::read_to_string(bench.path(n)).unwrap());
    let n_edges = edges.lines().count() - 1;
    assert!(n_edges > 0, "{edges}");
    assert_eq!(dot.matches(" -> ").count(), n_edges, "the same in both");
    assert_eq!(bench.run(learn).code(), 2, "not over an old model");
    let vary = |out: &str, more: &[&str]| {
        let args = ["vary", "walk.ron", "--count", "5", "--json", "--out", out];
        bench.run(args.iter().chain(more)).ok().json()
    };
    assert_eq!(vary("whole", &[])["files"].as_array().unwrap().len(), 5);
    // Parts of any count, whether they are counted from 0 or from 1, make the same set.
    for parts in [["0/2", "1/2"], ["1/2", "2/2"]] {
        for part in parts {
            vary("parts", &["--shard", part, "--force"]);
        }
        let of = |folder: &str| {
            let names = bench.list(folder).into_iter();
            let clips = names.filter(|name| !name.starts_with("manifest"));
            let bytes = |name: &String| fs::read(bench.path(&format!("{folder}/{name}"))).unwrap();
            clips.map(|name| (bytes(&name), name)).collect::<Vec<_>>()
        };
        assert_eq!(of("parts"), of("whole"), "{parts:?}");
        fs::remove_dir_all(bench.path("parts")).unwrap();
    }
    let manifest = fs::read_to_string(bench.path("whole/manifest.csv")).unwrap();
    assert_eq!(manifest.lines().count(), 6, "{manifest}");
    let lengths: BTreeSet<usize> = (0..5)
        .map(|n| read(&bench.path(&format!("whole/walk_{n:03}.bvh"))).n_frames())
        .collect();
    assert!(lengths.len() > 1, "timing differs: {lengths:?}");
    parts_are_kept_calm_or_fixed(&bench);
    let odd = ["similar", "--model", "walk.ron", "--json", "--candidates"];
    let judged = bench.run(odd.iter().chain(&["others"])).ok().json();
    let each = judged["likelihoods"].as_array().unwrap();
    assert_eq!(each.len(), 2, "{judged}");
    assert!(each[0]["likelihood"].as_f64().unwrap() < 1.0, "{judged}");
    assert!(
        each[0]["why"][0]["dof"].is_string(),
        "it says why: {judged}"
    );
    vary("stream", &["--frames", "200", "--amount", "0.5"]);
    assert_eq!(read(&bench.path("stream/walk_000.bvh")).n_frames(), 200);
    vary("single", &["--from", "walks/Walk_1.bvh"]);
    let args = ["measure", "--inputs", "walks", "--variants", "whole"];
    let more = ["--real", "others", "--baselines", "--fps", "30", "--json"];
    let measured = bench.run(args.iter().chain(&more)).ok().json();
    for key in ["nn_ratio", "jerk_ratio", "diversity_ratio"] {
        let ratio = measured[key].as_f64().unwrap();
        assert!((0.3..3.0).contains(&ratio), "{key}: {ratio}");
    }
    assert!(
        measured.to_string().contains("perlin"),
        "noise beside it: {measured}"
    );
}

/// `--part` and `--fix` of `vary` reach the joints they name and no others.
fn parts_are_kept_calm_or_fixed(bench: &Bench) {
    let vary = |out: &str, more: &[&str]| {
        let args = [
            "vary",
            "walk.ron",
            "--count",
            "3",
            "--constrain",
            "none",
            "--out",
            out,
        ];
        bench.run(args.iter().chain(more)).ok();
        [0, 1, 2].map(|n| read(&bench.path(&format!("{out}/walk_{n:03}.bvh"))))
    };
    let fixed = vary("fixed", &["--fix", "head=walks/Walk_0.bvh"]);
    let source = read(&bench.path("walks/Walk_0.bvh"));
    let head = source.skeleton().find("Head").unwrap();
    let fps = 30.0;
    let at = |clip: &kinfolk::motion::Clip, frame: usize| clip.frame(frame).rotations[head];
    for clip in &fixed {
        for frame in 2..20 {
            let moment = frame as f64 / fps * source.fps();
            let apart = at(clip, frame).angle_to(&source.pose_at(moment).rotations[head]);
            assert!(apart < 0.01, "frame {frame} of the head is {apart} rad off");
        }
    }
    let calm = vary("calm", &["--part", "left arm=0", "--part", "Head=2"]);
    assert!(calm[0].n_frames() > 4, "made");
    for (wrong, said) in [
        ("tail=1", "left arm"),
        ("head", "expected a part"),
        ("head=9", "0 to 4"),
    ] {
        let args = [
            "vary", "walk.ron", "--count", "1", "--out", "no", "--part", wrong,
        ];
        let refused = bench.run(args);
        assert!((1..=2).contains(&refused.code()), "{wrong}");
        assert!(refused.err().contains(said), "{wrong}: {}", refused.err());
    }
}

#[test]
fn a_model_that_is_none_is_refused_with_its_place() {
    let bench = Bench::new();
    bench.put("broken.ron", "(version: 1,\n of: nonsense)");
    bench.put("later.ron", "(version: 99)");
    bench.put("style.ron", "(version: 1, features: (up: \"Y\"))");
    bench.put("model.ron", "(version: 2, of: ())");
    for (file, words) in [
        ("broken.ron", "line 2"),
        ("later.ron", "newer"),
        ("missing.ron", "missing.ron"),
        ("style.ron", "a style"),
    ] {
        let ran = bench.run(["vary", file, "--out", "out"]);
        assert_eq!(ran.code(), 1, "{file}");
        assert!(ran.err().contains(words), "{file}: {}", ran.err());
        let said = ran.err().matches("os error").count();
        assert!(said <= 1, "the reason is told once: {}", ran.err());
    }
    let args = [
        "pose",
        "model.ron",
        "--handle",
        "Hips=0,0,0",
        "--out",
        "p.bvh",
    ];
    let ran = bench.run(args);
    assert_eq!(ran.code(), 1);
    assert!(ran.err().contains("variation model"), "{}", ran.err());
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let bench = Bench::new();
    with_clips(&bench, "walks", Action::Walk, 0..2);
    bench.put("file", "");
    let learn = bench.run(["learn", "walks", "--out", "file/deep/walk.ron"]);
    assert_eq!(learn.code(), 2);
    assert!(learn.err().contains("file is no folder"), "{}", learn.err());
    assert!(!learn.err().contains("learning"), "{}", learn.err());
    for count in ["0", "-1", "99999999999999", "many"] {
        let truth = bench.run(["stroke", "truth", "--out", "new", "--count", count]);
        assert_eq!(truth.code(), 2, "{count}");
    }
    bench.put("new/circle_002.csv", "t,x,y\n");
    let truth = bench.run(["stroke", "truth", "--out", "new", "--count", "3"]);
    assert_eq!(truth.code(), 2, "not over an old stroke");
    assert_eq!(bench.list("new"), ["circle_002.csv"], "nor beside it");
}

#[test]
fn a_t_pose_before_the_motion_is_no_part_of_it() {
    let bench = Bench::new();
    with_clips(&bench, "clean", Action::Walk, 0..3);
    for index in 0..3 {
        let clip = edit::prepend_tpose(&make(Action::Walk, 5, index).clip).unwrap();
        let bytes = bvh::write(&clip, &bvh::WriteSettings::default()).bytes;
        let text = String::from_utf8(bytes).unwrap();
        bench.put(&format!("raw/Walk_{index}.bvh"), &text);
    }
    let measure = |inputs: &str| {
        let args = [
            "measure",
            "--json",
            "--variants",
            "clean",
            "--inputs",
            inputs,
        ];
        bench.run(args).ok()
    };
    let (raw, clean) = (measure("raw"), measure("clean"));
    assert_eq!(raw.err().matches("a T-pose").count(), 3, "{}", raw.err());
    let jerk = |ran: &Ran| ran.json()["jerk_ratio"].as_f64().unwrap();
    assert!((jerk(&raw) - jerk(&clean)).abs() < 1e-3, "{raw:?}");
    // Noise on a single clip, which does not say where clips differ, used to be none.
    let one = ["clean/Walk_0.bvh", "--variants", "clean", "--baselines"];
    let args = ["measure", "--json", "--inputs"];
    let alone = bench.run(args.iter().chain(&one)).ok().json();
    let noise = &alone["baselines"]["smoothed_noise"];
    assert!(noise["jerk_ratio"].as_f64().unwrap() > 1.1, "{noise}");
}

#[test]
fn walks_with_big_arms_are_told_from_walks() {
    let bench = Bench::new();
    with_clips(&bench, "good", Action::Walk, 0..6);
    with_clips(&bench, "asked", Action::Walk, 6..9);
    with_clips(&bench, "asked", Action::WalkBigArms, 0..2);
    let args = ["similar", "--reference", "good", "--candidates", "asked"];
    bench.put("asked/a_stranger.bvh", &small_walk(40));
    let ran = bench.run(args.iter().chain(&["--fps", "30", "--json"]));
    assert_eq!(ran.code(), 1, "one is on other bones, the others are done");
    let stranger = "a_stranger.bvh: clip \"a_stranger\" is on another skeleton";
    assert!(ran.err().contains(stranger), "{}", ran.err());
    let json = ran.json();
    assert!(json["threshold"].is_number(), "{json}");
    let kept: Vec<&str> = json["kept"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|f| f.as_str())
        .collect();
    assert!(
        kept.len() >= 2 && kept.iter().all(|file| file.contains("Walk_")),
        "kept {kept:?}"
    );
    let dropped = json["dropped"].as_array().unwrap();
    let is_dropped = |name: &str| {
        let mut all = dropped.iter();
        all.any(|d| d["file"].as_str().unwrap().contains(name) && d["round"].is_number())
    };
    for name in ["WalkBigArms_0", "WalkBigArms_1"] {
        assert!(is_dropped(name), "{name}: {json}");
    }
}

#[test]
fn circles_are_drawn_learned_and_varied() {
    let bench = Bench::new();
    let truth = [
        "stroke", "truth", "--count", "4", "--out", "truth", "--json",
    ];
    let drawn = bench.run(truth).ok().json();
    assert_eq!(drawn["files"].as_array().unwrap().len(), 4);
    bench
        .run(["stroke", "learn", "truth", "--out", "circle.ron"])
        .ok();
    let vary = [
        "stroke",
        "vary",
        "circle.ron",
        "--count",
        "6",
        "--out",
        "more",
        "--json",
    ];
    let files = bench.run(vary).ok().json()["files"].clone();
    let mut seen = BTreeSet::new();
    for file in files.as_array().unwrap() {
        let text = fs::read_to_string(bench.path(file.as_str().unwrap())).unwrap();
        let rows: Vec<Vec<f64>> = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(|n| n.parse().unwrap()).collect())
            .collect();
        let mean = |k: usize| rows.iter().map(|row| row[k]).sum::<f64>() / rows.len() as f64;
        let (x, y) = (mean(1), mean(2));
        let radius =
            rows.iter().map(|r| (r[1] - x).hypot(r[2] - y)).sum::<f64>() / rows.len() as f64;
        // Mean 5 and deviation 0.5 by default; four examples cannot say it better.
        assert!((3.0..7.0).contains(&radius), "{file}: radius {radius}");
        seen.insert(text);
    }
    assert_eq!(seen.len(), 6, "all differ");
    let mixed = bench.run(["vary", "circle.ron", "--out", "clips"]);
    assert_eq!(mixed.code(), 1, "strokes are no clips");
    assert!(mixed.err().contains("strokes"), "{}", mixed.err());
}

#[test]
fn takes_that_do_not_go_together_are_named_and_force_goes_on() {
    let bench = Bench::new();
    with_clips(&bench, "mixed", Action::Walk, 0..3);
    with_clips(&bench, "mixed", Action::RoundKick, 0..1);
    let learn = ["learn", "mixed", "--fps", "30", "--out", "mixed.ron"];
    let refused = bench.run(learn);
    assert_eq!(refused.code(), 1, "{}", refused.err());
    assert!(refused.err().contains("RoundKick_0"), "{}", refused.err());
    assert!(refused.err().contains("--force"), "{}", refused.err());
    assert!(!bench.path("mixed.ron").exists(), "nothing was written");
    let forced = bench.run(learn.iter().chain(&["--force"])).ok();
    assert!(forced.err().contains("warning"), "{}", forced.err());
    // Four copies of one clip.
    for copy in 0..4 {
        let clip = make(Action::Walk, 5, 0).clip;
        let bytes = bvh::write(&clip, &bvh::WriteSettings::default()).bytes;
        bench.put(
            &format!("same/walk_{copy}.bvh"),
            &String::from_utf8(bytes).unwrap(),
        );
    }
    let refused = bench.run(["learn", "same", "--out", "same.ron"]);
    assert_eq!(refused.code(), 1, "{}", refused.err());
    assert!(
        refused.err().contains("copies of one clip"),
        "{}",
        refused.err()
    );
    // Another skeleton is a bad input, not a failure to start.
    bench.put("other/small.bvh", &small_walk(40));
    with_clips(&bench, "other", Action::Walk, 0..2);
    let refused = bench.run(["learn", "other", "--out", "other.ron"]);
    assert_eq!(refused.code(), 1, "{}", refused.err());
    assert!(
        refused.err().contains("another skeleton"),
        "{}",
        refused.err()
    );
}

#[test]
fn structures_and_methods_can_be_compared() {
    let bench = Bench::new();
    with_clips(&bench, "walks", Action::Walk, 0..4);
    let edges = |structure: &str| {
        let out = format!("{structure}.ron");
        let args = ["learn", "walks", "--fps", "30", "--json", "--out", &out];
        let more = ["--structure", structure];
        let learned = bench.run(args.iter().chain(&more)).ok().json();
        (
            learned["edges"].as_u64().unwrap(),
            learned["score"].as_f64().unwrap(),
        )
    };
    let (learned, score) = edges("learned");
    let (none, bare) = edges("none");
    assert!(learned > 0 && none == 0, "{learned} and {none}");
    assert!(score > bare, "{score} with edges, {bare} without");
    assert_eq!(edges("random").0, learned, "as many");
    assert!(edges("full").0 > 10 * learned, "nearly all");
}
