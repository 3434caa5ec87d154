//! Keyframes at work: every edit of the keys is solved anew in the background, always with the newest keys, while the last
//! motion goes on playing.

use std::sync::Arc;

use super::library::in_pose;
use super::rig::{Part, Rig};
use crate::app::messages::Severity;
use crate::app::panels::pose::{Extra, Ghost};
use crate::app::studio::Studio;
use crate::app::viewport::{Colour, Trail};
use crate::app::work::Shown;
use crate::document::{Command, Document, Keying, Learned, ModelId, Posed, PosedId};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Axis, Clip, ClipInfo, Motion, Pose, Site, Skeleton, Vec3};
use crate::style::solve::{
    Curve, SolveSettings, Solver, Spline, TakeError, TakeFrame, TakeSettings, frames_of,
    on_shared_features,
};
use crate::style::{Style, StyleError};

/// The job that solves keys.
pub const SOLVE: &str = "solve keyframes";

/// Everything that the motion of a character depends on. Comparing costs a few pointers.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// The keys.
    pub keying: Arc<Keying>,
    /// The character's bones.
    pub skeleton: Arc<Skeleton>,
    /// Which way is up.
    pub up: Axis,
    /// The character's own styles.
    pub own: Vec<(ModelId, f64)>,
    /// All styles that take part and know the bones.
    pub styles: Vec<(ModelId, Arc<Style>)>,
}

impl PartialEq for Recipe {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.keying, &other.keying)
            && Arc::ptr_eq(&self.skeleton, &other.skeleton)
            && self.up == other.up
            && self.own == other.own
            && self.styles.len() == other.styles.len()
            && self
                .styles
                .iter()
                .zip(&other.styles)
                .all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
    }
}

impl Recipe {
    /// What a character's motion is made from; none without keys.
    fn of(document: &Document, id: PosedId, posed: &Posed) -> Option<Self> {
        let keying = Arc::clone(document.keying(id)?);
        keying.keyed_frames()?;
        let stretches = keying.stretches.iter().flat_map(|s| &s.styles);
        let mut wanted: Vec<ModelId> = posed.styles.iter().chain(stretches).map(|s| s.0).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let style = |id: ModelId| match &document.model(id)?.learned {
            Learned::Style(style)
                if style.skeleton().same_structure(&posed.skeleton)
                    && style.map().parts().heading.up == posed.up =>
            {
                Some((id, Arc::clone(style)))
            }
            _ => None,
        };
        Some(Self {
            skeleton: Arc::clone(&posed.skeleton),
            up: posed.up,
            own: posed.styles.clone(),
            styles: wanted.into_iter().filter_map(style).collect(),
            keying,
        })
    }

    /// The weights of the styles at a frame, before stretches are faded into one another.
    fn plain_weights(&self, frame: usize) -> Vec<f64> {
        let chosen = self.keying.styles_at(frame).unwrap_or(&self.own);
        let weight = |id: ModelId| {
            let found = chosen.iter().find(|(other, _)| *other == id);
            found.map_or(0.0, |(_, weight)| *weight)
        };
        let weights: Vec<f64> = self.styles.iter().map(|(id, _)| weight(*id)).collect();
        if weights.iter().sum::<f64>() > 0.0 {
            weights
        } else {
            vec![1.0; self.styles.len()]
        }
    }

    /// The weights at a frame: stretches fade into one another over a fifth of a second.
    fn weights(&self, frame: usize) -> Vec<f64> {
        const HALF_FADE_SECS: f64 = 0.1;
        let reach = (HALF_FADE_SECS * self.keying.fps).round() as usize;
        let around = frame.saturating_sub(reach)..=frame + reach;
        let n = around.clone().count() as f64;
        let mut mean = vec![0.0; self.styles.len()];
        for frame in around {
            let weights = self.plain_weights(frame);
            let sum: f64 = weights.iter().sum();
            for (mean, weight) in mean.iter_mut().zip(weights) {
                *mean += weight / (sum * n);
            }
        }
        mean
    }
}

/// The motion of keys, from the first to the last.
#[derive(Debug, Clone)]
pub struct KeyMotion {
    recipe: Recipe,
    /// The frame of the first pose.
    pub first: usize,
    /// One for each frame.
    pub poses: Vec<Pose>,
    /// The ways that handles follow.
    pub curves: Vec<Curve>,
}

impl KeyMotion {
    /// The pose at a moment; before the first key and after the last it stands still.
    pub fn at(&self, frame: f64) -> Pose {
        let last = self.poses.len() - 1;
        let at = (frame - self.first as f64).clamp(0.0, last as f64);
        let before = (at.floor() as usize).min(last);
        let after = (before + 1).min(last);
        Pose::between(
            self.poses[before].as_ref(),
            self.poses[after].as_ref(),
            at - before as f64,
        )
    }
}

/// Why keys make no motion.
#[derive(Debug, thiserror::Error)]
enum KeyError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("the styles cannot be used together: {0}")]
    Style(StyleError),
    #[error("{0}")]
    Solve(String),
}

/// Makes the motion of a recipe.
fn solved(recipe: &Recipe, ticket: &Ticket) -> Result<KeyMotion, KeyError> {
    let keying = &recipe.keying;
    let nothing = || KeyError::Solve("there are no keys".to_owned());
    let span = keying.keyed_frames().ok_or_else(nothing)?;
    let (first, last) = (*span.start(), *span.end());
    let ways = keying.ways.iter();
    let curves: Vec<Curve> = ways
        .filter_map(|way| keying.curve(&recipe.skeleton, way.site))
        .collect();
    let keys = keying.keys.iter();
    let poses = if recipe.styles.is_empty() || first == last {
        let keys = keys.map(|key| (key.frame as f64, key.pose.clone()));
        let spline = Spline::new(keys.collect()).ok_or_else(nothing)?;
        span.map(|frame| spline.at(frame as f64)).collect()
    } else {
        let solver = solver(recipe, ticket)?;
        let mut frames: Vec<TakeFrame> = frames_of(&curves, last + 1).split_off(first);
        if recipe.styles.len() > 1 {
            for (at, frame) in frames.iter_mut().enumerate() {
                frame.weights = recipe.weights(first + at);
            }
        }
        let keys: Vec<(usize, Pose)> = keys
            .map(|key| (key.frame - first, key.pose.clone()))
            .collect();
        let settings = TakeSettings::at(keying.fps);
        match solver.through(&keys, &frames, &settings, ticket) {
            Err(TakeError::Cancelled(cancelled)) => return Err(cancelled.into()),
            poses => poses.map_err(|error| KeyError::Solve(error.to_string()))?,
        }
    };
    Ok(KeyMotion {
        recipe: recipe.clone(),
        first,
        poses,
        curves,
    })
}

fn solver(recipe: &Recipe, ticket: &Ticket) -> Result<Solver, KeyError> {
    let wrong = |error: crate::style::solve::SolveError| KeyError::Solve(error.to_string());
    let refs: Vec<&Style> = recipe.styles.iter().map(|(_, style)| &**style).collect();
    let shared = match on_shared_features(&refs, ticket) {
        Err(StyleError::Cancelled(cancelled)) => return Err(cancelled.into()),
        shared => shared.map_err(KeyError::Style)?,
    };
    let weighted: Vec<(&Style, f64)> = shared.iter().map(|style| (style, 1.0)).collect();
    let solver = Solver::blend(&weighted, SolveSettings::default()).map_err(wrong)?;
    solver.on_skeleton(&recipe.skeleton).map_err(wrong)
}

/// A character as it is seen at a frame of its motion, although the document has it in another pose.
#[derive(Debug, Clone)]
pub struct Adopted {
    /// The document's, to see whether it was changed since.
    base: Arc<Posed>,
    frame: usize,
    /// The motion it was taken from.
    motion: Arc<KeyMotion>,
    /// In the motion's pose.
    pub posed: Arc<Posed>,
}

/// Handles that follow smooth ways unless the animator says otherwise.
pub fn usual_ways(skeleton: &Skeleton) -> Vec<Site> {
    let rig = Rig::of(skeleton);
    let is_usual = |part: Part| {
        matches!(
            part,
            Part::Hips | Part::Head | Part::Hand(_) | Part::Foot(_)
        )
    };
    let handles = rig.handles().iter();
    handles
        .filter(|handle| is_usual(handle.part))
        .map(|handle| handle.site)
        .collect()
}

impl Studio {
    /// The keys of the character that is posed; an empty shot of two seconds if it has none yet.
    pub fn keying_now(&self) -> Option<(PosedId, Arc<Keying>)> {
        const USUAL_FPS: f64 = 30.0;
        const USUAL_FRAMES: usize = 60;
        let (id, posed) = self.active_posed()?;
        let keying = self.document().keying(id).map(Arc::clone);
        let keying = keying.unwrap_or_else(|| {
            let ways = usual_ways(&posed.skeleton);
            Arc::new(Keying::new(USUAL_FPS, USUAL_FRAMES, ways))
        });
        Some((id, keying))
    }

    /// How long the shot takes; none where no character is posed.
    pub(in crate::app) fn keyed_secs(&self) -> Option<f64> {
        let (_, keying) = self.shows_posed().then(|| self.keying_now()).flatten()?;
        Some(keying.n_frames as f64 / keying.fps)
    }

    /// The whole frame at the playhead.
    pub fn key_frame_now(&self, keying: &Keying) -> usize {
        let frame = (self.session.playhead_secs * keying.fps + 1e-6).floor();
        (frame.max(0.0) as usize).min(keying.n_frames - 1)
    }

    /// The newest motion of the character that is posed, which may still be that of its last keys.
    pub fn key_motion(&self) -> Option<&Arc<KeyMotion>> {
        let (id, posed) = self.active_posed()?;
        let (of, motion) = self.pose.keys.motion.as_ref()?;
        let fits = *of == id && Arc::ptr_eq(&motion.recipe.skeleton, &posed.skeleton);
        fits.then_some(motion)
    }

    /// The character as the playhead has it; none where that is the document's own pose.
    pub(in crate::app) fn adopted(&self, id: PosedId, posed: &Arc<Posed>) -> Option<&Arc<Posed>> {
        let (of, adopted) = self.pose.keys.adopted.as_ref()?;
        (*of == id && Arc::ptr_eq(&adopted.base, posed)).then_some(&adopted.posed)
    }

    /// Once per frame: keeps the motion up to date with the keys, and the character with the playhead.
    pub(in crate::app) fn turn_keys(&mut self) {
        if !self.shows_posed() {
            return;
        }
        self.solve_keys();
        let Some((id, posed)) = self.active_posed() else {
            return;
        };
        let posed = Arc::clone(posed);
        self.follow_playhead(id, &posed);
        self.show_keys();
    }

    /// Starts solving if the keys have changed since the last motion; what runs for older ones is stopped.
    fn solve_keys(&mut self) {
        let Some((id, posed)) = self.active_posed() else {
            return;
        };
        let Some(recipe) = Recipe::of(self.document(), id, posed) else {
            self.pose.keys.motion = None;
            self.pose.keys.wanted = None;
            return;
        };
        let is_made =
            |(of, motion): &(PosedId, Arc<KeyMotion>)| *of == id && motion.recipe == recipe;
        if self.pose.keys.motion.as_ref().is_some_and(is_made) {
            return;
        }
        if let Some(running) = self.work.named(SOLVE) {
            if self.pose.keys.wanted.as_ref() != Some(&recipe) {
                running.cancel();
            }
            return;
        }
        if self.pose.keys.wanted.as_ref() == Some(&recipe) && self.pose.keys.is_refused {
            return;
        }
        self.pose.keys.wanted = Some(recipe.clone());
        self.pose.keys.is_refused = false;
        self.look(
            SOLVE,
            Shown::Quietly,
            move |ticket| match solved(&recipe, ticket) {
                Err(KeyError::Cancelled(cancelled)) => Err(cancelled),
                other => Ok(other),
            },
            move |studio, seen| match seen {
                Ok(Ok(motion)) => studio.pose.keys.motion = Some((id, Arc::new(motion))),
                Ok(Err(why)) => {
                    studio.pose.keys.is_refused = true;
                    studio.say(Severity::Error, format!("keyframes: {why}"));
                }
                Err(crate::app::work::Unseen::Cancelled) => studio.pose.keys.wanted = None,
                Err(crate::app::work::Unseen::Crashed) => {
                    studio.pose.keys.is_refused = true;
                    let words =
                        "solving keyframes crashed, nothing was changed; please report this";
                    studio.say(Severity::Error, words);
                }
            },
        );
    }

    /// Where the playhead goes, the character takes the pose of the motion; an edit makes its own pose count again.
    fn follow_playhead(&mut self, id: PosedId, posed: &Arc<Posed>) {
        let Some((keying, motion)) = self.document().keying(id).zip(self.key_motion()) else {
            self.pose.keys.adopted = None;
            self.pose.keys.at = None;
            return;
        };
        let frame = self.key_frame_now(keying);
        let motion = Arc::clone(motion);
        let keys = &self.pose.keys;
        let is_edited = keys
            .last_posed
            .as_ref()
            .is_none_or(|last| !Arc::ptr_eq(last, posed));
        if is_edited {
            self.pose.keys.last_posed = Some(Arc::clone(posed));
            self.pose.keys.at = Some(frame);
            self.pose.keys.adopted = None;
            return;
        }
        if keys.at == Some(frame) {
            return;
        }
        let is_same = |(of, adopted): &(PosedId, Adopted)| {
            *of == id
                && adopted.frame == frame
                && Arc::ptr_eq(&adopted.motion, &motion)
                && Arc::ptr_eq(&adopted.base, posed)
        };
        // While a handle is held, the pose under it stays.
        if self.pose.grab.is_some() || keys.adopted.as_ref().is_some_and(is_same) {
            return;
        }
        self.pose.keys.at = None;
        let adopted = Adopted {
            base: Arc::clone(posed),
            frame,
            posed: Arc::new(in_pose(posed, motion.at(frame as f64))),
            motion,
        };
        self.pose.keys.adopted = Some((id, adopted));
    }

    /// Playback, onion skins and ways.
    fn show_keys(&mut self) {
        let Some((motion, (_, keying))) = self.key_motion().map(Arc::clone).zip(self.keying_now())
        else {
            return;
        };
        let frame = self.session.playhead_secs * keying.fps;
        let keys = &self.pose.keys;
        let instead = self.session.is_playing.then(|| motion.at(frame));
        let mut ghosts = Vec::new();
        if keys.shows_onions {
            let now = self.key_frame_now(&keying);
            // The keys around the playhead: what was is blue, what comes is orange.
            let before = keying.keys.iter().rev().filter(|key| key.frame < now);
            let after = keying.keys.iter().filter(|key| key.frame > now);
            for (place, key) in before.take(keys.n_onions).enumerate() {
                ghosts.push(onion(&key.pose, Colour::GIVEN, place));
            }
            for (place, key) in after.take(keys.n_onions).enumerate() {
                ghosts.push(onion(&key.pose, Colour::GENERATED, place));
            }
        }
        let trails = if keys.shows_ways {
            let now = self.key_frame_now(&keying);
            let curves = motion.curves.iter();
            curves
                .map(|curve| trail(curve, &motion, now, Some(curve.site) == keys.site))
                .collect()
        } else {
            Vec::new()
        };
        self.pose.extras.wish(Extra {
            instead,
            ghosts,
            trails,
        });
    }

    /// Changes the keys of the character that is posed, as one step.
    pub fn edit_keys(&mut self, what: impl Into<String>, change: impl FnOnce(&mut Keying)) {
        let Some((id, keying)) = self.keying_now() else {
            return;
        };
        let mut changed = Keying::clone(&keying);
        change(&mut changed);
        if changed == *keying && self.document().keying(id).is_some() {
            return;
        }
        self.edit(Command::SetKeys {
            what: what.into(),
            id,
            keying: Some(Arc::new(changed)),
        });
    }

    /// Keys the character's pose at the playhead.
    pub fn insert_key(&mut self) {
        let Some((_, keying)) = self.keying_now() else {
            return;
        };
        let Some((_, posed)) = self.posed_now() else {
            return;
        };
        let frame = self.key_frame_now(&keying);
        self.edit_keys(format!("key frame {frame} of"), |keying| {
            keying.set_key(frame, posed.pose.clone());
        });
        self.pose.keys.chosen = Some(frame);
    }

    /// Takes the chosen key away, or the one at the playhead.
    pub fn delete_key(&mut self) {
        let Some((_, keying)) = self.keying_now() else {
            return;
        };
        let chosen = self.pose.keys.chosen;
        let frame = chosen.unwrap_or_else(|| self.key_frame_now(&keying));
        if keying.key(frame).is_none() {
            self.say(Severity::Info, format!("there is no key at frame {frame}"));
            return;
        }
        self.pose.keys.chosen = None;
        self.edit_keys(format!("delete key {frame} of"), |keying| {
            keying.remove_key(frame);
        });
    }

    /// A change of a pose with the key that it makes, where keys are made by themselves.
    pub(in crate::app) fn auto_keyed(&self, command: Command) -> Command {
        let Command::ChangePosed { id, posed, .. } = &command else {
            return command;
        };
        let Some(before) = self.document().posed_by_id(*id) else {
            return command;
        };
        let is_active = self.active_posed().is_some_and(|(active, _)| active == *id);
        let is_keyed = self.pose.keys.is_auto && is_active && posed.pose != before.pose;
        let keying = is_keyed.then(|| self.keying_now()).flatten();
        let Some((_, keying)) = keying else {
            return command;
        };
        let frame = self.key_frame_now(&keying);
        let mut keyed = Keying::clone(&keying);
        keyed.set_key(frame, posed.pose.clone());
        let what = command.label(self.document());
        let keys = Command::SetKeys {
            what: String::new(),
            id: *id,
            keying: Some(Arc::new(keyed)),
        };
        Command::Together {
            what,
            commands: vec![command, keys],
        }
    }

    /// Puts the motion into the library as a clip.
    pub fn keep_key_motion(&mut self) {
        let Some((_, posed)) = self.active_posed() else {
            return;
        };
        let name = posed.name.clone();
        let made = self.key_motion().map(|motion| clip_of(motion, &name));
        match made {
            Some(Ok(clip)) => {
                let words = format!("{name} is a clip of {} frames now", clip.n_frames());
                if self.edit(Command::AddClips(vec![Arc::new(clip)])).is_some() {
                    self.say(Severity::Done, words);
                }
            }
            Some(Err(why)) => self.say(Severity::Error, why),
            None => self.say(Severity::Warning, "key some poses first"),
        }
    }
}

fn onion(pose: &Pose, colour: Colour, place: usize) -> Ghost {
    Ghost {
        pose: pose.clone(),
        colour,
        opacity: 0.28 / (1.0 + place as f32),
    }
}

fn trail(curve: &Curve, motion: &KeyMotion, now: usize, is_chosen: bool) -> Trail {
    /// Fine enough to look smooth between frames.
    const PER_FRAME: usize = 2;
    let n = (motion.poses.len() - 1) * PER_FRAME;
    let at = |step: usize| motion.first as f64 + step as f64 / PER_FRAME as f64;
    let points: Vec<Vec3> = (0..=n).filter_map(|step| curve.at(at(step))).collect();
    let now = now.saturating_sub(motion.first) * PER_FRAME;
    Trail {
        now: (!is_chosen).then_some(now.min(points.len().saturating_sub(1))),
        points: points.into(),
        colour: if is_chosen {
            Colour::SELECTED
        } else {
            Colour::GENERATED
        },
        width_px: if is_chosen { 3.0 } else { 2.0 },
    }
}

fn clip_of(motion: &KeyMotion, name: &str) -> Result<Clip, String> {
    let recipe = &motion.recipe;
    let mut info = ClipInfo::named(format!("{name} keyed"));
    info.up = recipe.up;
    let n_keys = recipe.keying.keys.len();
    let how = if recipe.styles.is_empty() {
        "without a style"
    } else {
        "with a style"
    };
    info.history
        .push(format!("keyed with {n_keys} poses, {how}"));
    let frame_secs = 1.0 / recipe.keying.fps;
    let mut frames = Motion::with_capacity(&recipe.skeleton, frame_secs, motion.poses.len());
    for pose in &motion.poses {
        frames.push(pose.as_ref());
    }
    let clip = Clip::new(info, Arc::clone(&recipe.skeleton), frames);
    clip.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::motion::WorldPose;
    use crate::style::{LearnSettings, Method};

    fn recipe(with_style: bool) -> (Recipe, Clip) {
        let clip = make(Action::Walk, 1, 0).clip;
        let mut keying = Keying::new(30.0, 30, usual_ways(clip.skeleton()));
        for frame in [2, 9, 20] {
            keying.set_key(frame, clip.frame(frame).to_pose());
        }
        let styles = if with_style {
            let settings = LearnSettings {
                method: Method::Gaussian,
                ..LearnSettings::default()
            };
            let style = Style::learn(&[&clip], &settings, &Ticket::default()).unwrap();
            vec![(ModelId(1), Arc::new(style))]
        } else {
            Vec::new()
        };
        let recipe = Recipe {
            keying: Arc::new(keying),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            own: styles.iter().map(|(id, _)| (*id, 1.0)).collect(),
            styles,
        };
        (recipe, clip)
    }

    #[test]
    fn the_motion_passes_through_its_keys_and_its_ways() {
        for with_style in [false, true] {
            let (recipe, clip) = recipe(with_style);
            let motion = solved(&recipe, &Ticket::default()).unwrap();
            assert_eq!((motion.first, motion.poses.len()), (2, 19));
            for key in &recipe.keying.keys {
                assert_eq!(motion.at(key.frame as f64), key.pose, "style {with_style}");
            }
            assert_eq!(motion.at(0.0), recipe.keying.keys[0].pose, "it waits");
            if !with_style {
                continue;
            }
            let tall = crate::motion::body::height(&clip);
            for (at, pose) in motion.poses.iter().enumerate() {
                let world = WorldPose::of(&recipe.skeleton, pose.as_ref());
                for curve in &motion.curves {
                    let wanted = curve.at((2 + at) as f64).unwrap();
                    let off = (world.site(&recipe.skeleton, curve.site) - wanted).norm();
                    assert!(off < 0.02 * tall, "frame {at}: {off}");
                }
            }
        }
    }

    #[test]
    fn stretches_fade_into_one_another() {
        let (mut recipe, _) = recipe(true);
        let style = Arc::clone(&recipe.styles[0].1);
        recipe.styles.push((ModelId(2), style));
        let keying = Arc::make_mut(&mut recipe.keying);
        keying.set_stretch(10, Some(vec![(ModelId(2), 1.0)]));
        let second: Vec<f64> = (0..20).map(|f| recipe.weights(f)[1]).collect();
        let off = second[5].abs().max((second[15] - 1.0).abs());
        assert!(off < 1e-12, "one style before and one after: {second:?}");
        assert!(second.windows(2).all(|two| two[0] <= two[1]), "{second:?}");
        assert!((0.3..0.7).contains(&second[10]), "{second:?}");
    }
}
