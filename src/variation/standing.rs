//! The pose of who stands (section 7): near what the network expected, and steady.
//!
//! As in Eq. (7) of the paper, limbs that are held start from the mean that the network predicted rather than from what was
//! drawn.
//!
//! Not in the paper: captured bodies tremble as a whole, feet included, by about a millimetre a frame. A foot that is held
//! does not, so all of it would end up in the knee, which is nearly straight in someone who stands: the same millimetre
//! turns it by a degree (knees of throws had four times the jerk of the takes' knees). So whoever stands stands
//! steadily: the body and the limbs that carry it are averaged with the frames around, once a foot has been down for a moment,
//! for the jolt of a landing is real. How far is found by letting the model run and holding its feet: as far as it takes
//! for body and legs to have the jerk of the takes, and no further; nor further than the whole body stays as lively as theirs.

use std::ops::Range;

use rayon::prelude::*;

use super::calibrate::{jerks, takes, trial_settings};
use super::calm::averaged_to_ends;
use super::clips::{ClipModel, Drawn, Length};
use super::error::LearnError;
use super::footing::{self, Hold};
use super::liveliness::column;
use crate::jobs::Ticket;
use crate::motion::{Body, ClipInfo, Contact, DofChart, Limb};

/// Time for limbs to come to what the network expected, and to leave it.
const EXPECT_SECS: f64 = 0.25;
/// Time for a body to become steady once a foot is down.
const SETTLE_SECS: f64 = 0.1;
/// Bodies are not made steadier than this.
const MOST_STEADY_SECS: f64 = 0.04;
/// The whole body keeps this much of the takes' jerk (median over degrees of freedom), whatever its legs do.
const LEAST_LIVELY: f64 = 0.97;
/// Steadiness is found to a millisecond.
const STEPS: usize = 5;
/// Variants that are held to find it.
const TRIALS: u64 = 16;

/// How far bodies have to be averaged over time, in seconds, for variants with held feet to be no rougher than the takes in
/// body and legs: by halving.
pub(super) fn fit(model: &ClipModel, ticket: &Ticket) -> Result<f64, LearnError> {
    let n = model.chart().n_dofs();
    let wanted = jerks(&takes(model.model()), n);
    let legs = Body::of(model.chart().skeleton()).legs;
    let joints = legs.iter().flat_map(|leg| [leg.upper, leg.middle, leg.end]);
    let joints: Vec<usize> = joints.chain([model.chart().parts().heading.root]).collect();
    let mut dofs = dofs_of(model.chart(), &joints);
    dofs.retain(|&dof| wanted[dof] > 0.0);
    let settings = trial_settings(model.model(), 1.0);
    let drawn = (0..TRIALS)
        .into_par_iter()
        .map(|variant| model.draw(&settings, variant, Length::Once))
        .collect::<Result<Vec<_>, _>>()?;
    let is_rough = |steady_secs: f64| -> Result<bool, LearnError> {
        ticket.check()?;
        let model = model.with_steadiness(steady_secs);
        let held = drawn.par_iter().filter_map(|drawn| {
            let info = ClipInfo::named("trial");
            let rows = footing::hold(&model, drawn, info, Hold::Feet).and_then(|(clip, held)| {
                let take = held.map(|_| model.take(&clip));
                Ok(take.transpose()?.map(|take| take.values))
            });
            rows.transpose()
        });
        let held = held.collect::<Result<Vec<_>, LearnError>>()?;
        if held.is_empty() {
            return Ok(false);
        }
        let found = jerks(&held, n);
        let rougher = |&dof: &usize| (found[dof] / wanted[dof]).max(f64::MIN_POSITIVE).ln();
        let is_lively = median(&found) > LEAST_LIVELY * median(&wanted);
        Ok(is_lively && dofs.iter().map(rougher).sum::<f64>() > 0.0)
    };
    if !is_rough(0.0)? {
        return Ok(0.0);
    }
    let (mut low, mut high) = (0.0, MOST_STEADY_SECS);
    for _ in 0..STEPS {
        let middle = 0.5 * (low + high);
        if is_rough(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The degrees of freedom of some joints.
fn dofs_of(chart: &DofChart, joints: &[usize]) -> Vec<usize> {
    let is_of = |&dof: &usize| joints.contains(&chart.dofs()[dof].joint);
    (0..chart.n_dofs()).filter(is_of).collect()
}

/// The rows of a variant whose limbs stand during some contacts.
pub(super) fn rows(
    model: &ClipModel,
    drawn: &Drawn,
    limbs: &[&Limb],
    contacts: &[Contact],
) -> Vec<f64> {
    let chart = model.chart();
    let n = chart.n_dofs();
    let frame_secs = model.model().examples().frame_secs();
    let n_frames = drawn.progress.len();
    let legs = Body::of(chart.skeleton()).legs;
    let mut rows = drawn.rows.clone();
    // By degree of freedom and frame, how steady it has to be.
    let mut steadies: Vec<(Vec<usize>, Vec<f64>)> = Vec::new();
    let mut of_body = vec![0.0; n_frames];
    for &limb in limbs {
        let dofs = dofs_of(chart, &[limb.upper, limb.middle, limb.end]);
        let own: Vec<&Contact> = contacts.iter().filter(|c| is_of(limb, c)).collect();
        for (frame, share) in near(&own, n_frames, EXPECT_SECS / frame_secs)
            .into_iter()
            .enumerate()
        {
            for &dof in &dofs {
                let at = frame * n + dof;
                rows[at] += share * (drawn.expected[at] - rows[at]);
            }
        }
        let steady = settled(&own, n_frames, SETTLE_SECS / frame_secs);
        if legs.contains(limb) {
            for (of_body, steady) in of_body.iter_mut().zip(&steady) {
                *of_body = f64::max(*of_body, *steady);
            }
        }
        steadies.push((dofs, steady));
    }
    steadies.push((dofs_of(chart, &[chart.parts().heading.root]), of_body));
    let spread = model.footing().steady_secs / frame_secs;
    for (dofs, steady) in &steadies {
        for &dof in dofs {
            steady_curve(&mut rows, n, dof, steady, spread);
        }
    }
    rows
}

fn is_of(limb: &Limb, contact: &Contact) -> bool {
    contact.joint == limb.end || Some(contact.joint) == limb.toe
}

/// By frame, how near a contact is: 1 during one, smoothly down to 0 within so many frames before and after.
fn near(contacts: &[&Contact], n_frames: usize, ease: f64) -> Vec<f64> {
    let mut shares = vec![0.0_f64; n_frames];
    let reach = ease.ceil() as usize;
    for contact in contacts {
        let Range { start, end } = contact.frames;
        for frame in start.saturating_sub(reach)..(end + reach).min(n_frames) {
            let away = start
                .saturating_sub(frame)
                .max((frame + 1).saturating_sub(end));
            let share = smooth(1.0 - away as f64 / (reach + 1) as f64);
            shares[frame] = shares[frame].max(share);
        }
    }
    shares
}

/// By frame, how settled a body is on some contacts; 0 outside.
fn settled(contacts: &[&Contact], n_frames: usize, ease: f64) -> Vec<f64> {
    let mut shares = vec![0.0_f64; n_frames];
    for contact in contacts {
        for frame in contact.frames.start..contact.frames.end.min(n_frames) {
            let share = settled_at(&contact.frames, frame, n_frames, ease);
            shares[frame] = shares[frame].max(share);
        }
    }
    shares
}

/// How long a contact has lasted at one of its frames, and will last: smoothly up to 1 within so many frames. Before the first
/// frame and after the last the body stood as well.
pub(super) fn settled_at(contact: &Range<usize>, frame: usize, n_frames: usize, ease: f64) -> f64 {
    let since = if contact.start == 0 {
        f64::INFINITY
    } else {
        (frame - contact.start) as f64 + 0.5
    };
    let until = if contact.end >= n_frames {
        f64::INFINITY
    } else {
        (contact.end - frame) as f64 - 0.5
    };
    smooth(since.min(until) / ease)
}

/// From 0 to 1 without a jolt.
fn smooth(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// Averages one curve with the frames around each, by the given shares.
fn steady_curve(rows: &mut [f64], n: usize, dof: usize, shares: &[f64], spread: f64) {
    let curve = column(rows, n, dof);
    let steady = averaged_to_ends(&curve, spread);
    for (frame, share) in shares.iter().enumerate() {
        rows[frame * n + dof] += share * (steady[frame] - curve[frame]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(frames: Range<usize>) -> Contact {
        Contact { joint: 0, frames }
    }

    #[test]
    fn limbs_come_to_what_was_expected_before_a_contact_and_leave_it_after() {
        let shares = near(&[&contact(10..20)], 40, 5.0);
        assert!(shares[10..20].iter().all(|&s| s == 1.0), "{shares:?}");
        assert!(shares[4..10].is_sorted(), "comes: {shares:?}");
        assert!(shares[20..].is_sorted_by(|a, b| a >= b), "goes: {shares:?}");
        assert!(shares[..4].iter().all(|&s| s == 0.0), "{shares:?}");
    }

    #[test]
    fn who_lands_is_steady_only_after_a_moment() {
        let shares = settled(&[&contact(10..30), &contact(32..40)], 40, 5.0);
        assert!(shares[..10].iter().all(|&s| s == 0.0), "in the air");
        assert!(shares[10] < 0.05 && shares[20] == 1.0, "{shares:?}");
        assert!(shares[39] == 1.0, "goes on standing behind the end");
    }

    #[test]
    fn steadying_takes_trembling_away_where_it_is_asked_for() {
        // Two curves that tremble; only the second is steadied, from its middle on.
        let mut rows: Vec<f64> = (0..40).flat_map(|i| [f64::from(i % 2); 2]).collect();
        let shares: Vec<f64> = (0..40).map(|i| if i < 20 { 0.0 } else { 1.0 }).collect();
        let before = rows.clone();
        steady_curve(&mut rows, 2, 1, &shares, 1.5);
        for (frame, (is, was)) in rows.chunks(2).zip(before.chunks(2)).enumerate() {
            assert_eq!(is[0], was[0], "the other curve");
            if frame < 20 {
                assert_eq!(is[1], was[1], "not asked for");
            } else if frame < 36 {
                assert!((is[1] - 0.5).abs() < 0.05, "{} at {frame}", is[1]);
            }
        }
    }
}
