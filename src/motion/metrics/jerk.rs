//! How smooth a motion is.

use super::super::Clip;
use super::{MetricError, Places, Worst};

/// The jerk of one clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Jerk {
    /// Root mean square over time of the third derivative of the joints' world positions, averaged over the joints;
    /// body heights per second cubed.
    pub value: f64,
    /// The largest single jerk.
    pub worst: Worst,
    /// The rate it was taken at.
    pub fps: f64,
}

/// Measures jerk by third differences at a rate; compare only numbers of the same rate.
pub fn jerk(clip: &Clip, fps: f64) -> Result<Jerk, MetricError> {
    let places = Places::of(clip, fps)?;
    places.need(clip, 4, "jerk")?;
    let per_second = fps * fps * fps;
    let mut worst = Worst::NONE;
    let mut sum = 0.0;
    for joint in 0..places.n_joints {
        let mut squares = 0.0;
        for row in 3..places.len() {
            let [a, b, c, d] = [0, 1, 2, 3].map(|back| places.at(row - back, joint));
            let value = (a - b * 3.0 + c * 3.0 - d).norm() * per_second;
            squares += value * value;
            worst.keep(value, places.frame(row - 1), joint);
        }
        sum += (squares / (places.len() - 3) as f64).sqrt();
    }
    Ok(Jerk {
        value: sum / places.n_joints as f64,
        worst,
        fps,
    })
}
