//! What a search is for, where it begins, and what it finds.

use crate::motion::path::Vec2;
use crate::texture::{FrameId, Piece};

/// A moment of a motion that is tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// The frame of a clip that is shown.
    pub at: FrameId,
    /// Smoothed root on the floor; metres.
    pub place: Vec2,
    /// Which way the body faces; turned round for clips that go backwards.
    pub heading_rad: f64,
    /// Which way it goes.
    pub course_rad: f64,
    /// How fast; metres a second.
    pub speed: f64,
    /// How fast toes move that are down; metres a second.
    pub slide: f64,
    /// The time since the start.
    pub secs: f64,
    /// Index of the label.
    pub label: usize,
}

/// What a motion is searched for.
pub trait Goal: Sync {
    /// What has to be remembered of a motion.
    type Memory: Clone + Send + Sync;
    /// Before the first frame.
    fn begin(&self) -> Self::Memory;
    /// What it costs to be somewhere; called at even times.
    fn visit(&self, memory: &mut Self::Memory, at: &Visit) -> f64;
    /// How far the motion has come, in metres or seconds: costs are compared by progress.
    fn progress(&self, memory: &Self::Memory) -> f64;
    /// Whether it has arrived.
    fn is_done(&self, memory: &Self::Memory) -> bool;
    /// Whether another action is shown than the one that is wanted.
    fn is_off(&self, memory: &Self::Memory, at: &Visit) -> bool;
    /// What a motion will have to pay for what is wanted later, as far as that can be known here.
    fn ahead(&self, memory: &Self::Memory, at: &Visit) -> f64;
    /// How far a frame that could be shown next is from what is wanted; none if that is shown and nothing else is
    /// wanted soon.
    fn lead(&self, memory: &Self::Memory, at: &Visit, next: FrameId) -> Option<f64>;
    /// No motion is longer than this.
    fn most_secs(&self) -> f64;
}

/// Where a motion may begin: a frame, placed in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// The first frame that is shown.
    pub at: FrameId,
    /// Radians by which the clip is turned.
    pub turn_rad: f64,
    /// Where its smoothed root is then; metres.
    pub place: Vec2,
    /// What it costs to begin there.
    pub cost: f64,
    /// Whether a jump may come at once, because the motion is under way; else the first clip is played for a while.
    pub may_jump: bool,
}

/// A motion that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The pieces of clips to play.
    pub pieces: Vec<Piece>,
    /// Where the first frame is placed.
    pub start: Start,
    /// The sum of the costs of all steps.
    pub cost: f64,
    /// What the goal says of it.
    pub progress: f64,
    /// Whether the goal is reached.
    pub is_done: bool,
    /// Steps that were tried on the way.
    pub n_tried: usize,
}
