//! Motions made from recipes, by this program alone, with known variation.
//!
//! The window opens with them, the tour runs on them, and tests use them as ground truth: every clip comes with the
//! traits that it was made from, and [`make`] gives as many fresh takes of the same distribution as a test wants.

mod arms;
mod body;
mod curve;
mod drift;
mod feet;
mod gait;
mod path;
mod record;
mod skeleton;
mod traits;

use crate::motion::Clip;
use crate::numerics::random::Stream;

pub use record::FPS;
pub use skeleton::skeleton;
pub use traits::{CORRELATIONS, LIMIT_DEVIATIONS, Trait, Traits, Variation};

/// What is done in a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// One cycle of a comfortable walk.
    Walk,
    /// One cycle of a walk with arms swung high.
    WalkBigArms,
    /// One cycle of a walk in a curve.
    WalkLeft,
    /// One cycle of a walk in a curve.
    WalkRight,
    /// One cycle of a walk with a hurting right leg.
    Limp,
    /// One cycle of an easy run.
    Jog,
    /// One cycle of a crouched walk.
    Sneak,
}

/// A clip and what it was made from.
#[derive(Debug, Clone)]
pub struct DemoClip {
    /// The motion.
    pub clip: Clip,
    /// What is done in it.
    pub action: Action,
    /// What makes this take differ from others.
    pub traits: Traits,
    /// Whether it belongs to the main group of its kind; false for walks that do not go with the others.
    pub fits: bool,
}

/// A fresh take.
pub fn make(action: Action, seed: u64, index: u64) -> DemoClip {
    let mut stream = Stream::named(seed, &[action as u64, index]);
    let (style, v) = match action {
        Action::Walk => (gait::WALK, Variation::gait(1.12, 66.0, 10.0)),
        Action::WalkBigArms => (gait::BIG_ARMS, Variation::gait(1.06, 70.0, 10.0)),
        Action::WalkLeft | Action::WalkRight => (gait::WALK, Variation::gait(1.16, 60.0, 10.0)),
        Action::Limp => (gait::LIMP, Variation::gait(1.35, 46.0, 12.0)),
        Action::Jog => (gait::JOG, Variation::gait(0.72, 96.0, 7.0)),
        Action::Sneak => (gait::SNEAK, Variation::gait(1.7, 50.0, 14.0)),
    };
    let traits = v.draw(&mut stream);
    let t = traits.get(Trait::Duration);
    let turn = match action { Action::WalkLeft => 45.0, Action::WalkRight => -45.0, _ => 0.0 };
    let w = gait::Walker::new(style, traits, &gait::Route::Steady { secs: t, turning_rad_s: gait::turning(turn, t) }, &mut stream);
    let n = (t * FPS).round() as usize;
    let clip = record::record(format!("{action:?}_{:02}", index + 1), &["walk"], w.secs(0.0), n, |s| w.at(s));
    DemoClip { clip, action, traits, fits: true }
}

/// All demo clips.
pub fn library() -> Vec<DemoClip> {
    let mut all = vec![];
    for action in [Action::Walk, Action::WalkBigArms, Action::WalkLeft, Action::WalkRight, Action::Limp, Action::Jog, Action::Sneak] {
        for i in 0..3 { all.push(make(action, 1, i)); }
    }
    all
}
