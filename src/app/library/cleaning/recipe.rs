//! What a clip is cleaned of, and what was found and done: without the window.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::shell::words::{counted, slide_cm};
use crate::document::ClipId;
use crate::motion::edit::{self, Glitch, InPlace, Unit, UnitGuess};
use crate::motion::foot_slide::{self, FootSlideSettings};
use crate::motion::metrics::{FootLevels, foot_slide as measure_slide};
use crate::motion::{Axis, Clip, body};

/// What is to be done to each clip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Recipe {
    /// Takes off a T-pose that a converter put before the motion.
    pub drops_tpose: bool,
    /// Mends joints that jump for a few frames.
    pub mends_glitches: bool,
    /// Says that this way is up, where the file was misread; nothing is turned.
    pub declared_up: Option<Axis>,
    /// Turns the motion so that this way is up.
    pub up: Option<Axis>,
    /// Makes this the unit of length.
    pub unit: Option<Unit>,
    /// What one unit of the clips is now; none guesses it for each clip from the height of its body.
    pub unit_now: Option<Unit>,
    /// Puts the floor at height zero.
    pub sets_floor: bool,
    /// Holds feet still while they stand.
    pub plants_feet: bool,
    /// Takes out the travel.
    pub in_place: Option<InPlace>,
    /// Swaps left and right.
    pub mirrors: bool,
    /// Frames a second to resample to; none leaves the rate.
    pub fps: Option<f64>,
}

impl Recipe {
    /// Whether it does nothing.
    pub fn is_empty(&self) -> bool {
        let unit_now = self.unit_now;
        *self
            == Self {
                unit_now,
                ..Self::default()
            }
    }
}

/// What a recipe did to one clip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Done {
    /// Frames of the T-pose that went.
    pub n_tpose: usize,
    /// Joints mended, counted once for each frame.
    pub n_mended: usize,
    /// How far the floor was from zero, in the units of the result.
    pub floor_moved: Option<f64>,
    /// By how much all lengths were multiplied.
    pub scale: Option<f64>,
    /// Median speed of standing feet before and after, in body heights a second.
    pub slide: Option<(f64, f64)>,
    /// Contacts that were held.
    pub n_contacts: usize,
    /// Something that could not be done and was left out.
    pub left_out: Option<String>,
}

/// Carries out a recipe.
pub fn clean(clip: &Clip, recipe: &Recipe) -> anyhow::Result<(Clip, Done)> {
    let mut done = Done::default();
    let mut clip = clip.clone();
    if let Some(up) = recipe.declared_up {
        clip = edit::declare_up(&clip, up);
    }
    if recipe.drops_tpose {
        done.n_tpose = edit::leading_tpose_frames(&clip);
        clip = edit::drop_tpose(&clip)?;
    }
    if recipe.mends_glitches {
        let glitches = glitches_after(&clip, edit::leading_tpose_frames(&clip));
        done.n_mended = glitches.len();
        clip = edit::mend_glitches(&clip, &glitches)?;
    }
    if let Some(unit) = recipe.unit {
        let factor = scale_to(&clip, recipe.unit_now, unit)?;
        if (factor - 1.0).abs() > 1e-9 {
            clip = edit::scale(&clip, factor)?;
            done.scale = Some(factor);
        }
    }
    if let Some(up) = recipe.up {
        clip = edit::set_up(&clip, up)?;
    }
    if recipe.sets_floor {
        let height = edit::find_floor(&clip).height;
        if height.abs() > 1e-6 * body::height(&clip) {
            clip = edit::set_floor(&clip, height)?;
            done.floor_moved = Some(height);
        }
    }
    if recipe.plants_feet {
        clip = plant_feet(clip, &mut done);
    }
    if let Some(what) = recipe.in_place {
        clip = edit::root_in_place(&clip, what)?.0;
    }
    if recipe.mirrors {
        clip = edit::mirror(&clip)?;
    }
    if let Some(fps) = recipe.fps {
        clip = edit::resample(&clip, fps)?;
    }
    Ok((clip, done))
}

/// A body without feet is no reason to leave out everything else.
fn plant_feet(clip: Clip, done: &mut Done) -> Clip {
    match foot_slide::remove(&clip, &FootSlideSettings::default()) {
        Ok(cleaned) => {
            done.n_contacts = cleaned.holds.len();
            done.slide = slide_of(&clip).zip(slide_of(&cleaned.clip));
            cleaned.clip
        }
        Err(error) => {
            done.left_out = Some(format!("feet of {}: {error}", clip.info.name));
            clip
        }
    }
}

/// Median speed of standing feet, in body heights a second.
pub fn slide_of(clip: &Clip) -> Option<f64> {
    let ground = FootLevels::learn(&[clip]).ok()?;
    Some(measure_slide(clip, &ground, clip.fps()).ok()?.speed)
}

/// By how much to multiply lengths; a unit that cannot be told from the body has to be said.
fn scale_to(clip: &Clip, now: Option<Unit>, unit: Unit) -> anyhow::Result<f64> {
    const SURE: f64 = 0.5;
    let now = if let Some(now) = now {
        now
    } else {
        let guess = edit::guess_unit(clip);
        anyhow::ensure!(
            guess.confidence >= SURE,
            "the unit cannot be told from the height of the body ({:.3} units): say what it is now",
            guess.height_units
        );
        guess.unit
    };
    Ok(now.metres() / unit.metres())
}

/// What there is to clean in a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// Frames of a T-pose before the motion.
    pub n_tpose: usize,
    /// Joints that jump for a few frames, with where and how far.
    pub glitches: Vec<Glitch>,
    /// Where the floor is.
    pub floor: f64,
    /// The unit that the height of the body speaks for.
    pub unit: UnitGuess,
    /// Median speed of standing feet, in body heights a second; none without feet.
    pub slide: Option<f64>,
}

impl Findings {
    /// Looks at a clip.
    pub fn of(clip: &Clip) -> Self {
        let n_tpose = edit::leading_tpose_frames(clip);
        Self {
            n_tpose,
            glitches: glitches_after(clip, n_tpose),
            floor: edit::find_floor(clip).height,
            unit: edit::guess_unit(clip),
            slide: slide_of(clip),
        }
    }
}

/// The way out of a T-pose is a jump of all joints, but no glitch.
fn glitches_after(clip: &Clip, n_tpose: usize) -> Vec<Glitch> {
    let Ok(motion) = edit::trim(clip, n_tpose..clip.n_frames()) else {
        return Vec::new();
    };
    let mut found = edit::find_glitches(&motion);
    for glitch in &mut found {
        glitch.frame += n_tpose;
    }
    found
}

/// Cleaned clips for the 3D view, with what they came from.
#[derive(Debug, Clone)]
pub struct Rinsed {
    pub(super) recipe: Recipe,
    pub(super) from: BTreeMap<ClipId, Arc<Clip>>,
    /// As they would become.
    pub clips: BTreeMap<ClipId, Arc<Clip>>,
    /// What was done to each.
    pub done: BTreeMap<ClipId, Done>,
    /// Why some could not be cleaned.
    pub failed: Vec<String>,
}

impl Rinsed {
    pub(super) fn is_of(&self, recipe: &Recipe, clips: &[(ClipId, Arc<Clip>)]) -> bool {
        self.recipe == *recipe
            && self.from.len() == clips.len()
            && clips
                .iter()
                .all(|(id, clip)| self.from.get(id).is_some_and(|c| Arc::ptr_eq(c, clip)))
    }
}

/// What was done to all of them, in numbers.
pub fn in_words(done: &[Done]) -> Vec<String> {
    let mut words = Vec::new();
    let n_tpose: usize = done.iter().map(|d| d.n_tpose).sum();
    if n_tpose > 0 {
        words.push(format!("{} dropped", counted(n_tpose, "T-pose frame")));
    }
    let n_mended: usize = done.iter().map(|d| d.n_mended).sum();
    if n_mended > 0 {
        words.push(format!("{} removed", counted(n_mended, "spike")));
    }
    let n_scaled = done.iter().filter(|d| d.scale.is_some()).count();
    if let Some(factor) = done.iter().find_map(|d| d.scale) {
        let times = crate::app::shell::ui::short(factor);
        words.push(format!("{n_scaled} scaled (the first by {times})"));
    }
    let n_floors = done.iter().filter(|d| d.floor_moved.is_some()).count();
    if n_floors > 0 {
        words.push(format!("{} moved to zero", counted(n_floors, "floor")));
    }
    let slides: Vec<(f64, f64)> = done.iter().filter_map(|d| d.slide).collect();
    if !slides.is_empty() {
        let n = slides.len() as f64;
        let before = slides.iter().map(|s| s.0).sum::<f64>() / n;
        let after = slides.iter().map(|s| s.1).sum::<f64>() / n;
        words.push(slide_words(before, after));
    }
    words
}

/// Body heights a second as centimetres of a grown-up, which an animator can picture.
pub fn slide_words(before: f64, after: f64) -> String {
    let (before, after) = (slide_cm(before), slide_cm(after));
    format!("standing feet slid {before:.1} cm/s, now {after:.1}")
}
