//! Which joints are partners: by their names, then by the symmetry of the bones at rest.

use std::collections::BTreeMap;

use crate::motion::names::{Side, parts};
use crate::motion::{Dim, Skeleton, Vec3, WorldPose};

pub(super) fn pairs_by_name(skeleton: &Skeleton) -> (Vec<usize>, Vec<Side>) {
    let n = skeleton.n_joints();
    let parts: Vec<_> = skeleton.joints().iter().map(|j| parts(&j.name)).collect();
    let mut mirror: Vec<usize> = (0..n).collect();
    let mut side = vec![Side::Middle; n];
    let mut rights: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (idx, part) in parts.iter().enumerate() {
        if part.side == Side::Right {
            rights.entry(&part.core).or_default().push(idx);
        }
    }
    for (left, part) in parts.iter().enumerate() {
        if part.side != Side::Left {
            continue;
        }
        let Some(candidates) = rights.get_mut(part.core.as_str()) else {
            continue;
        };
        if candidates.is_empty() {
            continue;
        }
        let right = candidates.remove(0);
        mirror[left] = right;
        mirror[right] = left;
        side[left] = Side::Left;
        side[right] = Side::Right;
    }
    // A clear side without a partner (a sword in the right hand) is still a side.
    for (idx, part) in parts.iter().enumerate() {
        if !part.is_weak {
            side[idx] = part.side;
        }
    }
    (mirror, side)
}

/// The coordinate along which the named pairs lie apart; without any, the one along which most joints have a partner.
pub(super) fn lateral_dim(skeleton: &Skeleton, rest: &WorldPose, mirror: &[usize]) -> Dim {
    let mut apart = Vec3::zeros();
    for (joint, &partner) in mirror.iter().enumerate() {
        apart += (rest.positions[joint] - rest.positions[partner]).abs();
    }
    if apart.max() > 0.0 {
        return Dim::ALL[apart.imax()];
    }
    let count = |dim: Dim| {
        let mut mirror: Vec<usize> = (0..skeleton.n_joints()).collect();
        let mut side = vec![Side::Middle; mirror.len()];
        add_pairs_by_symmetry(skeleton, rest, dim, &mut mirror, &mut side);
        side.iter().filter(|s| **s != Side::Middle).count()
    };
    // X wins ties: it is lateral in nearly all files.
    let (x, y, z) = (count(Dim::X), count(Dim::Y), count(Dim::Z));
    if x >= y && x >= z {
        Dim::X
    } else if z >= y {
        Dim::Z
    } else {
        Dim::Y
    }
}

/// Pairs up joints that have no partner yet: their parents are partners (or one and the same), and they lie opposite
/// each other. Joints come parents first, so pairs grow outwards. Left is where the coordinate is larger, as in a
/// character that faces +Z with Y up.
pub(super) fn add_pairs_by_symmetry(
    skeleton: &Skeleton,
    rest: &WorldPose,
    lateral: Dim,
    mirror: &mut [usize],
    side: &mut [Side],
) {
    let axis = lateral.index();
    let bone = |j: usize| {
        let parent = skeleton.joints()[j].parent.unwrap_or(j);
        rest.positions[j] - rest.positions[parent]
    };
    let n = skeleton.n_joints();
    for a in 1..n {
        if mirror[a] != a || side[a] != Side::Middle {
            continue;
        }
        let parent = skeleton.joints()[a].parent.unwrap_or(0);
        let wanted = {
            let mut v = bone(a);
            v[axis] = -v[axis];
            v
        };
        let near = 0.1 * wanted.norm();
        let across = mirror[parent] != parent;
        let opposite = skeleton.children(mirror[parent]).find(|&b| {
            b != a
                && mirror[b] == b
                && side[b] == Side::Middle
                && (bone(b) - wanted).norm() <= near
                && (across || bone(a)[axis].abs() > near)
        });
        let Some(b) = opposite else { continue };
        let is_left = if across {
            side[parent] == Side::Left
        } else {
            bone(a)[axis] > bone(b)[axis]
        };
        mirror[a] = b;
        mirror[b] = a;
        side[a] = if is_left { Side::Left } else { Side::Right };
        side[b] = side[a].opposite();
    }
}
