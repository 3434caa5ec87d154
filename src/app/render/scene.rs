//! Everything there is to see, as plain data. Two equal scenes of one size give the same picture.

use std::sync::Arc;

use super::camera::{Camera, View};
use super::mannequin::{Capsule, Mannequin};
use super::palette::{Backdrop, Colour};
use super::size::Size;
use crate::motion::{Axis, PoseRef, Skeleton, Vec3, WorldPose};

/// Where a character stands apart from where its clip puts it: scaled about the origin, then moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Added to every place.
    pub offset: Vec3,
    /// Over zero; brings clips of different units together.
    pub scale: f64,
}

impl Placement {
    /// Where the clip puts it.
    pub fn as_is() -> Self {
        Self {
            offset: Vec3::zeros(),
            scale: 1.0,
        }
    }

    /// A place of the clip, in the scene.
    pub fn apply(&self, place: &Vec3) -> Vec3 {
        place * self.scale + self.offset
    }
}

/// One body in one pose.
#[derive(Debug, Clone)]
pub struct Character {
    /// Shared by all characters of one skeleton.
    pub mannequin: Arc<Mannequin>,
    /// Places and rotations of the joints, as the clip has them. Joints that are missing here are not drawn.
    pub pose: WorldPose,
    /// Where in the scene it stands, and which way it is turned.
    pub placement: Placement,
    /// The colour of its skin.
    pub colour: Colour,
    /// 1 is solid; less is a ghost.
    pub opacity: f32,
    /// A joint to be lit up.
    pub highlight: Option<usize>,
}

impl PartialEq for Character {
    /// Mannequins count as equal only if they are one and the same: that is quick, and true whenever they are shared.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.mannequin, &other.mannequin)
            && self.placement == other.placement
            && self.colour == other.colour
            && self.opacity == other.opacity
            && self.highlight == other.highlight
            && self.pose == other.pose
    }
}

impl Character {
    /// A solid character in a pose of its skeleton, where the clip puts it.
    pub fn new(
        mannequin: &Arc<Mannequin>,
        skeleton: &Skeleton,
        pose: PoseRef<'_>,
        colour: Colour,
    ) -> Self {
        Self {
            mannequin: Arc::clone(mannequin),
            pose: WorldPose::of(skeleton, pose),
            placement: Placement::as_is(),
            colour,
            opacity: 1.0,
            highlight: None,
        }
    }

    /// Of the body, in the scene.
    pub fn height(&self) -> f64 {
        self.mannequin.height() * self.placement.scale
    }

    /// A point of the reference pose that moves with this joint, in the scene.
    fn carried(&self, joint: usize, point: &Vec3) -> Option<Vec3> {
        let (place, turn) = self.mannequin.joints().get(joint)?;
        let (now, now_turn) = (
            self.pose.positions.get(joint)?,
            self.pose.rotations.get(joint)?,
        );
        let local = turn.inverse() * (point - place);
        Some(self.placement.apply(&(now + now_turn * local)))
    }

    /// What can be hit, where it is now.
    pub fn capsules(&self) -> impl Iterator<Item = Capsule> + '_ {
        let scale = self.placement.scale;
        self.mannequin.capsules().iter().filter_map(move |c| {
            Some(Capsule {
                joint: c.joint,
                from: self.carried(c.joint, &c.from)?,
                to: self.carried(c.joint, &c.to)?,
                radius_from: c.radius_from * scale,
                radius_to: c.radius_to * scale,
            })
        })
    }

    /// Balls that it fills, for framing it.
    pub fn balls(&self) -> impl Iterator<Item = (Vec3, f64)> + '_ {
        self.capsules()
            .flat_map(|c| [(c.from, c.radius_from), (c.to, c.radius_to)])
    }

    /// A box around it.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::around(self.balls())
    }
}

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Its smallest coordinates along each axis.
    pub low: Vec3,
    /// Its largest coordinates along each axis.
    pub high: Vec3,
}

impl Bounds {
    /// Around balls; `None` if there are none.
    pub fn around(balls: impl IntoIterator<Item = (Vec3, f64)>) -> Option<Self> {
        balls
            .into_iter()
            .map(|(centre, radius)| Self {
                low: centre.add_scalar(-radius),
                high: centre.add_scalar(radius),
            })
            .reduce(|a, b| a.with(&b))
    }

    /// The smallest bounds around both.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            low: self.low.inf(&other.low),
            high: self.high.sup(&other.high),
        }
    }

    /// The middle of the box.
    pub fn centre(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }
}

/// The way of a point over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Trail {
    /// In order of time.
    pub points: Arc<[Vec3]>,
    /// The colour of the line.
    pub colour: Colour,
    /// Which point is now: the line fades away from it to both sides. `None` shows all alike.
    pub now: Option<usize>,
    /// How wide it is drawn, in pixels.
    pub width_px: f32,
}

/// A ring on the floor under a foot that is planted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The foot; the ring lies under it, on the floor.
    pub place: Vec3,
    /// The radius of the ring.
    pub radius: f64,
    /// The colour of the ring.
    pub colour: Colour,
}

/// Something to drag: a small ball of the same size at any distance, seen through everything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle {
    /// Its centre, in the scene.
    pub place: Vec3,
    /// How large it is drawn, in pixels.
    pub radius_px: f32,
    /// The colour of the ball.
    pub colour: Colour,
}

/// The floor with its grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloorGrid {
    /// Which way is up.
    pub up: Axis,
    /// The height of the floor along up.
    pub height: f64,
    /// From one line of the grid to the next; every fifth is stronger. Over zero.
    pub cell: f64,
    /// Whether it is drawn.
    pub is_shown: bool,
}

/// Everything there is to see.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// In any order; ghosts are sorted when they are drawn.
    pub characters: Vec<Character>,
    /// Drawn behind what stands before them.
    pub trails: Vec<Trail>,
    /// Rings on the floor under feet that are planted.
    pub marks: Vec<Mark>,
    /// On top of everything.
    pub handles: Vec<Handle>,
    /// Where the scene is seen from.
    pub camera: Camera,
    /// What the light comes from, about up; shadows fall the other way. Usually a little beside the first camera.
    pub light_yaw_rad: f64,
    /// The floor, with its height.
    pub ground: FloorGrid,
    /// The colours behind it all.
    pub backdrop: Backdrop,
    /// A small cross of the axes in the corner.
    pub shows_axes: bool,
}

impl Scene {
    /// These characters on a floor at this height, all of them in view.
    pub fn of(
        characters: Vec<Character>,
        up: Axis,
        floor: f64,
        view: View,
        heading_rad: f64,
        size: Size,
    ) -> Self {
        let tall = characters.iter().map(Character::height).fold(0.0, f64::max);
        let tall = if tall > 0.0 { tall } else { 1.0 };
        let camera = Camera::new(up, view, up.vector() * (floor + 0.5 * tall), 3.0 * tall);
        let mut scene = Self {
            characters,
            trails: Vec::new(),
            marks: Vec::new(),
            handles: Vec::new(),
            camera: camera.seen(view, heading_rad),
            light_yaw_rad: 0.0,
            ground: FloorGrid {
                up,
                height: floor,
                cell: cell_for(tall),
                is_shown: true,
            },
            backdrop: Backdrop::DARK,
            shows_axes: true,
        };
        let balls: Vec<(Vec3, f64)> = scene.characters.iter().flat_map(Character::balls).collect();
        scene.camera = scene.camera.framing(&balls, size);
        scene.light_yaw_rad = scene.camera.yaw_rad - 0.7;
        scene
    }
}

/// A grid for a body of this height: a round number near a quarter of it, so that it means something in the clip's
/// units.
fn cell_for(tall: f64) -> f64 {
    let wanted = 0.25 * tall;
    let tens = 10f64.powf(wanted.log10().floor());
    let lead = wanted / tens;
    let round = if lead < 1.5 {
        1.0
    } else if lead < 3.5 {
        2.0
    } else if lead < 7.5 {
        5.0
    } else {
        10.0
    };
    let cell = round * tens;
    if cell.is_finite() && cell > 0.0 {
        cell
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_round_numbers_of_any_unit() {
        for (tall, cell) in [
            (1.75, 0.5),
            (175.0, 50.0),
            (1750.0, 500.0),
            (31.0, 10.0),
            (69.0, 20.0),
        ] {
            assert_eq!(cell_for(tall), cell, "for a height of {tall}");
        }
        assert_eq!(cell_for(0.0), 1.0);
        assert_eq!(cell_for(f64::INFINITY), 1.0);
    }

    #[test]
    fn bounds_hold_their_balls() {
        let ball = |x: f64, r: f64| (Vec3::new(x, 1.0, -x), r);
        let bounds = Bounds::around([ball(0.0, 1.0), ball(4.0, 0.5)]).unwrap();
        assert_eq!(bounds.low, Vec3::new(-1.0, 0.0, -4.5));
        assert_eq!(bounds.high, Vec3::new(4.5, 2.0, 1.0));
        assert_eq!(Bounds::around([]), None);
    }
}
