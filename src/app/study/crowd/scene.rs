//! The crowd at a moment as a scene for the renderer.

use std::sync::Arc;

use crate::app::render::{Backdrop, Camera, Character, Colour, Mark, Placement, Scene, Size, View};
use crate::app::shell::previews::ComparedKind;
use crate::app::shell::ui::tints::tint_of;
use crate::app::study::crowd::{Crowd, CrowdClip, CrowdView, Walker};
use crate::motion::heading::{forward, left};
use crate::motion::{Pose, Vec3, WorldPose};
use crate::study::crowd::{Casting, repeated};

/// From one character to the next, in body heights.
const SPACE: f64 = 0.75;
/// From one row to the next, in spaces.
const ROWS: f64 = 1.2;

/// How high over the horizon a crowd is first seen from.
const OVERVIEW_RAD: f64 = 0.5;

impl Crowd {
    /// Where a character stands.
    fn place(&self, walker: &Walker) -> Vec3 {
        let space = SPACE * self.height;
        // Seen from the front, the character's left is on the right of the picture.
        left(self.up) * (walker.step.right * space)
            + forward(self.up) * (walker.step.front * ROWS * space)
    }

    fn character(&self, walker: &Walker, secs: f64) -> Character {
        let playing = walker.playlist.at(secs);
        let clip = &self.clips[playing.clip];
        let mut pose = clip.pose_at(playing.secs);
        if let Some((next, secs, share)) = playing.next {
            let next = &self.clips[next];
            if next.clip.skeleton().same_structure(clip.clip.skeleton()) {
                pose = Pose::between(pose.as_ref(), next.pose_at(secs).as_ref(), share);
            }
        }
        Character {
            mannequin: Arc::clone(&clip.mannequin),
            pose: WorldPose::of(clip.clip.skeleton(), pose.as_ref()),
            placement: Placement {
                offset: self.place(walker) + self.up.vector() * clip.lift,
                scale: clip.scale,
            },
            colour: colour_of(walker.casting),
            opacity: 1.0,
            highlight: None,
        }
    }

    /// Balls that everybody stays in, for framing: quicker than to look at bodies.
    pub(super) fn balls(&self) -> Vec<(Vec3, f64)> {
        let middle = self.up.vector() * (self.floor + 0.5 * self.height);
        let ball = |walker: &Walker| (self.place(walker) + middle, 0.55 * self.height);
        self.walkers.iter().map(ball).collect()
    }

    /// Over the middle of those who play alike, for a word about them.
    pub(super) fn over(&self, casting: Casting) -> Option<Vec3> {
        let own = self.walkers.iter().filter(|w| w.casting == casting);
        let places: Vec<Vec3> = own.map(|walker| self.place(walker)).collect();
        let mean = places.iter().sum::<Vec3>() / places.len().max(1) as f64;
        let over = self.up.vector() * (self.floor + 1.35 * self.height);
        (!places.is_empty()).then(|| mean + over)
    }

    /// Everybody at a moment.
    pub fn scene(
        &self,
        view: &CrowdView,
        camera: Option<Camera>,
        size: Size,
        is_dark: bool,
    ) -> Scene {
        let secs = view.secs;
        let motions = self.motions_at(secs);
        let twice = repeated(&motions);
        let picked = view.picked.map(|clip| self.clips[clip].same_as);
        let mut marks = Vec::new();
        let mut characters = Vec::with_capacity(self.walkers.len());
        for (at, walker) in self.walkers.iter().enumerate() {
            let mut character = self.character(walker, secs);
            // Among a hundred that are lit nobody would find those that were asked for.
            let is_lit = match picked {
                Some(picked) => picked == motions[at],
                None => view.lights_repeated && twice[at],
            };
            if is_lit {
                // A ring as well: never colour alone.
                character.colour = character.colour.mix(Colour::SELECTED, 0.75);
                marks.push(Mark {
                    place: self.place(walker) + self.up.vector() * self.floor,
                    radius: 0.2 * self.height,
                    colour: Backdrop::of(is_dark).ink,
                });
            }
            characters.push(character);
        }
        let first = characters.first().cloned().into_iter().collect();
        let mut scene = Scene::of(first, self.up, self.floor, View::ThreeQuarter, 0.0, size);
        scene.characters = characters;
        scene.marks = marks;
        // From above, so that those behind are seen.
        scene.camera.pitch_rad = OVERVIEW_RAD;
        if let Some(camera) = camera.filter(|camera| camera.up == self.up) {
            scene.camera = camera;
        }
        scene.backdrop = if is_dark {
            Backdrop::DARK
        } else {
            Backdrop::LIGHT
        };
        scene
    }
}

impl CrowdClip {
    fn pose_at(&self, secs: f64) -> Pose {
        self.clip.pose_at(secs * self.clip.fps())
    }
}

/// Variants orange; the takes again as pale as an echo of their blue.
pub(super) const fn colour_of(casting: Casting) -> Colour {
    match casting {
        Casting::Varied => Colour::GENERATED,
        Casting::Cycled => tint_of(ComparedKind::CycleAnimation),
    }
}
