//! Some clips compared with each other: how similar they are, and which are outliers.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::document::ClipId;
use crate::motion::edit::{self, Placement};
use crate::motion::similarity::{SetSimilarity, set_similarity};
use crate::motion::{Clip, HeadingFrame};

/// Larger sets are looked at by their first clips only.
pub const MOST_LOOKED_AT: usize = 120;

/// Some clips, compared with each other.
#[derive(Debug)]
pub struct ClipComparison {
    /// In the order of the matrix.
    pub clips: Vec<(ClipId, Arc<Clip>)>,
    /// The numbers, or why there are none.
    pub found: Result<ComparedClips, String>,
}

/// What the comparison found.
#[derive(Debug)]
pub struct ComparedClips {
    /// Distances, and which clips are outliers.
    pub similarity: SetSimilarity,
    /// The clips in step, all starting on one spot; outliers first.
    pub in_step: Vec<Arc<Clip>>,
}

impl ClipComparison {
    /// Compares clips; takes its time.
    pub(in crate::app) fn at(clips: Vec<(ClipId, Arc<Clip>)>) -> Self {
        let refs: Vec<&Clip> = clips.iter().map(|(_, clip)| &**clip).collect();
        let found = found(&refs).map_err(|error| format!("{error:#}"));
        Self { clips, found }
    }

    /// Whether it is of just these.
    pub(in crate::app) fn is_of(&self, clips: &[(ClipId, Arc<Clip>)]) -> bool {
        let mut pairs = self.clips.iter().zip(clips);
        self.clips.len() == clips.len() && pairs.all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
    }
}

fn found(clips: &[&Clip]) -> anyhow::Result<ComparedClips> {
    let similarity = set_similarity(clips)?;
    let warped = similarity.aligned.warped(clips)?;
    let heading = HeadingFrame::learn(clips);
    let first = clips.first().map(|clip| heading.track(clip));
    let place = first.as_ref().and_then(|t| t.positions.first().copied());
    let start = Placement {
        place,
        ..Placement::at_origin(0)
    };
    let mut order = similarity.outliers.clone();
    order.extend((0..clips.len()).filter(|i| !similarity.outliers.contains(i)));
    let in_step = order
        .into_iter()
        .take(UiContext::MOST_SHOWN)
        .map(|i| Ok(Arc::new(edit::align(&warped[i], &start)?)))
        .collect::<anyhow::Result<Vec<Arc<Clip>>>>()?;
    Ok(ComparedClips {
        similarity,
        in_step,
    })
}
