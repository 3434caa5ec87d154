//! Steering while the motion plays: heading, speed and action may change at any time.

use super::error::TextureError;
use super::graph::{FrameId, Piece};
use super::model::Texture;
use super::passes::VELOCITY_SECS;
use super::player::{PlaySettings, Player};
use super::rough::rough_joins;
use super::search::{self, LabelRoutes, SearchSettings, SteerGoal};
use super::steer::Steer;
use crate::motion::path::{Vec2, on_floor};

/// Steering is thought over again after this time.
const STEP_SECS: f64 = 0.4;
/// And looks this far ahead.
const AHEAD_SECS: f64 = 1.2;
/// Motions that are compared: it has to be quick.
const WIDTH: usize = 60;
/// After a jump so much is played at once: the blend, and some frames in which feet settle.
const SETTLE_SECS: f64 = 0.6;
/// Ways that are tried before anything is shown, where joins break limits.
const ROUNDS: usize = 3;
/// Joins that broke limits are remembered for some time; so many.
const REMEMBERED: usize = 40;
/// Frames that are tried where a clip ends and no transition leaves it.
const WAYS_OUT: usize = 8;

/// A motion that is steered.
///
/// Frames come in steps of less than half a second, or somewhat more after a jump: that is how soon it answers. A
/// step is shown when its joins are known: where one breaks limits, others are tried first.
#[derive(Debug, Clone)]
pub struct Live<'a> {
    texture: &'a Texture,
    player: Player<'a>,
    settings: SearchSettings,
    heading_rad: f64,
    speed: Option<f64>,
    action: Option<LabelRoutes>,
}

impl<'a> Live<'a> {
    /// Nothing is played yet; forward, any action.
    pub fn new(texture: &'a Texture, settings: &PlaySettings) -> Self {
        Self {
            texture,
            player: Player::new(
                texture,
                &PlaySettings {
                    is_live: true,
                    ..settings.clone()
                },
            ),
            settings: SearchSettings {
                width: WIDTH,
                seed: settings.seed,
                ..SearchSettings::default()
            },
            heading_rad: 0.0,
            speed: None,
            action: None,
        }
    }

    /// The motion so far.
    pub fn player(&self) -> &Player<'a> {
        &self.player
    }

    /// What is wanted from now on.
    pub fn steer(&mut self, steer: &Steer) -> Result<(), TextureError> {
        if let Some(action) = &steer.action {
            let command = self.texture.command(action)?;
            self.action = Some(LabelRoutes::to(&self.texture.search(), &command.marks));
        }
        self.heading_rad = steer.heading_rad;
        self.speed = steer
            .speed
            .map(|s| s * self.texture.corpus().rig.metric.metres);
        Ok(())
    }

    /// Plays the next frames: the beginning of what looks best over the next second, in the smoothest of some ways.
    pub fn advance(&mut self) -> Result<(), TextureError> {
        let before = self.player.bookmark();
        let norms = &self.texture.corpus().norms;
        let mut best: Option<(f64, search::Found)> = None;
        for round in 1..=ROUNDS {
            let found = self.search()?;
            self.play(&found)?;
            let rough = rough_joins(self.player.joins_since(&before), norms);
            let excess: f64 = rough.iter().map(|(_, excess)| excess).sum();
            if excess == 0.0 {
                return Ok(());
            }
            self.settings.avoid.extend(rough.iter().map(|(r, _)| *r));
            let is_least = best.as_ref().is_none_or(|(least, _)| excess < *least);
            if round == ROUNDS && is_least {
                break;
            }
            self.player.back_to(&before);
            if is_least {
                best = Some((excess, found));
            }
            if round == ROUNDS {
                let (_, found) = best.take().expect("some way was tried before");
                self.play(&found)?;
            }
        }
        let n = self.settings.avoid.len();
        self.settings.avoid.drain(..n.saturating_sub(REMEMBERED));
        Ok(())
    }

    /// What looks best over the next second.
    fn search(&self) -> Result<search::Found, TextureError> {
        let corpus = self.texture.search();
        let goal = SteerGoal {
            heading_rad: self.heading_rad,
            speed: self.speed,
            labels: self.action.as_ref(),
            secs: AHEAD_SECS,
        };
        search::beam(&corpus, &goal, &self.starts(), &self.settings)
            .or_else(|| search::beam(&corpus, &goal, &self.ways_out(), &self.settings))
            .ok_or(TextureError::DeadEnd)
    }

    /// Plays the beginning of what was found.
    fn play(&mut self, found: &search::Found) -> Result<(), TextureError> {
        let corpus = self.texture.corpus();
        let mut left = corpus.frames_in(STEP_SECS);
        let mut start = self
            .player
            .strip()
            .is_none()
            .then(|| self.texture.placed(&found.start));
        for piece in &found.pieces {
            let jumps = !self.player.is_followed_by(piece) && self.player.n_frames() > 0;
            let wanted = if jumps && left > 0 {
                left.max(corpus.frames_in(SETTLE_SECS))
            } else {
                left
            };
            let n = piece.frames.len().min(wanted);
            if n == 0 {
                break;
            }
            left = left.saturating_sub(n);
            let part = Piece {
                clip: piece.clip,
                frames: piece.frames.start..piece.frames.start + n,
            };
            self.player.play(&part, start.take())?;
        }
        Ok(())
    }

    /// The frame that would come next and where its transitions lead; at the beginning any frame of the action.
    fn starts(&self) -> Vec<search::Start> {
        let corpus = self.texture.search();
        let (Some((heading, place)), Some(&last)) = (self.place(), self.player.shown().last())
        else {
            return self.first_starts();
        };
        let track = &corpus.tracks[last.clip];
        let next = FrameId {
            frame: last.frame + 1,
            ..last
        };
        let follows = next.frame < track.n_frames()
            && self.texture.corpus().clips[next.clip].is_clean[next.frame];
        let own = follows.then_some(next).into_iter();
        let others = corpus.graph.leaving(last).iter().map(|t| t.to);
        own.chain(others)
            .map(|at| search::Start {
                at,
                turn_rad: heading - corpus.tracks[at.clip].headings[at.frame],
                place,
                // Going on costs nothing; a jump as much as any other.
                may_jump: false,
                cost: if at == next {
                    0.0
                } else {
                    self.settings.jump_cost + self.settings.rough_cost(last, at, corpus.fps)
                },
            })
            .collect()
    }

    /// Where a clip that ends without a transition can go on: the most similar frames with enough after them, of the
    /// wanted action if it has some. They are joined directly.
    fn ways_out(&self) -> Vec<search::Start> {
        let (corpus, searched) = (self.texture.corpus(), self.texture.search());
        let (Some(place), Some(&last)) = (self.place(), self.player.shown().last()) else {
            return Vec::new();
        };
        let more = corpus.frames_in(AHEAD_SECS + STEP_SECS);
        let state = |at: FrameId| {
            let states = &corpus.clips[at.clip].states;
            let before = at.frame.saturating_sub(1);
            let velocity = states.column(at.frame) - states.column(before);
            (
                states.column(at.frame),
                velocity * (VELOCITY_SECS * corpus.fps()),
            )
        };
        let here = state(last);
        let mut near: Vec<(bool, f64, FrameId)> = Vec::new();
        for (clip, track) in searched.tracks.iter().enumerate() {
            let is_clean = &corpus.clips[clip].is_clean;
            for frame in (0..track.n_frames().saturating_sub(more)).step_by(2) {
                if is_clean[frame..frame + more].iter().all(|c| *c) {
                    let label = track.labels[frame];
                    let is_other = self.action.as_ref().is_some_and(|a| !a.contains(label));
                    let there = state(FrameId { clip, frame });
                    let apart =
                        (there.0 - here.0).norm_squared() + (there.1 - &here.1).norm_squared();
                    near.push((is_other, apart, FrameId { clip, frame }));
                }
            }
        }
        near.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let (heading_rad, place) = place;
        let start = |at: FrameId| search::Start {
            at,
            turn_rad: heading_rad - searched.tracks[at.clip].headings[at.frame],
            place,
            may_jump: false,
            cost: self.settings.rough_cost(last, at, searched.fps),
        };
        near.iter().take(WAYS_OUT).map(|n| start(n.2)).collect()
    }

    /// Which way the body faces and where it is, in metres.
    fn place(&self) -> Option<(f64, Vec2)> {
        let strip = self.player.strip()?;
        let metric = &self.texture.corpus().rig.metric;
        let frame = strip.n_frames() - 1;
        let place = on_floor(metric.heading.up, &strip.place(frame)) * metric.metres;
        Some((strip.heading_rad(frame), place))
    }

    fn first_starts(&self) -> Vec<search::Start> {
        let corpus = self.texture.search();
        let stride = self.texture.corpus().frames_in(0.2);
        let mut all = Vec::new();
        for (clip, track) in corpus.tracks.iter().enumerate() {
            let is_clean = &self.texture.corpus().clips[clip].is_clean;
            for frame in (0..track.n_frames()).step_by(stride) {
                let wanted = self.action.as_ref();
                if is_clean[frame] && wanted.is_none_or(|w| w.contains(track.labels[frame])) {
                    all.push(search::Start {
                        at: FrameId { clip, frame },
                        turn_rad: self.heading_rad - track.courses[frame],
                        place: Default::default(),
                        may_jump: true,
                        cost: 0.0,
                    });
                }
            }
        }
        all
    }
}
