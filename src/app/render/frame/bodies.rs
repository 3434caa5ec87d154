//! Characters: where each joint is, and in which order bodies are drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytemuck::Zeroable as _;

use super::Frame;
use super::body_instance::{Batch, BodyInstance, JointRows};
use crate::app::render::finite_f32;
use crate::app::render::scene::{Character, Scene};
use crate::motion::Vec3;

/// As many joints as every driver takes in one buffer (128 MiB); characters beyond that are left out.
const MOST_JOINTS: usize = (128 << 20) / size_of::<JointRows>();

/// Over this a character counts as solid.
const SOLID: f32 = 0.995;

pub(super) fn build(frame: &mut Frame, scene: &Scene) {
    frame.meshes.clear();
    frame.joints.clear();
    frame.bodies.clear();
    frame.solid.clear();
    frame.ghosts.clear();
    let target = scene.camera.target;
    let eye = scene.camera.eye();
    // Characters of one mannequin lie together, ghosts behind them from far to near.
    let mut mesh_of = BTreeMap::new();
    let mut order: Vec<(bool, usize, f64, &Character)> = scene
        .characters
        .iter()
        .filter(|character| character.opacity > 0.0)
        .map(|character| {
            let key = Arc::as_ptr(&character.mannequin).addr();
            let mesh = *mesh_of.entry(key).or_insert_with(|| {
                frame.meshes.push(Arc::clone(&character.mannequin));
                frame.meshes.len() - 1
            });
            let is_ghost = character.opacity < SOLID;
            let root = character.pose.positions.first();
            let away = root.map_or(0.0, |r| (character.placement.apply(r) - eye).norm());
            (is_ghost, mesh, away, character)
        })
        .collect();
    order.sort_by(|a, b| {
        let by_kind = a.0.cmp(&b.0);
        by_kind.then_with(|| {
            if a.0 {
                b.2.total_cmp(&a.2)
            } else {
                a.1.cmp(&b.1)
            }
        })
    });
    for (is_ghost, mesh, _, character) in order {
        if frame.joints.len() + character.mannequin.joints().len() > MOST_JOINTS {
            break;
        }
        let at = frame.bodies.len() as u32;
        let batches = if is_ghost {
            &mut frame.ghosts
        } else {
            &mut frame.solid
        };
        match batches.last_mut() {
            Some(last) if !is_ghost && last.mesh == mesh => last.bodies.end += 1,
            _ => batches.push(Batch {
                mesh,
                bodies: at..at + 1,
            }),
        }
        frame.bodies.push(BodyInstance {
            colour: character.colour.with_alpha(character.opacity.min(1.0)),
            first_joint: frame.joints.len() as u32,
            highlight: character.highlight.map_or(u32::MAX, |joint| joint as u32),
        });
        push_joints(&mut frame.joints, character, &target);
    }
}

fn push_joints(rows: &mut Vec<JointRows>, character: &Character, target: &Vec3) {
    let scale = character.placement.scale;
    let poses = character
        .pose
        .positions
        .iter()
        .zip(&character.pose.rotations);
    let joints = character.mannequin.joints();
    rows.extend(
        joints
            .iter()
            .zip(poses)
            .map(|((place, turn), (now, now_turn))| {
                let turned = (now_turn * turn.inverse())
                    .to_rotation_matrix()
                    .into_inner()
                    * scale;
                let shift = character.placement.apply(now) - target - turned * place;
                JointRows(std::array::from_fn(|i| {
                    [turned[(i, 0)], turned[(i, 1)], turned[(i, 2)], shift[i]].map(finite_f32)
                }))
            }),
    );
    // A pose of another skeleton may have too few joints; the rest of the body then shrinks to nothing.
    let missing = joints.len().saturating_sub(character.pose.positions.len());
    rows.extend(std::iter::repeat_n(JointRows::zeroed(), missing));
}
