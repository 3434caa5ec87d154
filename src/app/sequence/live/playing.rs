//! What plays, and what live play remembers.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::sequence::live::Actions;
use crate::app::sequence::live::record::{Play, Recording, enter};
use crate::app::sequence::live::steering::Steering;
use crate::app::sequence::live::thread::{Entered, Frame, PlayThread};
use crate::app::shell::context::UiContext;
use crate::document::ClipId;
use crate::motion::{Axis, Clip, ClipInfo, Motion, Pose, Skeleton};
use crate::transition::RandomPlay;

/// What is played live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LiveSource {
    /// Actions of the transition graph.
    #[default]
    Graph,
    /// The texture that is chosen in its panel.
    Texture,
}

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct LiveView {
    /// What is played at the next start.
    pub source: LiveSource,
    /// Whether actions follow by chance when none is commanded; otherwise the running one is repeated.
    pub is_random: bool,
    /// How likely one action follows another, beside 1 for all others.
    pub weights: BTreeMap<(ClipId, ClipId), f64>,
    /// Where a texture goes.
    pub steering: Steering,
    /// Names the random numbers of the next start.
    pub seed: u64,
    /// The motion that plays, if live play is on.
    pub playing: Option<Playing>,
    /// What was recorded last, until it is kept or thrown away.
    pub recorded: Option<Recording>,
}

/// A motion that goes on and on.
#[derive(Debug)]
pub struct Playing {
    pub(super) thread: PlayThread,
    pub(super) actions: Actions,
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) up: Axis,
    pub(super) fps: f64,
    /// The moment of the first frame; none until the character can be drawn.
    pub(super) began_secs: Option<f64>,
    /// When it was paused.
    pub(super) paused_secs: Option<f64>,
    pub(super) n_shown: usize,
    /// A whole clip until it is known how the character looks, then the frame of now.
    pub(super) now: Arc<Clip>,
    pub(super) doing: Option<Frame>,
    /// What was entered since the start.
    pub(super) plays: Vec<Play>,
    pub(super) queued: Option<usize>,
    pub(super) recording: Option<Recording>,
    /// Whether the camera still has to step back: whoever moves needs room.
    pub(super) steps_back: bool,
}

impl Playing {
    /// How long it has gone on.
    pub fn secs(&self) -> f64 {
        self.n_shown as f64 / self.fps
    }

    /// The frame rate of what is played, in frames per second.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// Frames that were shown.
    pub fn n_shown(&self) -> usize {
        self.n_shown
    }

    /// What the actions are.
    pub fn actions(&self) -> &Actions {
        &self.actions
    }

    /// What is done now, as it is called.
    pub fn doing(&self, cx: &UiContext) -> Option<String> {
        let now = self.doing.as_ref()?;
        let name = self.name(cx, now.doing)?;
        Some(if now.is_transition {
            format!("to {name}")
        } else {
            name
        })
    }

    /// The action that runs, by its number.
    pub fn running(&self) -> Option<usize> {
        self.doing.as_ref().map(|now| now.doing)
    }

    /// The action that was queued, by its number.
    pub fn queued(&self) -> Option<usize> {
        self.queued
    }

    /// The cluster of the graph, or the system of the texture, that is shown now.
    pub fn node(&self) -> Option<u32> {
        self.doing.as_ref()?.node
    }

    /// Clusters that the running transition goes through.
    pub fn path(&self) -> &[u32] {
        let last = self.plays.last();
        last.map_or(&[], |play| play.way.as_slice())
    }

    /// Whether it stands still.
    pub fn is_paused(&self) -> bool {
        self.paused_secs.is_some()
    }

    /// How long the recording is that runs.
    pub fn recording_secs(&self) -> Option<f64> {
        let recording = self.recording.as_ref()?;
        Some(recording.n_frames() as f64 / self.fps)
    }

    pub(super) fn name(&self, cx: &UiContext, action: usize) -> Option<String> {
        match &self.actions {
            Actions::Graph(_, clips) => {
                let clip = cx.document().clip(*clips.get(action)?)?;
                Some(clip.info.name.clone())
            }
            Actions::Texture(_, texture) => Some(texture.name_of_mark(action).to_owned()),
        }
    }

    /// The frame of now as a clip.
    pub(super) fn show(&mut self, frame: Frame) {
        let mut motion = Motion::with_capacity(&self.skeleton, 1.0 / self.fps, 1);
        motion.push(frame.pose.as_ref());
        let mut info = ClipInfo::named("live");
        info.up = self.up;
        if let Ok(clip) = Clip::new(info, Arc::clone(&self.skeleton), motion) {
            self.now = Arc::new(clip);
        }
        self.doing = Some(frame);
    }

    /// Takes the frames that are due; the last of them is shown.
    pub(super) fn advance(&mut self, now_secs: f64) {
        let (Some(began), None) = (self.began_secs, self.paused_secs) else {
            return;
        };
        let due = ((now_secs - began) * self.fps).max(0.0) as usize + 1;
        let (frames, entered) = self.thread.take(self.n_shown, due);
        for Entered { action, transition } in entered {
            self.queued.take_if(|queued| *queued == action);
            enter(&mut self.plays, Play::of(action, &transition));
        }
        self.n_shown += frames.len();
        if let Some(recording) = &mut self.recording {
            recording.push(&frames);
        }
        if let Some(last) = frames.into_iter().last() {
            self.show(last);
        }
    }

    pub(super) fn pause(&mut self, now_secs: f64) {
        match self.paused_secs.take() {
            Some(since) => self.began_secs = self.began_secs.map(|began| began + now_secs - since),
            None => self.paused_secs = Some(now_secs),
        }
    }

    pub(super) fn pose(&self) -> Option<&Pose> {
        self.doing.as_ref().map(|now| &now.pose)
    }
}

impl LiveView {
    /// What follows by chance, for these clips in this order.
    pub(super) fn random_play(&self, clips: &[ClipId]) -> Option<RandomPlay> {
        self.is_random.then(|| {
            let mut random = RandomPlay::even(clips.len());
            for (from, a) in clips.iter().enumerate() {
                for (to, b) in clips.iter().enumerate() {
                    random.set(from, to, self.weight(*a, *b));
                }
            }
            random
        })
    }

    /// How likely one action follows another, beside the other weights.
    pub fn weight(&self, from: ClipId, to: ClipId) -> f64 {
        self.weights.get(&(from, to)).copied().unwrap_or(1.0)
    }
}

impl Playing {
    /// Begins to record, from the frame that is shown now.
    pub(super) fn begin_recording(&mut self) {
        let now = self.pose().cloned();
        let mark = self.running();
        self.recording = Some(Recording {
            actions: self.actions.clone(),
            skeleton: Arc::clone(&self.skeleton),
            up: self.up,
            fps: self.fps,
            from: self.n_shown.saturating_sub(1),
            poses: now.into_iter().collect(),
            marks: mark.into_iter().collect(),
            plays: Vec::new(),
        });
    }

    pub(super) fn end_recording(&mut self) -> Option<Recording> {
        let mut recording = self.recording.take()?;
        recording.plays.clone_from(&self.plays);
        (recording.n_frames() > 1).then_some(recording)
    }
}
