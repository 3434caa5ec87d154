//! When a number of a motion should make an animator look twice.
//!
//! The limits are a choice, not a measurement: as far outside of what is usual as can hardly be meant. What good models
//! make of real clips lies well within (`resources/variation.md`).

use crate::motion::metrics::UNSEEN_SLIDE;

/// More jerk than this many times that of the takes trembles.
const JERKY: f64 = 1.6;
/// The same for the mean of many, which wanders less than one motion does.
const JERKY_SET: f64 = 1.3;
/// A share of the takes' jerk below which a variant looks lifeless.
const SMOOTHED: f64 = 0.5;
/// Farther from the takes than this many times what they are from each other is another motion.
const FAR: f64 = 1.6;
/// Nearer than this share is a copy.
const COPIED: f64 = 0.2;
/// Feet that slide so many times as fast as those of the takes, and a little, slide.
const SLIDING: f64 = 1.5;
/// Less than this share of the takes' own diversity is one motion again and again.
const ALIKE: f64 = 0.5;
/// More than so many times is wild.
const WILD: f64 = 2.0;

/// What speaks against a nearest-pose ratio.
pub fn nearness(ratio: f64) -> Option<String> {
    (ratio > FAR).then(|| format!("{ratio:.1} x as far from the takes as these from each other"))
}

/// What speaks against the nearest-pose ratio of a set: copies are no variation.
pub fn copies(ratio: f64) -> Option<String> {
    (ratio < COPIED).then(|| "shows the takes again, nothing new".to_owned())
}

/// What speaks against a jerk ratio.
pub fn jerk(ratio: f64) -> Option<String> {
    jerk_over(JERKY, ratio)
}

/// What speaks against the jerk ratio of a set.
pub fn set_jerk(ratio: f64) -> Option<String> {
    jerk_over(JERKY_SET, ratio)
}

fn jerk_over(most: f64, ratio: f64) -> Option<String> {
    if ratio > most {
        Some(format!("trembles: {ratio:.1} x the jerk of the takes"))
    } else if ratio < SMOOTHED {
        Some(format!("lifeless: {ratio:.1} x the jerk of the takes"))
    } else {
        None
    }
}

/// What speaks against the slide of feet, both in body heights per second.
pub fn slide(found: f64, takes: f64) -> Option<String> {
    (found > SLIDING * takes + UNSEEN_SLIDE).then(|| {
        let times = slide_ratio(found, takes);
        format!("feet slide {times:.1} x as fast as in the takes")
    })
}

/// How many times as fast as those of the takes feet slide. Takes whose feet stand perfectly still, as made-up ones do,
/// count as if they slid as fast as nobody sees.
pub fn slide_ratio(found: f64, takes: f64) -> f64 {
    found / takes.max(UNSEEN_SLIDE)
}

/// What speaks against the diversity of a set, as a share of that of the takes.
pub fn diversity(ratio: f64) -> Option<String> {
    if ratio > WILD {
        Some(format!("{ratio:.1} x as different as the takes are"))
    } else if ratio < ALIKE {
        Some(format!(
            "alike: only {ratio:.1} x as different as the takes"
        ))
    } else {
        None
    }
}
