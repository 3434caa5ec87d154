//! A take on one skeleton: the value that everything else makes, reads and keeps.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::skeleton::{LONGEST, is_finite, is_in_bounds};
use super::{Axis, Pose, PoseRef, Quat, Skeleton, Vec3};

/// A stretch of frames during which a foot or hand stays where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The joint that touches.
    pub joint: usize,
    /// Frames of the clip, the end not included.
    pub frames: Range<usize>,
}

/// What a note is about, so that a reader can skim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// The file broke a rule and was mended.
    Repaired,
    /// Not stated in the file, and assumed.
    Guessed,
    /// Worth knowing; nothing was changed.
    Noticed,
}

/// Something that the animator should know about a clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// How serious it is.
    pub kind: NoteKind,
    /// Line of the source file, counted from 1, where there is one.
    pub line: Option<usize>,
    /// One plain sentence, without a line break.
    pub text: String,
}

impl Note {
    /// A note about the clip as a whole.
    pub fn new(kind: NoteKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            line: None,
            text: text.into(),
        }
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// What is known about a clip beside its motion.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipInfo {
    /// Shown in the library.
    pub name: String,
    /// The animator's words for it.
    pub tags: BTreeSet<String>,
    /// The file it was read from.
    pub file: Option<PathBuf>,
    /// What was done to it since, oldest first: "trimmed to frames 10..50".
    pub history: Vec<String>,
    /// What the reader and the operations noticed.
    pub notes: Vec<Note>,
    /// The axis that points up.
    pub up: Axis,
}

impl ClipInfo {
    /// A clip of this name, with Y up and no past.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tags: BTreeSet::new(),
            file: None,
            history: Vec::new(),
            notes: Vec::new(),
            up: Axis::Y,
        }
    }
}

/// The numbers of a motion: poses one after another, in two buffers without gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Time from one frame to the next.
    pub frame_secs: f64,
    /// Frame by frame, one for each of [`Skeleton::translating`].
    pub translations: Vec<Vec3>,
    /// Frame by frame, one for each joint.
    pub rotations: Vec<Quat>,
}

impl Motion {
    /// No frames yet, room for `n_frames`.
    pub fn with_capacity(skeleton: &Skeleton, frame_secs: f64, n_frames: usize) -> Self {
        Self {
            frame_secs,
            translations: Vec::with_capacity(n_frames * skeleton.translating().len()),
            rotations: Vec::with_capacity(n_frames * skeleton.n_joints()),
        }
    }

    /// One more frame at the end.
    pub fn push(&mut self, pose: PoseRef<'_>) {
        self.translations.extend_from_slice(pose.translations);
        self.rotations.extend_from_slice(pose.rotations);
    }
}

/// A motion on a skeleton. Never edited in place: operations give a new clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// Name, tags, notes and the like; any value is fine.
    pub info: ClipInfo,
    skeleton: Arc<Skeleton>,
    /// Finite, with at least one frame and as many numbers as the skeleton needs. Shared, so that a clip with another
    /// name or tag, and the undo step before it, hold the same numbers once.
    motion: Arc<Motion>,
    /// By joint, then by first frame; inside the clip, not empty.
    contacts: Vec<Contact>,
}

/// The numbers do not make a clip.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClipError {
    /// There is no frame.
    #[error("a clip needs at least one frame")]
    NoFrames,
    /// The frame time is zero, negative, infinite or not a number.
    #[error("the frame time must be a positive number of seconds, found {0}")]
    FrameTime(f64),
    /// The buffers do not hold whole poses of this skeleton.
    #[error(
        "a pose has {joints} rotations and {translating} translations; {rotations} and {translations} are no whole number of poses"
    )]
    Size {
        /// Rotations a pose needs.
        joints: usize,
        /// Translations a pose needs.
        translating: usize,
        /// Number of rotations that were given.
        rotations: usize,
        /// Number of translations that were given.
        translations: usize,
    },
    /// A number is infinite or not a number.
    #[error("frame {frame}, joint \"{joint}\": not a finite number")]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
        /// Name of the joint.
        joint: String,
    },
    /// A translation is beyond [`LONGEST`].
    #[error("frame {frame}, joint \"{joint}\": farther away than {LONGEST:e}")]
    TooFar {
        /// The frame, counted from 0.
        frame: usize,
        /// Name of the joint.
        joint: String,
    },
    /// A contact lies outside the clip or on no joint.
    #[error("a contact of joint {joint} covers frames {from}..{to}, outside the clip")]
    Contact {
        /// The joint's index in the skeleton.
        joint: usize,
        /// First frame of the contact.
        from: usize,
        /// One past the last.
        to: usize,
    },
}

impl Clip {
    /// Checks what the fields promise.
    pub fn new(info: ClipInfo, skeleton: Arc<Skeleton>, motion: Motion) -> Result<Self, ClipError> {
        let joints = skeleton.n_joints();
        let translating = skeleton.translating().len();
        let n_frames = motion.rotations.len() / joints;
        if n_frames * joints != motion.rotations.len()
            || n_frames * translating != motion.translations.len()
        {
            return Err(ClipError::Size {
                joints,
                translating,
                rotations: motion.rotations.len(),
                translations: motion.translations.len(),
            });
        }
        if n_frames == 0 {
            return Err(ClipError::NoFrames);
        }
        if !(motion.frame_secs > 0.0 && motion.frame_secs.is_finite()) {
            return Err(ClipError::FrameTime(motion.frame_secs));
        }
        let not_finite = |frame: usize, joint: usize| ClipError::NotFinite {
            frame,
            joint: skeleton.joints()[joint].name.clone(),
        };
        if let Some(at) = motion.translations.iter().position(|t| !is_in_bounds(t)) {
            let (frame, joint) = (at / translating, skeleton.translating()[at % translating]);
            if !is_finite(&motion.translations[at]) {
                return Err(not_finite(frame, joint));
            }
            let joint = skeleton.joints()[joint].name.clone();
            return Err(ClipError::TooFar { frame, joint });
        }
        let turned = |q: &Quat| q.coords.iter().all(|x| x.is_finite());
        if let Some(at) = motion.rotations.iter().position(|q| !turned(q)) {
            return Err(not_finite(at / joints, at % joints));
        }
        Ok(Self {
            info,
            skeleton,
            motion: Arc::new(motion),
            contacts: Vec::new(),
        })
    }

    /// The same clip with these contacts instead of its own.
    pub fn with_contacts(mut self, mut contacts: Vec<Contact>) -> Result<Self, ClipError> {
        for c in &contacts {
            if c.frames.is_empty()
                || c.frames.end > self.n_frames()
                || c.joint >= self.skeleton.n_joints()
            {
                return Err(ClipError::Contact {
                    joint: c.joint,
                    from: c.frames.start,
                    to: c.frames.end,
                });
            }
        }
        contacts.sort_by_key(|c| (c.joint, c.frames.start));
        self.contacts = contacts;
        Ok(self)
    }

    /// The bones it moves.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The poses and their frame rate.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// All poses, without a copy if no other clip shares them.
    pub fn into_motion(self) -> Motion {
        Arc::unwrap_or_clone(self.motion)
    }

    /// Whether both move alike on the same skeleton, whatever they are called. Quick for clips made from one another.
    pub fn same_motion(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.skeleton, &other.skeleton) || self.skeleton == other.skeleton)
            && (Arc::ptr_eq(&self.motion, &other.motion) || self.motion == other.motion)
    }

    /// Feet and hands that stay in place, by joint and time.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The number of frames, at least one.
    pub fn n_frames(&self) -> usize {
        self.motion.rotations.len() / self.skeleton.n_joints()
    }

    /// Time from one frame to the next, as the file said it.
    pub fn frame_secs(&self) -> f64 {
        self.motion.frame_secs
    }

    /// Frames per second, as [`fps_of`] reads it from the frame time.
    pub fn fps(&self) -> f64 {
        fps_of(self.motion.frame_secs)
    }

    /// From the first frame's start to the last frame's end.
    pub fn seconds(&self) -> f64 {
        self.n_frames() as f64 / self.fps()
    }

    /// One pose; frames count from 0.
    pub fn frame(&self, frame: usize) -> PoseRef<'_> {
        let joints = self.skeleton.n_joints();
        let translating = self.skeleton.translating().len();
        PoseRef {
            translations: &self.motion.translations[frame * translating..][..translating],
            rotations: &self.motion.rotations[frame * joints..][..joints],
        }
    }

    /// All poses in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = PoseRef<'_>> + Clone {
        (0..self.n_frames()).map(|f| self.frame(f))
    }

    /// The pose at any moment between the first and the last frame; before and after, those hold still.
    pub fn pose_at(&self, frame: f64) -> Pose {
        let last = self.n_frames() - 1;
        let frame = frame.clamp(0.0, last as f64);
        let before = frame as usize;
        let after = (before + 1).min(last);
        Pose::between(self.frame(before), self.frame(after), frame.fract())
    }
}

/// Frames per second. Files round the frame time (`.0083333`, `0.03333`): a rate that is whole within that rounding is
/// given as the whole number; 119.88 and 29.97 stay what they are.
pub fn fps_of(frame_secs: f64) -> f64 {
    const ROUNDING: f64 = 2e-4;
    let fps = 1.0 / frame_secs;
    let whole = fps.round();
    if whole > 0.0 && (fps / whole - 1.0).abs() < ROUNDING {
        whole
    } else {
        fps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, Joint, RotationOrder};

    fn stick() -> Arc<Skeleton> {
        let joint = |name: &str, parent| Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::y(),
            channels: Channels::rotation(RotationOrder::ZXY),
        };
        Arc::new(Skeleton::new(vec![joint("a", None), joint("b", Some(0))], vec![]).unwrap())
    }

    fn motion(n_frames: usize, frame_secs: f64) -> Motion {
        let s = stick();
        let mut motion = Motion::with_capacity(&s, frame_secs, n_frames);
        for _ in 0..n_frames {
            motion.push(Pose::rest(&s).as_ref());
        }
        motion
    }

    fn clip(motion: Motion) -> Result<Clip, ClipError> {
        Clip::new(ClipInfo::named("test"), stick(), motion)
    }

    #[test]
    fn every_refusal() {
        assert_eq!(clip(motion(0, 0.1)), Err(ClipError::NoFrames));
        for secs in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(clip(motion(1, secs)), Err(ClipError::FrameTime(secs)));
        }
        clip(motion(1, f64::NAN)).unwrap_err();
        let mut short = motion(2, 0.1);
        short.rotations.pop();
        assert!(
            matches!(clip(short), Err(ClipError::Size { rotations: 3, .. })),
            "half a pose"
        );
        let mut bad = motion(3, 0.1);
        bad.translations[1].z = f64::NAN;
        let at = |frame, joint: &str| ClipError::NotFinite {
            frame,
            joint: joint.to_owned(),
        };
        assert_eq!(clip(bad), Err(at(1, "a")));
        let mut far = motion(3, 0.1);
        far.translations[2].x = -2e15;
        let joint = "a".to_owned();
        assert_eq!(clip(far), Err(ClipError::TooFar { frame: 2, joint }));
        let mut bad = motion(3, 0.1);
        bad.rotations[5] = Quat::new_unchecked(nalgebra::Quaternion::new(f64::NAN, 0.0, 0.0, 0.0));
        assert_eq!(clip(bad), Err(at(2, "b")));
        for (joint, frames) in [(2, 0..1), (0, 2..4), (0, 1..1)] {
            let contact = Contact { joint, frames };
            let with = clip(motion(3, 0.1)).unwrap().with_contacts(vec![contact]);
            assert!(matches!(with, Err(ClipError::Contact { .. })), "{with:?}");
        }
    }

    #[test]
    fn rates_that_files_rounded_are_whole_again() {
        let fps = |secs| clip(motion(1, secs)).unwrap().fps();
        assert_eq!(fps(0.0083333), 120.0);
        assert_eq!(fps(0.03333), 30.0);
        assert_eq!(fps(0.041667), 24.0);
        assert!((fps(0.008342) - 119.875).abs() < 0.01, "not quite 120");
        assert!((fps(0.0333667) - 29.97).abs() < 0.01, "television's rate");
    }
}
