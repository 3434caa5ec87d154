//! Makes the curves of plots in the background.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::work::Shown;
use crate::app::variation::plots::curves::{Line, PlotData, directions, path};
use crate::app::variation::state::VariationWorkspace;
use crate::jobs::Cancelled;
use crate::motion::Clip;
use crate::variation::ClipModel;

impl VariationWorkspace {
    /// Curves of the takes and variants of a model; those of before until the new ones are there.
    pub fn plot_data(
        &mut self,
        cx: &mut UiContext,
        model: &Arc<ClipModel>,
        takes: &[Arc<Clip>],
        variants: &[Arc<Clip>],
    ) -> Option<Arc<PlotData>> {
        let data = self.plots.data.clone();
        let data = data.filter(|data| Arc::ptr_eq(&data.model, model));
        let is_settled = data
            .as_ref()
            .is_some_and(|data| data.is_of(model, takes, variants));
        if !is_settled && !self.plots.is_looking {
            let (model, before) = (Arc::clone(model), data.clone());
            let (takes, variants) = (takes.to_vec(), variants.to_vec());
            self.plots.is_looking = self.inbox.look(
                cx,
                "curves for the plots",
                Shown::Quietly,
                move |_| -> Result<PlotData, Cancelled> {
                    Ok(plot_data(model, &takes, &variants, before.as_deref()))
                },
                |variation, _, seen| {
                    variation.plots.is_looking = false;
                    if let Ok(data) = seen {
                        variation.plots.data = Some(Arc::new(data));
                    }
                },
            );
        }
        data
    }
}

pub(super) fn plot_data(
    model: Arc<ClipModel>,
    takes: &[Arc<Clip>],
    variants: &[Arc<Clip>],
    before: Option<&PlotData>,
) -> PlotData {
    let directions = match before {
        Some(before) => Arc::clone(&before.directions),
        None => Arc::new(directions(&model)),
    };
    let known = before.map_or(&[][..], |before| &before.lines);
    let (mut lines, mut missing) = (Vec::new(), Vec::new());
    let given = takes.iter().map(|clip| (clip, None));
    let made = variants
        .iter()
        .enumerate()
        .map(|(at, clip)| (clip, Some(at)));
    for (clip, variant) in given.chain(made) {
        if let Some(line) = known.iter().find(|line| Arc::ptr_eq(&line.clip, clip)) {
            lines.push(Line {
                variant,
                ..line.clone()
            });
            continue;
        }
        match model.chart().curves(clip) {
            Ok(curves) => lines.push(Line {
                clip: Arc::clone(clip),
                variant,
                path: path(&model, &directions, &curves),
                curves: Arc::new(curves),
            }),
            Err(error) => missing.push(format!("{}: {error}", clip.info.name)),
        }
    }
    PlotData {
        model,
        lines,
        directions,
        missing,
        n_wanted: takes.len() + variants.len(),
    }
}
