//! A clip bent and stretched along a curve, so that its smoothed root lies on it.
//!
//! X is the root on the floor, S its mean over a gait cycle, s the arc length of S, stretched evenly to the length of
//! the curve c. Each frame is turned by Delta, the direction of c at s less that of S, and goes to
//!
//! ```text
//! X' = c(s) + Rot(Delta) (X - S)
//! ```
//!
//! so sway and lean of every step stay what they were. Turning moves the mean a little, so c(s) less the mean of X'
//! is added in the end, in some rounds. Each round would add the whole of what the mean does not see, the corners
//! between samples of c and the ends of its bows, and hips would go round a bow in kinks of 15 to 60 degrees. So what
//! is added is averaged over a short time, which comes nearer to the curve, too. Projecting every frame on the curve
//! instead would stop and start the body within each step; in a pilot that doubled the skating of the feet.
//!
//! A constant Delta only turns the whole walk: feet are dragged by what Delta *changes* while they stand. How fast it
//! does is reported; [`super::lock`] puts the feet down again.

use super::gait::{GaitCycle, gait_cycle};
use super::smooth::{smoothed, smoothed_values};
use super::{FloorPath, Vec2, heading_of, in_world, on_floor, turned};
use crate::motion::edit::{EditError, trim};
use crate::motion::heading::turn;
use crate::motion::root_mover::{WorldMove, moved, mover_joint};
use crate::motion::rotation::wrap;
use crate::motion::setting::{BadSetting, check_least};
use crate::motion::{Clip, ClipError, HeadingFrame, body};

/// Slower than this, in body heights a second, the root has no direction of its own.
const STANDS: f64 = 0.06;
/// Rounds of bringing the mean back onto the curve.
const ROUNDS: usize = 4;

/// How a clip is warped.
#[derive(Debug, Clone, PartialEq)]
pub struct WarpSettings {
    /// The root is averaged over this time; `None` takes the gait cycle of the clip at each moment.
    pub smoothing_secs: Option<f64>,
    /// Turns and moves are averaged over this time, so that feet are not turned by what is left of the sway, nor hips
    /// thrown by what is left of corners.
    pub turn_secs: f64,
    /// Steps may become this many times longer or shorter. What is still missing of the curve then is not walked, and
    /// what would go beyond its end is cut off.
    pub most_stretch: f64,
}

impl Default for WarpSettings {
    fn default() -> Self {
        Self {
            smoothing_secs: None,
            turn_secs: 0.27,
            most_stretch: 1.15,
        }
    }
}

/// Why a clip cannot be warped.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WarpError {
    /// The smoothed root stays where it is.
    #[error("clip \"{0}\" goes nowhere, so it cannot follow a path")]
    Stands(String),
    /// A setting cannot be meant.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// What goes beyond the curve cannot be cut off.
    #[error(transparent)]
    Cut(EditError),
    /// The warped numbers overflow, so there is no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A clip on its curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Warped {
    /// With the contacts of the given clip; feet are not locked yet.
    pub clip: Clip,
    /// Frames at the end that were cut off, because they go on beyond the curve.
    pub n_cut: usize,
    /// The arc length of the curve at each frame that is left.
    pub arcs: Vec<f64>,
    /// By how much steps were made longer.
    pub stretch: f64,
    /// How far the turn changes in a second, at most; radians.
    pub most_turning: f64,
    /// The cycle that the root was averaged over.
    pub cycle: GaitCycle,
}

/// Warps a clip along a curve in the units of the clip.
pub fn warp(
    clip: &Clip,
    heading: &HeadingFrame,
    path: &FloorPath,
    settings: &WarpSettings,
) -> Result<Warped, WarpError> {
    let warped = warp_all(clip, heading, path, settings)?;
    let is_inside = |s: &f64| *s <= path.length() * (1.0 + 1e-6);
    let n_inside = warped.arcs.partition_point(is_inside);
    if n_inside == clip.n_frames() {
        return Ok(warped);
    }
    // Cut first and warped again, so that the mean at the new end is that of what is left.
    let kept = trim(clip, 0..n_inside).map_err(WarpError::Cut)?;
    let mut short = warp_all(&kept, heading, path, settings)?;
    short.n_cut = clip.n_frames() - n_inside;
    Ok(short)
}

/// The same without a look at the end.
fn warp_all(
    clip: &Clip,
    heading: &HeadingFrame,
    path: &FloorPath,
    settings: &WarpSettings,
) -> Result<Warped, WarpError> {
    check(settings)?;
    let (up, fps) = (heading.up, clip.fps());
    let track = heading.track(clip);
    let root: Vec<Vec2> = track.positions.iter().map(|p| on_floor(up, p)).collect();
    let cycle = match settings.smoothing_secs {
        Some(secs) => GaitCycle::constant(secs, clip.n_frames()),
        None => gait_cycle(clip, heading),
    };
    let widths = cycle.frames(fps);
    let mean = smoothed(&root, &widths);
    let mut arcs = arc_lengths(&mean);
    let walked = arcs[arcs.len() - 1];
    let height = body::height(clip);
    if walked < 0.1 * height {
        return Err(WarpError::Stands(clip.info.name.clone()));
    }
    let wanted = path.length() / walked;
    let stretch = wanted.clamp(1.0 / settings.most_stretch, settings.most_stretch);
    for arc in &mut arcs {
        *arc *= stretch;
    }
    let courses = courses(&mean, STANDS * height / fps, fps);
    let turns: Vec<f64> = arcs
        .iter()
        .zip(&courses)
        .map(|(s, course)| path.heading(*s) - course)
        .collect();
    let short = settings.turn_secs * fps;
    let turns = smoothed_values(&unwrapped(&turns), short);
    let on_curve: Vec<Vec2> = arcs.iter().map(|s| path.place(*s)).collect();
    let new_root = placed(
        &on_curve,
        &root,
        &mean,
        &turns,
        [&widths, &vec![short; root.len()]],
    );
    let by = |frame: usize| {
        let shift = in_world(up, &(new_root[frame] - root[frame]));
        WorldMove::about(&track.positions[frame], turn(up, turns[frame])).then_shifted(&shift)
    };
    let motion = moved(clip, mover_joint(clip), by);
    let mut info = clip.info.clone();
    info.history.push("warped along a path".to_owned());
    let made = Clip::new(info, std::sync::Arc::clone(clip.skeleton()), motion)?
        .with_contacts(clip.contacts().to_vec())?;
    let steps = turns.windows(2).map(|t| (t[1] - t[0]).abs() * fps);
    Ok(Warped {
        clip: made,
        n_cut: 0,
        arcs,
        stretch,
        most_turning: steps.fold(0.0, f64::max),
        cycle,
    })
}

fn check(settings: &WarpSettings) -> Result<(), BadSetting> {
    check_least([
        (
            "smoothing_secs",
            settings.smoothing_secs.unwrap_or(0.0),
            0.0,
        ),
        ("turn_secs", settings.turn_secs, 0.0),
        ("most_stretch", settings.most_stretch, 1.0),
    ])
}

/// Where each frame of the root comes to be, with the widths of its mean and of what is added.
fn placed(
    on_curve: &[Vec2],
    root: &[Vec2],
    mean: &[Vec2],
    turns: &[f64],
    [widths, short]: [&[f64]; 2],
) -> Vec<Vec2> {
    let base = smoothed(on_curve, short);
    let mut places: Vec<Vec2> = (0..root.len())
        .map(|f| base[f] + turned(&(root[f] - mean[f]), turns[f]))
        .collect();
    for _ in 0..ROUNDS {
        let means = smoothed(&places, widths);
        let off: Vec<Vec2> = on_curve.iter().zip(&means).map(|(c, m)| c - m).collect();
        for (place, off) in places.iter_mut().zip(smoothed(&off, short)) {
            *place += off;
        }
    }
    places
}

fn arc_lengths(curve: &[Vec2]) -> Vec<f64> {
    let mut arcs = vec![0.0];
    for pair in curve.windows(2) {
        arcs.push(arcs[arcs.len() - 1] + (pair[1] - pair[0]).norm());
    }
    arcs
}

/// The direction of a curve at each frame; where it stands, that of the frames around.
fn courses(curve: &[Vec2], stands: f64, fps: f64) -> Vec<f64> {
    /// How far to each side the direction is taken.
    const REACH_SECS: f64 = 0.07;
    let reach = ((REACH_SECS * fps).round() as usize).max(1);
    let last = curve.len() - 1;
    let mut known: Vec<Option<f64>> = (0..curve.len())
        .map(|at| {
            let (from, to) = (at.saturating_sub(reach), (at + reach).min(last));
            let way = curve[to] - curve[from];
            (way.norm() > stands * (to - from) as f64).then(|| heading_of(&way))
        })
        .collect();
    let mut before = None;
    for course in &mut known {
        *course = course.or(before);
        before = *course;
    }
    let mut after = None;
    for course in known.iter_mut().rev() {
        *course = course.or(after);
        after = *course;
    }
    known.into_iter().map(|c| c.unwrap_or(0.0)).collect()
}

/// Angles without jumps of a whole turn. A root that turns back within a frame has no direction in between; half turns
/// are taken to the left.
fn unwrapped(angles: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = Vec::with_capacity(angles.len());
    for angle in angles {
        let before = all.last().copied().unwrap_or(*angle);
        all.push(before + wrap(angle - before));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::path::tests::{dragged, gliding};
    use crate::motion::path::{PathPoint, PathSettings, path_fit};

    /// An S of two metres.
    fn path() -> FloorPath {
        let points: Vec<PathPoint> = (0..=60)
            .map(|i| {
                let t = f64::from(i) / 10.0;
                PathPoint::at(5.0 + 0.8 * t.sin(), t)
            })
            .collect();
        FloorPath::new(&points, &PathSettings { least_radius: 0.5 }).unwrap()
    }

    /// A walk with sway along a gentle arc, far from the path, facing where it goes.
    fn walk() -> Clip {
        gliding(160, |f| {
            let angle = 0.004 * f;
            let sway = 0.03 * (std::f64::consts::TAU * f / 33.0).sin();
            let arc = Vec2::new((10.0 + sway) * angle.cos(), (10.0 + sway) * angle.sin());
            (arc, -angle)
        })
    }

    #[test]
    fn the_smoothed_root_lies_on_the_curve_and_the_sway_stays() {
        let (clip, path) = (walk(), path());
        let heading = HeadingFrame::learn(&[&clip]);
        let warped = warp(&clip, &heading, &path, &WarpSettings::default()).unwrap();
        assert!((warped.stretch - 1.03).abs() < 0.1, "{}", warped.stretch);
        let fit = path_fit(&warped.clip, &heading, &path, &warped.cycle, 1.0);
        assert!(fit.mean < 4e-3 && fit.p95 < 0.01, "{fit:?}");
        assert!(fit.hits == 1.0 && fit.covered > 0.99, "{fit:?}");
        let track = heading.track(&warped.clip);
        // A body without a left and a right has headings up to a constant; the walk begins with 0.
        let zero = heading.track(&clip).headings[0];
        for frame in 20..140 {
            let s = warped.arcs[frame];
            let facing = wrap(track.headings[frame] - zero - path.heading(s));
            assert!(facing.abs() < 0.15, "frame {frame}: {facing} off the curve");
        }
        let sway = |frame: usize| {
            let place = on_floor(heading.up, &track.positions[frame]);
            (place - path.place(warped.arcs[frame])).norm()
        };
        let most = (40..120).map(sway).fold(0.0, f64::max);
        // Of its own 3 cm, and of the bows that the mean cuts.
        assert!((0.03..0.15).contains(&most), "sway of {most}");
    }

    /// A square is a line of straight pieces; hips that go round it do so in a bow.
    #[test]
    fn corners_are_gone_round_without_kinks() {
        let walk = gliding(320, |f| {
            let sway = 0.03 * (std::f64::consts::TAU * f / 33.0).sin();
            (Vec2::new(sway, 0.04 * f), 0.0)
        });
        let heading = HeadingFrame::learn(&[&walk]);
        let corners = [(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0)];
        let corners = corners.map(|(x, y)| PathPoint::at(x, y));
        let path = FloorPath::new(&corners, &PathSettings { least_radius: 1.0 }).unwrap();
        let warped = warp(&walk, &heading, &path, &WarpSettings::default()).unwrap();
        let fit = path_fit(&warped.clip, &heading, &path, &warped.cycle, 1.0);
        assert!(fit.mean < 0.01 && fit.p95 < 0.02, "{fit:?}");
        let track = heading.track(&warped.clip);
        let places = track.positions.iter().map(|p| on_floor(heading.up, p));
        let places: Vec<Vec2> = places.collect();
        let bends = places.windows(3).map(|p| (p[0] + p[2] - p[1] * 2.0).norm());
        let most = bends.fold(0.0, f64::max);
        // Four centimetres a frame round a metre bend by 0.16 cm; what is added at the ends of a bow is not averaged
        // away.
        assert!(most < 0.009, "velocity changes by {most} m in a frame");
    }

    #[test]
    fn contacts_are_kept() {
        let clip = dragged(0.05);
        let heading = HeadingFrame::learn(&[&clip]);
        let warped = warp(&clip, &heading, &path(), &WarpSettings::default()).unwrap();
        assert_eq!(warped.clip.contacts(), clip.contacts());
        assert_eq!(
            warped.stretch, 1.15,
            "a clip of two metres is not drawn out"
        );
    }

    #[test]
    fn what_is_too_long_ends_with_the_curve() {
        let clip = gliding(600, |f| (Vec2::new(0.0, 0.04 * f), 0.0));
        let heading = HeadingFrame::learn(&[&clip]);
        let path = path();
        let warped = warp(&clip, &heading, &path, &WarpSettings::default()).unwrap();
        assert!(warped.n_cut > 300, "{}", warped.n_cut);
        assert_eq!(warped.clip.n_frames() + warped.n_cut, 600);
        let fit = path_fit(&warped.clip, &heading, &path, &warped.cycle, 1.0);
        assert!(fit.max < 0.06 && fit.covered > 0.99, "{fit:?}");
    }

    #[test]
    fn what_stands_or_has_one_frame_is_refused() {
        for n in [1, 40] {
            let clip = gliding(n, |_| (Vec2::zeros(), 0.0));
            let heading = HeadingFrame::learn(&[&clip]);
            let refused = warp(&clip, &heading, &path(), &WarpSettings::default());
            assert_eq!(refused, Err(WarpError::Stands("gliding".to_owned())));
        }
    }

    #[test]
    fn every_refusal_of_the_settings() {
        let base = WarpSettings::default;
        let cases = [
            WarpSettings {
                smoothing_secs: Some(f64::NAN),
                ..base()
            },
            WarpSettings {
                turn_secs: -1.0,
                ..base()
            },
            WarpSettings {
                most_stretch: 0.5,
                ..base()
            },
        ];
        let clip = walk();
        let heading = HeadingFrame::learn(&[&clip]);
        for settings in cases {
            let made = warp(&clip, &heading, &path(), &settings);
            assert!(matches!(made, Err(WarpError::Setting(_))), "{settings:?}");
        }
    }
}
