//! Which rotations of a skeleton count.

use crate::motion::{Body, Limb, Quat, Side, Skeleton};

/// A skeleton without known limbs is compared by at most so many of its joints, those nearest to the root.
const MOST_UNNAMED: usize = 24;

/// Joints that act as one: the product of their rotations is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What it is: `left knee`, or the joint's name.
    pub label: String,
    /// From the body outwards; at least one.
    pub chain: Vec<usize>,
    /// How much its rotation counts; over zero.
    pub weight: f64,
    /// The pelvis: its rotation is that of the body in the world, without the heading.
    pub is_root: bool,
}

impl Group {
    /// The rotation that the chain makes.
    pub(super) fn rotation(&self, local: &[Quat]) -> Quat {
        let rotations = self.chain.iter().map(|&j| local[j]);
        rotations.fold(Quat::identity(), |all, q| all * q)
    }

    /// The joint at the end of the chain.
    pub fn joint(&self) -> usize {
        self.chain[self.chain.len() - 1]
    }
}

/// Pelvis, spine, hips, knees, shoulders and elbows; on a skeleton without known limbs, the joints nearest to the root.
pub(super) fn of(skeleton: &Skeleton, body: &Body, root: usize) -> Vec<Group> {
    let mut groups = vec![Group {
        label: "pelvis".to_owned(),
        chain: vec![root],
        weight: 1.0,
        is_root: true,
    }];
    let mut add = |label: String, above: usize, joint: usize| {
        let mut chain: Vec<usize> = skeleton
            .ancestors(joint)
            .take_while(|&a| a != above)
            .collect();
        chain.reverse();
        groups.push(Group {
            label,
            chain,
            weight: 1.0,
            is_root: false,
        });
    };
    if body.legs.is_empty() && body.arms.is_empty() {
        let bones = (0..skeleton.n_joints())
            .filter(|&j| skeleton.ancestors(j).skip(1).any(|a| a == root))
            .filter(|&j| skeleton.children(j).next().is_some())
            .take(MOST_UNNAMED);
        for joint in bones {
            let parent = skeleton.joints()[joint].parent.unwrap_or(root);
            add(skeleton.joints()[joint].name.clone(), parent, joint);
        }
        return groups;
    }
    let chest = chest(skeleton, body, root);
    if chest != root {
        add("spine".to_owned(), root, chest);
    }
    for (limb, [upper, middle], above) in body
        .legs
        .iter()
        .map(|leg| (leg, ["hip", "knee"], root))
        .chain(
            body.arms
                .iter()
                .map(|arm| (arm, ["shoulder", "elbow"], chest)),
        )
    {
        add(format!("{}{upper}", side(limb)), above, limb.upper);
        add(format!("{}{middle}", side(limb)), limb.upper, limb.middle);
    }
    groups
}

fn side(limb: &Limb) -> &'static str {
    match limb.side {
        Side::Left => "left ",
        Side::Right => "right ",
        Side::Middle => "",
    }
}

/// The last joint of the spine that carries both arms, or the head of a body without.
fn chest(skeleton: &Skeleton, body: &Body, root: usize) -> usize {
    let carried: Vec<usize> = body.arms.iter().map(|arm| arm.upper).collect();
    let carried = if carried.is_empty() {
        body.head.into_iter().collect()
    } else {
        carried
    };
    let Some(&first) = carried.first() else {
        return root;
    };
    skeleton
        .ancestors(first)
        .skip(1)
        .find(|a| {
            carried
                .iter()
                .all(|&c| skeleton.ancestors(c).any(|b| b == *a))
        })
        .filter(|&chest| skeleton.ancestors(chest).any(|a| a == root))
        .unwrap_or(root)
}

/// Gives a joint another weight: that of its group, or as a group of its own.
pub(super) fn set_weight(groups: &mut Vec<Group>, joint: usize, weight: f64, name: &str) {
    match groups.iter_mut().find(|g| g.joint() == joint) {
        Some(group) => group.weight = weight,
        None => groups.push(Group {
            label: name.to_owned(),
            chain: vec![joint],
            weight,
            is_root: false,
        }),
    }
    groups.retain(|g| g.weight > 0.0);
}
