//! Streams of any length whose feet stand, made piece by piece: memory does not grow with them.
//!
//! Feet are held by looking at a whole motion, before and after. So a stream is made in pieces that overlap; each is held by itself,
//! put where the piece before has the body in the middle of the overlap, and faded in there. What differs between the two by then is
//! how far the ends of pieces reach, which is less than a second.

use super::clips::{ClipModel, Length};
use super::contact::foot_lock::{self, Held, Hold};
use super::drawn::Drawn;
use super::error::LearnError;
use super::model::Sampler;
use super::settings::SampleSettings;
use crate::motion::heading::turn;
use crate::motion::{
    ChartError, Clip, ClipInfo, HeadingFrame, Motion, Pose, Quat, Vec3, WorldPose,
};

/// Time that a piece adds, and time at its end that the next one makes again.
const PIECE_SECS: f64 = 20.0;
const OVERLAP_SECS: f64 = 4.0;
/// Time for one piece to fade into the next.
const FADE_SECS: f64 = 0.3;

/// Clips that go on from each other.
#[derive(Debug)]
pub struct Pieces<'a> {
    model: &'a ClipModel,
    sampler: Sampler,
    hold: Hold,
    /// Frames still to be drawn.
    left: usize,
    /// Drawn, and not yet given away.
    drawn: Drawn,
    /// The overlap as the piece before had it.
    before: Option<Clip>,
    held: Held,
    is_over: bool,
}

impl ClipModel {
    /// How many frames a piece of a long stream adds.
    pub fn piece_frames(&self) -> usize {
        (PIECE_SECS * self.fps()).round().max(8.0) as usize
    }

    /// The same stream as [`Self::vary`] would make, in pieces.
    pub fn pieces(
        &self,
        settings: &SampleSettings,
        variant: u64,
        n_frames: usize,
        hold: Hold,
    ) -> Result<Pieces<'_>, LearnError> {
        Ok(Pieces {
            model: self,
            sampler: self.model().sampler(settings, variant)?,
            hold,
            left: self.check_length(Length::Frames(n_frames))?,
            drawn: Drawn::default(),
            before: None,
            held: Held {
                n_holds: 0,
                n_misses: 0,
            },
            is_over: false,
        })
    }
}

impl Pieces<'_> {
    /// What became of the holds so far; those in overlaps count twice.
    pub fn held(&self) -> &Held {
        &self.held
    }

    fn overlap(&self) -> usize {
        (OVERLAP_SECS * self.model.fps()).round().max(4.0) as usize
    }

    fn draw(&mut self) {
        let wanted = self.model.piece_frames() + self.overlap();
        while self.left > 0 && self.drawn.progress.len() < wanted {
            self.drawn.rows.extend_from_slice(self.sampler.next_row());
            self.drawn.progress.push(self.sampler.progress());
            self.left -= 1;
        }
    }

    fn next_piece(&mut self) -> Result<Clip, LearnError> {
        self.draw();
        let info = ClipInfo::named("stream");
        let (clip, held) = foot_lock::hold(self.model, &self.drawn, info, self.hold)?;
        if let Some(held) = held {
            self.held.n_holds += held.n_holds;
            self.held.n_misses += held.n_misses;
        }
        let (n, overlap) = (clip.n_frames(), self.overlap());
        let middle = overlap / 2;
        let fade = ((FADE_SECS * self.model.fps()) as usize).min(middle);
        let from = middle - fade / 2;
        let before = self.before.take();
        let clip = match &before {
            Some(before) => moved_to(clip, before, middle, &self.model.chart().parts().heading)?,
            None => clip,
        };
        self.is_over = self.left == 0;
        let kept = if self.is_over { n } else { n - overlap };
        let first = if before.is_some() { from } else { 0 };
        let end = if self.is_over { n } else { kept + from };
        let mut motion = Motion::with_capacity(clip.skeleton(), clip.frame_secs(), end - first);
        for frame in first..end {
            let faded = (frame - first) as f64 / fade.max(1) as f64;
            match &before {
                Some(before) if faded < 1.0 => {
                    let share = faded * faded * (3.0 - 2.0 * faded);
                    let mixed = Pose::between(before.frame(frame), clip.frame(frame), share);
                    motion.push(mixed.as_ref());
                }
                _ => motion.push(clip.frame(frame)),
            }
        }
        if !self.is_over {
            let mut rest = Motion::with_capacity(clip.skeleton(), clip.frame_secs(), overlap);
            (kept..n).for_each(|frame| rest.push(clip.frame(frame)));
            self.before = Some(made(&clip, rest)?);
            let n_dofs = self.model.chart().n_dofs();
            self.drawn.rows.drain(..kept * n_dofs);
            self.drawn.progress.drain(..kept);
        }
        made(&clip, motion)
    }
}

impl Iterator for Pieces<'_> {
    type Item = Result<Clip, LearnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let piece = self.next_piece();
        // After an error there is nothing to go on from.
        self.is_over |= piece.is_err();
        Some(piece)
    }
}

fn made(like: &Clip, motion: Motion) -> Result<Clip, LearnError> {
    let skeleton = std::sync::Arc::clone(like.skeleton());
    let clip = Clip::new(like.info.clone(), skeleton, motion);
    Ok(clip.map_err(ChartError::from)?)
}

/// A clip that faces and stands at a frame where another does.
fn moved_to(
    clip: Clip,
    other: &Clip,
    frame: usize,
    heading: &HeadingFrame,
) -> Result<Clip, LearnError> {
    let [own, there] = [&clip, other].map(|clip| {
        let track = heading.track(clip);
        (track.headings[frame], track.positions[frame])
    });
    let turned = turn(heading.up, there.0 - own.0);
    let off = there.1 - turned * own.1;
    let shift = off - heading.up.vector() * heading.up.along(&off);
    let (like, skeleton) = (clip.info.clone(), std::sync::Arc::clone(clip.skeleton()));
    let root = heading.root;
    let Some(slot) = skeleton.translation_slot(root) else {
        return Ok(clip);
    };
    let above = skeleton.joints()[root].parent;
    let mut motion = Motion::with_capacity(&skeleton, clip.frame_secs(), clip.n_frames());
    let mut world = WorldPose::of(&skeleton, clip.frame(0));
    for pose in clip.frames() {
        world.update(&skeleton, pose);
        let (rotation, place) = above.map_or((Quat::identity(), Vec3::zeros()), |parent| {
            (world.rotations[parent], world.positions[parent])
        });
        let mut pose = pose.to_pose();
        let now = turned * world.positions[root] + shift;
        pose.translations[slot] = rotation.inverse() * (now - place);
        pose.rotations[root] = rotation.inverse() * turned * world.rotations[root];
        motion.push(pose.as_ref());
    }
    let moved = Clip::new(like, skeleton, motion);
    Ok(moved.map_err(ChartError::from)?)
}
