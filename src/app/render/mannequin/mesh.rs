//! Solid shapes for a mannequin: rings strung along a line and closed at both ends, each ring tied to one or two
//! joints.

use bytemuck::{Pod, Zeroable};

use crate::motion::Vec3;

/// How finely a body is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Detail {
    /// Round enough for a body that fills a screen.
    #[default]
    Full,
    /// For hundreds of bodies, each a few dozen pixels tall: computers without a graphics card draw a quarter of it.
    Crowd,
}

impl Detail {
    /// Corners of a ring.
    const fn around(self) -> usize {
        match self {
            Self::Full => 16,
            Self::Crowd => 6,
        }
    }

    /// Rings of an egg, without its tip.
    const fn belts(self) -> usize {
        match self {
            Self::Full => 9,
            Self::Crowd => 4,
        }
    }
}

/// A point of the surface, as the graphics card gets it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Vertex {
    /// In the reference pose.
    pub place: [f32; 3],
    /// Unit length, in the reference pose.
    pub normal: [f32; 3],
    /// The two joints it moves with.
    pub joints: [u32; 2],
    /// How much of the second joint, how far to the front, how dark, how much of an accent: each 0 to 255.
    pub look: [u8; 4],
}

/// Which joints a part moves with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tie {
    pub(super) first: usize,
    pub(super) second: usize,
    /// 0 follows the first, 1 the second.
    pub(super) share: f64,
}

impl Tie {
    pub(super) const fn to(joint: usize) -> Self {
        Self {
            first: joint,
            second: joint,
            share: 0.0,
        }
    }
}

/// What a part is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// The skin colour of the character.
    Body,
    /// Darker: joints and the waist, so that bends read.
    Joint,
    /// Glossy and black: the visor in the place of the eyes.
    Accent,
}

impl Finish {
    const fn look(self) -> [u8; 2] {
        match self {
            Self::Body => [0, 0],
            Self::Joint => [255, 0],
            Self::Accent => [0, 255],
        }
    }
}

/// An ellipse: `side` and `front` are its half axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring {
    pub(super) centre: Vec3,
    pub(super) side: Vec3,
    pub(super) front: Vec3,
    pub(super) tie: Tie,
    pub(super) finish: Finish,
}

/// A rounded cone that can be hit by a ray; it moves with one joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// The joint it moves with, and that a hit names.
    pub joint: usize,
    /// Start, in the reference pose.
    pub from: Vec3,
    /// End, in the reference pose.
    pub to: Vec3,
    /// The radius at the end that the capsule starts from.
    pub radius_from: f64,
    /// The radius at the other end.
    pub radius_to: f64,
}

/// The shapes of one mannequin.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Mesh {
    pub(super) detail: Detail,
    pub(super) vertices: Vec<Vertex>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) capsules: Vec<Capsule>,
}

impl Mesh {
    /// Strings a skin over rings and closes both ends. `power` 2 makes ellipses, more makes them squarer.
    pub(super) fn loft(&mut self, rings: &[Ring], power: f64) {
        let (Some(first), Some(last)) = (rings.first(), rings.last()) else {
            return;
        };
        let around = self.detail.around();
        let start = self.vertices.len();
        let mut places = Vec::with_capacity(rings.len() * around + 2);
        for ring in rings {
            for corner in 0..around {
                let angle = corner as f64 / around as f64 * std::f64::consts::TAU;
                let (sin, cos) = angle.sin_cos();
                let bulge = |x: f64| x.signum() * x.abs().powf(2.0 / power);
                places.push(ring.centre + ring.side * bulge(sin) + ring.front * bulge(cos));
                self.vertices.push(vertex(ring, cos));
            }
        }
        places.extend([first.centre, last.centre]);
        self.vertices
            .extend([vertex(first, 0.0), vertex(last, 0.0)]);
        let triangles = skin(rings.len(), around);
        let normals = normals(&places, &triangles);
        let middle = centre_of(&places);
        for (at, (place, normal)) in places.iter().zip(normals).enumerate() {
            let vertex = &mut self.vertices[start + at];
            vertex.place = as_f32(place);
            vertex.normal = as_f32(&unit_or(normal, unit_or(place - middle, Vec3::y())));
        }
        let base = start as u32;
        self.triangles
            .extend(triangles.iter().map(|t| t.map(|corner| corner + base)));
    }

    /// Something that a ray can hit; the skin itself is not.
    pub(super) fn solid(&mut self, joint: usize, ends: [Vec3; 2], radii: [f64; 2]) {
        self.capsules.push(Capsule {
            joint,
            from: ends[0],
            to: ends[1],
            radius_from: radii[0],
            radius_to: radii[1],
        });
    }

    /// An egg with these half axes.
    pub(super) fn ellipsoid(&mut self, centre: Vec3, axes: [Vec3; 3], tie: Tie, finish: Finish) {
        let belts = self.detail.belts();
        let [side, along, front] = axes;
        let rings: Vec<Ring> = (0..=belts)
            .map(|belt| {
                let angle = (belt as f64 / belts as f64 - 0.5) * std::f64::consts::PI;
                let (sin, cos) = angle.sin_cos();
                Ring {
                    centre: centre + along * sin,
                    side: side * cos,
                    front: front * cos,
                    tie,
                    finish,
                }
            })
            .collect();
        self.loft(&rings, 2.0);
    }
}

fn vertex(ring: &Ring, facing: f64) -> Vertex {
    let byte = |share: f64| (share.clamp(0.0, 1.0) * 255.0).round() as u8;
    let [dark, accent] = ring.finish.look();
    Vertex {
        place: [0.0; 3],
        normal: [0.0; 3],
        joints: [ring.tie.first as u32, ring.tie.second as u32],
        look: [byte(ring.tie.share), byte(0.5 + 0.5 * facing), dark, accent],
    }
}

/// Triangles of a tube of rings with a lid on both ends, counter-clockwise from outside if `side`, the way along and
/// `front` are right-handed, like X, Y and Z.
fn skin(n_rings: usize, around: usize) -> Vec<[u32; 3]> {
    let corner = |ring: usize, at: usize| (ring * around + at % around) as u32;
    let mut triangles = Vec::with_capacity(n_rings * around * 2);
    for ring in 1..n_rings {
        for at in 0..around {
            let [a, b] = [corner(ring - 1, at), corner(ring - 1, at + 1)];
            let [c, d] = [corner(ring, at), corner(ring, at + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    let lids = (n_rings * around) as u32;
    for at in 0..around {
        triangles.push([lids, corner(0, at + 1), corner(0, at)]);
        triangles.push([
            lids + 1,
            corner(n_rings - 1, at),
            corner(n_rings - 1, at + 1),
        ]);
    }
    triangles
}

/// Mean normals of the triangles around each place, larger ones counting more.
fn normals(places: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::zeros(); places.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corner as usize);
        let face = (places[b] - places[a]).cross(&(places[c] - places[a]));
        for corner in [a, b, c] {
            normals[corner] += face;
        }
    }
    normals
}

fn centre_of(places: &[Vec3]) -> Vec3 {
    places.iter().sum::<Vec3>() / places.len().max(1) as f64
}

/// The direction of `v`, or another one where it has none.
pub(super) fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let length = v.norm();
    if length > f64::MIN_POSITIVE && length.is_finite() {
        v / length
    } else {
        otherwise
    }
}

/// What is left of `v` across `axis`, as a direction.
pub(super) fn across(v: Vec3, axis: Vec3, otherwise: Vec3) -> Vec3 {
    let left = v - axis * v.dot(&axis);
    if left.norm() > 1e-6 * v.norm() {
        return unit_or(left, otherwise);
    }
    // Any direction across will do where the wanted one runs along the axis.
    let other = otherwise - axis * otherwise.dot(&axis);
    let any = axis.cross(&Vec3::x());
    unit_or(other, unit_or(any, axis.cross(&Vec3::y())))
}

/// Numbers that a file made absurdly large stay finite on the graphics card.
pub(super) fn as_f32(v: &Vec3) -> [f32; 3] {
    [v.x, v.y, v.z].map(crate::app::render::finite_f32)
}
