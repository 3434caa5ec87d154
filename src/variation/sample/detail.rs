//! Which take detail comes from.
//!
//! Detail is what a motion has beside its knots: impacts, the snap of a kick, the liveliness of capture. Joints compensate for each other
//! in it: the twist of a straight knee is taken back by the foot, so that a foot or hand is stiller in space than any joint of its
//! chain. Averaged over takes, or drawn joint by joint, that is lost: hands and feet had up to twice the jerk of real ones. So all
//! joints have the detail of *one* take at one moment; after a while another take follows, faded in.

use crate::numerics::random::Stream;

/// A take is followed by another about this often.
const STAY_SECS: f64 = 0.8;
/// Time for one to fade into the next.
const FADE_SECS: f64 = 0.25;

/// The takes that detail comes from, phase by phase.
#[derive(Debug, Clone)]
pub(super) struct DetailSource {
    stream: Stream,
    n_takes: usize,
    stay: f64,
    fade: f64,
    from: usize,
    to: usize,
    /// Phases since the last change, and how many until the next.
    at: f64,
    until: f64,
}

impl DetailSource {
    pub(super) fn new(n_takes: usize, phase_secs: f64, mut stream: Stream) -> Self {
        let first = stream.below(n_takes);
        let mut made = Self {
            stream,
            n_takes,
            stay: STAY_SECS / phase_secs,
            fade: (FADE_SECS / phase_secs).max(1.0),
            from: first,
            to: first,
            at: 0.0,
            until: 0.0,
        };
        made.until = made.stay * made.stream.between(0.5, 1.5);
        made
    }

    /// Two takes and the share of the second, at the next phase.
    pub(super) fn next(&mut self) -> (usize, usize, f64) {
        self.at += 1.0;
        if self.at > self.until {
            self.from = self.to;
            self.to = self.stream.below(self.n_takes);
            self.at = 0.0;
            self.until = self.stay * self.stream.between(0.5, 1.5);
        }
        let u = (self.at / self.fade).min(1.0);
        (self.from, self.to, u * u * (3.0 - 2.0 * u))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_takes_get_their_turn_and_fade_into_each_other() {
        let mut source = DetailSource::new(3, 1.0 / 60.0, Stream::named(1, &[]));
        let mut seen = [0.0; 3];
        let mut last = [0.0; 3];
        for phase in 0..20_000 {
            let (from, to, share) = source.next();
            let mut now = [0.0; 3];
            now[from] += 1.0 - share;
            now[to] += share;
            let jump = (0..3)
                .map(|i| f64::abs(now[i] - last[i]))
                .fold(0.0, f64::max);
            assert!(phase == 0 || jump < 0.25, "a jump of {jump} at {phase}");
            (0..3).for_each(|i| seen[i] += now[i] / 20_000.0);
            last = now;
        }
        assert!(seen.iter().all(|share| *share > 0.25), "{seen:?}");
    }
}
