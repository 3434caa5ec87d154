//! How numbers are said.

use crate::jobs::Cancelled;
use crate::study::baselines::BaselineError;
use crate::study::clones::CloneError;
use crate::study::measures::MeasureError;
use crate::study::sequences::SequenceError;
use crate::study::stimuli::StimuliError;

/// Being stopped is known by one error, whatever it went through.
pub(super) fn plainly(error: anyhow::Error) -> anyhow::Error {
    if is_cancelled(&error) {
        Cancelled.into()
    } else {
        error
    }
}

fn is_cancelled(error: &anyhow::Error) -> bool {
    error.is::<Cancelled>()
        || matches!(error.downcast_ref(), Some(CloneError::Cancelled(_)))
        || matches!(
            error.downcast_ref(),
            Some(MeasureError::Cancelled(_) | MeasureError::Clones(CloneError::Cancelled(_)))
        )
        || matches!(
            error.downcast_ref(),
            Some(StimuliError::Cancelled(_) | StimuliError::Sequence(SequenceError::Cancelled(_)))
        )
        || matches!(error.downcast_ref(), Some(BaselineError::Cancelled(_)))
}
