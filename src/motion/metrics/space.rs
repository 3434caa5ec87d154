//! Head, hands and feet in space: how smooth they are, how fast they get, and how far bodies turn.
//!
//! Jerk of joint angles does not see whether joints compensate for each other: a hand may jitter although no joint
//! does more than it should.

use super::super::heading::HeadingFrame;
use super::super::{Body, Clip};
use super::{MetricError, Places, Worst};

/// The joints that eyes follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Landmarks {
    pub(super) head: Vec<usize>,
    /// Joint indices of wrists and ankles.
    pub(super) ends: Vec<usize>,
}

impl Landmarks {
    pub(super) fn of(clip: &Clip) -> Self {
        let body = Body::of(clip.skeleton());
        let limbs = body.arms.iter().chain(&body.legs);
        Self {
            head: body.head.into_iter().collect(),
            ends: limbs.map(|limb| limb.end).collect(),
        }
    }
}

/// What one clip does in space; body heights and seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct InSpace {
    /// By joint, head first, then wrists and ankles: root mean square third derivative of its place.
    pub jerks: Vec<f64>,
    /// By wrist and ankle: the fastest that it gets.
    pub peaks: Vec<f64>,
    /// Where the fastest of them is.
    pub fastest: Worst,
    /// By how much the body turns to the left in all, in radians.
    pub net_turn_rad: f64,
}

/// Looks at a clip at a rate.
pub fn in_space(clip: &Clip, heading: &HeadingFrame, fps: f64) -> Result<InSpace, MetricError> {
    let landmarks = Landmarks::of(clip);
    let places = Places::of(clip, fps)?;
    places.need(clip, 4, "jerk in space")?;
    let per_second = fps * fps * fps;
    let jerk = |joint: &usize| {
        let squares = (3..places.len()).map(|row| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|back| places.at(row - back, *joint));
            (a - b * 3.0 + c * 3.0 - d).norm_squared()
        });
        let n = (places.len() - 3) as f64;
        (squares.sum::<f64>() / n).sqrt() * per_second
    };
    let mut fastest = Worst::NONE;
    // Over two frames: a single one is as much noise as speed.
    let peak = |joint: &usize| {
        let mut peak = 0.0;
        for row in 2..places.len() {
            let step = places.at(row, *joint) - places.at(row - 2, *joint);
            let speed = step.norm() * 0.5 * fps;
            fastest.keep(speed, places.frame(row - 1), *joint);
            peak = f64::max(peak, speed);
        }
        peak
    };
    let peaks = landmarks.ends.iter().map(peak).collect();
    let track = heading.track(clip);
    let last = track.headings.len() - 1;
    Ok(InSpace {
        jerks: landmarks
            .head
            .iter()
            .chain(&landmarks.ends)
            .map(jerk)
            .collect(),
        peaks,
        fastest,
        net_turn_rad: track.headings[last] - track.headings[0],
    })
}

/// Sets of clips compared in space.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SpaceReport {
    pub(super) jerk_ratio: Option<f64>,
    pub(super) faster_share: Option<f64>,
    pub(super) peak_ratio: Option<f64>,
    pub(super) net_turn_deg: f64,
    pub(super) net_turn_real_deg: Option<f64>,
    pub(super) net_turn_ratio: Option<f64>,
}

/// A hand or foot that gets faster than the fastest real one by this factor is too fast.
const TOO_FAST: f64 = 1.1;

/// Compares variants with the inputs, and their speeds and turns with all real clips.
pub(super) fn compare(
    inputs: &[&Clip],
    variants: &[&Clip],
    real: &[&Clip],
    fps: f64,
) -> Result<SpaceReport, MetricError> {
    let heading = HeadingFrame::learn(inputs);
    let look = |clips: &[&Clip]| -> Result<Vec<InSpace>, MetricError> {
        clips
            .iter()
            .map(|clip| in_space(clip, &heading, fps))
            .collect()
    };
    let (inputs, variants, held_back) = (look(inputs)?, look(variants)?, look(real)?);
    let real: Vec<&InSpace> = inputs.iter().chain(&held_back).collect();
    let n_ends = variants.first().map_or(0, |one| one.peaks.len());
    let peak = |one: &InSpace| one.peaks.iter().copied().fold(0.0, f64::max);
    let fastest = real.iter().map(|one| peak(one)).fold(0.0, f64::max);
    let beyond = |one: &InSpace| peak(one) / f64::max(fastest, f64::MIN_POSITIVE);
    let n = variants.len() as f64;
    let too_fast = variants.iter().filter(|one| beyond(one) > TOO_FAST).count();
    let turns = |of: &mut dyn Iterator<Item = &InSpace>| {
        let all: Vec<f64> = of.map(|one| one.net_turn_rad.to_degrees()).collect();
        deviation(&all)
    };
    let own_turns = turns(&mut variants.iter());
    let real_turns = turns(&mut real.iter().copied()).filter(|_| real.len() > 1);
    let real_turns = real_turns.filter(|deg| *deg > 1e-6);
    Ok(SpaceReport {
        jerk_ratio: jerk_ratio(&variants, &inputs),
        faster_share: (n_ends > 0).then_some(too_fast as f64 / n),
        peak_ratio: (n_ends > 0).then(|| variants.iter().map(beyond).fold(0.0, f64::max)),
        net_turn_deg: own_turns.unwrap_or(0.0),
        net_turn_real_deg: real_turns,
        net_turn_ratio: own_turns.zip(real_turns).map(|(own, real)| own / real),
    })
}

/// How rough variants are against the inputs, all joints together.
fn jerk_ratio(variants: &[InSpace], inputs: &[InSpace]) -> Option<f64> {
    let rough = |clips: &[InSpace]| {
        let squares = clips
            .iter()
            .flat_map(|clip| &clip.jerks)
            .map(|jerk| jerk * jerk);
        (squares.sum::<f64>() / clips.len().max(1) as f64).sqrt()
    };
    let (own, real) = (rough(variants), rough(inputs));
    (real > 0.0).then(|| own / real)
}

fn deviation(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    Some((squares / (n - 1.0)).sqrt())
}
