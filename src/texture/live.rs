//! Steering while the motion plays: heading, speed and action may change at any time.

use super::error::TextureError;
use super::graph::{FrameId, Piece};
use super::model::Texture;
use super::perform::Steer;
use super::player::{PlaySettings, Player};
use super::search::{self, LabelRoutes, SearchSettings, SteerGoal};
use crate::motion::path::on_floor;

/// Steering is thought over again after this time.
const STEP_SECS: f64 = 0.4;
/// And looks this far ahead.
const AHEAD_SECS: f64 = 1.2;
/// Motions that are compared: it has to be quick.
const WIDTH: usize = 60;

/// A motion that is steered. Frames come in steps of less than half a second: that is how soon it answers.
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

    /// Plays the next frames: the beginning of what looks best over the next second.
    pub fn advance(&mut self) -> Result<(), TextureError> {
        let corpus = self.texture.search();
        let goal = SteerGoal {
            heading_rad: self.heading_rad,
            speed: self.speed,
            labels: self.action.as_ref(),
            secs: AHEAD_SECS,
        };
        let starts = self.starts();
        let found =
            search::beam(&corpus, &goal, &starts, &self.settings).ok_or(TextureError::DeadEnd)?;
        let mut left = self.texture.corpus().frames_in(STEP_SECS);
        let mut start = self
            .player
            .strip()
            .is_none()
            .then(|| self.texture.placed(&found.start));
        for piece in found.pieces {
            let n = piece.frames.len().min(left);
            if n == 0 {
                break;
            }
            left -= n;
            let part = Piece {
                frames: piece.frames.start..piece.frames.start + n,
                ..piece
            };
            self.player.play(&part, start.take())?;
        }
        Ok(())
    }

    /// The frame that would come next and where its transitions lead; at the beginning any frame of the action.
    fn starts(&self) -> Vec<search::Start> {
        let corpus = self.texture.search();
        let (Some(strip), Some(&last)) = (self.player.strip(), self.player.shown().last()) else {
            return self.first_starts();
        };
        let rig = &self.texture.corpus().rig;
        let frame = strip.n_frames() - 1;
        let heading = strip.heading_rad(frame);
        let place = on_floor(rig.metric.heading.up, &strip.place(frame)) * rig.metric.metres;
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
                    self.settings.jump_cost
                },
            })
            .collect()
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
