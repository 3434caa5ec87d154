//! Cleaning raw takes by a recipe: the steps that are ticked, always in the same order, on any number of clips.
//!
//! The order is the one in which the steps cannot spoil each other: what is not motion goes first (T-pose, glitches),
//! then size and axes are settled, then the floor, then the feet that stand on it. What the result is used for
//! (on the spot, mirrored, another rate) comes last.

pub mod ui;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{DeliveryTo, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::words::slide_cm;
use crate::document::{ClipId, Command};
use crate::jobs::{Cancelled, Ticket};
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
    /// Joints that jump.
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

/// What was done to many clips.
#[derive(Debug, Default)]
struct Washed {
    changed: Vec<(ClipId, Arc<Clip>, Arc<Clip>)>,
    n_same: usize,
    done: Vec<Done>,
    failed: Vec<String>,
}

/// Cleaned clips for the 3D view, with what they came from.
#[derive(Debug, Clone)]
pub struct Rinsed {
    recipe: Recipe,
    from: BTreeMap<ClipId, Arc<Clip>>,
    /// As they would become.
    pub clips: BTreeMap<ClipId, Arc<Clip>>,
    /// What was done to each.
    pub done: BTreeMap<ClipId, Done>,
    /// Why some could not be cleaned.
    pub failed: Vec<String>,
}

impl Rinsed {
    fn is_of(&self, recipe: &Recipe, clips: &[(ClipId, Arc<Clip>)]) -> bool {
        self.recipe == *recipe
            && self.from.len() == clips.len()
            && clips
                .iter()
                .all(|(id, clip)| self.from.get(id).is_some_and(|c| Arc::ptr_eq(c, clip)))
    }
}

/// More clips than these are not previewed at once: the view would be a crowd and the wait long.
pub const MOST_PREVIEWED: usize = 12;
const LOOK: &str = "look for what to clean";
const PREVIEW: &str = "preview cleaning";

impl LibraryWorkspace {
    /// What there is to clean in the active clip, once it is known.
    pub fn findings(&mut self, cx: &mut UiContext) -> Option<Arc<Findings>> {
        let id = cx.session.active?;
        let clip = Arc::clone(cx.document().clip(id)?);
        if let Some((seen, findings)) = &self.clean.findings
            && Arc::ptr_eq(seen, &clip)
        {
            return Some(Arc::clone(findings));
        }
        if !cx.work.is_running(LOOK) {
            self.inbox.start(cx, LOOK, Shown::Quietly, move |_| {
                let findings = Arc::new(Findings::of(&clip));
                let delivery: DeliveryTo<Self> = Box::new(move |library, _| {
                    library.clean.findings = Some((clip, findings));
                });
                Ok(delivery)
            });
        }
        None
    }

    /// The selected clips as the recipe would make them, once that is worked out.
    pub fn rinsed(&mut self, cx: &mut UiContext) -> Option<&Rinsed> {
        let recipe = self.clean.recipe;
        let ids: Vec<ClipId> = cx.session.active.into_iter().collect();
        let others = cx.session.selection.iter().copied();
        let others = others.filter(|id| !ids.contains(id));
        let ids = ids.iter().copied().chain(others).take(MOST_PREVIEWED);
        let clip = |id| Some((id, Arc::clone(cx.document().clip(id)?)));
        let clips: Vec<(ClipId, Arc<Clip>)> = ids.filter_map(clip).collect();
        let made = self.clean.rinsed.as_ref();
        if made.is_some_and(|made| made.is_of(&recipe, &clips)) {
            return self.clean.rinsed.as_ref();
        }
        if !cx.work.is_running(PREVIEW) {
            self.inbox
                .start(cx, PREVIEW, Shown::Quietly, move |ticket| {
                    let washed = wash(&clips, &recipe, ticket)?;
                    let rinsed = Rinsed {
                        recipe,
                        clips: washed
                            .changed
                            .iter()
                            .map(|(id, _, c)| (*id, Arc::clone(c)))
                            .collect(),
                        done: washed
                            .changed
                            .iter()
                            .map(|c| c.0)
                            .zip(washed.done)
                            .collect(),
                        from: clips.into_iter().collect(),
                        failed: washed.failed,
                    };
                    let delivery: DeliveryTo<Self> = Box::new(move |library, _| {
                        library.clean.rinsed = Some(rinsed);
                    });
                    Ok(delivery)
                });
        }
        None
    }

    /// Carries out the recipe on all selected clips, as one step.
    pub fn clean_selected(&mut self, cx: &mut UiContext, recipe: Recipe) {
        let clips = cx.selected_clips();
        if clips.is_empty() || recipe.is_empty() {
            return;
        }
        let name = format!("clean {}", counted(clips.len(), "clip"));
        self.inbox.start(cx, name, Shown::InBar, move |ticket| {
            let washed = wash(&clips, &recipe, ticket)?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |library, shell| library.take_washed(shell, washed));
            Ok(delivery)
        });
    }

    fn take_washed(&mut self, shell: &mut Shell, washed: Washed) {
        let n_found = washed.changed.len();
        let mut clips = Vec::with_capacity(n_found);
        for (id, before, after) in washed.changed {
            if shell
                .document()
                .clip(id)
                .is_some_and(|now| Arc::ptr_eq(now, &before))
            {
                clips.push((id, after));
            }
        }
        let n_moved_on = n_found - clips.len();
        let mut words = vec![format!("{} cleaned", counted(clips.len(), "clip"))];
        words.extend(in_words(&washed.done));
        if washed.n_same > 0 {
            words.push(format!("{} needed nothing", washed.n_same));
        }
        if n_moved_on > 0 {
            words.push(format!(
                "{n_moved_on} left alone because they changed meanwhile"
            ));
        }
        if !clips.is_empty() {
            let what = "clean".to_owned();
            shell.edit(Command::ReplaceClips { what, clips });
        }
        shell.say(Severity::Done, words.join(", "));
        let left_out = washed.done.into_iter().filter_map(|done| done.left_out);
        for failure in washed.failed.into_iter().chain(left_out) {
            shell.say(Severity::Error, failure);
        }
        self.clean.recipe = Recipe {
            unit_now: self.clean.recipe.unit_now,
            ..Recipe::default()
        };
    }
}

fn wash(
    clips: &[(ClipId, Arc<Clip>)],
    recipe: &Recipe,
    ticket: &Ticket,
) -> Result<Washed, Cancelled> {
    let results = ticket.each(clips, |(_, clip)| clean(clip, recipe))?;
    let mut washed = Washed::default();
    for ((id, before), result) in clips.iter().zip(results) {
        match result {
            Ok((after, _)) if after == **before => washed.n_same += 1,
            Ok((after, done)) => {
                let change = (*id, Arc::clone(before), Arc::new(after));
                washed.changed.push(change);
                washed.done.push(done);
            }
            Err(error) => washed.failed.push(format!("{}: {error}", before.info.name)),
        }
    }
    Ok(washed)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{self, Action};

    fn walk() -> Clip {
        demo::make(Action::Walk, 7, 0).clip
    }

    #[test]
    fn an_empty_recipe_changes_nothing() {
        let recipe = Recipe {
            unit_now: Some(Unit::Inch),
            ..Recipe::default()
        };
        assert!(recipe.is_empty(), "saying the unit alone does nothing");
        let (same, done) = clean(&walk(), &recipe).unwrap();
        assert_eq!(same, walk());
        assert_eq!(done, Done::default());
    }

    #[test]
    fn planted_dirt_is_found_counted_and_gone() {
        let clean_walk = walk();
        let raised =
            edit::set_floor(&clean_walk, edit::find_floor(&clean_walk).height - 31.0).unwrap();
        let with_t = edit::prepend_tpose(&raised).unwrap();
        let mut motion = with_t.motion().clone();
        let n_joints = with_t.skeleton().n_joints();
        let (frame, joint) = (30, 5);
        let wrong = crate::motion::rotation::about(crate::motion::Dim::X, 1.2);
        motion.rotations[frame * n_joints + joint] *= wrong;
        let skeleton = Arc::clone(with_t.skeleton());
        let dirty = Clip::new(with_t.info.clone(), skeleton, motion).unwrap();
        let findings = Findings::of(&dirty);
        assert_eq!(findings.n_tpose, 1);
        let marked: Vec<_> = findings
            .glitches
            .iter()
            .map(|g| (g.frame, g.joint))
            .collect();
        assert_eq!(marked, [(frame, joint)]);
        let recipe = Recipe {
            drops_tpose: true,
            mends_glitches: true,
            sets_floor: true,
            plants_feet: true,
            ..Recipe::default()
        };
        let (washed, done) = clean(&dirty, &recipe).unwrap();
        assert_eq!((done.n_tpose, done.n_mended), (1, 1));
        let moved = done.floor_moved.unwrap();
        assert!((moved - 31.0).abs() < 1.0, "the floor was at {moved}");
        assert_eq!(washed.n_frames(), clean_walk.n_frames());
        let again = Findings::of(&washed);
        assert_eq!((again.n_tpose, again.glitches.len()), (0, 0));
        // Planting moves feet by a little, up and down too; this body is 173 cm tall.
        assert!(again.floor.abs() < 0.1, "{}", again.floor);
        let words = in_words(&[done]).join(", ");
        assert!(
            words.contains("1 T-pose frame dropped, 1 spike removed"),
            "{words}"
        );
    }

    #[test]
    fn units_are_guessed_or_said() {
        let clip = walk();
        let recipe = Recipe {
            unit: Some(Unit::Metre),
            ..Recipe::default()
        };
        let (metres, done) = clean(&clip, &recipe).unwrap();
        let guess = edit::guess_unit(&clip).unit.metres();
        assert!((done.scale.unwrap() - guess).abs() < 1e-12, "{done:?}");
        let height = body::height(&metres);
        assert!((1.3..2.0).contains(&height), "{height} m");
        let said = Recipe {
            unit_now: Some(Unit::Metre),
            ..recipe
        };
        assert_eq!(clean(&clip, &said).unwrap().1.scale, None, "already");
    }
}
