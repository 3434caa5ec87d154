//! `kinfolk render`.

use crate::command::{Bench, Ran, small_walk};

/// Whether it could draw; says so if this machine cannot.
fn could_draw(ran: &Ran) -> bool {
    let cannot = ran.err().contains("mesa-vulkan-drivers");
    if cannot {
        crate::data::skipped("nothing here can draw pictures");
    }
    !cannot
}

#[test]
fn a_clip_becomes_a_picture_of_the_wanted_size() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(12));
    let args = ["render", "walk.bvh", "--out", "pictures/walk.png", "--json"];
    let ran = bench.run(args);
    if !could_draw(&ran) {
        return;
    }
    assert_eq!(ran.ok().json()["file"], "pictures/walk.png");
    let drawn = image::open(bench.path("pictures/walk.png")).unwrap();
    assert_eq!((drawn.width(), drawn.height()), (1280, 720));
    let again = bench.run(args);
    assert_eq!(again.code(), 2, "nothing is replaced");
    assert!(again.err().contains("--force"), "{}", again.err());
    let more = [
        "--force", "--size", "90x60", "--view", "side", "--frames", "0,5,11",
    ];
    bench.run(args.into_iter().chain(more)).ok();
    let drawn = image::open(bench.path("pictures/walk.png")).unwrap();
    assert_eq!((drawn.width(), drawn.height()), (90, 60));
}

#[test]
fn bad_clips_are_named_and_the_others_drawn() {
    let bench = Bench::new();
    bench.put("set/long.bvh", &small_walk(30));
    bench.put("set/short.bvh", &small_walk(3));
    let ran = bench.run([
        "render", "set", "gone.bvh", "--frames", "20", "--out", "a.png", "--size", "64x64",
    ]);
    if !could_draw(&ran) {
        return;
    }
    assert_eq!(ran.code(), 1);
    let err = ran.err();
    assert!(
        err.contains("short.bvh: frame 20 is asked for, but there are only frames 0 to 2"),
        "{err}"
    );
    assert!(err.contains("gone.bvh"), "{err}");
    assert!(bench.path("a.png").exists(), "the long one is drawn");
}

#[test]
fn without_any_clip_there_is_no_picture() {
    let bench = Bench::new();
    let ran = bench.run(["render", "gone.bvh", "--out", "a.png", "--json"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.json()["file"].is_null(), "{ran:?}");
    assert!(!bench.path("a.png").exists(), "nothing to draw");
}

#[test]
fn words_that_make_no_sense_are_refused() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(3));
    for wrong in [
        ["--size", "0x20"],
        ["--size", "20"],
        ["--size", "-4x20"],
        ["--view", "inside"],
        ["--frames", "1,two"],
    ] {
        let args = ["render", "walk.bvh", "--out", "a.png"];
        let ran = bench.run(args.into_iter().chain(wrong));
        assert_eq!(ran.code(), 2, "{wrong:?}");
        assert!(!bench.path("a.png").exists(), "{wrong:?}");
    }
}
