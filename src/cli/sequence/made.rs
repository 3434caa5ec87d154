//! What a sequence is made of, and what was made.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::cli::Common;
use crate::cli::consistent_clips::no_clip;
use crate::cli::inputs::{expand, load_motion};
use crate::cli::styles::vector;
use crate::file::MOTION_ENDINGS;
use crate::jobs::Ticket;
use crate::motion::join::JoinClip;
use crate::motion::{Clip, Vec3};
use crate::transition::{Transition, TransitionGraph};

/// The sequence that is written and reported.
pub(super) struct MadeSequence {
    pub(super) clip: Clip,
    pub(super) joins: Vec<SequenceJoin>,
    pub(super) hits: Vec<TargetHit>,
    pub(super) ms_per_frame: f64,
}

/// One transition, between clips of these names.
pub(super) struct SequenceJoin {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) made: Transition,
}

/// The clips that words on the command line mean, each read once.
pub(super) struct SequenceClips<'a> {
    pub(super) graph: &'a Arc<TransitionGraph>,
    pub(super) common: &'a Common,
    pub(super) ticket: &'a Ticket,
    pub(super) read: BTreeMap<PathBuf, Arc<JoinClip>>,
}

impl<'a> SequenceClips<'a> {
    pub(super) fn new(
        graph: &'a Arc<TransitionGraph>,
        common: &'a Common,
        ticket: &'a Ticket,
    ) -> Self {
        Self {
            graph,
            common,
            ticket,
            read: BTreeMap::new(),
        }
    }

    /// Names of clips in the graph, files, or folders.
    pub(super) fn find(&mut self, words: &[PathBuf]) -> anyhow::Result<Vec<Arc<JoinClip>>> {
        let mut found = Vec::new();
        for word in words {
            if let Some(clip) = self.named(&word.to_string_lossy()) {
                found.push(clip);
                continue;
            }
            for input in expand(std::slice::from_ref(word), self.common, self.ticket)? {
                found.push(self.file(&input.path)?);
            }
        }
        Ok(found)
    }

    pub(super) fn named(&self, name: &str) -> Option<Arc<JoinClip>> {
        let (_, clip) = self
            .graph
            .clips()
            .find(|(_, clip)| clip.clip.info.name == name)?;
        Some(Arc::clone(clip))
    }

    pub(super) fn file(&mut self, path: &Path) -> anyhow::Result<Arc<JoinClip>> {
        if let Some(known) = self.read.get(path) {
            return Ok(Arc::clone(known));
        }
        if !path.exists() {
            // A file that the graph was made from, but which is not on this machine.
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            let is_motion = MOTION_ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if let Some(clip) = is_motion.then(|| self.named(&stem)).flatten() {
                return Ok(clip);
            }
            let clips = self.graph.clips().map(|(_, clip)| &*clip.clip);
            let words = no_clip("graph", &path.to_string_lossy(), clips);
            anyhow::bail!("there is no file {}, and {words}", path.display());
        }
        let clip = load_motion(path, None, self.common);
        let clip = clip.and_then(|clip| Ok(JoinClip::new(self.graph.rig(), &Arc::new(clip))?));
        let clip = Arc::new(clip.with_context(|| path.display().to_string())?);
        self.read.insert(path.to_owned(), Arc::clone(&clip));
        Ok(clip)
    }
}

/// `JOINT=x,y,z@I`: a position in world space for a joint of clip I.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    pub(super) joint: String,
    pub(super) place: Vec3,
    pub(super) action: usize,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected a joint, a position and the number of a clip such as RightHand=10,130,40@2, found \"{text}\""
            )
        };
        let (place, action) = text.rsplit_once('@').ok_or_else(wrong)?;
        // Joint names may hold an equals sign; numbers do not.
        let (joint, place) = place.rsplit_once('=').ok_or_else(wrong)?;
        Ok(Self {
            joint: joint.to_owned(),
            place: vector(place).ok_or_else(wrong)?,
            action: action.trim().parse().ok().ok_or_else(wrong)?,
        })
    }
}

/// How near it came.
pub(super) struct TargetHit {
    pub(super) target: Target,
    pub(super) name: String,
    pub(super) examples: Vec<String>,
    pub(super) is_reachable: bool,
    /// Frame of the whole motion at the moment of effect.
    pub(super) at: usize,
    pub(super) place: Vec3,
    pub(super) missed: f64,
}

impl TargetHit {
    pub(super) fn json(&self) -> Value {
        let numbers = |v: &Vec3| [v.x, v.y, v.z];
        json!({
            "joint": self.target.joint,
            "clip": self.target.action,
            "name": self.name,
            "target": numbers(&self.target.place),
            "at": self.at,
            "place": numbers(&self.place),
            "missed": self.missed,
            "is_reachable": self.is_reachable,
            "examples": self.examples,
        })
    }
}

impl fmt::Display for TargetHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y, z) = (
            self.target.place.x,
            self.target.place.y,
            self.target.place.z,
        );
        let (joint, name) = (&self.target.joint, &self.name);
        let (at, missed) = (self.at, self.missed);
        write!(
            f,
            "{joint} of \"{name}\" reaches for ({x}, {y}, {z}) at frame {at} and misses it by {missed:.3} in units of the clips"
        )?;
        if !self.is_reachable {
            let n = self.examples.len();
            write!(
                f,
                "; out of reach of the {n} examples, this is as near as they come"
            )?;
        }
        Ok(())
    }
}
