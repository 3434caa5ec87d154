//! What of the keys is seen beside the character: playback, onion skins and the paths of handles.

use std::sync::Arc;

use crate::app::pose::keys::motion::KeyMotion;
use crate::app::pose::state::PoseWorkspace;
use crate::app::pose::state::{Extra, OnionSkin};
use crate::app::render::{Colour, Trail};
use crate::app::shell::context::UiContext;
use crate::motion::{Pose, Site, Vec3};
use crate::style::solve::Trajectory;

impl PoseWorkspace {
    /// Playback, onion skins and paths.
    pub(in crate::app::pose) fn show_keys(&mut self, cx: &mut UiContext) {
        let Some((motion, (_, keying))) =
            self.key_motion(cx).map(Arc::clone).zip(self.keying_now(cx))
        else {
            return;
        };
        let frame = cx.session.playhead_secs * keying.fps;
        let keys = &self.keys;
        let instead = cx.session.is_playing.then(|| motion.at(frame));
        let mut ghosts = Vec::new();
        if keys.shows_onions {
            let now = Self::key_frame_now(cx, &keying);
            // The keys around the playhead: what was is blue, what comes is orange.
            let before = keying.keys.iter().rev().filter(|key| key.frame < now);
            let after = keying.keys.iter().filter(|key| key.frame > now);
            for (place, key) in before.take(keys.n_onions).enumerate() {
                ghosts.push(onion(&key.pose, Colour::GIVEN, place));
            }
            for (place, key) in after.take(keys.n_onions).enumerate() {
                ghosts.push(onion(&key.pose, Colour::GENERATED, place));
            }
        }
        let trails = if keys.shows_ways {
            let now = Self::key_frame_now(cx, &keying);
            let curves = motion.curves.iter();
            // Pale yellow is lost on a light ground.
            let is_dark = !cx.preferences.is_light;
            let lit = if is_dark {
                Colour::SELECTED
            } else {
                Colour::GENERATED
            };
            let lit = |site: Site| (Some(site) == keys.site).then_some(lit);
            let usual = if is_dark {
                Colour::GENERATED
            } else {
                Colour::GENERATED.standing_out(is_dark)
            };
            curves
                .map(|curve| trail(curve, &motion, now, (lit(curve.site), usual)))
                .collect()
        } else {
            Vec::new()
        };
        self.extras.wish(Extra {
            instead,
            ghosts,
            trails,
        });
    }
}

fn onion(pose: &Pose, colour: Colour, place: usize) -> OnionSkin {
    OnionSkin {
        pose: pose.clone(),
        colour,
        opacity: 0.28 / (1.0 + place as f32),
    }
}

fn trail(
    curve: &Trajectory,
    motion: &KeyMotion,
    now: usize,
    (lit, usual): (Option<Colour>, Colour),
) -> Trail {
    /// Fine enough to look smooth between frames.
    const PER_FRAME: usize = 2;
    let n = (motion.poses.len() - 1) * PER_FRAME;
    let at = |step: usize| motion.first as f64 + step as f64 / PER_FRAME as f64;
    let points: Vec<Vec3> = (0..=n).filter_map(|step| curve.at(at(step))).collect();
    let now = now.saturating_sub(motion.first) * PER_FRAME;
    Trail {
        now: lit
            .is_none()
            .then_some(now.min(points.len().saturating_sub(1))),
        points: points.into(),
        colour: lit.unwrap_or(usual),
        width_px: if lit.is_some() { 3.0 } else { 2.0 },
    }
}
