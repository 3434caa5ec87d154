//! What a node goes by at the playhead: found again only when the moment is another one.

use std::sync::Arc;

use crate::app::studio::Studio;
use crate::app::work::variation::network::Network;
use crate::motion::chart::Dof;
use crate::motion::{Clip, Curves};
use crate::variation::{ClipModel, Regression};

/// Whose moment is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A take of the model; when it is looked at, the model does without it.
    Take(usize),
    /// A variant, by its place in the list.
    Variant(usize),
}

/// A node at one moment of a motion.
#[derive(Debug, Clone)]
pub struct Moment {
    model: Arc<ClipModel>,
    clip: Arc<Clip>,
    network: Network,
    node: usize,
    /// Whose.
    pub subject: Subject,
    /// The frame *now*; for the beginning always the first.
    pub frame: usize,
    /// What the model goes by and what it expects, standardised; or why it cannot say.
    pub regression: Result<Regression, String>,
    /// Value now and value next, as they are in the motion, in the chart's units.
    pub values: [f64; 2],
}

/// A motion as standardised rows with its progress.
struct Rows<'a> {
    now: Vec<f64>,
    before: Vec<f64>,
    next: Vec<f64>,
    progress: f64,
    dofs: &'a [Dof],
}

impl Moment {
    /// A number of standardised units as it is shown: a difference, not a place.
    pub fn shown(&self, standardised: f64) -> f64 {
        let dof = self.dof();
        dof.kind.display(standardised * dof.scale)
    }

    /// Whether it tells values instead of changes.
    pub fn tells_values(&self) -> bool {
        self.network == Network::Prior && self.node < self.model.chart().n_dofs()
    }

    /// The degree of freedom.
    pub fn dof(&self) -> &Dof {
        &self.model.chart().dofs()[self.node % self.model.chart().n_dofs()]
    }

    fn is_at(&self, other: (&Arc<ClipModel>, &Arc<Clip>, Network, usize, usize)) -> bool {
        let (model, clip, network, node, frame) = other;
        Arc::ptr_eq(&self.model, model)
            && Arc::ptr_eq(&self.clip, clip)
            && (self.network, self.node, self.frame) == (network, node, frame)
    }
}

/// Two frames around a moment of a take.
fn of_take(model: &ClipModel, take: usize, frame: usize) -> Rows<'_> {
    let examples = model.model().examples();
    let n = examples.n_dofs();
    let values = examples.take(take);
    let row = |frame: usize| values[frame * n..][..n].to_vec();
    let progress = examples.take_progress(take).get(frame).copied();
    Rows {
        before: row(frame - 1),
        now: row(frame),
        next: row(frame + 1),
        progress: progress.unwrap_or(0.0),
        dofs: model.chart().dofs(),
    }
}

/// Progress of variants is not kept; it runs about evenly.
fn even_progress(model: &ClipModel, share: f64) -> f64 {
    let examples = model.model().examples();
    let ends = (0..examples.n_takes()).filter_map(|t| examples.take_progress(t).last().copied());
    let n = examples.n_takes().max(1) as f64;
    share * ends.sum::<f64>() / n
}

/// Frames around a moment of a variant, whose curves are known.
fn of_variant<'a>(model: &'a ClipModel, curves: &Curves, frame: usize) -> Option<Rows<'a>> {
    let dofs = model.chart().dofs();
    let last = curves.n_frames().checked_sub(2).filter(|last| *last > 0)?;
    let at = frame.clamp(1, last);
    let row = |frame: usize| -> Vec<f64> {
        let values = dofs.iter().enumerate();
        let value = |(at, dof): (usize, &Dof)| dof.standardise(curves.get(frame, at));
        values.map(value).collect()
    };
    Some(Rows {
        before: row(at - 1),
        now: row(at),
        next: row(at + 1),
        progress: even_progress(model, at as f64 / (last + 1) as f64),
        dofs,
    })
}

impl Studio {
    /// The selected node at the playhead, once the curves are known.
    pub(super) fn moment(&mut self, model: &Arc<ClipModel>, node: usize) -> Option<Arc<Moment>> {
        let (id, _) = self.chosen_model()?;
        let finding = self.known_of(model)?;
        let known = finding.as_ref().as_ref().ok()?;
        let batch = self.variation.batches.get(&id);
        let made = batch.map_or(&[][..], |batch| &batch.made);
        let variants: Vec<Arc<Clip>> = made.iter().map(|made| Arc::clone(&made.clip)).collect();
        let looked_at = batch.and_then(|b| b.looked_at).map(Subject::Variant);
        let clip_of = |subject| match subject {
            Subject::Take(take) => known.inputs.get(take),
            Subject::Variant(variant) => variants.get(variant),
        };
        let chosen = self.variation.network.subject.or(looked_at);
        let subject = chosen.filter(|subject| clip_of(*subject).is_some());
        let subject = subject.unwrap_or(Subject::Take(0));
        let clip = Arc::clone(clip_of(subject)?);
        let network = self.variation.network.network;
        let frame = match network {
            Network::Prior => 0,
            Network::Transition => {
                let at = (self.stage_secs() * model.fps() + 1e-6) as usize;
                at.clamp(1, clip.n_frames().saturating_sub(2).max(1))
            }
        };
        let kept = self.variation.network.moment.as_ref();
        if let Some(kept) = kept.filter(|m| m.is_at((model, &clip, network, node, frame))) {
            return Some(Arc::clone(kept));
        }
        let rows = match subject {
            Subject::Take(take) => of_take(model, take, frame.max(1)),
            Subject::Variant(_) => {
                // Curves of before may still be there when the variant was made again.
                let data = self.plot_data(model, &known.inputs, &variants)?;
                let line = data.lines.iter().find(|l| Arc::ptr_eq(&l.clip, &clip))?;
                of_variant(model, &line.curves, frame)?
            }
        };
        let moment = Arc::new(look(model, (network, node), (subject, frame), clip, &rows));
        self.variation.network.moment = Some(Arc::clone(&moment));
        Some(moment)
    }
}

fn look(
    model: &Arc<ClipModel>,
    (network, node): (Network, usize),
    (subject, frame): (Subject, usize),
    clip: Arc<Clip>,
    rows: &Rows<'_>,
) -> Moment {
    let inner = model.model();
    let without = match subject {
        Subject::Take(take) => Some(take),
        Subject::Variant(_) => None,
    };
    let found = match network {
        Network::Prior => inner.prior_regression(node, &rows.before, &rows.now),
        Network::Transition => {
            let both = [&rows.before[..], &rows.now[..]];
            inner.regression_without(node, both, rows.progress, without)
        }
    };
    let n = rows.dofs.len();
    let pair = match network {
        Network::Prior => [&rows.before, &rows.now],
        Network::Transition => [&rows.now, &rows.next],
    };
    let value = |row: &[f64]| row.get(node % n).copied().unwrap_or(0.0);
    let dof = &rows.dofs[node % n];
    Moment {
        model: Arc::clone(model),
        clip,
        network,
        node,
        subject,
        frame,
        regression: found.map_err(|error| error.to_string()),
        values: pair.map(|row| dof.destandardise(value(row))),
    }
}
