//! How a texture is learned.

use super::error::TextureError;

/// What can be asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureSettings {
    /// Names the random streams of the clustering.
    pub seed: u64,
    /// A section is kept if its system predicts other takes this well, in degrees of a joint (Eqs. 6-7).
    pub most_error_deg: f64,
    /// Transitions are kept up to this distance; found from the takes if it is not given. Symmetric cross entropy in
    /// nats a degree of freedom.
    pub threshold: Option<f64>,
    /// Rounds of expectation maximisation for each system, after the closed form.
    pub em_rounds: usize,
}

impl Default for TextureSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            most_error_deg: 6.0,
            threshold: None,
            em_rounds: 0,
        }
    }
}

impl TextureSettings {
    /// Refuses numbers that mean nothing.
    pub fn check(&self) -> Result<(), TextureError> {
        let positive = |what, found: f64| {
            if found > 0.0 && found.is_finite() {
                Ok(())
            } else {
                Err(TextureError::Setting {
                    what,
                    expected: "a number above 0",
                    found,
                })
            }
        };
        positive("the largest prediction error", self.most_error_deg)?;
        self.threshold
            .map_or(Ok(()), |t| positive("the threshold of transitions", t))
    }
}
