//! A body to look at: a slim octahedron for every bone.

use crate::motion::{Pose, Skeleton, Vec3, WorldPose, rotation};

/// Triangles with flat faces; every corner follows one joint.
#[derive(Debug, Default)]
pub(super) struct BoneMesh {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) joints: Vec<[u16; 4]>,
}

/// How thick a bone is at its thickest, as a share of its length, and where along it that is.
const THICKNESS: f64 = 0.1;
const WAIST: f64 = 0.2;

impl BoneMesh {
    /// A bone from each joint to each of its children and end sites, in the rest pose.
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let rest = WorldPose::of(skeleton, Pose::rest(skeleton).as_ref());
        let children = skeleton.joints().iter().skip(1);
        let to_children = children.filter_map(|j| j.parent.map(|parent| (parent, j.offset)));
        let to_ends = skeleton.ends().iter().map(|end| (end.joint, end.offset));
        let mut mesh = Self::default();
        for (joint, along) in to_children.chain(to_ends) {
            mesh.bone(joint, &rest.positions[joint], &along);
        }
        if mesh.positions.is_empty() {
            // A single joint has no bone, but something should be seen.
            mesh.bone(0, &rest.positions[0], &Vec3::y());
        }
        mesh
    }

    fn bone(&mut self, joint: usize, start: &Vec3, along: &Vec3) {
        let length = along.norm();
        // glTF numbers joints with 16 bits here; what lies beyond is animated but not drawn.
        let (Ok(joint), true) = (u16::try_from(joint), length > 0.0 && length.is_finite()) else {
            return;
        };
        let turn = rotation::align(&Vec3::y(), along);
        let corner = |x: f64, y: f64, z: f64| {
            start + turn * Vec3::new(x * THICKNESS, y, z * THICKNESS) * length
        };
        let waist = [(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)];
        for (idx, &(x, z)) in waist.iter().enumerate() {
            let (next_x, next_z) = waist[(idx + 1) % waist.len()];
            let (here, next) = (corner(x, WAIST, z), corner(next_x, WAIST, next_z));
            self.triangle(joint, [here, next, corner(0.0, 1.0, 0.0)]);
            self.triangle(joint, [next, here, corner(0.0, 0.0, 0.0)]);
        }
    }

    /// Corners against the clock, seen from outside.
    fn triangle(&mut self, joint: u16, corners: [Vec3; 3]) {
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0);
        let normal = normal.unwrap_or_else(Vec3::y);
        for corner in corners {
            self.positions.push(super::single(&corner));
            self.normals.push(super::single(&normal));
            self.joints.push([joint, 0, 0, 0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, EndSite, Joint};

    fn stick(tip: Vec3) -> Skeleton {
        let root = Joint {
            name: "root".to_owned(),
            parent: None,
            offset: Vec3::new(5.0, 0.0, 0.0),
            channels: Channels::NONE,
        };
        let end = EndSite {
            joint: 0,
            offset: tip,
        };
        Skeleton::new(vec![root], vec![end]).unwrap()
    }

    #[test]
    fn faces_look_outwards() {
        for tip in [Vec3::y(), -Vec3::y(), Vec3::new(1.0, 2.0, -3.0)] {
            let mesh = BoneMesh::of(&stick(tip));
            assert_eq!(mesh.positions.len(), 24, "eight triangles");
            let v = |p: &[f32; 3]| Vec3::new(p[0].into(), p[1].into(), p[2].into());
            let middle = Vec3::new(5.0, 0.0, 0.0) + tip * WAIST;
            for (place, normal) in mesh.positions.iter().zip(&mesh.normals) {
                let outwards = v(normal).dot(&(v(place) - middle));
                assert!(outwards > 0.0, "{place:?} {normal:?}");
                assert!((v(normal).norm() - 1.0).abs() < 1e-6, "unit");
            }
        }
    }

    #[test]
    fn a_joint_without_bones_is_seen_too() {
        assert_eq!(BoneMesh::of(&stick(Vec3::zeros())).positions.len(), 24);
    }
}
