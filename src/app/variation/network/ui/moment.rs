//! What a node is drawn from at the playhead: found again only when the moment is another one.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::variation::state::VariationWorkspace;
use crate::motion::Clip;
use crate::variation::{ClipModel, Explained};

/// Whose moment is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A take of the model.
    Take(usize),
    /// A variant, by its place in the list.
    Variant(usize),
}

/// A node at one moment of a motion.
#[derive(Debug, Clone)]
pub(in crate::app) struct Moment {
    model: Arc<ClipModel>,
    clip: Arc<Clip>,
    node: usize,
    /// The take or variant that is looked at.
    pub subject: Subject,
    /// The frame.
    pub frame: usize,
    /// What the model goes by and what it expects, standardised; or why it cannot say.
    pub explained: Result<Explained, String>,
}

impl Moment {
    /// The degree of freedom of the node, if its values are those of a curve of the chart: where the body is and faces
    /// is none.
    pub(in crate::app) fn curve(&self) -> Option<usize> {
        let dof = self.model.node_dof(self.node)?;
        Some(dof).filter(|&dof| !self.model.chart().dofs()[dof].kind.is_rate())
    }

    /// A place in the unit that is shown; what is no curve stays in the units of the network.
    pub(in crate::app) fn shown(&self, value: f64) -> f64 {
        match self.curve() {
            Some(dof) => {
                let dof = &self.model.chart().dofs()[dof];
                dof.kind.display(dof.destandardise(value))
            }
            None => value,
        }
    }

    /// A difference in the unit that is shown.
    pub(in crate::app) fn shown_difference(&self, value: f64) -> f64 {
        self.shown(value) - self.shown(0.0)
    }

    /// The unit that is shown.
    pub(in crate::app) fn unit(&self) -> &'static str {
        match self.curve() {
            Some(dof) => self.model.chart().dofs()[dof].kind.unit(),
            None => "",
        }
    }

    fn is_at(&self, other: (&Arc<ClipModel>, &Arc<Clip>, usize, usize)) -> bool {
        let (model, clip, node, frame) = other;
        Arc::ptr_eq(&self.model, model)
            && Arc::ptr_eq(&self.clip, clip)
            && (self.node, self.frame) == (node, frame)
    }
}

impl VariationWorkspace {
    /// The selected node at the playhead, once the takes are known.
    pub(in crate::app::variation) fn moment(
        &mut self,
        cx: &mut UiContext,
        model: &Arc<ClipModel>,
        node: usize,
    ) -> Option<Arc<Moment>> {
        let (id, _) = self.chosen_model(cx)?;
        let finding = self.known_of(cx, model)?;
        let known = finding.as_ref().as_ref().ok()?;
        let batch = self.batches.get(&id);
        let made = batch.map_or(&[][..], |batch| &batch.made);
        let variants: Vec<Arc<Clip>> = made.iter().map(|made| Arc::clone(&made.clip)).collect();
        let looked_at = batch.and_then(|b| b.looked_at).map(Subject::Variant);
        let clip_of = |subject| match subject {
            Subject::Take(take) => known.inputs.get(take),
            Subject::Variant(variant) => variants.get(variant),
        };
        let chosen = self.network.subject.or(looked_at);
        let subject = chosen.filter(|subject| clip_of(*subject).is_some());
        let subject = subject.unwrap_or(Subject::Take(0));
        let clip = Arc::clone(clip_of(subject)?);
        let at = (cx.stage_secs() * model.fps() + 1e-6) as usize;
        let frame = at.min(clip.n_frames() - 1);
        let kept = self.network.moment.as_ref();
        if let Some(kept) = kept.filter(|m| m.is_at((model, &clip, node, frame))) {
            return Some(Arc::clone(kept));
        }
        let explained = explain(model, node, subject, &clip, frame);
        let moment = Arc::new(Moment {
            model: Arc::clone(model),
            clip,
            node,
            subject,
            frame,
            explained,
        });
        self.network.moment = Some(Arc::clone(&moment));
        Some(moment)
    }
}

fn explain(
    model: &ClipModel,
    node: usize,
    subject: Subject,
    clip: &Clip,
    frame: usize,
) -> Result<Explained, String> {
    let examples = model.model().examples();
    let explained = match subject {
        Subject::Take(take) => {
            let progress = examples.take_progress(take);
            let rows = examples.take(take);
            model.model().explain(node, rows, Some(progress), frame)
        }
        Subject::Variant(_) => model
            .take(clip)
            .and_then(|take| model.model().explain(node, &take.values, None, frame)),
    };
    explained.map_err(|error| error.to_string())
}
