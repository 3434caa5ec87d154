//! The clips that a texture is learned from, mended, at one rate, as curves and as states.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::DMatrix;

use super::error::TextureError;
use super::latent::{Latent, is_hinge, modelled};
use super::packed;
use crate::jobs::Ticket;
use crate::motion::chart::{DofChart, DofKind};
use crate::motion::contacts::{self, ContactParts, ContactSettings};
use crate::motion::join::report::Norms;
use crate::motion::join::{JoinClip, JoinError, Rig};
use crate::motion::{Body, ChartSettings, Clip, Curves, PoseMetricSettings, WorldPose, body, edit};
use crate::numerics::smoothing;

/// What changes faster is detail: it stays as it was recorded, and systems do not see it. Two frames at 30 a second,
/// the rate of the trials: below, differences of takes look like noise from frame to frame, and systems make bodies
/// tremble.
pub(super) const SMOOTH_SECS: f64 = 2.0 / 30.0;
/// A value further from the mean than so many scales is a joint on the wrong side of a turn.
const FAR_OUT: f64 = 8.0;
/// A floor is measured badly by this share of the body's height at most.
const MOST_FLOOR_SHIFT: f64 = 0.06;
/// Feet slower than this are down, in body heights a second: 0.3 m/s, which live systems lock feet below. Walkers who
/// turn drag their feet faster than those who go straight.
const FOOT_SPEED: f64 = 0.17;
/// Fewer clean frames cannot say anything about how motions go on.
const LEAST_FRAMES: usize = 30;

/// A clip with what somebody called it.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledClip {
    /// The motion of the clip.
    pub clip: Arc<Clip>,
    /// The action it shows, such as "walk".
    pub label: String,
}

/// One clip of the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusClip {
    /// As joins need it.
    pub join: JoinClip,
    /// Index of its label.
    pub label: usize,
    /// Its degrees of freedom.
    pub curves: Curves,
    /// X of Eq. (5), smoothed: a column for each frame.
    pub states: DMatrix<f64>,
    /// Frames in which no joint jumps or is far out.
    pub is_clean: Vec<bool>,
}

/// All clips, and the coordinates that they share.
#[derive(Debug, Clone, PartialEq)]
pub struct Corpus {
    /// The skeleton, its frame rate and its feet.
    pub rig: Arc<Rig>,
    /// The degrees of freedom of the skeleton.
    pub chart: DofChart,
    /// From degrees of freedom to states.
    pub latent: Latent,
    /// What the clips do from frame to frame, to measure joins against.
    pub norms: Norms,
    /// In the order given.
    pub clips: Vec<CorpusClip>,
    /// What the clips are called, in alphabetical order.
    pub labels: Vec<String>,
    /// Frames with a joint that flipped, which were mended.
    pub n_mended: usize,
    /// For every label the least and most of every degree of freedom in clean frames: of the label for joints that
    /// bend about one axis, so that a walk bends its knees as walks do, else of all clips.
    pub ranges: Vec<Vec<Range<f64>>>,
}

impl Corpus {
    /// Mends the clips, brings them to the rate of the first, finds the contacts of their feet, and their common
    /// coordinates.
    pub fn new(given: &[LabelledClip], ticket: &Ticket) -> Result<Self, TextureError> {
        let (clips, n_mended) = Self::prepare(given)?;
        ticket.check()?;
        Self::of(&clips, n_mended, ticket)
    }

    /// The clips without a T-pose before the motion, without spikes and flips, at one rate, on one floor, with
    /// contacts; and how many frames of joints were mended.
    pub(super) fn prepare(
        given: &[LabelledClip],
    ) -> Result<(Vec<LabelledClip>, usize), TextureError> {
        prepared(given)
    }

    /// From clips that are prepared already.
    pub(super) fn of(
        given: &[LabelledClip],
        n_mended: usize,
        ticket: &Ticket,
    ) -> Result<Self, TextureError> {
        if given.is_empty() {
            return Err(TextureError::NoClips);
        }
        let refs: Vec<&Clip> = given.iter().map(|g| &*g.clip).collect();
        let rig = Rig::learn(&refs, &PoseMetricSettings::default())?;
        let rig = Arc::new(rig.with_knees(&refs));
        ticket.check()?;
        let joins = given.iter().map(|g| JoinClip::new(&rig, &g.clip));
        let joins = joins.collect::<Result<Vec<JoinClip>, _>>()?;
        let refs: Vec<&Clip> = joins.iter().map(|c| &*c.clip).collect();
        let chart = DofChart::learn(&refs, &ChartSettings::default())?;
        let norms = Norms::learn(&rig, &joins.iter().collect::<Vec<_>>());
        ticket.check()?;
        let mut labels: Vec<String> = given.iter().map(|g| g.label.clone()).collect();
        labels.sort();
        labels.dedup();
        let dofs = modelled(&chart);
        let mut clips = Vec::with_capacity(joins.len());
        for (join, given) in joins.into_iter().zip(given) {
            let curves = chart.curves(&join.clip)?;
            clips.push(CorpusClip {
                is_clean: clean_frames(&chart, &dofs, &join.clip, &curves),
                label: labels.binary_search(&given.label).unwrap_or_default(),
                states: DMatrix::zeros(0, 0),
                curves,
                join,
            });
        }
        let all: usize = clips.iter().map(|c| c.is_clean.len()).sum();
        let clean = clips
            .iter()
            .flat_map(|c| &c.is_clean)
            .filter(|c| **c)
            .count();
        if clean < LEAST_FRAMES {
            return Err(TextureError::TooFew {
                clean,
                all,
                needed: LEAST_FRAMES,
            });
        }
        let seen: Vec<_> = clips.iter().map(|c| (&c.curves, &c.is_clean[..])).collect();
        let latent = Latent::learn(&chart, dofs, &seen);
        for clip in &mut clips {
            let states = latent.states(&chart, &clip.curves);
            clip.states = smoothing::gaussian(&states, SMOOTH_SECS * rig.fps);
        }
        Ok(Self {
            ranges: ranges(&chart, labels.len(), &clips),
            rig,
            chart,
            latent,
            norms,
            clips,
            labels,
            n_mended,
        })
    }

    /// The clips as they were prepared, with their labels.
    pub fn prepared(&self) -> Vec<LabelledClip> {
        let clips = self.clips.iter().map(|c| LabelledClip {
            clip: Arc::clone(&c.join.clip),
            label: self.labels[c.label].clone(),
        });
        clips.collect()
    }

    /// Numbers of a state.
    pub fn n_dims(&self) -> usize {
        self.latent.n_dims()
    }

    /// The frame rate of all clips, in frames per second.
    pub fn fps(&self) -> f64 {
        self.rig.fps
    }

    /// So many seconds as frames, one at least.
    pub fn frames_in(&self, secs: f64) -> usize {
        (secs * self.fps()).round().max(1.0) as usize
    }

    /// Frames of all clips.
    pub fn n_frames(&self) -> usize {
        self.clips.iter().map(|c| c.curves.n_frames()).sum()
    }

    /// The index of a label.
    pub fn label(&self, name: &str) -> Option<usize> {
        self.labels.iter().position(|l| l == name)
    }
}

fn prepared(given: &[LabelledClip]) -> Result<(Vec<LabelledClip>, usize), TextureError> {
    let first = given.first().ok_or(TextureError::NoClips)?;
    let fps = first.clip.fps();
    let mut clips = Vec::with_capacity(given.len());
    let mut n_mended = 0;
    for LabelledClip { clip, .. } in given {
        let clip = &edit::drop_tpose(clip)?;
        if !first.clip.skeleton().same_structure(clip.skeleton()) {
            return Err(JoinError::Skeleton(clip.info.name.clone()).into());
        }
        let glitches = edit::find_glitches(clip);
        n_mended += glitches.len();
        let clip = edit::mend_glitches(clip, &glitches)?;
        let is_at_rate = (clip.fps() - fps).abs() <= 1e-6 * fps;
        clips.push(if is_at_rate {
            clip
        } else {
            edit::resample(&clip, fps)?
        });
    }
    let flips = edit::find_flips(&clips.iter().collect::<Vec<_>>());
    for (clip, flips) in clips.iter_mut().zip(flips) {
        n_mended += flips.len();
        *clip = with_contacts(edit::mend_glitches(clip, &flips)?)?;
    }
    let labels = given.iter().map(|g| g.label.clone());
    let clips = on_one_floor(clips)?;
    let done = clips.iter().zip(labels).map(|(clip, label)| {
        let clip = Arc::new(packed::rounded(clip)?);
        Ok(LabelledClip { clip, label })
    });
    Ok((done.collect::<Result<_, TextureError>>()?, n_mended))
}

/// Takes of several days, or of several performers moved onto one skeleton, stand on floors that differ by
/// centimetres: feet would sink in or float after a transition. Each clip is raised or lowered so that its feet stand
/// where they stand in most clips.
fn on_one_floor(clips: Vec<Clip>) -> Result<Vec<Clip>, TextureError> {
    let levels: Vec<Option<f64>> = clips.iter().map(stance_level).collect();
    let mut known: Vec<f64> = levels.iter().copied().flatten().collect();
    if known.is_empty() {
        return Ok(clips);
    }
    let middle = known.len() / 2;
    let usual = *known.select_nth_unstable_by(middle, f64::total_cmp).1;
    let most = MOST_FLOOR_SHIFT * body::height(&clips[0]);
    let levelled = clips.into_iter().zip(levels).map(|(clip, level)| {
        let off = level.map_or(0.0, |l| l - usual);
        // Further off it is no floor that was measured badly, but a stair.
        if off == 0.0 || off.abs() > most {
            return Ok(clip);
        }
        Ok(edit::set_floor(&clip, off)?)
    });
    levelled.collect()
}

/// The height at which toes stand, or ankles where there are none: the median over all contacts.
fn stance_level(clip: &Clip) -> Option<f64> {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let toes: Vec<usize> = body.legs.iter().map(|l| l.toe.unwrap_or(l.end)).collect();
    let chains = skeleton.with_ancestors(toes.iter().copied());
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let mut heights = Vec::new();
    for contact in clip.contacts().iter().filter(|c| toes.contains(&c.joint)) {
        for frame in contact.frames.clone() {
            world.update_some(skeleton, clip.frame(frame), &chains);
            heights.push(clip.info.up.along(&world.positions[contact.joint]));
        }
    }
    let middle = heights.len() / 2;
    (!heights.is_empty()).then(|| *heights.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// What clean frames show of every degree of freedom, label by label.
fn ranges(chart: &DofChart, n_labels: usize, clips: &[CorpusClip]) -> Vec<Vec<Range<f64>>> {
    let none = vec![f64::INFINITY..f64::NEG_INFINITY; chart.n_dofs()];
    let mut by_label = vec![none.clone(); n_labels];
    for clip in clips {
        let rows = clip.curves.rows().zip(&clip.is_clean);
        for (row, _) in rows.filter(|(_, is_clean)| **is_clean) {
            for (range, &value) in by_label[clip.label].iter_mut().zip(row) {
                *range = range.start.min(value)..range.end.max(value);
            }
        }
    }
    let both = |a: &Range<f64>, b: &Range<f64>| a.start.min(b.start)..a.end.max(b.end);
    let of_all = by_label.iter().fold(none, |all, own| {
        all.iter().zip(own).map(|(a, b)| both(a, b)).collect()
    });
    for own in &mut by_label {
        for (dof, range) in own.iter_mut().enumerate() {
            if !is_hinge(chart, dof) {
                *range = of_all[dof].clone();
            }
        }
    }
    by_label
}

/// Contacts of feet are found where nobody gave any; a body without feet has none.
fn with_contacts(clip: Clip) -> Result<Clip, TextureError> {
    if !clip.contacts().is_empty() {
        return Ok(clip);
    }
    let settings = ContactSettings {
        parts: ContactParts::Feet,
        foot_speed: FOOT_SPEED,
        ..ContactSettings::default()
    };
    match contacts::detect(&clip, &settings) {
        Ok(found) => Ok(clip.with_contacts(found.contacts)?),
        Err(_no_feet) => Ok(clip),
    }
}

/// Frames in which no modelled joint jumps or is far out.
fn clean_frames(chart: &DofChart, dofs: &[usize], clip: &Clip, curves: &Curves) -> Vec<bool> {
    let turns: Vec<usize> = dofs
        .iter()
        .copied()
        .filter(|&d| matches!(chart.dofs()[d].kind, DofKind::Turn { .. }))
        .collect();
    let is_near = |row: &[f64], d: usize| chart.dofs()[d].standardise(row[d]).abs() < FAR_OUT;
    let rows = curves.rows();
    let mut is_clean: Vec<bool> = rows
        .map(|row| turns.iter().all(|&d| is_near(row, d)))
        .collect();
    for glitch in edit::find_glitches(clip) {
        if turns.iter().any(|&d| chart.dofs()[d].joint == glitch.joint) {
            is_clean[glitch.frame] = false;
        }
    }
    is_clean
}
