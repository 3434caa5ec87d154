//! Explains a moment of a motion in the background.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::variation::network::ui::moment::{Moment, Subject};
use crate::app::variation::state::VariationWorkspace;
use crate::motion::Clip;
use crate::variation::{ClipModel, Explained};

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
