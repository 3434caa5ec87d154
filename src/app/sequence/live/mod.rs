//! Endless play that listens to keys: actions of the graph that interrupt each other, or a texture that is steered.

mod actions;
mod keep_recording;
pub mod keyboard;
mod playing;
mod record;
mod steering;
mod thread;
pub mod ui;

use std::sync::Arc;

use crate::app::sequence::live::thread::{Material, Order, PlayThread};
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::previews::{Family, Preview};
use crate::app::shell::session::Framing;
use crate::app::shell::stage::StageId;
use crate::document::ClipId;
use crate::motion::Clip;

pub use actions::Actions;
pub use playing::{LiveSource, LiveView, Playing};
pub use record::Recording;
pub use steering::Steering;

/// How many times as far away the camera follows from as it would look at somebody who stands.
const STEP_BACK: f64 = 1.7;

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
