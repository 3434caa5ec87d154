//! Which clips are alike enough to learn from together (section 9).
//!
//! Clips that are known to go together set the measure: models of all but two of them judge the other two, in every
//! combination, and a tenth of these likelihoods lies below the threshold. Candidates are then judged in the same way, the
//! least likely one below the threshold is dropped, and the rest is judged anew until none is left below.
//!
//! Departures: candidates are judged by models of the known clips *and* the candidates still in, not of candidates
//! alone, so that it works with any number of them and a few misfits cannot vouch for each other. And the structure is
//! learned once, from the known clips, instead of in every combination: that it hardly depends on two clips more or less
//! is what makes eight and eight a matter of seconds. Joints beyond the wrists do not count: fingers are seldom captured
//! and often noise.

use rayon::prelude::*;

use super::course::Course;
use super::error::LearnError;
use super::examples::{Examples, Take};
use super::likelihood::{Likelihood, Unlikely};
use super::model::{Manner, Model};
use super::search;
use super::settings::LearnSettings;
use crate::jobs::Ticket;
use crate::motion::metrics::{MOST_FPS, common_fps};
use crate::motion::{Body, ChartSettings, Clip, DofChart, edit};

/// The paper's threshold leaves so many of the known clips' likelihoods below it,
const PERCENTILE: f64 = 0.1;
/// and so would drop one of ten clips that are as good as the known ones. It is lowered by this share of its distance from
/// the median; real misfits are several times as far away.
const SLACK: f64 = 0.5;
/// More combinations tell no more.
const MOST_SPLITS: usize = 60;
/// How many unlikely degrees of freedom are told of a clip.
const TOLD: usize = 5;

/// The likelihood of one clip in one round.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Which candidate.
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
    /// What it was dropped for.
    pub judged: Judged,
}

/// All numbers of a selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Candidates below this are unlike.
    pub threshold: f64,
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
    let (known, unknown) = takes.split_at(reference.len());
    let counts = counted(&chart);
    let shape = (chart.n_dofs(), 1.0 / fps);
    let dofs: Vec<String> = chart.dofs().iter().map(|dof| dof.name.clone()).collect();
    let mut named = |so_far: &Selection| {
        let dofs = dofs.clone();
        let so_far = so_far.clone();
        hear(&Selection { dofs, ..so_far });
    };
    let takes = (known, unknown);
    let mut selection = select_among(shape, &counts, takes, settings, ticket, &mut named)?;
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
    let takes = (reference, candidates);
    select_among(
        (n_dofs, frame_secs),
        counts,
        takes,
        settings,
        ticket,
        &mut |_| {},
    )
}

fn select_among(
    (n_dofs, frame_secs): (usize, f64),
    counts: &[bool],
    (reference, candidates): (&[Take], &[Take]),
    settings: &LearnSettings,
    ticket: &Ticket,
    hear: &mut dyn FnMut(&Selection),
) -> Result<Selection, LearnError> {
    settings.check()?;
    let known = Examples::new(n_dofs, frame_secs, reference, settings.course)?;
    let quick = LearnSettings {
        most_shared: settings.most_shared.min(3),
        most_own: 0,
        restarts: 0,
        course: Some(known.course()),
        ..settings.clone()
    };
    let structure = search::transition_only(&known, &quick, ticket)?;
    let judge = Judge {
        settings: quick,
        structure,
        course: known.course(),
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
    let low = percentile(&reference_likelihoods, PERCENTILE);
    let median = percentile(&reference_likelihoods, 0.5);
    let threshold = low - SLACK * (median - low);
    let mut selection = Selection {
        threshold,
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

/// Drops the least likely candidate until none is below the threshold.
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
        let least = judged
            .iter()
            .min_by(|a, b| a.likelihood.total_cmp(&b.likelihood))
            .cloned();
        selection.rounds.push(judged);
        match least {
            Some(judged) if judged.likelihood < selection.threshold => {
                selection.kept.retain(|&i| i != judged.candidate);
                selection.dropped.push(Dropped {
                    round: selection.rounds.len(),
                    judged,
                });
            }
            _ => break,
        }
        hear(selection);
    }
    Ok(())
}

/// What stays the same in all combinations.
struct Judge {
    settings: LearnSettings,
    structure: super::Structure,
    course: Course,
    /// Degrees of freedom that count.
    counts: Vec<usize>,
    n_dofs: usize,
    frame_secs: f64,
}

impl Judge {
    fn model(&self, takes: &[&Take]) -> Result<Model, LearnError> {
        let takes: Vec<Take> = takes.iter().map(|&take| take.clone()).collect();
        let examples = Examples::new(self.n_dofs, self.frame_secs, &takes, Some(self.course))?;
        // Likelihoods need no manner.
        let manner = Manner {
            scale: 1.0,
            together: 0.0,
            details: [0.0; 4],
            spread: vec![0.0; self.n_dofs],
            pace_spread: 0.0,
        };
        Model::from_parts(
            examples,
            self.structure.clone(),
            self.settings.clone(),
            Some(manner),
        )
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

fn percentile(values: &[(usize, f64)], share: f64) -> f64 {
    let mut sorted: Vec<f64> = values.iter().map(|v| v.1).collect();
    sorted.sort_by(f64::total_cmp);
    let at = share * sorted.len().saturating_sub(1) as f64;
    let low = at as usize;
    let high = (low + 1).min(sorted.len().saturating_sub(1));
    match (sorted.get(low), sorted.get(high)) {
        (Some(a), Some(b)) => a + (b - a) * at.fract(),
        _ => f64::NEG_INFINITY,
    }
}
