//! Random curves as smooth as movement.
//!
//! White noise trembles; noise with one memory (AR(1)) has corners. These curves are cubic B-splines through random
//! knots: smooth up to their acceleration, forgotten after four knots, and one draw per knot and channel, not per
//! frame.

use crate::numerics::random::Stream;

/// Standard normal at every moment, in many independent channels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SmoothNoise {
    /// Four knots, each with a number per channel.
    knots: [Vec<f32>; 4],
    /// Knots that pass by in a frame.
    step: f64,
    /// Between the middle knots, 0 to 1.
    at: f64,
    /// The value of every channel now.
    pub(super) values: Vec<f32>,
}

impl SmoothNoise {
    /// A knot every `knot_frames` frames.
    pub(super) fn new(n_channels: usize, knot_frames: f64, stream: &mut Stream) -> Self {
        let mut made = Self {
            knots: std::array::from_fn(|_| draw(n_channels, stream)),
            step: 1.0 / knot_frames.max(1.0),
            // Anywhere, so that knots of different variants fall on different frames.
            at: stream.uniform(),
            values: vec![0.0; n_channels],
        };
        made.evaluate();
        made
    }

    /// Goes on by one frame.
    pub(super) fn advance(&mut self, stream: &mut Stream) {
        self.at += self.step;
        if self.at >= 1.0 {
            self.at -= 1.0;
            self.knots.rotate_left(1);
            for knot in &mut self.knots[3] {
                *knot = stream.normal() as f32;
            }
        }
        self.evaluate();
    }

    fn evaluate(&mut self) {
        let t = self.at as f32;
        let u = 1.0 - t;
        let basis = [
            u * u * u / 6.0,
            (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
            (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
            t * t * t / 6.0,
        ];
        // Between knots a spline would be calmer than at them.
        let norm = 1.0 / basis.iter().map(|b| b * b).sum::<f32>().sqrt();
        let [a, b, c, d] = basis.map(|x| x * norm);
        let [ka, kb, kc, kd] = &self.knots;
        for (i, value) in self.values.iter_mut().enumerate() {
            *value = a * ka[i] + b * kb[i] + c * kc[i] + d * kd[i];
        }
    }
}

fn draw(n: usize, stream: &mut Stream) -> Vec<f32> {
    (0..n).map(|_| stream.normal() as f32).collect()
}
