//! Taking hold: what begins when a handle or a part of the gizmo is pressed, or G or R.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::Pos2;

use crate::app::pose::handles::rig::ankle_height;
use crate::app::pose::handles::symmetry as across;
use crate::app::pose::handles::targets::HeldHandles;
use crate::app::pose::handles::tools::{retarget, turn_joint};
use crate::app::pose::handles::ui::eye::Eye;
use crate::app::pose::handles::ui::gizmo::Grip;
use crate::app::pose::handles::ui::mouse::{Mouse, MoveDrag, RotateDrag};
use crate::app::pose::handles::ui::sites::is_site;
use crate::app::pose::requests::Request;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::document::Posed;
use crate::motion::{Axis, Pose, Quat, Site, Vec3, WorldPose};

/// Feet within this share of the body's height of where they stand are put there.
const SNAP_HEIGHTS: f64 = 0.025;

/// Takes hold of the selected handles.
pub(in crate::app::pose) fn begin(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
    (at, grip, is_modal): (Pos2, Grip, bool),
) {
    let sites: Vec<Site> = pose.handles.selected.iter().copied().collect();
    let sites: Vec<Site> = sites
        .into_iter()
        .filter(|site| is_site(posed, *site))
        .collect();
    if sites.is_empty() {
        return;
    }
    let places: Vec<Vec3> = sites
        .iter()
        .map(|s| world.site(&posed.skeleton, *s))
        .collect();
    let centre = places.iter().sum::<Vec3>() / places.len() as f64;
    let of = called(pose, posed, &sites);
    match grip {
        Grip::View | Grip::Along(_) | Grip::Across(_) => {
            let held = HeldHandles {
                places: sites.iter().copied().collect(),
                turns: BTreeSet::new(),
            };
            let (floors, snap) = floors(cx, pose, posed, &sites);
            let mouse = Mouse::Move(MoveDrag {
                grip,
                starts: sites.into_iter().zip(places).collect(),
                anchor: centre,
                way: Vec3::zeros(),
                last: at,
                floors,
                up: posed.up,
                snap,
                is_modal,
            });
            pose.requests.ask(Request::Grab {
                held: Some(held),
                what: format!("move {of} of"),
                mouse,
            });
        }
        Grip::About(_) | Grip::Roll => {
            let axis = match grip {
                Grip::About(dim) => Axis::positive(dim).vector(),
                _ => eye.back(),
            };
            let held = (!pose.handles.is_fk).then(|| HeldHandles {
                places: BTreeSet::new(),
                turns: sites.iter().copied().collect(),
            });
            let turn = |site: &Site| (*site, world.rotations[posed.skeleton.carrier(*site)]);
            let mouse = Mouse::Turn(RotateDrag {
                axis,
                centre,
                starts: sites.iter().map(turn).collect(),
                angle_rad: 0.0,
                last: at,
                is_modal,
            });
            pose.requests.ask(Request::Grab {
                held,
                what: format!("rotate {of} of"),
                mouse,
            });
        }
    }
}

/// The same without a button: the handles follow the pointer until a click.
pub(in crate::app::pose) fn begin_modal(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
    (at, is_turning): (Pos2, bool),
) {
    if pose.handles.selected.is_empty() {
        cx.say(Severity::Info, "select a handle first");
        return;
    }
    let grip = if is_turning || pose.handles.is_fk {
        Grip::Roll
    } else {
        Grip::View
    };
    begin(cx, pose, eye, posed, world, (at, grip, true));
}

/// Turns what is held: by the solver, or joint by joint.
pub(in crate::app::pose) fn turn(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    turns: &[(Site, Quat)],
) {
    if !pose.handles.is_fk {
        pose.move_held(cx, &[], turns);
        return;
    }
    let Some(before) = pose
        .handles
        .grab
        .as_ref()
        .map(|grab| Arc::clone(&grab.before))
    else {
        return;
    };
    let mut draft = Posed::clone(&before);
    let mut turns = turns.to_vec();
    if pose.handles.is_symmetric
        && let Some(figure) = pose.figure(&before.skeleton)
    {
        turns.extend(across::turns(&before, &figure.rig, &turns));
    }
    // Parents first, so that what hangs on them turns from where they brought it.
    let mut turns: Vec<(usize, Quat)> = turns
        .iter()
        .map(|(site, turn)| (draft.skeleton.carrier(*site), *turn))
        .collect();
    turns.sort_by_key(|(joint, _)| *joint);
    for (joint, turn) in turns {
        turn_joint(&before.skeleton, &mut draft.pose, joint, &turn);
    }
    retarget(&mut draft);
    pose.change_draft(cx, draft, None);
}

/// "left hand", or how many.
fn called(pose: &PoseWorkspace, posed: &Posed, sites: &[Site]) -> String {
    match sites {
        [only] => match pose.figure(&posed.skeleton) {
            Some(figure) => figure.rig.name_of(&posed.skeleton, *only),
            None => posed.skeleton.site_name(*only),
        },
        many => counted(many.len(), "handle"),
    }
}

/// The heights at which these feet stand, and how near is near.
fn floors(
    cx: &UiContext,
    pose: &PoseWorkspace,
    posed: &Posed,
    sites: &[Site],
) -> (Vec<(Site, f64)>, f64) {
    let Some(figure) = pose.figure(&posed.skeleton) else {
        return (Vec::new(), 0.0);
    };
    let rig = &figure.rig;
    let style = pose.map_style(cx, posed);
    let poses: Vec<&Pose> = match &style {
        Some(style) => style.active().iter().collect(),
        None => vec![&posed.pose],
    };
    let feet = sites.iter().filter(|site| rig.is_foot(**site));
    let floors = feet.map(|site| {
        let ankle = posed.skeleton.carrier(*site);
        let over = ankle_height(&posed.skeleton, posed.up, ankle, poses.iter().copied());
        (*site, posed.floor + over)
    });
    (floors.collect(), SNAP_HEIGHTS * figure.mannequin.height())
}
