//! Which nodes of a scene make up a skeleton.
//!
//! Bones are what the file calls bones; nodes between two of them belong as well. Files without any (skeletons made of
//! plain nulls) are taken by what is animated. Bones hang together in trees; a large one is a character.

use std::collections::BTreeSet;

use ufbx::{Node, Scene};

use super::FbxError;

/// Film rigs with faces have some thousands.
const MOST_BONES: usize = 20_000;
/// A tree with fewer bones than this share of the largest one is a prop or a handle.
const SMALL_SHARE: f64 = 0.25;

/// A skeleton in the file.
pub(super) struct Tree<'a> {
    /// The joints, parents before children.
    pub joints: Vec<TreeJoint<'a>>,
    /// The nodes that carry the whole tree, topmost first; not joints.
    pub above: Vec<&'a Node>,
}

pub(super) struct TreeJoint<'a> {
    pub node: &'a Node,
    /// Index into the joints.
    pub parent: Option<usize>,
}

pub(super) struct Found<'a> {
    /// Largest first; at least one.
    pub trees: Vec<Tree<'a>>,
    /// Roots of the trees that were left out.
    pub loose: Vec<&'a Node>,
    /// Whether nodes were taken that the file does not call bones, because it has none.
    pub is_without_bones: bool,
}

pub(super) fn find(scene: &Scene) -> Result<Found<'_>, FbxError> {
    let mut marked: BTreeSet<u32> = bones(scene).collect();
    let is_without_bones = marked.is_empty();
    if is_without_bones {
        marked = animated(scene).collect();
    }
    if marked.is_empty() {
        return Err(FbxError::NoBones);
    }
    let too_many = |found: usize| FbxError::TooManyBones {
        found,
        most: MOST_BONES,
    };
    if marked.len() > MOST_BONES {
        return Err(too_many(marked.len()));
    }
    mark_between(scene, &mut marked);
    if marked.len() > MOST_BONES {
        return Err(too_many(marked.len()));
    }
    let is_top = |node: &Node| !up(node).any(|a| marked.contains(&a.element.typed_id));
    let tops = scene.nodes.into_iter();
    let tops = tops.filter(|n| marked.contains(&n.element.typed_id) && is_top(n));
    let mut trees: Vec<Tree<'_>> = tops.map(|top| tree(top, &marked)).collect();
    // Stable: trees of one size stay in the order of the file.
    trees.sort_by_key(|tree| std::cmp::Reverse(tree.joints.len()));
    let largest = trees[0].joints.len() as f64;
    let n_large = trees.partition_point(|t| t.joints.len() as f64 >= SMALL_SHARE * largest);
    let loose = trees.split_off(n_large);
    Ok(Found {
        trees,
        loose: loose.iter().map(|tree| tree.joints[0].node).collect(),
        is_without_bones,
    })
}

fn bones(scene: &Scene) -> impl Iterator<Item = u32> + '_ {
    let nodes = scene.nodes.into_iter();
    nodes
        .filter(|node| node.bone.is_some() && !node.is_root)
        .map(|node| node.element.typed_id)
}

/// Nodes that any take moves.
fn animated(scene: &Scene) -> impl Iterator<Item = u32> + '_ {
    let props = scene.anim_layers.into_iter();
    props
        .flat_map(|layer| &layer.anim_props)
        .filter(|prop| prop.element.type_ == ufbx::ElementType::Node)
        .map(|prop| prop.element.typed_id)
        .filter(|&id| {
            let node = scene.nodes.get(id as usize);
            node.is_some_and(|node| !node.is_root && node.camera.is_none() && node.light.is_none())
        })
}

/// The nodes above one, nearest first, without the root of the scene.
pub(super) fn up(node: &Node) -> impl Iterator<Item = &Node> {
    std::iter::successors(parent(node), |node| parent(node))
}

fn parent(node: &Node) -> Option<&Node> {
    node.parent.as_deref().filter(|parent| !parent.is_root)
}

/// A node between two bones is a joint, too.
fn mark_between(scene: &Scene, marked: &mut BTreeSet<u32>) {
    for node in &scene.nodes {
        if !marked.contains(&node.element.typed_id) {
            continue;
        }
        let to_next = up(node).position(|a| marked.contains(&a.element.typed_id));
        let between = up(node).take(to_next.unwrap_or(0));
        marked.extend(between.map(|n| n.element.typed_id));
    }
}

/// All marked nodes below one, parents first and siblings in the order of the file.
fn tree<'a>(top: &'a Node, marked: &BTreeSet<u32>) -> Tree<'a> {
    let mut joints: Vec<TreeJoint<'a>> = Vec::new();
    let mut open: Vec<(&Node, Option<usize>)> = vec![(top, None)];
    while let Some((node, parent)) = open.pop() {
        let idx = joints.len();
        joints.push(TreeJoint { node, parent });
        let children = node.children.iter().rev();
        let children = children.filter(|c| marked.contains(&c.element.typed_id));
        open.extend(children.map(|child| (child.as_ref(), Some(idx))));
    }
    let mut above: Vec<&Node> = up(top).collect();
    above.reverse();
    Tree { joints, above }
}
