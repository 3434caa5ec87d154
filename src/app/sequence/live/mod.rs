//! Endless play that listens to keys: actions of the graph that interrupt each other, or a texture that is steered.

pub mod keyboard;
mod record;
mod steering;
mod thread;
pub mod ui;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use record::Recording;
pub use steering::Steering;

use crate::app::sequence::graphs::BuiltGraph;
use crate::app::sequence::live::record::Play;
use crate::app::sequence::live::thread::{Entered, Frame, Material, Order, PlayThread};
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::previews::{Family, Preview};
use crate::app::shell::session::Framing;
use crate::app::shell::stage::StageId;
use crate::document::{ClipId, ModelId};
use crate::motion::{Axis, Clip, ClipInfo, Motion, Pose, Skeleton};
use crate::texture::Texture;
use crate::transition::RandomPlay;

/// How many times as far away the camera follows from as it would look at somebody who stands.
const STEP_BACK: f64 = 1.7;

/// What is played live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LiveSource {
    /// Actions of the transition graph.
    #[default]
    Graph,
    /// The chosen texture.
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
    /// What plays.
    pub playing: Option<Playing>,
    /// What was recorded last, until it is kept or thrown away.
    pub recorded: Option<Recording>,
}

/// What a number of an action means.
#[derive(Debug, Clone)]
pub enum Actions {
    /// Clips of a graph.
    Graph(Arc<BuiltGraph>, Vec<ClipId>),
    /// Marks of a texture.
    Texture(ModelId, Arc<Texture>),
}

/// A motion that goes on and on.
#[derive(Debug)]
pub struct Playing {
    thread: PlayThread,
    actions: Actions,
    skeleton: Arc<Skeleton>,
    up: Axis,
    fps: f64,
    /// The moment of the first frame; none until the character can be drawn.
    began_secs: Option<f64>,
    /// When it was paused.
    paused_secs: Option<f64>,
    n_shown: usize,
    /// A whole clip until it is known how the character looks, then the frame of now.
    now: Arc<Clip>,
    doing: Option<Frame>,
    /// What was entered since the start.
    plays: Vec<Play>,
    queued: Option<usize>,
    recording: Option<Recording>,
    /// Whether the camera still has to step back: whoever moves needs room.
    steps_back: bool,
}

impl Playing {
    /// How long it has gone on.
    pub fn secs(&self) -> f64 {
        self.n_shown as f64 / self.fps
    }

    /// Frames per second.
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

    fn name(&self, cx: &UiContext, action: usize) -> Option<String> {
        match &self.actions {
            Actions::Graph(_, clips) => {
                let clip = cx.document().clip(*clips.get(action)?)?;
                Some(clip.info.name.clone())
            }
            Actions::Texture(_, texture) => Some(texture.name_of_mark(action).to_owned()),
        }
    }

    /// The frame of now as a clip.
    fn show(&mut self, frame: Frame) {
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
    fn advance(&mut self, now_secs: f64) {
        let (Some(began), None) = (self.began_secs, self.paused_secs) else {
            return;
        };
        let due = ((now_secs - began) * self.fps).max(0.0) as usize + 1;
        let (frames, entered) = self.thread.take(self.n_shown, due);
        for Entered { action, transition } in entered {
            self.queued.take_if(|queued| *queued == action);
            record::enter(&mut self.plays, Play::of(action, &transition));
        }
        self.n_shown += frames.len();
        if let Some(recording) = &mut self.recording {
            recording.push(&frames);
        }
        if let Some(last) = frames.into_iter().last() {
            self.show(last);
        }
    }

    fn pause(&mut self, now_secs: f64) {
        match self.paused_secs.take() {
            Some(since) => self.began_secs = self.began_secs.map(|began| began + now_secs - since),
            None => self.paused_secs = Some(now_secs),
        }
    }

    fn pose(&self) -> Option<&Pose> {
        self.doing.as_ref().map(|now| &now.pose)
    }
}

impl SequenceWorkspace {
    /// Plays the graph or the texture, in place of what plays now.
    pub fn start_live(&mut self, cx: &mut UiContext) {
        let material = match self.live.source {
            LiveSource::Graph => self.graph_material(cx),
            LiveSource::Texture => self.texture_material(cx),
        };
        let Some((material, actions, clip)) = material else {
            let words = match self.live.source {
                LiveSource::Graph => "build a transition graph first: select clips and press Build",
                LiveSource::Texture => "learn a motion texture first: it needs clips with labels",
            };
            cx.say(Severity::Warning, words);
            return;
        };
        self.stop_live(cx);
        let fps = clip.fps();
        match PlayThread::start(material, self.live.seed.max(1), cx.wake()) {
            Ok(thread) => {
                self.live.playing = Some(Playing {
                    thread,
                    plays: record::first(&actions),
                    actions,
                    skeleton: Arc::clone(clip.skeleton()),
                    up: clip.info.up,
                    fps,
                    began_secs: None,
                    paused_secs: None,
                    n_shown: 0,
                    now: clip,
                    doing: None,
                    queued: None,
                    recording: None,
                    steps_back: true,
                });
                cx.session.is_playing = false;
                cx.session.is_following = true;
                cx.session.framing = Some(Framing::Selection);
            }
            Err(error) => cx.say(
                Severity::Error,
                format!("live play could not start: {error}"),
            ),
        }
    }

    /// The clips of the built graph, in the order of the palette.
    fn graph_material(&self, cx: &UiContext) -> Option<(Material, Actions, Arc<Clip>)> {
        let built = Arc::clone(self.built_graph()?);
        let ids = self.live_clips(cx);
        let mut actions = Vec::with_capacity(ids.len());
        for id in &ids {
            let number = built.number(*id)?;
            let found = built.graph.clips().find(|(at, _)| *at == number);
            actions.push(Arc::clone(found?.1));
        }
        let first = Arc::clone(&actions.first()?.clip);
        let material = Material::Graph {
            graph: Arc::clone(&built.graph),
            actions,
            first: 0,
            random: self.live.random_play(&ids),
        };
        Some((material, Actions::Graph(built, ids), first))
    }

    fn texture_material(&self, cx: &UiContext) -> Option<(Material, Actions, Arc<Clip>)> {
        let (id, texture) = self.chosen_texture(cx)?;
        let first = texture.corpus().clips.first()?;
        let first = Arc::clone(&first.join.clip);
        let material = Material::Texture {
            steer: self.live.steering.steer(&texture),
            texture: Arc::clone(&texture),
        };
        Some((material, Actions::Texture(id, texture), first))
    }

    /// The clips that live play knows, by their numbers there: those of the built graph that are still in the library.
    pub fn live_clips(&self, cx: &UiContext) -> Vec<ClipId> {
        let Some(built) = self.built_graph() else {
            return Vec::new();
        };
        let numbers = built.graph.clips().map(|(number, _)| number);
        let ids = numbers.filter_map(|number| built.id(number));
        ids.filter(|id| cx.document().clip(*id).is_some()).collect()
    }

    /// Ends it; what is recorded stays to be kept.
    pub fn stop_live(&mut self, cx: &mut UiContext) {
        if let Some(mut playing) = self.live.playing.take() {
            self.live.recorded = playing.end_recording().or(self.live.recorded.take());
            cx.session.is_following = false;
            cx.session.framing = Some(Framing::All);
        }
    }

    /// Stands still, or goes on.
    pub fn pause_live(&mut self, cx: &UiContext) {
        if let Some(playing) = &mut self.live.playing {
            playing.pause(cx.now_secs);
        }
    }

    /// Plays this action of the graph: at once in mid-motion, or after the running one.
    pub fn trigger(&mut self, action: usize, is_queued: bool) {
        if let Some(playing) = &mut self.live.playing
            && let Actions::Graph(_, clips) = &playing.actions
            && action < clips.len()
        {
            if is_queued {
                playing.queued = Some(action);
                playing.thread.order(Order::Next(action));
            } else {
                playing.thread.order(Order::Now(action));
            }
        }
    }

    /// Tells the thread of other weights.
    pub(in crate::app::sequence) fn weights_changed(&mut self) {
        let Some(playing) = &self.live.playing else {
            return;
        };
        if let Actions::Graph(_, clips) = &playing.actions {
            let random = self.live.random_play(clips);
            playing.thread.order(Order::Random(random));
        }
    }

    /// Tells the thread of another heading, speed or action.
    pub(in crate::app::sequence) fn steering_changed(&mut self) {
        let Some(playing) = &self.live.playing else {
            return;
        };
        if let Actions::Texture(_, texture) = &playing.actions {
            let steer = self.live.steering.steer(texture);
            playing.thread.order(Order::Steer(steer));
        }
    }

    /// Once per frame: shows the frame that is due.
    pub(in crate::app::sequence) fn turn_live(&mut self, shell: &mut Shell, ctx: &egui::Context) {
        let Some(playing) = &mut self.live.playing else {
            return;
        };
        if let Some(why) = playing.thread.failure() {
            shell.say(Severity::Error, format!("live play: {why}"));
            self.stop_live(shell);
            return;
        }
        let stage = StageId::Preview(0);
        if playing.began_secs.is_none() && shell.analyses.to_draw(stage, &playing.now).is_some() {
            playing.began_secs = Some(shell.now_secs);
        }
        if playing.steps_back
            && playing.n_shown > 1
            && shell.session.framing.is_none()
            && let Some(camera) = shell.session.camera
        {
            playing.steps_back = false;
            shell.session.camera = Some(camera.zoomed(STEP_BACK));
        }
        playing.advance(shell.now_secs);
        shell.previews.wish(Preview::Family(Family {
            live: Some(Arc::clone(&playing.now)),
            ..Family::default()
        }));
        if !playing.is_paused() {
            ctx.request_repaint();
        }
    }
}

impl LiveView {
    /// What follows by chance, for these clips in this order.
    fn random_play(&self, clips: &[ClipId]) -> Option<RandomPlay> {
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
