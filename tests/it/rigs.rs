//! Skeletons in the manner of several programs, with what each joint is written down by hand.

use std::sync::Arc;

use kinfolk::demo::{self, Action};
use kinfolk::motion::{
    Channels, Clip, ClipInfo, EndSite, Joint, Motion, Pose, RotationOrder, Skeleton, Vec3,
};

/// The main joints: hips, chest, neck, head, then for each side collar bone, arm, leg.
pub(crate) const MAIN: [&str; 20] = [
    "hips",
    "chest",
    "neck",
    "head",
    "l clavicle",
    "l upper arm",
    "l forearm",
    "l hand",
    "l thigh",
    "l calf",
    "l foot",
    "l toe",
    "r clavicle",
    "r upper arm",
    "r forearm",
    "r hand",
    "r thigh",
    "r calf",
    "r foot",
    "r toe",
];

/// A skeleton and which of its joints are the main ones, in the order of [`MAIN`].
pub(crate) struct Rig {
    pub(crate) name: &'static str,
    clip: Clip,
    pub(crate) main: Box<[&'static str; 20]>,
}

impl Rig {
    pub(crate) fn new(name: &'static str, clip: Clip, main: Box<[&'static str; 20]>) -> Self {
        for joint in main.iter() {
            assert!(
                clip.skeleton().find(joint).is_some(),
                "{name} has no {joint}"
            );
        }
        Self { name, clip, main }
    }

    pub(crate) fn clip(&self) -> Clip {
        self.clip.clone()
    }

    /// The same body whose joints are called nothing.
    pub(crate) fn scrubbed(&self) -> Clip {
        let skeleton = self.clip.skeleton();
        let mut joints = skeleton.joints().to_vec();
        for (idx, joint) in joints.iter_mut().enumerate() {
            joint.name = format!("Bone{idx}");
        }
        let skeleton = Skeleton::new(joints, skeleton.ends().to_vec()).unwrap();
        Clip::new(
            self.clip.info.clone(),
            Arc::new(skeleton),
            self.clip.motion().clone(),
        )
        .unwrap()
    }
}

/// `(name, parent, place in the world)`; names with `*` stand for both sides, left first.
type Line<'a> = (&'a str, &'a str, [f64; 3]);

/// A body at rest in one frame, from lines that stand in parent-first order. `*` becomes the words for left and right.
pub(crate) fn body(lines: &[Line<'_>], sides: [&str; 2]) -> Clip {
    let mut placed: Vec<(String, Option<usize>, Vec3)> = Vec::new();
    let mut add = |name: String, parent: &str, at: Vec3| {
        let parent = placed.iter().position(|(known, _, _)| known == parent);
        placed.push((name, parent, at));
    };
    for (name, parent, at) in lines {
        let [x, y, z] = *at;
        if name.contains('*') {
            for (side, sign) in sides.iter().zip([1.0, -1.0]) {
                add(
                    name.replace('*', side),
                    &parent.replace('*', side),
                    Vec3::new(sign * x, y, z),
                );
            }
        } else {
            add((*name).to_owned(), parent, Vec3::new(x, y, z));
        }
    }
    // Both sides stand side by side in the list, which is parents first all the same.
    let joints = placed
        .iter()
        .enumerate()
        .map(|(idx, (name, parent, at))| Joint {
            name: name.clone(),
            parent: *parent,
            offset: parent.map_or(*at, |parent| at - placed[parent].2),
            channels: if idx == 0 {
                Channels::position_and_rotation(RotationOrder::ZXY)
            } else {
                Channels::rotation(RotationOrder::ZXY)
            },
        });
    let ends = Vec::<EndSite>::new();
    let skeleton = Arc::new(Skeleton::new(joints.collect(), ends).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 1);
    motion.push(Pose::rest(&skeleton).as_ref());
    Clip::new(ClipInfo::named("rest"), skeleton, motion).unwrap()
}

/// In the manner of Mixamo: T-pose, fingers, tips.
#[rustfmt::skip]
pub(crate) fn mixamo() -> Rig {
    let clip = body(&[
        ("mixamorig:Hips", "", [0.0, 104.0, 0.0]),
        ("mixamorig:Spine", "mixamorig:Hips", [0.0, 114.0, -1.0]),
        ("mixamorig:Spine1", "mixamorig:Spine", [0.0, 126.0, -2.0]),
        ("mixamorig:Spine2", "mixamorig:Spine1", [0.0, 139.0, -2.5]),
        ("mixamorig:Neck", "mixamorig:Spine2", [0.0, 154.0, -2.0]),
        ("mixamorig:Head", "mixamorig:Neck", [0.0, 164.0, 1.0]),
        ("mixamorig:HeadTop_End", "mixamorig:Head", [0.0, 184.0, 4.0]),
        ("mixamorig:*Eye", "mixamorig:Head", [3.0, 172.0, 9.0]),
        ("mixamorig:*Shoulder", "mixamorig:Spine2", [6.0, 149.0, -1.0]),
        ("mixamorig:*Arm", "mixamorig:*Shoulder", [18.0, 148.5, -3.0]),
        ("mixamorig:*ForeArm", "mixamorig:*Arm", [46.0, 148.5, -3.5]),
        ("mixamorig:*Hand", "mixamorig:*ForeArm", [74.0, 148.5, -3.5]),
        ("mixamorig:*HandThumb1", "mixamorig:*Hand", [77.0, 146.0, 0.0]),
        ("mixamorig:*HandThumb2", "mixamorig:*HandThumb1", [80.0, 144.0, 3.0]),
        ("mixamorig:*HandIndex1", "mixamorig:*Hand", [83.5, 148.5, 0.0]),
        ("mixamorig:*HandIndex2", "mixamorig:*HandIndex1", [87.5, 148.5, 0.0]),
        ("mixamorig:*HandIndex3", "mixamorig:*HandIndex2", [90.5, 148.5, 0.0]),
        ("mixamorig:*UpLeg", "mixamorig:Hips", [9.0, 98.0, 0.0]),
        ("mixamorig:*Leg", "mixamorig:*UpLeg", [9.3, 55.0, 0.0]),
        ("mixamorig:*Foot", "mixamorig:*Leg", [9.5, 11.0, -3.0]),
        ("mixamorig:*ToeBase", "mixamorig:*Foot", [9.5, 2.5, 9.0]),
        ("mixamorig:*Toe_End", "mixamorig:*ToeBase", [9.5, 2.0, 17.0]),
    ], ["Left", "Right"]);
    Rig::new("Mixamo", clip, Box::new([
        "mixamorig:Hips", "mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Head",
        "mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand",
        "mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:LeftToeBase",
        "mixamorig:RightShoulder", "mixamorig:RightArm", "mixamorig:RightForeArm", "mixamorig:RightHand",
        "mixamorig:RightUpLeg", "mixamorig:RightLeg", "mixamorig:RightFoot", "mixamorig:RightToeBase",
    ]))
}

/// In the manner of Unreal's mannequin: root bone, five spine and two neck joints, A-pose, twist bones, IK bones.
#[rustfmt::skip]
pub(crate) fn unreal() -> Rig {
    let clip = body(&[
        ("root", "", [0.0, 0.0, 0.0]),
        ("ik_foot_root", "root", [0.0, 0.0, 0.0]),
        ("ik_foot_*", "ik_foot_root", [13.0, 9.0, -3.0]),
        ("ik_hand_root", "root", [0.0, 0.0, 0.0]),
        ("ik_hand_gun", "ik_hand_root", [-56.0, 103.0, 2.0]),
        ("ik_hand_*", "ik_hand_gun", [56.0, 103.0, 2.0]),
        ("pelvis", "root", [0.0, 96.0, 0.0]),
        ("spine_01", "pelvis", [0.0, 99.0, 0.5]),
        ("spine_02", "spine_01", [0.0, 105.0, 0.0]),
        ("spine_03", "spine_02", [0.0, 113.0, -1.0]),
        ("spine_04", "spine_03", [0.0, 122.0, -2.5]),
        ("spine_05", "spine_04", [0.0, 136.0, -3.5]),
        ("neck_01", "spine_05", [0.0, 150.0, -3.0]),
        ("neck_02", "neck_01", [0.0, 155.0, -1.5]),
        ("head", "neck_02", [0.0, 160.0, 0.0]),
        ("clavicle_*", "spine_05", [1.5, 146.0, 0.0]),
        ("upperarm_*", "clavicle_*", [17.0, 144.0, -3.0]),
        ("upperarm_twist_01_*", "upperarm_*", [24.0, 137.0, -3.0]),
        ("lowerarm_*", "upperarm_*", [37.0, 124.0, -3.5]),
        ("lowerarm_twist_01_*", "lowerarm_*", [46.0, 114.0, -1.0]),
        ("hand_*", "lowerarm_*", [55.0, 105.0, 2.0]),
        ("index_metacarpal_*", "hand_*", [58.0, 102.0, 4.0]),
        ("index_01_*", "index_metacarpal_*", [61.0, 97.0, 6.0]),
        ("index_02_*", "index_01_*", [62.0, 93.0, 7.0]),
        ("index_03_*", "index_02_*", [63.0, 90.0, 7.5]),
        ("thumb_01_*", "hand_*", [55.0, 102.0, 6.0]),
        ("thumb_02_*", "thumb_01_*", [56.0, 99.0, 9.0]),
        ("thigh_*", "pelvis", [9.5, 94.0, 0.0]),
        ("thigh_twist_01_*", "thigh_*", [10.5, 73.0, 0.0]),
        ("calf_*", "thigh_*", [11.5, 51.0, 0.5]),
        ("calf_twist_01_*", "calf_*", [12.3, 30.0, -1.0]),
        ("foot_*", "calf_*", [13.0, 9.0, -3.0]),
        ("ball_*", "foot_*", [14.0, 2.0, 11.0]),
    ], ["l", "r"]);
    Rig::new("Unreal", clip, Box::new([
        "pelvis", "spine_05", "neck_01", "head",
        "clavicle_l", "upperarm_l", "lowerarm_l", "hand_l", "thigh_l", "calf_l", "foot_l", "ball_l",
        "clavicle_r", "upperarm_r", "lowerarm_r", "hand_r", "thigh_r", "calf_r", "foot_r", "ball_r",
    ]))
}

/// In the manner of 3ds Max Biped: thighs on the spine, collar bones on the neck, arms that hang, tips called nubs.
#[rustfmt::skip]
pub(crate) fn biped() -> Rig {
    let clip = body(&[
        ("Bip01", "", [0.0, 99.0, 0.0]),
        ("Bip01 Pelvis", "Bip01", [0.0, 99.0, 0.0]),
        ("Bip01 Spine", "Bip01 Pelvis", [0.0, 106.0, -1.0]),
        ("Bip01 * Thigh", "Bip01 Spine", [10.0, 97.0, 0.0]),
        ("Bip01 * Calf", "Bip01 * Thigh", [10.5, 53.0, 0.5]),
        ("Bip01 * Foot", "Bip01 * Calf", [11.0, 9.5, -3.0]),
        ("Bip01 * Toe0", "Bip01 * Foot", [11.5, 1.0, 11.0]),
        ("Bip01 * Toe0Nub", "Bip01 * Toe0", [11.5, 1.0, 18.0]),
        ("Bip01 Spine1", "Bip01 Spine", [0.0, 119.0, -2.0]),
        ("Bip01 Spine2", "Bip01 Spine1", [0.0, 133.0, -3.0]),
        ("Bip01 Neck", "Bip01 Spine2", [0.0, 149.0, -3.0]),
        ("Bip01 Head", "Bip01 Neck", [0.0, 158.0, -1.0]),
        ("Bip01 HeadNub", "Bip01 Head", [0.0, 178.0, 0.0]),
        ("Bip01 * Clavicle", "Bip01 Neck", [3.5, 148.0, -3.0]),
        ("Bip01 * UpperArm", "Bip01 * Clavicle", [18.0, 147.0, -4.0]),
        ("Bip01 * Forearm", "Bip01 * UpperArm", [26.0, 119.0, -5.0]),
        ("Bip01 * Hand", "Bip01 * Forearm", [33.0, 94.0, -1.0]),
        ("Bip01 * Finger0", "Bip01 * Hand", [33.0, 91.0, 3.0]),
        ("Bip01 * Finger01", "Bip01 * Finger0", [33.0, 88.0, 5.0]),
        ("Bip01 * Finger1", "Bip01 * Hand", [36.0, 85.0, 1.0]),
        ("Bip01 * Finger11", "Bip01 * Finger1", [37.0, 81.0, 1.5]),
    ], ["L", "R"]);
    Rig::new("Biped", clip, Box::new([
        "Bip01 Pelvis", "Bip01 Spine2", "Bip01 Neck", "Bip01 Head",
        "Bip01 L Clavicle", "Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand",
        "Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot", "Bip01 L Toe0",
        "Bip01 R Clavicle", "Bip01 R UpperArm", "Bip01 R Forearm", "Bip01 R Hand",
        "Bip01 R Thigh", "Bip01 R Calf", "Bip01 R Foot", "Bip01 R Toe0",
    ]))
}

/// The skeleton of the built-in motions.
#[rustfmt::skip]
pub(crate) fn built_in() -> Rig {
    Rig::new("demo", demo_walks(1).remove(0), Box::new([
        "Hips", "Spine2", "Neck", "Head",
        "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase",
        "RightShoulder", "RightArm", "RightForeArm", "RightHand", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase",
    ]))
}

/// CMU and Bandai Namco, if the development set is here.
#[rustfmt::skip]
pub(crate) fn captured() -> Vec<Rig> {
    let read = |path: &str| crate::data::shared(path).map(|path| kinfolk::file::read_clip(&path).unwrap());
    let cmu = read("walk_full/35_01.bvh").map(|clip| Rig::new("CMU", clip, Box::new([
        "Hips", "Spine1", "Neck", "Head",
        "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase",
        "RightShoulder", "RightArm", "RightForeArm", "RightHand", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase",
    ])));
    let bandai = read("bandai_nc/cheer/raise-up-both-hands_normal_005.bvh").map(|clip| Rig::new("Bandai", clip, Box::new([
        "Hips", "Chest", "Neck", "Head",
        "Shoulder_L", "UpperArm_L", "LowerArm_L", "Hand_L", "UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L",
        "Shoulder_R", "UpperArm_R", "LowerArm_R", "Hand_R", "UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R",
    ])));
    cmu.into_iter().chain(bandai).collect()
}

/// All of them.
pub(crate) fn all() -> Vec<Rig> {
    let mut rigs = vec![mixamo(), unreal(), biped(), built_in()];
    rigs.extend(captured());
    rigs
}

/// Some built-in walks.
pub(crate) fn demo_walks(n: u64) -> Vec<Clip> {
    (0..n)
        .map(|index| demo::make(Action::Walk, 1, index).clip)
        .collect()
}
