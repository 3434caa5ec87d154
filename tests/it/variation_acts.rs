//! Variants do what their takes do, every one of them: a jump that runs through to its end without leaving the floor is none.

use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, WorldPose, edit};
use kinfolk::variation::{ClipModel, Hold, Length, SampleSettings};

use crate::data::shared;
use crate::quick;

/// How far the hips rise above where they end.
fn rise(clip: &Clip) -> f64 {
    let height = |frame: usize| {
        let world = WorldPose::of(clip.skeleton(), clip.frame(frame));
        clip.info.up.along(&world.positions[0])
    };
    let heights: Vec<f64> = (0..clip.n_frames()).map(height).collect();
    let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    highest - heights[heights.len() - 1]
}

#[test]
fn two_hundred_of_two_hundred_jumps_leave_the_floor() {
    let Some(dir) = shared("jump/s118") else {
        return;
    };
    let takes: Vec<Clip> = ["118_06", "118_10", "118_14", "118_25"]
        .map(|name| {
            let clip = read_clip(&dir.join(name).with_extension("bvh")).unwrap();
            edit::resample(&clip, 30.0).unwrap()
        })
        .into();
    let refs: Vec<&Clip> = takes.iter().collect();
    let model = ClipModel::learn(&refs, &quick::settings(None), &Ticket::default()).unwrap();
    let least = takes.iter().map(rise).fold(f64::INFINITY, f64::min);
    let settings = SampleSettings::default();
    for variant in 0..200 {
        let made = model.vary(&settings, variant, Length::Once, Hold::None);
        let rise = rise(&made.unwrap().clip);
        assert!(
            rise > 0.4 * least,
            "variant {variant} rises by {rise}, the lowest take by {least}"
        );
    }
}
