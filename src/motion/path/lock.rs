//! Feet put down again after a warp.
//!
//! A warp turns and shifts the body a little in every frame, also while a foot stands. Each contact of the clip becomes
//! a hold at one place and the limb solver brings the leg there, with corrections that come and go over the swing.
//! Holds give way where a knee would pop ([`crate::motion::limb::constrain_within_limits`]).

use crate::motion::foot_slide::{self, FootSlideSettings};
use crate::motion::limb::{LimbError, LimbSettings, Limits, ReachPolicy};
use crate::motion::{Body, Clip};

/// How feet are locked.
#[derive(Debug, Clone, PartialEq)]
pub struct LockSettings {
    /// How holds are met.
    pub limbs: LimbSettings,
    /// How much rougher knees and body may get.
    pub limits: Limits,
}

impl Default for LockSettings {
    fn default() -> Self {
        Self {
            // The body follows feet that are out of reach by some millimetres; with a body that stays, knees were up to
            // 1.8 times as jerky as in the clips, and the path is met as well.
            limbs: LimbSettings {
                reach: ReachPolicy::RootFollows,
                ..LimbSettings::default()
            },
            // A little more than for captured clips: what is smoothed here is the warp's own drag.
            limits: Limits {
                knee_step_more_rad: 3.0_f64.to_radians(),
                jerk_times: 1.2,
                ..Limits::default()
            },
        }
    }
}

/// A clip whose feet stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Locked {
    /// With the contacts that were held.
    pub clip: Clip,
    /// How many contacts had to give way for some frames.
    pub n_softened: usize,
    /// Contacts that were held.
    pub n_held: usize,
    /// How much of all corrections was kept; 1 unless giving way was not enough.
    pub strength: f64,
}

/// Locks the feet of a clip during its contacts. A skeleton without legs comes back as it is.
pub fn lock(clip: &Clip, settings: &LockSettings) -> Result<Locked, LimbError> {
    if Body::of(clip.skeleton()).legs.is_empty() {
        return Ok(Locked {
            clip: clip.clone(),
            n_softened: 0,
            n_held: 0,
            strength: 1.0,
        });
    }
    let cleaned = foot_slide::remove(
        clip,
        &FootSlideSettings {
            limbs: settings.limbs.clone(),
            limits: Some(settings.limits),
            ..FootSlideSettings::default()
        },
    )?;
    let mut softened: Vec<usize> = cleaned.relaxed.iter().map(|s| s.hold).collect();
    softened.dedup();
    Ok(Locked {
        n_softened: softened.len(),
        n_held: cleaned.holds.len(),
        strength: cleaned.strength,
        clip: cleaned.clip,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::path::tests::{dragged, still_toe};
    use crate::motion::path::{foot_skate, toe_floor};

    #[test]
    fn a_dragged_foot_stands_again() {
        let clip = dragged(0.004);
        let floor = toe_floor(&[&clip]).unwrap();
        let before = foot_skate(&clip, floor, 1.0);
        assert!(before.mean_metres_per_sec > 0.1, "{before:?}");
        let locked = lock(&clip, &LockSettings::default()).unwrap();
        assert_eq!((locked.n_held, locked.strength), (2, 1.0));
        for leg in 0..2 {
            let way = still_toe(&locked.clip, leg);
            // Of 8 cm; both ends of a hold give way a little, since this body has no jerk of its own to hide them in.
            assert!(way < 0.015, "leg {leg} still moves by {way}");
        }
        assert_eq!(locked.clip.contacts(), clip.contacts());
    }

    #[test]
    fn a_body_without_legs_comes_back_as_it_is() {
        let clip = crate::motion::path::tests::gliding(40, |f| {
            (crate::motion::path::Vec2::new(0.0, 0.02 * f), 0.0)
        });
        let locked = lock(&clip, &LockSettings::default()).unwrap();
        assert_eq!(locked.clip, clip);
    }
}
