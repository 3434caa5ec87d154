//! Which clips are alike enough to learn from together (section 9).
//!
//! Clips that are known to go together set the measure: models of all but two of them judge the other two, in every
//! combination, and what a further clip of the kind would reach is the threshold. Candidates are then judged in the same way, the
//! least likely one below the threshold is dropped, and the rest is judged anew until none is left below. Who is likely enough
//! in every frame may still go another way as a whole ([`Ways`]) and is dropped as well.
//!
//! Departures: candidates are judged by models of the known clips *and* the candidates still in, not of candidates
//! alone, so that it works with any number of them and a few misfits cannot vouch for each other. And the structure is
//! learned once, from the known clips, instead of in every combination: that it hardly depends on two clips more or less
//! is what makes eight and eight a matter of seconds. The paper takes the tenth percentile of the likelihoods as
//! threshold, which drops one of ten clips that are as good as the known ones, and many more where three or five clips are
//! known: here it is the bound that a further clip falls below with a chance of one in twenty. Joints beyond the wrists do
//! not count: fingers are seldom captured and often noise.

use rayon::prelude::*;

use super::root_displacement::way;
pub use super::root_displacement::{Astray, Way, WayPart, Ways};
use crate::jobs::Ticket;
use crate::motion::metrics::{MOST_FPS, common_fps};
use crate::motion::{Body, ChartSettings, Clip, DofChart, edit};
use crate::numerics::prediction_interval::{VariancePrior, prediction_interval};
use crate::variation::error::LearnError;
use crate::variation::likelihood::{Likelihood, Unlikely};
use crate::variation::model::{KnownEdges, Model};
use crate::variation::paper::{FLOOR, PaperSettings, PaperStructure, log_normal, transition_only};
use crate::variation::settings::{LearnSettings, Method};
use crate::variation::takes::{Examples, MotionType, Take};

/// The standard normal deviate beyond which one in twenty lies: so seldom is a clip as good as the known ones below the
/// threshold.
const ONE_IN_TWENTY: f64 = 1.645;
/// One in a hundred: below this, hardly any clip is a near miss.
const ONE_IN_A_HUNDRED: f64 = 2.326;
/// Three or five clips tell little about how far such clips scatter. So what sets of clips usually have counts like this many
/// clips more: their misfit has about this standard deviation, in logarithms (0.1 to 0.5 in eleven sets of walks, jumps,
/// gestures, throws and strokes).
const USUAL: VariancePrior = VariancePrior {
    scatter: 0.35,
    count: 3.0,
};
/// More combinations tell no more.
const MOST_SPLITS: usize = 60;
/// How many unlikely degrees of freedom are told of a clip.
const TOLD: usize = 5;

/// The likelihood of one clip in one round.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The index of the candidate.
    pub candidate: usize,
    /// Mean log-likelihood of a value.
    pub likelihood: f64,
    /// Where it is least likely.
    pub unlikely: Vec<Unlikely>,
}

/// A candidate that was dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    /// The round, from 1 on.
    pub round: usize,
    /// How likely it was.
    pub judged: Judged,
    /// Where it goes another way than the known clips, if that is what it was dropped for.
    pub astray: Option<Astray>,
    /// Whether it is worth a look: one in a hundred clips as good as the known ones is less likely, or one in a thousand further
    /// astray.
    pub is_near: bool,
}

/// All numbers of a selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Candidates below this are unlike.
    pub threshold: f64,
    /// Candidates that were dropped above this are near misses: one in a hundred clips as good as the known ones is below.
    pub near: f64,
    /// Where clips go as a whole; none for takes that are numbers.
    pub ways: Option<Ways>,
    /// Likelihoods of known clips from all combinations: clip and number.
    pub reference: Vec<(usize, f64)>,
    /// Candidates that stay, in their order.
    pub kept: Vec<usize>,
    /// In the order in which they went.
    pub dropped: Vec<Dropped>,
    /// Every round's likelihoods of all candidates still in.
    pub rounds: Vec<Vec<Judged>>,
    /// What the degrees of freedom in [`Unlikely`] are called.
    pub dofs: Vec<String>,
}

/// Selects among candidates by clips that are known to go together.
pub fn select(
    reference: &[&Clip],
    candidates: &[&Clip],
    settings: &LearnSettings,
    ticket: &Ticket,
) -> Result<Selection, LearnError> {
    select_and_tell(reference, candidates, settings, ticket, &mut |_| {})
}

/// [`select`], for whoever wants to hear how far it is after every round.
pub fn select_and_tell(
    reference: &[&Clip],
    candidates: &[&Clip],
    settings: &LearnSettings,
    ticket: &Ticket,
    hear: &mut dyn FnMut(&Selection),
) -> Result<Selection, LearnError> {
    if reference.len() < 3 {
        return Err(LearnError::TooFewTakes {
            found: reference.len(),
            needed: 3,
        });
    }
    let all: Vec<&Clip> = reference.iter().chain(candidates).copied().collect();
    let fps = common_fps(all.iter().copied(), MOST_FPS);
    let even = all
        .iter()
        .map(|clip| edit::resample(clip, fps))
        .collect::<Result<Vec<Clip>, _>>()?;
    let known: Vec<&Clip> = even[..reference.len()].iter().collect();
    let chart = DofChart::learn(&known, &ChartSettings::default())?;
    let takes = even
        .iter()
        .map(|clip| {
            let mut curves = chart.curves(clip)?;
            chart.standardise(curves.values_mut());
            Ok(Take {
                name: clip.info.name.clone(),
                values: curves.values().to_vec(),
            })
        })
        .collect::<Result<Vec<Take>, LearnError>>()?;
    let ways: Vec<Way> = even
        .iter()
        .map(|clip| way(clip, &chart.parts().heading))
        .collect();
    let (known_ways, other_ways) = ways.split_at(reference.len());
    let (known, unknown) = takes.split_at(reference.len());
    let asked = Asked {
        n_dofs: chart.n_dofs(),
        frame_secs: 1.0 / fps,
        counts: &counted(&chart),
        reference: known,
        candidates: unknown,
        ways: Some(Ways::new(known_ways.to_vec(), other_ways.to_vec())),
    };
    let dofs: Vec<String> = chart.dofs().iter().map(|dof| dof.name.clone()).collect();
    let mut named = |so_far: &Selection| {
        let dofs = dofs.clone();
        let so_far = so_far.clone();
        hear(&Selection { dofs, ..so_far });
    };
    let mut selection = select_among(asked, settings, ticket, &mut named)?;
    selection.dofs = dofs;
    Ok(selection)
}

/// Whether each degree of freedom counts: not those beyond the wrists, unless there are no others.
fn counted(chart: &DofChart) -> Vec<bool> {
    let skeleton = chart.skeleton();
    let wrists: Vec<usize> = Body::of(skeleton).arms.iter().map(|arm| arm.end).collect();
    let is_finger = |joint: usize| {
        let mut above = skeleton.ancestors(joint).skip(1);
        above.any(|joint| wrists.contains(&joint))
    };
    let counts: Vec<bool> = chart
        .dofs()
        .iter()
        .map(|dof| !is_finger(dof.joint))
        .collect();
    if counts.contains(&true) {
        counts
    } else {
        vec![true; counts.len()]
    }
}

/// [`select`] for takes that are numbers already: how many in a frame and the time of one, and which of them count.
pub fn select_takes(
    (n_dofs, frame_secs): (usize, f64),
    counts: &[bool],
    reference: &[Take],
    candidates: &[Take],
    settings: &LearnSettings,
    ticket: &Ticket,
) -> Result<Selection, LearnError> {
    let asked = Asked {
        n_dofs,
        frame_secs,
        counts,
        reference,
        candidates,
        ways: None,
    };
    select_among(asked, settings, ticket, &mut |_| {})
}

/// Who is known and who is judged, as numbers.
struct Asked<'a> {
    n_dofs: usize,
    frame_secs: f64,
    /// Which degrees of freedom count.
    counts: &'a [bool],
    reference: &'a [Take],
    candidates: &'a [Take],
    ways: Option<Ways>,
}

fn select_among(
    asked: Asked<'_>,
    settings: &LearnSettings,
    ticket: &Ticket,
    hear: &mut dyn FnMut(&Selection),
) -> Result<Selection, LearnError> {
    let Asked {
        n_dofs,
        frame_secs,
        counts,
        reference,
        candidates,
        ways,
    } = asked;
    settings.check()?;
    let known = Examples::new(n_dofs, frame_secs, reference, settings.motion_type)?;
    let quick = PaperSettings {
        most_shared: settings.paper.most_shared.min(3),
        most_own: 0,
        restarts: 0,
        ..settings.paper.clone()
    };
    let structure = transition_only(&known, &quick, ticket)?;
    let judge = Judge {
        settings: quick,
        structure,
        motion_type: known.motion_type(),
        counts: (0..n_dofs)
            .filter(|&dof| counts.get(dof).copied().unwrap_or(true))
            .collect(),
        n_dofs,
        frame_secs,
    };
    let splits = splits(reference.len());
    let reference_likelihoods: Vec<(usize, f64)> = splits
        .par_iter()
        .map(|&(a, b)| {
            ticket.check()?;
            let others = (0..reference.len()).filter(|&i| i != a && i != b);
            let learned: Vec<&Take> = others.map(|i| &reference[i]).collect();
            let model = judge.model(&learned)?;
            let of = |i: usize| Ok((i, judge.likelihood(&model, &reference[i])?.0));
            let pair: Result<Vec<(usize, f64)>, LearnError> = [a, b].into_iter().map(of).collect();
            pair
        })
        .collect::<Result<Vec<Vec<(usize, f64)>>, LearnError>>()?
        .into_iter()
        .flatten()
        .collect();
    let mut selection = Selection {
        threshold: bound(&reference_likelihoods, reference.len(), ONE_IN_TWENTY),
        near: bound(&reference_likelihoods, reference.len(), ONE_IN_A_HUNDRED),
        ways,
        reference: reference_likelihoods,
        kept: (0..candidates.len()).collect(),
        dropped: Vec::new(),
        rounds: Vec::new(),
        dofs: (0..n_dofs).map(|dof| format!("number {dof}")).collect(),
    };
    hear(&selection);
    let takes = (reference, candidates);
    drop_unlike(&judge, takes, &mut selection, ticket, hear)?;
    Ok(selection)
}

/// Drops the least likely candidate until none is below the threshold or goes another way.
fn drop_unlike(
    judge: &Judge,
    (reference, candidates): (&[Take], &[Take]),
    selection: &mut Selection,
    ticket: &Ticket,
    hear: &mut dyn FnMut(&Selection),
) -> Result<(), LearnError> {
    while !selection.kept.is_empty() {
        let done = 1.0 - selection.kept.len() as f64 / candidates.len() as f64;
        ticket.step(done)?;
        let kept = &selection.kept;
        let judged: Vec<Judged> = kept
            .par_iter()
            .map(|&candidate| {
                ticket.check()?;
                let others = kept.iter().filter(|&&i| i != candidate);
                let learned: Vec<&Take> = reference
                    .iter()
                    .chain(others.map(|&i| &candidates[i]))
                    .collect();
                let model = judge.model(&learned)?;
                let (likelihood, all) = judge.likelihood(&model, &candidates[candidate])?;
                let mut unlikely = all.unlikely(usize::MAX);
                unlikely.retain(|u| judge.counts.contains(&u.dof));
                unlikely.truncate(TOLD);
                Ok(Judged {
                    candidate,
                    likelihood,
                    unlikely,
                })
            })
            .collect::<Result<Vec<Judged>, LearnError>>()?;
        selection.rounds.push(judged);
        let Some(dropped) = selection.next_to_go() else {
            break;
        };
        let gone = dropped.judged.candidate;
        selection.kept.retain(|&candidate| candidate != gone);
        selection.dropped.push(dropped);
        hear(selection);
    }
    Ok(())
}

impl Selection {
    /// Who goes after the last round: the least likely, if it is below the threshold; otherwise who is furthest astray.
    fn next_to_go(&self) -> Option<Dropped> {
        let judged = self.rounds.last()?;
        let least = judged
            .iter()
            .min_by(|a, b| a.likelihood.total_cmp(&b.likelihood))?;
        let out = |judged: &Judged, astray: Option<Astray>, is_near: bool| Dropped {
            round: self.rounds.len(),
            judged: judged.clone(),
            astray,
            is_near,
        };
        if least.likelihood < self.threshold {
            return Some(out(least, None, least.likelihood > self.near));
        }
        let ways = self.ways.as_ref()?;
        let astray = judged
            .iter()
            .filter_map(|judged| Some((judged, ways.astray(judged.candidate)?)));
        let (judged, astray) = astray.max_by(|(_, a), (_, b)| a.beyond().total_cmp(&b.beyond()))?;
        let is_near = astray.is_near;
        Some(out(judged, Some(astray), is_near))
    }
}

/// What stays the same in all combinations.
struct Judge {
    settings: PaperSettings,
    structure: PaperStructure,
    motion_type: MotionType,
    /// Degrees of freedom that count.
    counts: Vec<usize>,
    n_dofs: usize,
    frame_secs: f64,
}

impl Judge {
    fn model(&self, takes: &[&Take]) -> Result<Model, LearnError> {
        let takes: Vec<Take> = takes.iter().map(|&take| take.clone()).collect();
        let examples = Examples::new(self.n_dofs, self.frame_secs, &takes, Some(self.motion_type))?;
        let settings = LearnSettings {
            method: Method::Paper,
            paper: self.settings.clone(),
            ..LearnSettings::default()
        };
        let edges = KnownEdges::Paper(self.structure.clone());
        Model::from_parts(examples, edges, settings)
    }

    /// Mean log-likelihood of the values that count, and all of them.
    fn likelihood(&self, model: &Model, take: &Take) -> Result<(f64, Likelihood), LearnError> {
        let likelihood = model.likelihood_of(&take.values, None)?;
        let by_dof = likelihood.by_dof();
        let sum: f64 = self.counts.iter().map(|&dof| by_dof[dof]).sum();
        Ok((sum / self.counts.len().max(1) as f64, likelihood))
    }
}

/// Pairs to leave out: all of them, or evenly chosen ones if there are too many.
fn splits(n: usize) -> Vec<(usize, usize)> {
    let all: Vec<(usize, usize)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect();
    let kept = all.len().min(MOST_SPLITS);
    (0..kept).map(|i| all[i * all.len() / kept]).collect()
}

/// The likelihood that a further clip of the same kind falls below as seldom as this standard normal deviate is passed.
///
/// What a likelihood falls short of the best there is, is a mean of squares; over clips its logarithm is about normal.
fn bound(reference: &[(usize, f64)], n_clips: usize, deviate: f64) -> f64 {
    let best = log_normal(0.0, FLOOR * FLOOR);
    let misfits: Vec<f64> = (0..n_clips)
        .filter_map(|clip| {
            let own = reference.iter().filter(|r| r.0 == clip);
            let logs: Vec<f64> = own.map(|r| (best - r.1).max(1e-9).ln()).collect();
            (!logs.is_empty()).then(|| logs.iter().sum::<f64>() / logs.len() as f64)
        })
        .collect();
    if misfits.len() < 2 {
        return f64::NEG_INFINITY;
    }
    let (mean, reach) = prediction_interval(&misfits, USUAL, deviate);
    best - (mean + reach).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_references_and_few_of_them_ask_for_less() {
        let of = |values: &[f64]| {
            let reference: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
            bound(&reference, values.len(), ONE_IN_TWENTY)
        };
        let close = of(&[-1.0, -1.1, -0.9, -1.05, -0.95, -1.0, -1.1, -0.9]);
        let wide = of(&[-0.6, -2.0, -0.9, -1.3, -0.5, -0.7, -1.9, -0.8]);
        let few = of(&[-1.0, -1.1, -0.9]);
        assert!(wide < close && few < close, "{close} {wide} {few}");
        assert!(
            (-3.0..-1.3).contains(&close),
            "not far below the known clips: {close}"
        );
        assert_eq!(of(&[-1.0]), f64::NEG_INFINITY, "one clip tells nothing");
    }
}
