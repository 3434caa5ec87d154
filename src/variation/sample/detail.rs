//! Which take detail comes from, and which of its frames.
//!
//! Joints compensate for each other in detail ([`crate::variation::network::detail`]): the twist of a straight knee is taken back by the
//! foot, so that a foot or hand is stiller in space than any joint of its chain. Averaged over takes, or drawn joint by joint, that
//! is lost: hands and feet had up to twice the jerk of real ones. So all joints have the detail of *one* take at one moment, played as
//! it was captured; where that gets out of step with the variant, or after a while, another take follows, faded in.

use std::sync::Arc;

use crate::numerics::random::Stream;
use crate::variation::network::detail::Detail;

/// A take is followed by another about this often.
const STAY_SECS: f64 = 0.8;
/// Time for one to fade into the next. Within a tenth of a second fades were jolts themselves: hands and feet of kicks and jumps had
/// 1.2 to 1.5 of the takes' jerk.
const FADE_SECS: f64 = 0.25;
/// Detail may be early or late by this much: less than is seen, and few takes are at the same pace for long.
const SLACK_SECS: f64 = 0.035;
/// From this amount on variants have the detail of takes; the mean motion has its own.
const FULL_DETAIL: f64 = 0.5;

/// How much detail of takes a variant has; the rest is the mean's.
pub(super) fn detail_share(amount: f64) -> f64 {
    (amount / FULL_DETAIL).min(1.0)
}

/// A frame of a take.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    take: usize,
    frame: isize,
}

/// The takes that detail comes from, frame by frame.
#[derive(Debug, Clone)]
pub(super) struct DetailSource {
    takes: Arc<Vec<Detail>>,
    stream: Stream,
    /// Phases of a cycle; none if the motion has an end.
    period: Option<f64>,
    stay: f64,
    fade: f64,
    slack: f64,
    from: Place,
    to: Place,
    /// The phase at which the round of the second began.
    round: f64,
    /// Frames since the last change, and how many until the next.
    at: f64,
    until: f64,
    last_phase: Option<f64>,
}

impl DetailSource {
    pub(super) fn new(
        takes: &Arc<Vec<Detail>>,
        period: Option<usize>,
        frame_secs: f64,
        stream: Stream,
    ) -> Self {
        Self {
            takes: Arc::clone(takes),
            stream,
            period: period.map(|period| period as f64),
            stay: STAY_SECS / frame_secs,
            fade: (FADE_SECS / frame_secs).max(1.0),
            slack: (SLACK_SECS / frame_secs).max(1.0),
            from: Place::default(),
            to: Place::default(),
            round: 0.0,
            at: 0.0,
            until: 0.0,
            last_phase: None,
        }
    }

    /// For the next frame of the variant, which is at this phase.
    pub(super) fn next(&mut self, phase: f64) {
        if let Some(before) = self.last_phase.replace(phase) {
            self.at += 1.0;
            self.from.frame += 1;
            self.to.frame += 1;
            if self.at >= self.fade && (self.at > self.until || self.is_off(phase)) {
                self.from = self.to;
                self.to = self.begin(phase, phase - before);
                self.at = 0.0;
            }
        } else {
            self.to = self.begin(phase, 1.0);
            self.from = self.to;
            self.at = self.fade;
        }
    }

    /// Adds the detail of this frame, of each degree of freedom the share that is wanted.
    pub(super) fn add(&self, row: &mut [f64], shares: &[f64]) {
        let u = (self.at / self.fade).min(1.0);
        let faded = u * u * (3.0 - 2.0 * u);
        let of = |place: Place, dof: usize| self.takes[place.take].at(place.frame, dof);
        for (dof, (x, share)) in row.iter_mut().zip(shares).enumerate() {
            let (from, to) = (of(self.from, dof), of(self.to, dof));
            *x += share * (from + faded * (to - from));
        }
    }

    /// Whether the take is out of step, or at its end with more to come.
    fn is_off(&self, phase: f64) -> bool {
        let take = &self.takes[self.to.take];
        let due = take.frame_at(phase - self.round);
        let is_over = self.period.is_some() && self.to.frame >= take.n_frames().cast_signed() - 1;
        is_over || (self.to.frame as f64 - due).abs() > self.slack
    }

    /// Some take, where the variant is; a little ahead or behind if that will even out while it plays.
    fn begin(&mut self, phase: f64, speed: f64) -> Place {
        self.round = self.period.map_or(0.0, |p| p * (phase / p).floor());
        let number = self.stream.below(self.takes.len());
        self.until = self.stay * self.stream.between(0.5, 1.5);
        let take = &self.takes[number];
        let due = take.frame_at(phase - self.round);
        let due_next = take.frame_at(phase - self.round + speed);
        let gains = 1.0 - (due_next - due);
        let lead = (-0.5 * gains * self.until).clamp(-self.slack, self.slack);
        let last = (take.n_frames() - 1) as f64;
        Place {
            take: number,
            frame: (due + lead).round().clamp(0.0, last) as isize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two takes of two hundred frames, one at half the pace; their detail is the number of the take.
    fn takes() -> Arc<Vec<Detail>> {
        let take = |n: usize, value: f64| Detail::known(1, vec![value; n], 101);
        Arc::new(vec![take(101, 0.0), take(201, 1.0)])
    }

    #[test]
    fn all_takes_get_their_turn_fade_into_each_other_and_keep_in_step() {
        let frame_secs = 1.0 / 60.0;
        let takes = takes();
        let mut source = DetailSource::new(&takes, Some(101), frame_secs, Stream::named(1, &[]));
        let (mut last, mut sum) = (None, 0.0);
        for frame in 0..20_000 {
            let phase = f64::from(frame) * 0.7;
            source.next(phase);
            let mut row = [0.0];
            source.add(&mut row, &[1.0]);
            let jump = last.map_or(0.0, |last: f64| (row[0] - last).abs());
            assert!(jump < 0.15, "a jump of {jump} at {frame}");
            last = Some(row[0]);
            sum += row[0] / 20_000.0;
            let due = takes[source.to.take].frame_at(phase - source.round);
            // While one fades in, it may get out of step by as much as the paces differ meanwhile.
            let off = (source.to.frame as f64 - due).abs();
            assert!(
                off < source.slack + 0.45 * source.fade + 1.0,
                "{off} at {frame}"
            );
        }
        assert!((0.25..0.75).contains(&sum), "{sum}");
    }
}
