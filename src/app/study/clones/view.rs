//! What the panel of clones remembers, and what was found.

use std::sync::Arc;

use crate::app::study::sets::Member;
use crate::motion::edit::{self, EditError, Placement};
use crate::motion::heading::left;
use crate::motion::{Clip, Vec3, body};
use crate::study::clones::{CloneReport, NEAR, Span};

/// What the panel remembers.
#[derive(Debug)]
pub struct ClonesView {
    /// The name of the set that is searched; none is the selected clips.
    pub set: Option<String>,
    /// What is nearer than this, in body heights, is a clone.
    pub near: f64,
    /// Whether steps of one clip that are like each other are listed, too.
    pub shows_within: bool,
    /// Whether a pair is shown on one spot instead of side by side.
    pub is_overlaid: bool,
    /// The result of the last search.
    pub found: Option<Arc<Found>>,
    /// The pair that is played.
    pub played: Option<Played>,
}

impl Default for ClonesView {
    fn default() -> Self {
        Self {
            set: None,
            near: NEAR,
            shows_within: true,
            is_overlaid: false,
            found: None,
            played: None,
        }
    }
}

/// What was found, with the motions it is about.
#[derive(Debug)]
pub struct Found {
    /// The name of the set that was searched.
    pub name: String,
    /// All motions, by the numbers of the report.
    pub members: Vec<Member>,
    /// The motions that come again, and how near each clip is to its like.
    pub report: CloneReport,
}

/// A pair in the 3D view.
#[derive(Debug)]
pub struct Played {
    /// Which of the report.
    pub pair: usize,
    /// Both stretches of motion, to be played side by side.
    pub clips: Vec<Arc<Clip>>,
}

impl Found {
    /// "walk 12 … 40".
    pub fn words(&self, span: &Span) -> String {
        let name = &self.members[span.clip].clip.info.name;
        format!("{name} {} … {}", span.frames.start, span.frames.end)
    }

    /// Both stretches of a pair, starting on one spot or side by side and facing one way.
    pub(super) fn stretches(
        &self,
        pair: usize,
        is_overlaid: bool,
    ) -> Result<Vec<Arc<Clip>>, EditError> {
        const APART: f64 = 0.55;
        let pair = &self.report.clones[pair];
        let both = [(&pair.first, -0.5), (&pair.second, 0.5)];
        let stretch = |(span, side): (&Span, f64)| {
            let clip = &self.members[span.clip].clip;
            let cut = edit::trim(clip, span.frames.clone())?;
            let aside = if is_overlaid {
                Vec3::zeros()
            } else {
                left(cut.info.up) * (side * APART * body::height(clip))
            };
            let place = Placement {
                place: Some(aside),
                ..Placement::at_origin(0)
            };
            let mut placed = edit::align(&cut, &place)?;
            placed.info.name = self.words(span);
            Ok(Arc::new(placed))
        };
        both.into_iter().map(stretch).collect()
    }
}
