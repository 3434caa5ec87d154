//! Feet and hands of variants held where an animator wants them.

use std::sync::LazyLock;

use kinfolk::demo::Action;
use kinfolk::motion::{Body, Clip, Vec3, WorldPose, body};
use kinfolk::variation::{ClipModel, HeldSpan, Length, MotionType, SampleSettings};

use crate::quick;

/// Three walks, learned once for all tests.
static WALKS: LazyLock<ClipModel> =
    LazyLock::new(|| quick::three(Action::Walk, MotionType::Cyclic));

fn way(clip: &Clip, span: &HeldSpan) -> Vec<Vec3> {
    let place = |frame| WorldPose::of(clip.skeleton(), clip.frame(frame)).positions[span.joint];
    span.frames.clone().map(place).collect()
}

#[test]
fn limbs_stay_where_they_are_drawn_and_pins_are_met() {
    let model = &*WALKS;
    let body = Body::of(model.chart().skeleton());
    let (foot, hand) = (body.legs[0].end, body.arms[0].end);
    let settings = SampleSettings::default();
    let vary = |spans: &[HeldSpan]| {
        let made = model.vary_by_hand(&settings, 0, Length::Once, spans);
        made.unwrap()
    };
    let span = |joint, frames, pin| HeldSpan { joint, frames, pin };
    let free = vary(&[]);
    assert!(
        free.held.is_none() && free.clip.contacts().is_empty(),
        "{:?}",
        free.held
    );
    let wanted = [span(hand, 10..20, None), span(foot, 2..8, None)];
    let made = vary(&wanted);
    for span in &wanted {
        let places = way(&made.clip, span);
        let before = way(&free.clip, span);
        let walked = (before[before.len() - 1] - before[0]).norm();
        let slid = (places[places.len() - 1] - places[0]).norm();
        assert!(slid < 0.2 * walked, "{span:?}: {slid} of {walked}");
    }
    assert_eq!(made.clip.contacts().len(), 2, "it carries them");
    let up = free.clip.info.up.vector();
    let pin = way(&free.clip, &wanted[0])[5] + up * (0.05 * body::height(&free.clip));
    let pinned = vary(&[span(hand, 10..20, Some(pin))]);
    for place in way(&pinned.clip, &wanted[0]) {
        let off = (place - pin).norm();
        assert!(off < 1e-6 * pin.norm().max(1.0), "off by {off}");
    }
    // A foot on ankle and toe goes as a whole.
    let toe = body.legs[0].toe.unwrap();
    let aside = way(&free.clip, &wanted[1])[3] + (pin - way(&free.clip, &wanted[0])[5]);
    let pinned = vary(&[span(foot, 2..8, Some(aside)), span(toe, 2..8, None)]);
    let held = pinned.held.unwrap();
    assert_eq!((held.n_holds, held.n_misses), (2, 0), "both are met");
    let n_frames = free.clip.n_frames();
    let late = vary(&[span(foot, n_frames - 3..n_frames + 50, None)]);
    assert_eq!(late.clip.contacts()[0].frames.end, n_frames, "cut off");
    assert!(
        vary(&[span(foot, n_frames + 5..n_frames + 9, None)])
            .held
            .is_none(),
        "behind it"
    );
}

#[test]
fn what_cannot_be_held_is_refused_with_its_reason() {
    let model = &*WALKS;
    let refuse = |spans: &[HeldSpan]| {
        let settings = SampleSettings::default();
        let made = model.vary_by_hand(&settings, 0, Length::Once, spans);
        made.unwrap_err().to_string()
    };
    let hips = HeldSpan {
        joint: 0,
        frames: 0..5,
        pin: None,
    };
    let words = refuse(&[hips]);
    assert!(words.contains("no ankle or wrist"), "{words}");
    let body = Body::of(model.chart().skeleton());
    let foot = HeldSpan {
        joint: body.legs[0].end,
        frames: 0..5,
        pin: Some(Vec3::new(f64::NAN, 0.0, 0.0)),
    };
    let words = refuse(std::slice::from_ref(&foot));
    assert!(words.contains("finite"), "{words}");
    let twice = HeldSpan { pin: None, ..foot };
    let words = refuse(&[twice.clone(), twice]);
    assert!(words.contains("twice"), "{words}");
}
