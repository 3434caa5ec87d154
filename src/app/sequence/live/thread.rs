//! Endless play on a thread of its own: the window says which frame is due and takes what is there.
//!
//! Frames are made a few ahead of what is due and no further, so that an order is heard within a tenth of a second, and
//! the search for a transition never keeps the window waiting. If one takes longer than that, the character stands for
//! a moment and then goes on where it should be by now: frames are skipped, not time.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::jobs::{Job, Outcome, Ticket};
use crate::motion::Pose;
use crate::motion::join::JoinClip;
use crate::texture::{Live, PlaySettings, Steer, Texture, TextureError};
use crate::transition::{
    Player, RandomPlay, Transition, TransitionError, TransitionGraph, TransitionSettings,
};

/// Frames are made this far ahead; seconds. Shorter, a slow frame of the window shows; longer, orders are heard late.
const AHEAD_SECS: f64 = 0.08;

/// What live play is made from.
#[derive(Debug)]
pub(in crate::app) enum Material {
    /// Clips, joined by the transitions of a graph.
    Graph {
        /// How to get from one to another.
        graph: Arc<TransitionGraph>,
        /// What can be commanded.
        actions: Vec<Arc<JoinClip>>,
        /// What it begins with.
        first: usize,
        /// What comes next by itself; none repeats.
        random: Option<RandomPlay>,
    },
    /// A texture that is steered.
    Texture {
        /// The texture that is steered.
        texture: Arc<Texture>,
        /// Where to at first.
        steer: Steer,
    },
}

/// What the animator wants while it plays.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) enum Order {
    /// This action, at once.
    Now(usize),
    /// This action after the running one.
    Next(usize),
    /// What comes by itself.
    Random(Option<RandomPlay>),
    /// Another heading, speed or action.
    Steer(Steer),
}

/// One frame of it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct Frame {
    /// The pose in the world.
    pub(in crate::app) pose: Pose,
    /// The action that runs: its number for a graph, the mark of the frame for a texture.
    pub(in crate::app) doing: usize,
    /// Whether it belongs to a transition.
    pub(in crate::app) is_transition: bool,
    /// The cluster, or the system, that it belongs to.
    pub(in crate::app) node: Option<u32>,
}

/// An action that was entered.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct Entered {
    /// The number of the action in the palette.
    pub(in crate::app) action: usize,
    /// How it was reached; frames count from the start of play.
    pub(in crate::app) transition: Transition,
}

#[derive(Debug, Default)]
struct Shared {
    orders: VecDeque<Order>,
    /// Frames up to this one are wanted.
    due: usize,
    made: VecDeque<Frame>,
    entered: Vec<Entered>,
    is_stopped: bool,
}

#[derive(Debug, Default)]
struct Mailbox {
    shared: Mutex<Shared>,
    changed: Condvar,
}

impl Mailbox {
    fn open(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something is to do: the orders, and whether a frame is wanted; none at the end.
    fn next(&self, n_made: usize, ahead: usize) -> Option<(Vec<Order>, bool)> {
        let mut shared = self.open();
        loop {
            if shared.is_stopped {
                return None;
            }
            let is_wanted = n_made < shared.due + ahead;
            if is_wanted || !shared.orders.is_empty() {
                return Some((shared.orders.drain(..).collect(), is_wanted));
            }
            shared = self
                .changed
                .wait(shared)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The thread, as the window sees it.
#[derive(Debug)]
pub(in crate::app) struct PlayThread {
    mailbox: Arc<Mailbox>,
    job: Job<(), String>,
}

impl Drop for PlayThread {
    fn drop(&mut self) {
        self.mailbox.open().is_stopped = true;
        self.mailbox.changed.notify_all();
    }
}

impl PlayThread {
    /// Begins to play; `wake` is called when it ends, which it does by itself only after an error.
    pub(in crate::app) fn start(
        material: Material,
        seed: u64,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let mailbox = Arc::new(Mailbox::default());
        let own = Arc::clone(&mailbox);
        let job = Job::spawn("live play", wake, move |_: &Ticket| {
            let played = match material {
                Material::Graph {
                    graph,
                    actions,
                    first,
                    random,
                } => {
                    let settings = TransitionSettings::default();
                    let mut player = Player::new(&graph, actions, first, &settings, seed);
                    player.random = random;
                    play_graph(&own, player, graph.rig().fps).map_err(|e| e.to_string())
                }
                Material::Texture { texture, steer } => {
                    play_texture(&own, &texture, &steer, seed).map_err(|e| e.to_string())
                }
            };
            match played {
                Ok(()) => Outcome::Done(()),
                Err(why) => Outcome::Failed(why),
            }
        })?;
        Ok(Self { mailbox, job })
    }

    /// Wants something from now on.
    pub(in crate::app) fn order(&self, order: Order) {
        let mut shared = self.mailbox.open();
        if let Order::Steer(_) = order {
            // Only the newest counts.
            shared.orders.retain(|o| !matches!(o, Order::Steer(_)));
        }
        shared.orders.push_back(order);
        drop(shared);
        self.mailbox.changed.notify_all();
    }

    /// The frames up to the one that is due, as far as they are made, and the actions entered since the last time.
    pub(in crate::app) fn take(&self, n_taken: usize, due: usize) -> (Vec<Frame>, Vec<Entered>) {
        let mut shared = self.mailbox.open();
        shared.due = due;
        let n = due.saturating_sub(n_taken).min(shared.made.len());
        let frames = shared.made.drain(..n).collect();
        let entered = std::mem::take(&mut shared.entered);
        drop(shared);
        self.mailbox.changed.notify_all();
        (frames, entered)
    }

    /// Why it ended, once it has.
    pub(in crate::app) fn failure(&self) -> Option<String> {
        match self.job.poll()? {
            Outcome::Done(()) | Outcome::Cancelled => Some("it ended".to_owned()),
            Outcome::Failed(why) => Some(why),
            Outcome::Crashed(why) => Some(format!("it crashed; please report this: {why}")),
        }
    }
}

fn ahead(fps: f64) -> usize {
    ((AHEAD_SECS * fps).round() as usize).max(1)
}

fn play_graph(mailbox: &Mailbox, mut player: Player, fps: f64) -> Result<(), TransitionError> {
    let (mut n_made, mut node) = (0, None);
    let mut last: Option<usize> = None;
    let mut doing = player.running();
    while let Some((orders, is_wanted)) = mailbox.next(n_made, ahead(fps)) {
        for order in orders {
            match order {
                Order::Now(action) => player.command(action)?,
                Order::Next(action) => player.queue(action),
                Order::Random(random) => player.random = random,
                Order::Steer(_) => {}
            }
        }
        if !is_wanted {
            continue;
        }
        let pose = player.next_frame()?.to_pose();
        node = player.cluster(node);
        let transition = player.last_transition();
        let is_transition = transition.is_some_and(|t| (t.at..t.at + t.frames).contains(&n_made));
        // A join is made some frames before it begins: until then the action before it is what is seen.
        if transition.is_none_or(|t| n_made >= t.at) {
            doing = player.running();
        }
        let mut shared = mailbox.open();
        if let Some(transition) = transition.filter(|t| last != Some(t.at)) {
            last = Some(transition.at);
            shared.entered.push(Entered {
                action: player.running(),
                transition: transition.clone(),
            });
        }
        shared.made.push_back(Frame {
            pose,
            doing,
            is_transition,
            node,
        });
        n_made += 1;
    }
    Ok(())
}

fn play_texture(
    mailbox: &Mailbox,
    texture: &Texture,
    steer: &Steer,
    seed: u64,
) -> Result<(), TextureError> {
    let settings = PlaySettings {
        seed,
        ..PlaySettings::default()
    };
    let mut live = Live::new(texture, &settings);
    live.steer(steer)?;
    let mut n_made = 0;
    while let Some((orders, is_wanted)) = mailbox.next(n_made, ahead(texture.corpus().fps())) {
        for order in orders {
            if let Order::Steer(steer) = order {
                live.steer(&steer)?;
            }
        }
        if !is_wanted {
            continue;
        }
        if live.player().n_frames() <= n_made {
            live.advance()?;
        }
        let player = live.player();
        let (Some(strip), Some(&at)) = (player.strip(), player.shown().get(n_made)) else {
            return Err(TextureError::NothingPlayed);
        };
        let blended =
            |join: &&crate::texture::PlayedJoin| (join.at..join.at + join.frames).contains(&n_made);
        let system = texture.upper().system_of(at);
        let frame = Frame {
            pose: strip.pose(n_made).to_pose(),
            doing: texture.search().label(at),
            is_transition: player.joins().iter().rev().take(2).any(|j| blended(&j)),
            node: system.and_then(|s| u32::try_from(s).ok()),
        };
        mailbox.open().made.push_back(frame);
        n_made += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::transition::GraphSettings;

    fn graph() -> (Arc<TransitionGraph>, Vec<Arc<JoinClip>>) {
        let clips: Vec<_> = [Action::Jab, Action::FrontKick]
            .iter()
            .flat_map(|action| (0..2).map(|take| Arc::new(make(*action, 3, take).clip)))
            .collect();
        let settings = GraphSettings::default();
        let graph = TransitionGraph::build(&clips, &settings, &Ticket::default()).unwrap();
        let actions = graph.clips().map(|(_, clip)| Arc::clone(clip)).collect();
        (Arc::new(graph), actions)
    }

    /// Takes frames until so many are there.
    fn wait(thread: &PlayThread, n: usize) -> (Vec<Frame>, Vec<Entered>) {
        let (mut frames, mut entered) = (Vec::new(), Vec::new());
        while frames.len() < n {
            assert_eq!(thread.failure(), None);
            let (more, new) = thread.take(frames.len(), n);
            frames.extend(more);
            entered.extend(new);
            std::thread::yield_now();
        }
        (frames, entered)
    }

    #[test]
    fn an_order_is_heard_at_once_and_time_is_kept() {
        let (graph, actions) = graph();
        let fps = graph.rig().fps;
        let material = Material::Graph {
            graph,
            actions,
            first: 0,
            random: None,
        };
        let thread = PlayThread::start(material, 1, || ()).unwrap();
        let (frames, _) = wait(&thread, 10);
        assert!(frames.iter().all(|f| f.doing == 0 && f.node.is_some()));
        thread.order(Order::Now(2));
        let mut frames = frames;
        let mut entered = Vec::new();
        while frames.len() < 60 {
            let (more, new) = thread.take(frames.len(), 60);
            frames.extend(more);
            entered.extend(new);
            std::thread::yield_now();
        }
        let late = frames.iter().position(|f| f.doing == 2).unwrap();
        assert!(
            late <= 10 + ahead(fps) + 1,
            "heard after {} frames",
            late - 10
        );
        assert_eq!(entered[0].action, 2);
        assert!(frames[late].is_transition, "a transition first");
        for pair in frames.windows(2) {
            let step = pair[0].pose.translations[0] - pair[1].pose.translations[0];
            assert!(step.norm() < 20.0, "the body does not jump");
        }
    }

    #[test]
    fn an_error_is_told_and_ends_it() {
        let (graph, actions) = graph();
        let material = Material::Graph {
            graph,
            actions,
            first: 0,
            random: None,
        };
        let thread = PlayThread::start(material, 1, || ()).unwrap();
        thread.order(Order::Now(99));
        let why = loop {
            if let Some(why) = thread.failure() {
                break why;
            }
            std::thread::yield_now();
        };
        assert!(why.contains("99"), "{why}");
    }
}
