//! Models of version 1 still open, and say that they should be learned again.
//!
//! `tests/data/*_v1.ron` were written by the program as it was before version 2: `kinfolk learn` from two demo jumps at
//! 6 frames a second, `kinfolk stroke learn --fps 15` from three circles of `kinfolk stroke truth`.

use kinfolk::file::variation_model;
use kinfolk::variation::{Hold, Length, Method, SampleSettings};

use crate::command::Bench;

const JUMP: &str = include_str!("../data/jump_v1.ron");
const CIRCLE: &str = include_str!("../data/circle_v1.ron");

#[test]
fn a_model_of_clips_opens_makes_variants_and_says_that_it_is_old() {
    let model = variation_model::read(JUMP.as_bytes()).unwrap();
    let model = model.into_clips().unwrap();
    assert!(model.model().settings().is_of_earlier_version);
    assert_eq!(model.model().method(), Method::Paper, "as what it was");
    assert_eq!(model.model().examples().n_takes(), 2);
    let made = model.vary(&SampleSettings::default(), 0, Length::Once, Hold::Feet);
    assert!(made.unwrap().clip.n_frames() > 4, "it makes variants");
    // Written again it is of this version, and still says so.
    let text = variation_model::write_clips(&model).unwrap();
    assert!(text.contains("version: 2"), "the version of today");
    let again = variation_model::read(text.as_bytes()).unwrap();
    assert_eq!(again.into_clips().unwrap(), model);
    let bench = Bench::new();
    bench.put("old.ron", JUMP);
    let ran = bench
        .run(["vary", "old.ron", "--count", "1", "--out", "made"])
        .ok();
    assert!(ran.err().contains("learn it again"), "{}", ran.err());
}

#[test]
fn a_model_of_strokes_opens_too() {
    let model = variation_model::read(CIRCLE.as_bytes()).unwrap();
    let model = model.into_strokes().unwrap();
    assert!(model.model().settings().is_of_earlier_version);
    let made = model.vary(&SampleSettings::default(), 0, Length::Once);
    assert!(made.unwrap().n_points() > 4);
}
