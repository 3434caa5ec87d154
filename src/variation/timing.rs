//! How long takes stay where they are: what a variant draws its pace from.
//!
//! The paper varies timing along with poses, frame by frame. Drawn like that, what is gained here and lost there never
//! comes out even: variants of throws that all take 74 frames took 60 to 110. Here the *time* that each take spends on a
//! stretch of the motion is known beforehand, since takes are in step ([`super::course`]). A variant mixes these times and
//! keeps to its mixture, so its length is mixed from the takes' lengths in the same way.

use super::along::{Along, Ends, frame_at, smoothed};
use super::course::Course;
use super::examples::Examples;

/// Whoever does the same thing twice takes a little longer or shorter, by at least this share (standard deviation); also
/// if takes were cut to one length.
const LEAST_SPREAD: f64 = 0.02;

/// How long a motion stays where it is, and how takes differ in that. Empty where nothing is known of progress.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timing {
    /// Frames per unit of progress.
    usual: Along,
    /// By take, how many times as long as usual it stays.
    shares: Along,
    /// Standard deviation of the tempo of a whole run, as a share, beside what differs between takes.
    tempo_spread: f64,
}

impl Timing {
    /// Times of the takes, smoothed over so many seconds: progress is found frame by frame and is a little rough.
    pub(super) fn learn(examples: &Examples, smooth_secs: f64) -> Self {
        let n_takes = examples.n_takes();
        let is_round = examples.course() == Course::Around;
        let ends = if is_round { Ends::Round } else { Ends::Same };
        let empty = |width: usize| Along::zeros(0, width, ends);
        let mut made = Self {
            usual: empty(1),
            shares: empty(n_takes),
            tempo_spread: 0.0,
        };
        if examples.course() == Course::Free {
            return made;
        }
        let n = (examples.n_frames() / n_takes).max(1);
        let spread = smooth_secs / examples.progress.secs * n as f64;
        let times_of = |rows| smoothed(&times(&examples.progress.along(rows), n), spread, is_round);
        let takes: Vec<Vec<f64>> = examples.takes.iter().map(times_of).collect();
        for stretch in 0..n {
            let frames = takes.iter().map(|times| times[stretch]);
            let usual = frames.clone().sum::<f64>() / n_takes as f64;
            made.usual.values.push(usual * n as f64);
            made.shares
                .values
                .extend(frames.map(|frames| frames / usual));
        }
        let lengths: Vec<f64> = takes.iter().map(|times| times.iter().sum()).collect();
        let missing = LEAST_SPREAD.powi(2) - relative_variance(&lengths);
        made.tempo_spread = missing.max(0.0).sqrt();
        made
    }

    /// The usual times of these, with what differed between the takes of others: for a take that is alone.
    pub(super) fn varying_as(self, others: &Self) -> Self {
        Self {
            usual: self.usual,
            shares: others.shares.clone(),
            tempo_spread: others.tempo_spread,
        }
    }

    /// How many moods it takes to mix a time: one for each take, and one for the tempo.
    pub(super) fn n_moods(&self) -> usize {
        self.shares.width + 1
    }

    /// Frames per unit of progress here as usual, if anything is known of progress.
    pub(super) fn usual(&self, progress: f64) -> Option<f64> {
        self.usual
            .row(progress)
            .map(|mut row| row.next().unwrap_or(1.0))
    }

    /// By how much longer than usual it takes here with these moods, of standard deviation 1, as a share.
    pub(super) fn mixed(&self, progress: f64, moods: &[f32]) -> f64 {
        let n_takes = self.shares.width as f64;
        let moods = moods.iter().map(|&mood| f64::from(mood));
        let tempo = moods.clone().next_back().unwrap_or(0.0);
        let between: f64 = self.shares.row(progress).map_or(0.0, |row| {
            row.zip(moods)
                .map(|(share, mood)| mood * (share - 1.0))
                .sum()
        });
        // Times of n takes differ from their mean in n - 1 ways.
        between / (n_takes - 1.0).max(1.0).sqrt() + self.tempo_spread * tempo
    }
}

/// Variance as a share of the squared mean.
fn relative_variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x / mean - 1.0).powi(2)).sum();
    squares / (n - 1.0).max(1.0)
}

/// Frames that a take spends on each of so many equal stretches. `along` is its progress by frame.
fn times(along: &[f64], n_stretches: usize) -> Vec<f64> {
    let edges: Vec<f64> = (0..=n_stretches)
        .map(|edge| frame_at(along, edge as f64 / n_stretches as f64))
        .collect();
    edges.windows(2).map(|w| w[1] - w[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::examples::Take;
    use super::*;

    /// Takes of 40 frames: one slow at first, one slow in the end, one even. They go straight ahead, or once round.
    fn takes(course: Course) -> Examples {
        let is_round = course == Course::Around;
        let bent = |bend: f64| {
            let place = |frame: i32| {
                let u = f64::from(frame) / if is_round { 40.0 } else { 39.0 };
                let u = u + bend * u * (1.0 - u);
                let (sin, cos) = (u * std::f64::consts::TAU).sin_cos();
                if is_round { [cos, sin] } else { [u, u] }
            };
            Take {
                name: "take".to_owned(),
                values: (0..40).flat_map(place).collect(),
            }
        };
        let takes = [bent(-0.5), bent(0.5), bent(0.0)];
        Examples::new(2, 1.0 / 60.0, &takes, Some(course)).unwrap()
    }

    #[test]
    fn times_add_up_to_the_lengths_of_the_takes() {
        for (course, expected) in [(Course::Through, 39.0), (Course::Around, 40.0)] {
            let timing = Timing::learn(&takes(course), 0.1);
            let n = timing.usual.values.len();
            for take in 0..3 {
                let share = |stretch: usize| timing.shares.values[stretch * 3 + take];
                let each = (0..n).map(|s| timing.usual.values[s] * share(s));
                let frames = each.sum::<f64>() / n as f64;
                assert!((frames - expected).abs() < 0.5, "{course:?}: {frames}");
            }
        }
    }

    #[test]
    fn who_is_slow_at_first_spends_more_time_there() {
        let timing = Timing::learn(&takes(Course::Through), 0.03);
        // All of the mood is that of the take that is slow at first.
        let mood = [1.0, 0.0, 0.0, 0.0];
        let (early, late) = (timing.mixed(0.1, &mood), timing.mixed(0.9, &mood));
        assert!(early > 0.1 && late < -0.1, "{early}, then {late}");
        assert_eq!(timing.mixed(0.5, &[0.0; 4]), 0.0, "nothing drawn");
        let far = timing.mixed(1e9, &mood);
        assert!(far.is_finite(), "far beyond: {far}");
    }

    #[test]
    fn takes_of_one_length_still_have_a_tempo() {
        let timing = Timing::learn(&takes(Course::Through), 0.1);
        let tempo = timing.mixed(0.5, &[0.0, 0.0, 0.0, 1.0]);
        assert!((tempo - LEAST_SPREAD).abs() < 1e-3, "{tempo}");
    }

    #[test]
    fn one_take_varies_as_others_did() {
        let others = Timing::learn(&takes(Course::Through), 0.03);
        let alone = takes(Course::Through).only(&[2]);
        let alone = Timing::learn(&alone, 0.03).varying_as(&others);
        assert_eq!(alone.n_moods(), 4);
        let mood = [1.0, 0.0, 0.0, 0.0];
        assert_eq!(alone.mixed(0.1, &mood), others.mixed(0.1, &mood));
    }

    #[test]
    fn without_progress_nothing_is_known() {
        let timing = Timing::learn(&takes(Course::Free), 0.1);
        assert_eq!(timing.usual(0.3), None);
    }
}
