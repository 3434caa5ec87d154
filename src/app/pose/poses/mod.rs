//! The pose library at work: poses are kept, drawn as small pictures, and put on characters, in part or in whole.

mod region;
mod thumbnails;
pub(in crate::app) mod ui;
pub(in crate::app) mod view;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::state::PoseWorkspace;
use crate::app::render::{
    Character, Colour, Mannequin, Offscreen, RenderError, Samples, Scene, Size, View,
};
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::retarget::maps::BoneMaps;
use crate::app::shell::retarget::pose::{PoseOn, pose_onto};
use crate::app::shell::work::Shown;
use crate::document::{Command, KeptPose, PoseId, Posed};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::heading::turn;
use crate::motion::rotation::{align, slerp};
use crate::motion::{Clip, ClipInfo, Motion, Pose, Quat, Site, Skeleton, Vec3, WorldPose};
use crate::style::solve::copied;
use thumbnails::Drawn;

pub use region::{PoseRegion, joints_of};
pub use thumbnails::Thumbnails;

/// A kept pose as the character would take it: on its bones, where it stands, and facing as it does.
///
/// The turn of the body's root about up and its place on the floor stay the character's own; its height over the floor
/// and how it leans are the pose's.
pub fn fitted(kept: &KeptPose, posed: &Posed, maps: &BoneMaps) -> Result<Pose, String> {
    let skeleton = &posed.skeleton;
    let mut pose = on_bones_of(kept, posed, maps)?;
    let rig = BodyHandles::of(skeleton);
    let now = WorldPose::of(skeleton, posed.pose.as_ref());
    let then = WorldPose::of(skeleton, pose.as_ref());
    let by = rig.heading_rad(&now, posed.up) - rig.heading_rad(&then, posed.up);
    move_all(&mut pose, &turn(posed.up, by), &Vec3::zeros());
    let then = WorldPose::of(skeleton, pose.as_ref());
    let hips = rig.hips();
    let step = now.positions[hips] - then.positions[hips];
    let step = step - posed.up.vector() * posed.up.along(&step);
    move_all(&mut pose, &Quat::identity(), &step);
    Ok(pose)
}

/// A kept pose on the bones of a character, in its world: joint by joint where they have the same joints, else carried
/// over as motions are.
fn on_bones_of(kept: &KeptPose, posed: &Posed, maps: &BoneMaps) -> Result<Pose, String> {
    if let Ok(mut pose) = copied(&kept.skeleton, kept.pose.as_ref(), &posed.skeleton) {
        // Another axis up: turn what carries everything.
        let from_y = |axis: crate::motion::Axis| align(&Vec3::y(), &axis.vector());
        let turn = from_y(posed.up) * from_y(kept.up).inverse();
        move_all(&mut pose, &turn, &Vec3::zeros());
        return Ok(pose);
    }
    let from = PoseOn {
        skeleton: &kept.skeleton,
        up: kept.up,
        pose: &kept.pose,
    };
    pose_onto(maps, from, pose_of(posed))
        .map_err(|error| format!("{} cannot be put on this skeleton: {error}", kept.name))
}

/// A character's own pose and bones.
pub(in crate::app::pose) fn pose_of(posed: &Posed) -> PoseOn<'_> {
    PoseOn {
        skeleton: &posed.skeleton,
        up: posed.up,
        pose: &posed.pose,
    }
}

/// Turns everything about the origin, then moves it.
fn move_all(pose: &mut Pose, turn: &Quat, step: &Vec3) {
    if let (Some(root), Some(place)) = (pose.rotations.first_mut(), pose.translations.first_mut()) {
        *root = turn * *root;
        *place = turn * *place + step;
    }
}

/// A share of another pose for some joints; they turn the short way. The place follows if the root is among them.
pub fn blended(
    skeleton: &Skeleton,
    now: &Pose,
    to: &Pose,
    share: f64,
    joints: &BTreeSet<usize>,
) -> Pose {
    let mut pose = now.clone();
    for &joint in joints.iter().filter(|j| **j < now.rotations.len()) {
        pose.rotations[joint] = slerp(&now.rotations[joint], &to.rotations[joint], share);
        if let Some(slot) = skeleton.translation_slot(joint) {
            pose.translations[slot] = now.translations[slot].lerp(&to.translations[slot], share);
        }
    }
    pose
}

/// The character in another pose, its pins where the pose has them.
pub fn in_pose(posed: &Posed, pose: Pose) -> Posed {
    let world = WorldPose::of(&posed.skeleton, pose.as_ref());
    let mut changed = Posed {
        pose,
        ..posed.clone()
    };
    for pin in &mut changed.pins {
        pin.place = world.site(&changed.skeleton, pin.site);
        pin.turn = world.rotations[changed.skeleton.carrier(pin.site)];
    }
    changed
}

/// Which kept poses a search shows: every word is in the name or a tag.
pub fn found(pose: &KeptPose, search: &str) -> bool {
    let name = pose.name.to_lowercase();
    let tags: Vec<String> = pose.tags.iter().map(|tag| tag.to_lowercase()).collect();
    let words = search.split_whitespace().map(str::to_lowercase);
    words
        .into_iter()
        .all(|word| name.contains(&word) || tags.iter().any(|tag| tag.contains(&word)))
}

impl PoseWorkspace {
    /// The joints behind the selected handles.
    pub fn selected_joints(&self, cx: &UiContext) -> Vec<usize> {
        let Some((_, posed)) = self.active_posed(cx) else {
            return Vec::new();
        };
        let selected = self.handles.selected.iter();
        let known = selected.filter(|site| match site {
            Site::Joint(joint) => *joint < posed.skeleton.n_joints(),
            Site::End(end) => *end < posed.skeleton.ends().len(),
        });
        known.map(|site| posed.skeleton.carrier(*site)).collect()
    }

    /// Keeps the character's pose under a name.
    pub fn keep_pose(&mut self, shell: &mut Shell, name: &str) {
        let Some((_, posed)) = self.posed_now(shell) else {
            return;
        };
        let name = match name.trim() {
            "" => format!("pose {}", shell.document().poses().len() + 1),
            name => name.to_owned(),
        };
        let kept = KeptPose {
            name,
            tags: BTreeSet::new(),
            skeleton: Arc::clone(&posed.skeleton),
            up: posed.up,
            pose: posed.pose.clone(),
        };
        if self
            .edit(shell, Command::AddPoses(vec![Arc::new(kept)]))
            .is_some()
        {
            self.library.chosen = shell.document().poses().last().map(|(id, _)| *id);
        }
    }

    /// The character as it would be with a kept pose put on it, as the panel says.
    pub fn with_kept_pose(&self, cx: &UiContext, kept: &KeptPose) -> Result<Posed, String> {
        let Some((_, posed)) = self.posed_now(cx) else {
            return Err("make a character first".to_owned());
        };
        let view = &self.library;
        let to = fitted(kept, &posed, &cx.bone_maps)?;
        let joints = joints_of(view.region, &posed.skeleton, &self.selected_joints(cx));
        if joints.is_empty() {
            return Err("no joints are chosen".to_owned());
        }
        let share = f64::from(view.percent) / 100.0;
        let pose = blended(&posed.skeleton, &posed.pose, &to, share, &joints);
        Ok(in_pose(&posed, pose))
    }

    /// Puts a kept pose on the character, as one step.
    pub fn apply_kept_pose(&mut self, shell: &mut Shell, id: PoseId) {
        let Some(kept) = shell.document().pose(id).map(Arc::clone) else {
            return;
        };
        match (self.with_kept_pose(shell, &kept), self.active_posed(shell)) {
            (Ok(posed), Some((character, _))) => {
                self.edit(
                    shell,
                    Command::ChangePosed {
                        what: format!("apply pose {} to", kept.name),
                        id: character,
                        posed: Arc::new(posed),
                    },
                );
            }
            (Err(why), _) => shell.say(Severity::Warning, why),
            (Ok(_), None) => {}
        }
    }

    /// Draws the pictures that are missing, in the background.
    pub fn draw_thumbnails(&mut self, cx: &mut UiContext) {
        const AT_ONCE: usize = 24;
        let thumbnails = &self.library.thumbnails;
        if thumbnails.is_drawing || thumbnails.is_refused {
            return;
        }
        let poses = cx.document().poses().iter();
        let missing: Vec<(PoseId, Arc<KeptPose>)> = poses
            .filter(|(id, pose)| thumbnails.of(*id, pose).is_none())
            .take(AT_ONCE)
            .cloned()
            .collect();
        if missing.is_empty() {
            return;
        }
        self.library.thumbnails.is_drawing = self.inbox.look(
            cx,
            "draw poses",
            Shown::Quietly,
            move |ticket| draw(&missing, ticket),
            |pose, _, drawn| {
                let thumbnails = &mut pose.library.thumbnails;
                thumbnails.is_drawing = false;
                match drawn {
                    Ok(Ok(drawn)) => {
                        let made = drawn.into_iter();
                        thumbnails
                            .made
                            .extend(made.map(|(id, pose, picture)| (id, (pose, picture))));
                    }
                    // Lines do instead of pictures; the 3D view says more about it.
                    Ok(Err(_)) | Err(_) => thumbnails.is_refused = true,
                }
            },
        );
    }
}

fn draw(
    poses: &[(PoseId, Arc<KeptPose>)],
    ticket: &Ticket,
) -> Result<Result<Drawn, RenderError>, Cancelled> {
    let mut offscreen = match Offscreen::new(Samples::Four) {
        Ok(offscreen) => offscreen,
        Err(error) => return Ok(Err(error)),
    };
    let mut skins: Vec<(Arc<Skeleton>, Arc<Mannequin>)> = Vec::new();
    let size = Size {
        width: Thumbnails::SIDE,
        height: Thumbnails::SIDE,
    };
    let mut drawn = Drawn::with_capacity(poses.len());
    for (place, (id, pose)) in poses.iter().enumerate() {
        ticket.step(place as f64 / poses.len() as f64)?;
        let known = skins.iter().find(|s| Arc::ptr_eq(&s.0, &pose.skeleton));
        let skin = match known {
            Some((_, skin)) => Arc::clone(skin),
            None => match skin_of(pose) {
                Some(skin) => {
                    skins.push((Arc::clone(&pose.skeleton), Arc::clone(&skin)));
                    skin
                }
                None => continue,
            },
        };
        match offscreen.picture(&portrait(pose, &skin, size), size) {
            Ok(picture) => {
                let pixels = picture.as_raw();
                let side = [size.width as usize, size.height as usize];
                let image = egui::ColorImage::from_rgba_unmultiplied(side, pixels);
                drawn.push((*id, Arc::clone(pose), Arc::new(image)));
            }
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(drawn))
}

/// A kept pose has been checked, so it makes a clip.
fn skin_of(pose: &KeptPose) -> Option<Arc<Mannequin>> {
    let mut motion = Motion::with_capacity(&pose.skeleton, 1.0, 1);
    motion.push(pose.pose.as_ref());
    let mut info = ClipInfo::named(pose.name.as_str());
    info.up = pose.up;
    let clip = Clip::new(info, Arc::clone(&pose.skeleton), motion).ok()?;
    Some(Arc::new(Mannequin::of(&clip)))
}

/// The pose from the front and a little aside, filling the picture.
fn portrait(pose: &KeptPose, skin: &Arc<Mannequin>, size: Size) -> Scene {
    let character = Character::new(skin, &pose.skeleton, pose.pose.as_ref(), Colour::GIVEN);
    let places = character.pose.positions.iter();
    let floor = places.map(|place| pose.up.along(place));
    let floor = floor.fold(f64::INFINITY, f64::min) - 0.02 * skin.height();
    let heading = BodyHandles::of(&pose.skeleton).heading_rad(&character.pose, pose.up);
    let mut scene = Scene::of(
        vec![character],
        pose.up,
        floor,
        View::ThreeQuarter,
        heading,
        size,
    );
    scene.shows_axes = false;
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::motion::edit;

    fn kept(clip: &Clip, frame: usize) -> KeptPose {
        KeptPose {
            name: "Big Throw".to_owned(),
            tags: BTreeSet::from(["arm".to_owned()]),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            pose: clip.frame(frame).to_pose(),
        }
    }

    fn posed(clip: &Clip, frame: usize) -> Posed {
        Posed {
            name: "a".to_owned(),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            floor: 0.0,
            pose: clip.frame(frame).to_pose(),
            pins: Vec::new(),
            styles: Vec::new(),
        }
    }

    #[test]
    fn a_pose_fits_other_bones_and_another_up_and_stays_where_the_character_stands() {
        let clip = make(Action::Walk, 1, 0).clip;
        let small = edit::scale(&clip, 0.5).unwrap();
        let turned = edit::set_up(&small, crate::motion::Axis::Z).unwrap();
        let target = posed(&turned, 0);
        let pose = fitted(&kept(&clip, 20), &target, &BoneMaps::default()).unwrap();
        let rig = BodyHandles::of(&target.skeleton);
        let now = WorldPose::of(&target.skeleton, target.pose.as_ref());
        let then = WorldPose::of(&target.skeleton, pose.as_ref());
        let heading = |world: &WorldPose| rig.heading_rad(world, target.up);
        assert!((heading(&now) - heading(&then)).abs() < 1e-9, "it faces on");
        let step = now.positions[rig.hips()] - then.positions[rig.hips()];
        let aside = step - target.up.vector() * target.up.along(&step);
        assert!(aside.norm() < 1e-9, "it stands where it stood: {aside}");
        // All joints but the root are turned as they were kept.
        let wanted = clip.frame(20).rotations;
        for (joint, (a, b)) in pose.rotations.iter().zip(wanted).enumerate().skip(1) {
            assert!(a.angle_to(b) < 1e-9, "joint {joint}");
        }
        let other = edit::trim(&clip, 0..2).unwrap();
        assert_eq!(
            fitted(&kept(&other, 1), &posed(&clip, 1), &BoneMaps::default()).unwrap(),
            other.frame(1).to_pose()
        );
    }

    #[test]
    fn a_share_for_some_joints_leaves_the_others_alone() {
        let clip = make(Action::Walk, 1, 0).clip;
        let skeleton = clip.skeleton();
        let (a, b) = (clip.frame(0).to_pose(), clip.frame(12).to_pose());
        let arm = joints_of(PoseRegion::Arm(0), skeleton, &[]);
        let half = blended(skeleton, &a, &b, 0.5, &arm);
        for joint in 0..skeleton.n_joints() {
            let whole = a.rotations[joint].angle_to(&b.rotations[joint]);
            let share = if arm.contains(&joint) { 0.5 } else { 0.0 };
            let way = a.rotations[joint].angle_to(&half.rotations[joint]);
            assert!((way - share * whole).abs() < 1e-7, "joint {joint}");
        }
        assert_eq!(half.translations, a.translations);
        let everything = joints_of(PoseRegion::Body, skeleton, &[]);
        assert_eq!(
            blended(skeleton, &a, &b, 1.0, &everything).translations,
            b.translations
        );
        let upper = joints_of(PoseRegion::Upper, skeleton, &[]);
        let lower = joints_of(PoseRegion::Lower, skeleton, &[]);
        assert!(upper.is_disjoint(&lower), "no joint is in both");
        assert_eq!(upper.len() + lower.len(), skeleton.n_joints());
        assert!(upper.is_superset(&arm), "arms are above");
    }

    #[test]
    fn words_are_looked_for_in_names_and_tags() {
        let clip = make(Action::Walk, 1, 0).clip;
        let kept = kept(&clip, 0);
        for (search, wanted) in [
            ("", true),
            ("throw", true),
            ("ARM big", true),
            ("kick", false),
            ("big kick", false),
        ] {
            assert_eq!(found(&kept, search), wanted, "{search}");
        }
    }
}
