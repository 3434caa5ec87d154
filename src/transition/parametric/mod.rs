//! Actions that reach for a point: one punch or kick made from several examples, so that the fist or foot comes to
//! where it is wanted.
//!
//! Peng 2007 (section 6.3) makes its avatar hit targets by the parametric motions of Kovar and Gleicher 2004
//! ("Automated Extraction and Parameterization of Motions in Large Data Sets"), with the blending weights kept in
//! voxels of the target space. Here:
//!
//! 1. Examples are brought into step by time warping, and by their moments of effect (`phase`).
//! 2. They are laid out to be blended: joints by rotation vectors about their mean, the body's way by steps along its
//!    heading, time by the same weights (`space`).
//! 3. The target space is divided into voxels; random blends and their neighbours tell which are reached, and with
//!    which weights (`voxels`).
//! 4. For a target the weights of its voxel are refined until the blend meets it (`weights`).
//! 5. What blending leaves, for few examples reach only a line or a sheet of points, is made up by moving the limb;
//!    feet that stand in the examples are held in the same solution ([`crate::motion::limb`]).
//!
//! Departures: the refinement (weights of the nearest sample miss by one to four centimetres), exact coincidence of
//! the moments of effect, and the limb's move.
//!
//! It assumes examples of one action that start in much the same pose: places are told from where and how the body
//! stands in the first frame. Left out: what is hit (collisions, whether the way there is free), and the transition
//! into the first frame.

mod aim;
mod cubic;
mod effect;
mod error;
mod find;
mod phase;
mod reach;
mod settings;
mod space;
mod synth;
mod voxels;
mod weights;

use crate::jobs::Ticket;
use crate::motion::similarity::{SetSimilarity, set_similarity};
use crate::motion::{Axis, Clip, HeadingFrame, Site, Skeleton, Vec3, body};
use effect::EffectPose;
use phase::AlignedExamples;
use space::BlendSpace;
use voxels::VoxelTable;
use weights::Refiner;

pub use aim::{ActionSpan, Aimed, Landing};
pub use error::ParametricError;
pub use find::{FoundExamples, examples_from_repeats, is_same_action};
pub use reach::Reached;
pub use settings::ParametricSettings;
pub use synth::ActionStart;
pub use voxels::ReachableRegion;

/// Points nearer to each other than this are one point: 0.9 cm of a grown-up, about what captures of one pose differ.
const SAME_POINT_HEIGHTS: f64 = 0.005;
/// Bones may differ by so much of the body height, which is what text files round off.
const SAME_BONE_HEIGHTS: f64 = 1e-4;

/// One action, for all points that its examples and their blends reach.
#[derive(Debug, Clone)]
pub struct ParametricAction {
    site: Site,
    settings: ParametricSettings,
    up: Axis,
    body_height: f64,
    fps: f64,
    effect_phase: usize,
    space: BlendSpace,
    effect: EffectPose,
    voxels: VoxelTable,
    report: ParametricReport,
}

/// The examples of a parametric action, its outliers and its moment of effect.
#[derive(Debug, Clone, PartialEq)]
pub struct ParametricReport {
    /// The examples that are blended, in the order of all weights.
    pub examples: Vec<ExampleReport>,
    /// Outliers among the clips: another action, or a wrong cut. The farthest first.
    pub outliers: Vec<Outlier>,
    /// The moment of effect as a share of the common phase.
    pub effect_phase: f64,
    /// Mean time from the start to the moment of effect.
    pub effect_secs: f64,
}

/// One example of a parametric action, as the report shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExampleReport {
    /// Name of the clip.
    pub name: String,
    /// Where it brings the site at the moment of effect: left, up, forward about its start.
    pub point: Vec3,
    /// Its frame at the moment of effect.
    pub effect_frame: f64,
    /// Mean distance from the other examples in body heights, once in step.
    pub distance: f64,
}

/// A clip that is an outlier of its set.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlier {
    /// Name of the clip.
    pub name: String,
    /// Mean distance from the others in body heights.
    pub distance: f64,
    /// The same for the middle one of the set.
    pub median_distance: f64,
    /// Whether the clip was left out of the blend.
    pub is_left_out: bool,
}

impl std::fmt::Display for Outlier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let times = self.distance / self.median_distance;
        let kept = if self.is_left_out { "left out" } else { "kept" };
        write!(
            f,
            "\"{}\" is {times:.1} times as far from the others as the median example ({kept})",
            self.name
        )
    }
}

impl ParametricAction {
    /// Learns an action from examples on one skeleton. `site` is what reaches: a fist, a foot, any joint or end site.
    pub fn learn(
        examples: &[&Clip],
        site: Site,
        settings: &ParametricSettings,
        ticket: &Ticket,
    ) -> Result<Self, ParametricError> {
        settings.check()?;
        check_examples(examples, site)?;
        ticket.step(0.0)?;
        let (kept, alike, outliers) = without_outliers(examples, settings)?;
        ticket.step(0.15)?;
        let frame = HeadingFrame::learn(&kept);
        let aligned_examples =
            AlignedExamples::new(&kept, &frame, site, &alike.aligned, settings.effect_phase);
        let space = BlendSpace::new(&kept, &frame, &aligned_examples, ticket)?;
        ticket.step(0.2)?;
        let body_height = body::height(kept[0]);
        let skeleton = &space.skeleton;
        let effect = EffectPose::new(&space, aligned_examples.effect, site).ok_or_else(|| {
            ParametricError::SiteApart {
                site: skeleton.site_name(site),
            }
        })?;
        check_points(&effect.points, body_height, &skeleton.site_name(site))?;
        let mut refiner = Refiner::new(
            &effect,
            body_height,
            settings.extrapolation,
            settings.refinements,
        );
        let voxels = VoxelTable::build(&effect, &mut refiner, body_height, settings, ticket)?;
        let report = ParametricReport {
            examples: (0..kept.len())
                .map(|k| ExampleReport {
                    name: kept[k].info.name.clone(),
                    point: effect.points[k],
                    effect_frame: aligned_examples.moments[k][aligned_examples.effect],
                    distance: alike.mean_distances[k],
                })
                .collect(),
            outliers,
            effect_phase: aligned_examples.effect as f64 / (aligned_examples.n_phases() - 1) as f64,
            effect_secs: mean_seconds(&space, aligned_examples.effect),
        };
        Ok(Self {
            site,
            settings: settings.clone(),
            up: frame.up,
            body_height,
            fps: settings.fps.unwrap_or_else(|| kept[0].fps()),
            effect_phase: aligned_examples.effect,
            space,
            effect,
            voxels,
            report,
        })
    }

    /// The joint or end site that reaches the target.
    pub fn site(&self) -> Site {
        self.site
    }

    /// The bones of all examples.
    pub fn skeleton(&self) -> &Skeleton {
        &self.space.skeleton
    }

    /// Which way is up in the world.
    pub fn up(&self) -> Axis {
        self.up
    }

    /// How it was learned.
    pub fn settings(&self) -> &ParametricSettings {
        &self.settings
    }

    /// The examples and their moment of effect.
    pub fn report(&self) -> &ParametricReport {
        &self.report
    }

    /// Body height in file units.
    pub fn body_height(&self) -> f64 {
        self.body_height
    }

    /// Whether blending reaches the voxel of this point, in the action's frame.
    pub fn is_reachable(&self, target: &Vec3) -> bool {
        self.voxels.contains(target)
    }

    /// All voxels that blending reaches, in the action's frame.
    pub fn reachable_region(&self) -> ReachableRegion {
        self.voxels.region()
    }

    /// The nearest point that is reached, and how far it is: the point itself and 0 inside the region.
    pub fn nearest_reachable(&self, target: &Vec3) -> (Vec3, f64) {
        let (point, _) = self.voxels.nearest(target);
        (point, (point - target).norm())
    }
}

fn check_examples(examples: &[&Clip], site: Site) -> Result<(), ParametricError> {
    let &[first, _, ..] = examples else {
        let found = examples.len();
        return Err(ParametricError::TooFew { found });
    };
    let skeleton = first.skeleton();
    let has_site = match site {
        Site::Joint(joint) => joint < skeleton.n_joints(),
        Site::End(end) => end < skeleton.ends().len(),
    };
    if !has_site {
        return Err(ParametricError::NoSuchSite(site));
    }
    let tolerance = SAME_BONE_HEIGHTS * body::height(first);
    for clip in examples {
        if clip.n_frames() < 2 {
            let clip = clip.info.name.clone();
            return Err(ParametricError::OneFrame { clip });
        }
        if let Some(difference) = difference(first, clip, tolerance) {
            return Err(ParametricError::Skeletons {
                first: first.info.name.clone(),
                clip: clip.info.name.clone(),
                difference,
            });
        }
    }
    Ok(())
}

/// In which way two clips are not on one skeleton, if any.
fn difference(first: &Clip, clip: &Clip, tolerance: f64) -> Option<String> {
    let (a, b) = (first.skeleton(), clip.skeleton());
    if !a.same_structure(b) || a.ends().len() != b.ends().len() {
        return Some("it has other joints".to_owned());
    }
    if first.info.up != clip.info.up {
        return Some(format!("its up is {}, not {}", clip.info.up, first.info.up));
    }
    let bones = a.joints().iter().zip(b.joints()).skip(1);
    let ends = a.ends().iter().zip(b.ends());
    let mut bones = bones
        .map(|(a, b)| (&a.name, a.offset - b.offset))
        .chain(ends.map(|(e, f)| (&a.joints()[e.joint].name, e.offset - f.offset)));
    let (name, _) = bones.find(|(_, off)| off.norm() > tolerance)?;
    Some(format!(
        "the bone at \"{name}\" has another length or direction"
    ))
}

/// The examples that go together, in step, and those that do not.
fn without_outliers<'a>(
    examples: &[&'a Clip],
    settings: &ParametricSettings,
) -> Result<(Vec<&'a Clip>, SetSimilarity, Vec<Outlier>), ParametricError> {
    let all = set_similarity(examples)?;
    let outliers: Vec<Outlier> = all
        .outliers
        .iter()
        .map(|&odd| Outlier {
            name: examples[odd].info.name.clone(),
            distance: all.mean_distances[odd],
            median_distance: all.median_distance(),
            is_left_out: settings.leaves_out_outliers,
        })
        .collect();
    if outliers.is_empty() || !settings.leaves_out_outliers {
        return Ok((examples.to_vec(), all, outliers));
    }
    let kept: Vec<&Clip> = (0..examples.len())
        .filter(|k| !all.outliers.contains(k))
        .map(|k| examples[k])
        .collect();
    if kept.len() < 2 {
        let found = kept.len();
        return Err(ParametricError::TooFew { found });
    }
    let alike = set_similarity(&kept)?;
    Ok((kept, alike, outliers))
}

/// There must be something to choose from, and it must be numbers.
fn check_points(points: &[Vec3], body_height: f64, site: &str) -> Result<(), ParametricError> {
    let mut widest = 0.0_f64;
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            let distance = (a - b).norm();
            if !distance.is_finite() {
                let what = "the distance between points that examples reach";
                return Err(ParametricError::NotFinite { what });
            }
            widest = widest.max(distance);
        }
    }
    if widest < SAME_POINT_HEIGHTS * body_height {
        return Err(ParametricError::SamePoint {
            site: site.to_owned(),
            n_examples: points.len(),
            spread_percent: 100.0 * widest / body_height,
        });
    }
    Ok(())
}

fn mean_seconds(space: &BlendSpace, phase: usize) -> f64 {
    let k = space.n_examples;
    space.seconds[phase * k..][..k].iter().sum::<f64>() / k as f64
}
