//! `kinfolk info`, and what all subcommands share.

use crate::command::{Bench, small_walk};

#[test]
fn info_tells_what_is_in_a_file() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(12));
    let ran = bench.run(["info", "walk.bvh", "--json"]).ok();
    let clip = &ran.json()["clips"][0];
    assert_eq!(clip["file"], "walk.bvh");
    assert_eq!(clip["joints"], 8);
    assert_eq!(clip["channels"], 27);
    assert_eq!(clip["frames"], 12);
    assert_eq!(clip["fps"], 30.0);
    assert!(
        (clip["seconds"].as_f64().unwrap() - 0.4).abs() < 1e-9,
        "{clip}"
    );
    assert!(clip["error"].is_null(), "{clip}");
    let text = bench.run(["info", "walk.bvh"]).ok().out();
    assert!(text.contains("walk.bvh") && text.contains("27"), "{text}");
}

#[test]
fn bad_files_are_named_and_the_rest_is_done() {
    let bench = Bench::new();
    bench.put("set/a.bvh", &small_walk(3));
    bench.put("set/b.bvh", "HIERARCHY\nROOT a\n{\n  OFFSET 0 zero 0\n}\n");
    bench.put("set/deeper/c.BVH", &small_walk(5));
    bench.put("set/readme.txt", "not a clip");
    let ran = bench.run(["info", "set", "missing.bvh", "--json"]);
    assert_eq!(ran.code(), 1);
    let files: Vec<String> = ran.json()["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| format!("{} {}", c["file"].as_str().unwrap(), c["frames"]))
        .collect();
    assert_eq!(
        files,
        [
            "set/a.bvh 3",
            "set/b.bvh null",
            "set/deeper/c.BVH 5",
            "missing.bvh null"
        ]
    );
    let err = ran.err();
    assert!(
        err.contains("set/b.bvh: line 4, column 12: expected"),
        "{err}"
    );
    assert!(err.contains("\"zero\""), "{err}");
    assert!(err.contains("missing.bvh: cannot be read"), "{err}");
}

#[test]
fn folders_without_clips_and_unknown_files_say_so() {
    let bench = Bench::new();
    bench.put("empty/readme.txt", "");
    let ran = bench.run(["info", "empty", "empty/readme.txt"]);
    assert_eq!(ran.code(), 1);
    assert!(
        ran.err().contains("a folder without motion files"),
        "{}",
        ran.err()
    );
    assert!(ran.err().contains("not a motion file"), "{}", ran.err());
}

#[test]
fn what_cannot_start_ends_with_two() {
    let bench = Bench::new();
    assert_eq!(bench.run(["info"]).code(), 2);
    assert_eq!(bench.run(["nonsense"]).code(), 2);
    assert_eq!(bench.run(["info", "a.bvh", "--threads", "0"]).code(), 2);
    assert_eq!(bench.run(["info", "a.bvh", "--fps", "-1"]).code(), 2);
    assert_eq!(bench.run(["--help"]).code(), 0);
    assert!(
        bench.run(["--version"]).ok().out().starts_with("kinfolk "),
        "its name"
    );
}

#[test]
fn clips_are_resampled_on_load() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(31));
    let ran = bench
        .run(["info", "walk.bvh", "--fps", "60", "--json"])
        .ok();
    let clip = &ran.json()["clips"][0];
    assert_eq!((&clip["fps"], &clip["frames"]), (&60.0.into(), &61.into()));
}
