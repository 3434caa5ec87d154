//! How numbers are said.

use crate::jobs::Cancelled;

/// Being stopped is known by one error, whatever it went through.
pub(super) fn plainly(error: anyhow::Error) -> anyhow::Error {
    if is_cancelled(&error) {
        Cancelled.into()
    } else {
        error
    }
}
