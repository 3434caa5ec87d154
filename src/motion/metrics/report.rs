//! Variants beside the clips they came from.

use super::super::Clip;
use super::super::chart::{ChartSettings, DofChart};
use super::super::cycles::closure;
use super::correlation::agreement;
use super::feet::{FootLevels, foot_slide, in_units, penetration};
use super::poses::{leave_one_out, mean, nearest, quantile};
use super::space;
use super::table::{Coordinates, StandardisedCurves};
use super::variety::{diversity, rhythm};
use super::{MOST_FPS, MetricError, Worst, common_fps};

/// Nearer than this to an input, in standard deviations, a frame is a copy of it.
const COPY: f64 = 1e-4;
/// An input pose is covered if a variant comes as near as this share of real poses comes to the inputs.
const COVER_SHARE: f64 = 0.9;

/// Settings of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureSettings {
    /// Clips are looked at with at most so many frames per second.
    pub most_fps: f64,
    /// The coordinates that poses are compared in.
    pub chart: ChartSettings,
}

impl Default for MeasureSettings {
    fn default() -> Self {
        Self {
            most_fps: MOST_FPS,
            chart: ChartSettings::default(),
        }
    }
}

/// All numbers of a comparison.
///
/// Poses are compared in the degrees of freedom of a chart learned from the inputs, each
/// in its standard deviations; distances are root mean squares over those that move. What is still in the inputs adds
/// to a distance as well, so that a joint that leaves its place is seen.
///
/// "Real" stands for the clips held back. Without any, each input is compared with the other inputs; with one input
/// and nothing held back there is nothing to compare with, and ratios are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The rate at which all was looked at.
    pub fps: f64,
    /// Degrees of freedom that move.
    pub n_dofs: usize,
    /// Whether clips were held back; else ratios are to the inputs themselves.
    pub has_real: bool,
    /// Mean distance of the variants' poses to the nearest input pose.
    pub nn: f64,
    /// `nn` of the real clips held back.
    pub nn_real: Option<f64>,
    /// `nn / nn_real`: 1 if variants keep as near to the inputs as real motion does; well above, they leave it.
    pub nn_ratio: Option<f64>,
    /// Median over degrees of freedom of the root mean square third derivative, divided by the same of the inputs: 1
    /// is as smooth as the inputs, above 1 jitters, below 1 is smoothed.
    pub jerk_ratio: f64,
    /// The same for the real clips held back.
    pub jerk_ratio_real: Option<f64>,
    /// Root mean square distance between two variants at equal phase (share of their length).
    pub diversity: Option<f64>,
    /// `diversity` of the real clips held back.
    pub diversity_real: Option<f64>,
    /// `diversity / diversity_real`: 1 varies as much as people do.
    pub diversity_ratio: Option<f64>,
    /// Share of the inputs' poses that have a variant pose as near as nine of ten real poses have an input pose.
    pub coverage: Option<f64>,
    /// The distance that counts as near for `coverage`.
    pub cover_radius: Option<f64>,
    /// Share of power that variants and inputs have at the same frequencies.
    pub spectrum_overlap: Option<f64>,
    /// By how much power is shifted on average, in hertz.
    pub spectrum_shift_hz: Option<f64>,
    /// Median speed of feet over the floor while down, body heights per second, averaged over the clips;
    /// [`super::FootSlide`] has the thresholds.
    pub foot_slide: Option<f64>,
    /// `foot_slide` of the inputs.
    pub foot_slide_inputs: Option<f64>,
    /// Mean depth of feet below where the inputs' feet stand, body heights.
    pub penetration: Option<f64>,
    /// `penetration` of the inputs.
    pub penetration_inputs: Option<f64>,
    /// Jerk of head, hands and feet in space against that of the inputs, mean over those joints.
    pub space_jerk_ratio: Option<f64>,
    /// Share of variants with a hand or foot that gets faster than 1.1 times the fastest real one, inputs and held
    /// back.
    pub faster_share: Option<f64>,
    /// The fastest hand or foot of any variant against the fastest real one.
    pub peak_speed_ratio: Option<f64>,
    /// Standard deviation of how far variants turn from first to last frame, in degrees.
    pub net_turn_deg: f64,
    /// The same for real clips, inputs and held back.
    pub net_turn_real_deg: Option<f64>,
    /// The one divided by the other.
    pub net_turn_ratio: Option<f64>,
    /// Agreement of correlations with those of real clips, inside limbs and trunk.
    pub correlation_inside: Option<f64>,
    /// Agreement of correlations between different limbs.
    pub correlation_between: Option<f64>,
    /// Frames of variants that copy an input frame.
    pub copied_frames: usize,
    /// Each variant by itself.
    pub variants: Vec<ClipReport>,
}

/// The numbers of one variant.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipReport {
    /// Name of the clip.
    pub name: String,
    /// Mean distance of its poses to the nearest input pose.
    pub nn: f64,
    /// Where that is largest; the joint is the one that is furthest off its partner's mean.
    pub nn_worst: Worst,
    /// Its jerk against that of the inputs.
    pub jerk_ratio: f64,
    /// Where the jerk over all degrees of freedom is largest, and the joint that has most of it.
    pub jerk_worst: Worst,
    /// Foot slide, body heights per second.
    pub foot_slide: Option<f64>,
    /// The same in units of the file per second.
    pub foot_slide_units: Option<f64>,
    /// Where it is worst.
    pub foot_slide_worst: Option<Worst>,
    /// Depth of feet, body heights.
    pub penetration: Option<f64>,
    /// Where it is worst.
    pub penetration_worst: Option<Worst>,
    /// Root mean square distance of the telling joints where the clip would begin again, in body heights; small only
    /// for loops. A last frame that repeats the first is taken as such.
    pub loop_gap: Option<f64>,
    /// Frames that copy an input frame.
    pub copied_frames: usize,
}

/// Compares variants with the inputs they came from and, where there are any, with real clips held back.
pub fn measure(
    inputs: &[&Clip],
    variants: &[&Clip],
    real: &[&Clip],
    settings: &MeasureSettings,
) -> Result<Report, MetricError> {
    for (set, what) in [(inputs, "inputs"), (variants, "variants")] {
        if set.is_empty() {
            return Err(MetricError::Nothing { what });
        }
    }
    let all = inputs.iter().chain(variants).chain(real).copied();
    let fps = common_fps(all, settings.most_fps);
    if !(fps > 0.0 && fps.is_finite()) {
        return Err(MetricError::Rate(fps));
    }
    let space = Coordinates::learn(inputs, &settings.chart)?;
    let tables = |clips: &[&Clip]| -> Result<Vec<StandardisedCurves>, MetricError> {
        clips.iter().map(|c| long_enough(&space, c, fps)).collect()
    };
    let (input_tables, variant_tables) = (tables(inputs)?, tables(variants)?);
    let real_tables = tables(real)?;
    let all_inputs: Vec<&StandardisedCurves> = input_tables.iter().collect();
    let base = Base::of(&input_tables, &real_tables);
    let input_jerk = jerk_of(&space, &input_tables, fps);
    let ground = if_feet(FootLevels::learn(inputs))?;
    let reports = variants
        .iter()
        .zip(&variant_tables)
        .map(|(clip, table)| {
            let distances = nearest(table, &all_inputs);
            let jerk_ratio = ratio(
                jerk_of(&space, std::slice::from_ref(table), fps),
                input_jerk,
            );
            clip_report(
                clip,
                table,
                &space.chart,
                &distances,
                jerk_ratio,
                ground.as_ref(),
                fps,
            )
        })
        .collect::<Result<Vec<ClipReport>, MetricError>>()?;
    let weights: Vec<f64> = variant_tables.iter().map(|t| t.len() as f64).collect();
    let nn = weighted(&reports, &weights, |r| r.nn);
    let coverage = base
        .as_ref()
        .map(|base| covered(&input_tables, &variant_tables, base.cover_radius));
    let spread = diversity(&variant_tables);
    let spread_real = diversity(&real_tables).or_else(|| diversity(&input_tables));
    let rhythm = rhythm(&input_tables, &variant_tables, fps);
    let feet = |clips: &[&Clip]| match &ground {
        Some(ground) => feet_of(clips, ground, fps).map(Some),
        None => Ok(None),
    };
    let (slide, depth) = feet(variants)?.unzip();
    let (slide_inputs, depth_inputs) = feet(inputs)?.unzip();
    let in_space = space::compare(inputs, variants, real, fps)?;
    let moving: Vec<usize> = space.moving().collect();
    let compared = if real_tables.len() < 3 {
        &input_tables
    } else {
        &real_tables
    };
    let agreement = agreement(&variant_tables, compared, space.chart.dofs(), &moving);
    Ok(Report {
        space_jerk_ratio: in_space.jerk_ratio,
        faster_share: in_space.faster_share,
        peak_speed_ratio: in_space.peak_ratio,
        net_turn_deg: in_space.net_turn_deg,
        net_turn_real_deg: in_space.net_turn_real_deg,
        net_turn_ratio: in_space.net_turn_ratio,
        correlation_inside: agreement.inside,
        correlation_between: agreement.between,
        fps,
        n_dofs: space.n_moving(),
        has_real: !real.is_empty(),
        nn,
        nn_real: base.as_ref().map(|b| b.nn),
        nn_ratio: base.as_ref().map(|b| ratio(nn, b.nn)),
        jerk_ratio: ratio(jerk_of(&space, &variant_tables, fps), input_jerk),
        jerk_ratio_real: (!real.is_empty())
            .then(|| ratio(jerk_of(&space, &real_tables, fps), input_jerk)),
        diversity: spread,
        diversity_real: spread_real,
        diversity_ratio: spread.zip(spread_real).map(|(a, b)| ratio(a, b)),
        coverage,
        cover_radius: base.map(|b| b.cover_radius),
        spectrum_overlap: rhythm.as_ref().map(|r| r.overlap),
        spectrum_shift_hz: rhythm.as_ref().map(|r| r.shift_hz),
        foot_slide: slide,
        foot_slide_inputs: slide_inputs,
        penetration: depth,
        penetration_inputs: depth_inputs,
        copied_frames: reports.iter().map(|r| r.copied_frames).sum(),
        variants: reports,
    })
}

/// How near real motion comes to the inputs.
struct Base {
    nn: f64,
    cover_radius: f64,
}

impl Base {
    /// By the clips held back, else by each input against the others; `None` if there is nothing to compare.
    fn of(inputs: &[StandardisedCurves], real: &[StandardisedCurves]) -> Option<Self> {
        let distances: Vec<f64> = match (inputs, real) {
            ([_], []) => return None,
            (_, []) => leave_one_out(inputs),
            _ => {
                let inputs: Vec<&StandardisedCurves> = inputs.iter().collect();
                real.iter().flat_map(|t| nearest(t, &inputs)).collect()
            }
        };
        Some(Self {
            nn: mean(&distances),
            cover_radius: quantile(&distances, COVER_SHARE),
        })
    }
}

/// Share of the inputs' poses with a variant pose within `radius`.
fn covered(inputs: &[StandardisedCurves], variants: &[StandardisedCurves], radius: f64) -> f64 {
    let variants: Vec<&StandardisedCurves> = variants.iter().collect();
    let distances: Vec<f64> = inputs.iter().flat_map(|t| nearest(t, &variants)).collect();
    distances.iter().filter(|d| **d <= radius).count() as f64 / distances.len().max(1) as f64
}

fn long_enough(
    space: &Coordinates,
    clip: &Clip,
    fps: f64,
) -> Result<StandardisedCurves, MetricError> {
    const NEEDED: usize = 4;
    let table = StandardisedCurves::of(space, clip, fps)?;
    if table.len() < NEEDED {
        return Err(MetricError::TooShort {
            clip: clip.info.name.clone(),
            found: table.len(),
            fps,
            needed: NEEDED,
            what: "jerk",
        });
    }
    Ok(table)
}

/// A skeleton without feet has no such numbers, which is no error here.
fn if_feet<T>(result: Result<T, MetricError>) -> Result<Option<T>, MetricError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(MetricError::NoFeet { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Equal numbers have ratio 1, even if both are zero.
fn ratio(a: f64, b: f64) -> f64 {
    if a == b { 1.0 } else { a / b }
}

fn weighted(reports: &[ClipReport], weights: &[f64], value: impl Fn(&ClipReport) -> f64) -> f64 {
    let pairs = reports.iter().zip(weights);
    pairs.map(|(r, w)| value(r) * w).sum::<f64>() / weights.iter().sum::<f64>()
}

fn third_difference(table: &StandardisedCurves, row: usize, dof: usize, fps: f64) -> f64 {
    let [a, b, c, d] = [0, 1, 2, 3].map(|back| table.get(row - back, dof));
    (a - 3.0 * b + 3.0 * c - d) * fps * fps * fps
}

/// Median over moving degrees of freedom of the root mean square third derivative of a set.
fn jerk_of(space: &Coordinates, tables: &[StandardisedCurves], fps: f64) -> f64 {
    let each: Vec<f64> = space
        .moving()
        .map(|dof| {
            let values = tables.iter().flat_map(|t| {
                (3..t.len()).map(move |row| third_difference(t, row, dof, fps).powi(2))
            });
            let (sum, n) = values.fold((0.0, 0.0_f64), |(sum, n), v| (sum + v, n + 1.0));
            (sum / n.max(1.0)).sqrt()
        })
        .collect();
    quantile(&each, 0.5)
}

fn clip_report(
    clip: &Clip,
    table: &StandardisedCurves,
    chart: &DofChart,
    distances: &[f64],
    jerk_ratio: f64,
    ground: Option<&FootLevels>,
    fps: f64,
) -> Result<ClipReport, MetricError> {
    let slide = ground.map(|g| foot_slide(clip, g, fps)).transpose()?;
    let depth = ground.map(|g| penetration(clip, g, fps)).transpose()?;
    let far = (0..table.len()).max_by(|&i, &j| distances[i].total_cmp(&distances[j]));
    let far = far.unwrap_or(0);
    Ok(ClipReport {
        name: clip.info.name.clone(),
        nn: mean(distances),
        nn_worst: Worst {
            value: distances[far],
            frame: table.frames[far],
            joint: strongest(chart, |dof| table.get(far, dof).abs()),
        },
        jerk_ratio,
        jerk_worst: jerk_worst(table, chart, fps),
        foot_slide: slide.as_ref().map(|s| s.speed),
        foot_slide_units: slide.as_ref().map(|s| in_units(clip, s.speed)),
        foot_slide_worst: slide.as_ref().map(|s| s.worst),
        penetration: depth.as_ref().map(|d| d.depth),
        penetration_worst: depth.as_ref().map(|d| d.worst),
        loop_gap: loop_gap(clip)?,
        copied_frames: distances.iter().filter(|d| **d < COPY).count(),
    })
}

/// The joint of the degree of freedom with the largest value.
fn strongest(chart: &DofChart, value: impl Fn(usize) -> f64) -> usize {
    let dofs = 0..chart.n_dofs();
    let strongest = dofs.max_by(|&i, &j| value(i).total_cmp(&value(j)));
    strongest.map_or(0, |dof| chart.dofs()[dof].joint)
}

fn jerk_worst(table: &StandardisedCurves, chart: &DofChart, fps: f64) -> Worst {
    let at = |row: usize| {
        let squares = (0..table.n_dofs).map(|dof| third_difference(table, row, dof, fps).powi(2));
        (squares.sum::<f64>() / table.n_dofs.max(1) as f64).sqrt()
    };
    let mut worst = Worst::NONE;
    for row in 3..table.len() {
        let value = at(row);
        if value > worst.value {
            let joint = strongest(chart, |dof| third_difference(table, row, dof, fps).abs());
            worst.keep(value, table.frames[row - 1], joint);
        }
    }
    worst
}

/// The smaller gap of the clip as a loop with or without its last frame; `None` if it is too short to have one.
fn loop_gap(clip: &Clip) -> Result<Option<f64>, MetricError> {
    let n = clip.n_frames();
    if n < 8 {
        return Ok(None);
    }
    let whole = closure(clip, &(0..n))?.seam.pose;
    let without = closure(clip, &(0..n - 1))?.seam.pose;
    Ok(Some(whole.min(without)))
}

/// Mean slide and depth over clips, by their length.
fn feet_of(clips: &[&Clip], ground: &FootLevels, fps: f64) -> Result<(f64, f64), MetricError> {
    let (mut slides, mut downs, mut depths, mut seconds) = (0.0, 0.0, 0.0, 0.0);
    for clip in clips {
        let slide = foot_slide(clip, ground, fps)?;
        let depth = penetration(clip, ground, fps)?;
        let down = slide.down_share * clip.seconds();
        slides += slide.speed * down;
        downs += down;
        depths += depth.depth * clip.seconds();
        seconds += clip.seconds();
    }
    let speed = if downs > 0.0 { slides / downs } else { 0.0 };
    Ok((speed, depths / seconds))
}
