//! Settings that are numbers: whoever gives one that cannot be meant is told which, and what would be right.

/// A setting that cannot be meant.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field} must be {expected}, found {found}")]
pub struct BadSetting {
    /// The field of the settings.
    pub field: &'static str,
    /// The values that are allowed.
    pub expected: &'static str,
    /// The value that was given.
    pub found: f64,
}

/// The first of these that is less than its least value, which is 0 or 1, or no finite number.
pub(crate) fn check_least(
    fields: impl IntoIterator<Item = (&'static str, f64, f64)>,
) -> Result<(), BadSetting> {
    for (field, found, least) in fields {
        if !(found.is_finite() && found >= least) {
            return Err(BadSetting {
                field,
                expected: if least > 0.0 {
                    "a number of at least 1"
                } else {
                    "a number of at least 0"
                },
                found,
            });
        }
    }
    Ok(())
}
