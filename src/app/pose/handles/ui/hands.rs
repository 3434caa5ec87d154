//! Taking hold: what begins when a handle or a part of the gizmo is pressed, or G or R.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::Pos2;

use crate::app::pose::handles::rig::ankle_height;
use crate::app::pose::handles::symmetry as across;
use crate::app::pose::handles::targets::Held;
use crate::app::pose::handles::tools::{retarget, turn_joint};
use crate::app::pose::handles::ui::eye::Eye;
use crate::app::pose::handles::ui::gizmo::Grip;
use crate::app::pose::handles::ui::mouse::{Mouse, Moving, Turning};
use crate::app::pose::handles::ui::view::is_site;
use crate::app::shell::messages::Severity;
use crate::app::shell::studio::{Studio, counted};
use crate::document::Posed;
use crate::motion::{Axis, Pose, Quat, Site, Vec3, WorldPose};

/// Feet within this share of the body's height of where they stand are put there.
const SNAP_HEIGHTS: f64 = 0.025;

/// Takes hold of the selected handles.
pub(in crate::app::pose) fn begin(
    studio: &mut Studio,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
    (at, grip, is_modal): (Pos2, Grip, bool),
) {
    let sites: Vec<Site> = studio.pose.selected.iter().copied().collect();
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
    let of = called(studio, posed, &sites);
    match grip {
        Grip::View | Grip::Along(_) | Grip::Across(_) => {
            let held = Held {
                places: sites.iter().copied().collect(),
                turns: BTreeSet::new(),
            };
            if !studio.begin_grab(held, &format!("move {of} of")) {
                return;
            }
            let (floors, snap) = floors(studio, posed, &sites);
            studio.pose.mouse = Some(Mouse::Move(Moving {
                grip,
                starts: sites.into_iter().zip(places).collect(),
                anchor: centre,
                way: Vec3::zeros(),
                last: at,
                floors,
                up: posed.up,
                snap,
                is_modal,
            }));
        }
        Grip::About(_) | Grip::Roll => {
            let axis = match grip {
                Grip::About(dim) => Axis::positive(dim).vector(),
                _ => eye.back(),
            };
            let what = format!("turn {of} of");
            let has_begun = if studio.pose.is_fk {
                studio.begin_change(&what)
            } else {
                let held = Held {
                    places: BTreeSet::new(),
                    turns: sites.iter().copied().collect(),
                };
                studio.begin_grab(held, &what)
            };
            if !has_begun {
                return;
            }
            let turn = |site: &Site| (*site, world.rotations[posed.skeleton.carrier(*site)]);
            studio.pose.mouse = Some(Mouse::Turn(Turning {
                axis,
                centre,
                starts: sites.iter().map(turn).collect(),
                angle_rad: 0.0,
                last: at,
                is_modal,
            }));
        }
    }
}

/// The same without a button: the handles follow the pointer until a click.
pub(in crate::app::pose) fn begin_modal(
    studio: &mut Studio,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
    (at, is_turning): (Pos2, bool),
) {
    if studio.pose.selected.is_empty() {
        studio.say(Severity::Info, "select a handle first");
        return;
    }
    let grip = if is_turning || studio.pose.is_fk {
        Grip::Roll
    } else {
        Grip::View
    };
    begin(studio, eye, posed, world, (at, grip, true));
}

/// Turns what is held: by the solver, or joint by joint.
pub(in crate::app::pose) fn turn(studio: &mut Studio, turns: &[(Site, Quat)]) {
    if !studio.pose.is_fk {
        studio.move_held(&[], turns);
        return;
    }
    let Some(before) = studio
        .pose
        .grab
        .as_ref()
        .map(|grab| Arc::clone(&grab.before))
    else {
        return;
    };
    let mut draft = Posed::clone(&before);
    let mut turns = turns.to_vec();
    if studio.pose.is_symmetric
        && let Some(figure) = studio.figure(&before.skeleton)
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
    studio.change_draft(draft, None);
}

/// "left hand", or how many.
fn called(studio: &Studio, posed: &Posed, sites: &[Site]) -> String {
    match sites {
        [only] => match studio.figure(&posed.skeleton) {
            Some(figure) => figure.rig.name_of(&posed.skeleton, *only),
            None => posed.skeleton.site_name(*only),
        },
        many => counted(many.len(), "handle"),
    }
}

/// The heights at which these feet stand, and how near is near.
fn floors(studio: &Studio, posed: &Posed, sites: &[Site]) -> (Vec<(Site, f64)>, f64) {
    let Some(figure) = studio.figure(&posed.skeleton) else {
        return (Vec::new(), 0.0);
    };
    let rig = &figure.rig;
    let style = studio.map_style(posed);
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
