//! Cleaning raw takes by a recipe: the steps that are ticked, always in the same order, on any number of clips.
//!
//! The order is the one in which the steps cannot spoil each other: what is not motion goes first (T-pose, glitches),
//! then size and axes are settled, then the floor, then the feet that stand on it. What the result is used for
//! (on the spot, mirrored, another rate) comes last.

mod recipe;
pub mod ui;
pub mod view;

use std::sync::Arc;

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;

pub use recipe::{Done, Findings, Recipe, Rinsed, clean, in_words, slide_of, slide_words};

/// What was done to many clips.
#[derive(Debug, Default)]
struct Washed {
    changed: Vec<(ClipId, Arc<Clip>, Arc<Clip>)>,
    n_same: usize,
    done: Vec<Done>,
    failed: Vec<String>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{self, Action};
    use crate::motion::body;
    use crate::motion::edit;
    use crate::motion::edit::Unit;

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
