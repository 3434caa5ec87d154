//! The joint names of every program whose rigs are known, on one body, against what is promised of them.

use kinfolk::motion::Clip;
use kinfolk::retarget::{BoneMap, Character, Labels, ReferencePose};

use crate::rigs::{body, built_in};

/// What a program calls its joints; `*` stands for its words for left and right.
struct Words {
    program: &'static str,
    sides: [&'static str; 2],
    /// A bone on the floor, if there is one.
    root: Option<&'static str>,
    /// What carries pelvis and spine, where the spine hangs beside the pelvis.
    above_pelvis: Option<&'static str>,
    /// Before every name.
    lead: &'static str,
    hips: &'static str,
    /// From above the hips up, with blanks between.
    spine: &'static str,
    neck: &'static str,
    head: &'static str,
    /// Collar bone, upper arm, forearm, hand.
    arm: [&'static str; 4],
    /// Thigh, calf, foot, toe.
    leg: [&'static str; 4],
}

const HUMAN_IK: Words = Words {
    program: "Mixamo or HumanIK",
    sides: ["Left", "Right"],
    root: Some("Reference"),
    above_pelvis: None,
    lead: "",
    hips: "Hips",
    spine: "Spine Spine1 Spine2",
    neck: "Neck",
    head: "Head",
    arm: ["*Shoulder", "*Arm", "*ForeArm", "*Hand"],
    leg: ["*UpLeg", "*Leg", "*Foot", "*ToeBase"],
};
const BIPED: Words = Words {
    program: "3ds Max Biped",
    sides: ["L", "R"],
    root: None,
    above_pelvis: None,
    lead: "Bip001 ",
    hips: "Pelvis",
    spine: "Spine Spine1 Spine2",
    neck: "Neck",
    head: "Head",
    arm: ["* Clavicle", "* UpperArm", "* Forearm", "* Hand"],
    leg: ["* Thigh", "* Calf", "* Foot", "* Toe0"],
};
const DAZ: Words = Words {
    program: "Daz Genesis",
    sides: ["l", "r"],
    root: Some("Genesis8Female"),
    above_pelvis: Some("hip"),
    lead: "",
    hips: "pelvis",
    spine: "abdomenLower abdomenUpper chestLower chestUpper",
    neck: "neckLower neckUpper",
    head: "head",
    arm: ["*Collar", "*ShldrBend", "*ForearmBend", "*Hand"],
    leg: ["*ThighBend", "*Shin", "*Foot", "*Metatarsals"],
};

#[rustfmt::skip]
fn programs() -> Vec<Words> {
    vec![
        Words { program: "CMU", root: None, spine: "LowerBack Spine Spine1", neck: "Neck Neck1", ..HUMAN_IK },
        HUMAN_IK,
        Words { root: None, lead: "mixamorig:", ..HUMAN_IK },
        Words { root: None, lead: "mixamorig9:", ..HUMAN_IK },
        Words { lead: "Character1_", ..HUMAN_IK },
        Words {
            program: "Unreal mannequin", root: Some("root"), hips: "pelvis", spine: "spine_01 spine_02 spine_03",
            neck: "neck_01", head: "head", sides: ["l", "r"],
            arm: ["clavicle_*", "upperarm_*", "lowerarm_*", "hand_*"], leg: ["thigh_*", "calf_*", "foot_*", "ball_*"],
            ..HUMAN_IK
        },
        Words {
            program: "Xsens", root: None, hips: "Pelvis", spine: "L5 L3 T12 T8",
            arm: ["*Shoulder", "*UpperArm", "*ForeArm", "*Hand"], leg: ["*UpperLeg", "*LowerLeg", "*Foot", "*Toe"],
            ..HUMAN_IK
        },
        Words {
            program: "Xsens or Biovision BVH", root: None, spine: "Chest Chest2 Chest3 Chest4",
            arm: ["*Collar", "*Shoulder", "*Elbow", "*Wrist"], leg: ["*Hip", "*Knee", "*Ankle", "*Toe"],
            ..HUMAN_IK
        },
        Words {
            program: "Rokoko", root: None, spine: "Spine1 Spine2 Spine3 Spine4",
            leg: ["*Thigh", "*Shin", "*Foot", "*Toe"], ..HUMAN_IK
        },
        Words {
            program: "SOMA", root: Some("Root"), spine: "Spine1 Spine2 Chest", neck: "Neck1 Neck2",
            leg: ["*Leg", "*Shin", "*Foot", "*ToeBase"], ..HUMAN_IK
        },
        BIPED,
        Words { lead: "ValveBiped.Bip01_", arm: ["*_Clavicle", "*_UpperArm", "*_Forearm", "*_Hand"],
            leg: ["*_Thigh", "*_Calf", "*_Foot", "*_Toe0"], ..BIPED },
        DAZ,
        Words {
            root: None, spine: "abdomen abdomen2 chest", neck: "neck",
            arm: ["*Collar", "*Shldr", "*ForeArm", "*Hand"], leg: ["*Thigh", "*Shin", "*Foot", "*Toe"], ..DAZ
        },
        Words {
            program: "Daz Genesis 9", root: None, spine: "spine1 spine2 spine3 spine4", neck: "neck1 neck2",
            arm: ["*_shoulder", "*_upperarm", "*_forearm", "*_hand"],
            leg: ["*_thigh", "*_shin", "*_foot", "*_toes"], ..DAZ
        },
        Words {
            program: "Rigify", sides: ["L", "R"], root: Some("root"), above_pelvis: None, lead: "DEF-",
            hips: "spine", spine: "spine.001 spine.002 spine.003", neck: "spine.004 spine.005", head: "spine.006",
            arm: ["shoulder.*", "upper_arm.*", "forearm.*", "hand.*"], leg: ["thigh.*", "shin.*", "foot.*", "toe.*"],
        },
        Words {
            program: "AccuRIG", root: Some("RL_BoneRoot"), above_pelvis: Some("Hip"), lead: "CC_Base_",
            spine: "Waist Spine01 Spine02", neck: "NeckTwist01 NeckTwist02",
            arm: ["*_Clavicle", "*_Upperarm", "*_Forearm", "*_Hand"],
            leg: ["*_Thigh", "*_Calf", "*_Foot", "*_ToeBase"], ..BIPED
        },
        Words {
            program: "VRM or Bandai Namco", sides: ["L", "R"], root: Some("Root"), lead: "J_Bip_", hips: "C_Hips",
            spine: "C_Spine C_Chest C_UpperChest", neck: "C_Neck", head: "C_Head",
            arm: ["*_Shoulder", "*_UpperArm", "*_LowerArm", "*_Hand"],
            leg: ["*_UpperLeg", "*_LowerLeg", "*_Foot", "*_Toes"], ..HUMAN_IK
        },
        Words {
            program: "SMPL", sides: ["L", "R"], root: None, hips: "Pelvis", spine: "Spine1 Spine2 Spine3",
            arm: ["*_Collar", "*_Shoulder", "*_Elbow", "*_Wrist"], leg: ["*_Hip", "*_Knee", "*_Ankle", "*_Foot"],
            ..HUMAN_IK
        },
    ]
}

/// Rigs of which no list of names is kept: words and the shape of the body tell.
#[rustfmt::skip]
fn unlisted() -> Vec<Words> {
    let left_right = |left: &'static str, right: &'static str| Words {
        program: "none", root: None, sides: [left, right], ..HUMAN_IK
    };
    vec![
        // OptiTrack Motive.
        Words { hips: "Hip", spine: "Ab Chest", arm: ["*Shoulder", "*UArm", "*FArm", "*Hand"],
            leg: ["*Thigh", "*Shin", "*Foot", "*Toe"], ..left_right("L", "R") },
        // Vicon.
        Words { hips: "pelvis", spine: "lowerback thorax", neck: "lowerneck upperneck", head: "head",
            arm: ["*clavicle", "*humerus", "*radius", "*hand"], leg: ["*femur", "*tibia", "*foot", "*toes"],
            ..left_right("l", "r") },
        // AdvancedSkeleton for Maya.
        Words { hips: "Root_M", spine: "RootPart1_M Spine1_M Chest_M", neck: "Neck_M", head: "Head_M",
            arm: ["Scapula_*", "Shoulder_*", "Elbow_*", "Wrist_*"], leg: ["Hip_*", "Knee_*", "Ankle_*", "Toes_*"],
            ..left_right("L", "R") },
        // Azure Kinect.
        Words { hips: "PELVIS", spine: "SPINE_NAVEL SPINE_CHEST", neck: "NECK", head: "HEAD",
            arm: ["CLAVICLE_*", "SHOULDER_*", "ELBOW_*", "WRIST_*"], leg: ["HIP_*", "KNEE_*", "ANKLE_*", "FOOT_*"],
            ..left_right("LEFT", "RIGHT") },
        // DeepMotion.
        Words { hips: "hips_JNT", spine: "spine_JNT spine1_JNT spine2_JNT", neck: "neck_JNT", head: "head_JNT",
            arm: ["*_shoulder_JNT", "*_arm_JNT", "*_forearm_JNT", "*_hand_JNT"],
            leg: ["*_upleg_JNT", "*_leg_JNT", "*_foot_JNT", "*_toebase_JNT"], ..left_right("l", "r") },
        // MikuMikuDance.
        Words { hips: "下半身", spine: "上半身 上半身2", neck: "首", head: "頭",
            arm: ["*肩", "*腕", "*ひじ", "*手首"], leg: ["*足", "*ひざ", "*足首", "*つま先"], ..left_right("左", "右") },
        // Second Life.
        Words { hips: "mPelvis", spine: "mTorso mChest", neck: "mNeck", head: "mHead",
            arm: ["mCollar*", "mShoulder*", "mElbow*", "mWrist*"], leg: ["mHip*", "mKnee*", "mAnkle*", "mFoot*"],
            ..left_right("Left", "Right") },
        // Unity's robot.
        Words { hips: "Hip", spine: "Ribs",
            arm: ["*_Shoulder_Joint_01", "*_Upper_Arm_Joint_01", "*_Forearm_Joint_01", "*_Wrist_Joint_01"],
            leg: ["*_Thigh_Joint_01", "*_Knee_Joint_01", "*_Ankle_Joint_01", "*_Toe_Joint_01"],
            ..left_right("Left", "Right") },
        // MakeHuman.
        Words { root: Some("Root"), hips: "spine05", spine: "spine04 spine03 spine02 spine01", neck: "neck01 neck02",
            head: "head", arm: ["clavicle.*", "upperarm01.*", "lowerarm01.*", "wrist.*"],
            leg: ["upperleg01.*", "lowerleg01.*", "foot.*", "toe1-1.*"], ..left_right("L", "R") },
        // BlenRig.
        Words { hips: "pelvis_def", spine: "spine_1_def spine_2_def spine_3_def", neck: "neck_1_def neck_2_def",
            head: "head_def", arm: ["clavi_def_*", "arm_def_*", "forearm_def_*", "hand_def_*"],
            leg: ["thigh_def_*", "shin_def_*", "foot_def_*", "toe_def_*"], ..left_right("L", "R") },
        // Skyrim.
        Words { root: Some("NPC_Root"), lead: "NPC_", hips: "Pelvis", spine: "Spine Spine1 Spine2",
            arm: ["*_Clavicle", "*_UpperArm", "*_Forearm", "*_Hand"], leg: ["*_Thigh", "*_Calf", "*_Foot", "*_Toe0"],
            ..left_right("L", "R") },
        // Joints as riggers name them by hand.
        Words { hips: "hip_jnt", spine: "spine_01_jnt spine_02_jnt chest_jnt", neck: "neck_jnt", head: "head_jnt",
            arm: ["*_clav_jnt", "*_arm_jnt", "*_elbow_jnt", "*_wrist_jnt"],
            leg: ["*_leg_jnt", "*_knee_jnt", "*_ankle_jnt", "*_ball_jnt"], ..left_right("L", "R") },
    ]
}

impl Words {
    fn name(&self, word: &str) -> String {
        format!("{}{word}", self.lead)
    }

    fn names(&self, words: &str) -> Vec<String> {
        words.split(' ').map(|word| self.name(word)).collect()
    }

    /// A grown-up in T-pose.
    fn clip(&self) -> Clip {
        let mut lines: Vec<(String, String, [f64; 3])> = Vec::new();
        let mut on = String::new();
        let mut add = |name: &str, on: &str, at| lines.push((name.to_owned(), on.to_owned(), at));
        if let Some(root) = self.root {
            add(root, "", [0.0; 3]);
            root.clone_into(&mut on);
        }
        if let Some(above) = self.above_pelvis {
            add(&self.name(above), &on, [0.0, 96.0, 0.0]);
            on = self.name(above);
        }
        let hips = self.name(self.hips);
        add(&hips, &on, [0.0, 96.0, 0.0]);
        let spine = self.names(self.spine);
        let mut below = self
            .above_pelvis
            .map_or(hips.clone(), |above| self.name(above));
        for (nth, joint) in spine.iter().enumerate() {
            let share = (nth + 1) as f64 / (spine.len() as f64 + 0.6);
            add(joint, &below, [0.0, 96.0 + 44.0 * share, -1.0]);
            below.clone_from(joint);
        }
        let chest = below.clone();
        let neck = self.names(self.neck);
        for (nth, joint) in neck.iter().enumerate() {
            let up = 13.0 * nth as f64 / neck.len() as f64;
            add(joint, &below, [0.0, 147.0 + up, 0.0]);
            below.clone_from(joint);
        }
        add(&self.name(self.head), &below, [0.0, 160.0, 2.0]);
        let arm = [
            [3.0, 144.0, 0.0],
            [18.0, 145.0, -1.0],
            [45.0, 145.0, -1.0],
            [71.0, 145.0, -1.0],
        ];
        let leg = [
            [9.0, 92.0, 0.0],
            [9.5, 50.0, 1.0],
            [10.0, 8.0, -2.0],
            [10.0, 2.0, 11.0],
        ];
        for (words, places, on) in [(self.arm, arm, chest), (self.leg, leg, hips)] {
            let mut above = on;
            for (word, at) in words.iter().zip(places) {
                add(&self.name(word), &above, at);
                above = self.name(word);
            }
        }
        let lines: Vec<(&str, &str, [f64; 3])> = lines
            .iter()
            .map(|(name, on, at)| (name.as_str(), on.as_str(), *at))
            .collect();
        body(&lines, self.sides)
    }
}

/// The main joints of a rig are found, all of them.
fn check_main_joints(words: &Words) {
    let clip = words.clip();
    let labels = Labels::of(&clip).unwrap();
    let of = |joint: usize| clip.skeleton().joints()[joint].name.clone();
    let all = |joints: &[usize]| joints.iter().map(|&j| of(j)).collect::<Vec<_>>();
    let who = format!("{} {:?} {}", words.program, words.lead, words.hips);
    let hips = words.above_pelvis.unwrap_or(words.hips);
    assert_eq!(of(labels.hips), words.name(hips), "{who}");
    assert_eq!(
        labels.pelvis.map(of),
        words.above_pelvis.map(|_| words.name(words.hips)),
        "{who}"
    );
    assert_eq!(all(&labels.spine), words.names(words.spine), "{who}");
    assert_eq!(all(&labels.neck), words.names(words.neck), "{who}");
    assert_eq!(labels.head.map(of), Some(words.name(words.head)), "{who}");
    let [left, right] = labels.arms.as_ref().unwrap();
    for (arm, side) in [(left, words.sides[0]), (right, words.sides[1])] {
        let wanted = words.arm.map(|word| words.name(&word.replace('*', side)));
        let found = [arm.clavicle.unwrap(), arm.upper, arm.middle, arm.end];
        assert_eq!(found.map(of), wanted, "{who}");
    }
    for (leg, side) in labels.legs.iter().zip(words.sides) {
        let wanted = words.leg.map(|word| words.name(&word.replace('*', side)));
        let found = [leg.upper, leg.middle, leg.end, leg.toe.unwrap()];
        assert_eq!(found.map(of), wanted, "{who}");
    }
}

#[test]
fn every_program_is_known_by_its_names_and_every_main_joint_with_it() {
    for words in programs() {
        let labels = Labels::of(&words.clip()).unwrap();
        assert_eq!(labels.preset, Some(words.program), "{:?}", words.lead);
        check_main_joints(&words);
    }
}

#[test]
fn rigs_that_are_not_listed_are_known_by_words_and_shape() {
    for words in unlisted() {
        check_main_joints(&words);
    }
}

#[test]
fn a_spine_that_hangs_beside_the_pelvis_is_carried_over() {
    let found = |clip: &Clip| Character::of(clip, ReferencePose::Found).unwrap();
    let (daz, demo) = (found(&DAZ.clip()), found(&built_in().clip()));
    for (from, to) in [(&demo, &daz), (&daz, &demo)] {
        let map = BoneMap::between(from, to);
        let trunk = [to.labels().spine.clone(), to.labels().neck.clone()].concat();
        assert!(
            trunk.len() >= 4 && trunk.iter().all(|&joint| map.link_of(joint).is_some()),
            "{trunk:?}"
        );
    }
    let pelvis = daz.labels().pelvis.unwrap();
    let link = BoneMap::between(&demo, &daz).link_of(pelvis).copied();
    assert_eq!(link.map(|link| link.from), Some(demo.labels().hips));
}

#[test]
fn what_stands_on_four_legs_is_no_body() {
    #[rustfmt::skip]
    let dog = body(&[
        ("root", "", [0.0, 70.0, 0.0]), ("back", "root", [0.0, 72.0, 25.0]), ("chest", "back", [0.0, 72.0, 45.0]),
        ("neck", "chest", [0.0, 80.0, 55.0]), ("head", "neck", [0.0, 95.0, 65.0]),
        ("*hip", "root", [10.0, 68.0, 0.0]), ("*knee", "*hip", [10.0, 42.0, 5.0]),
        ("*hock", "*knee", [10.0, 22.0, -8.0]), ("*paw", "*hock", [10.0, 2.0, -3.0]),
        ("*sh", "chest", [9.0, 66.0, 46.0]), ("*el", "*sh", [9.0, 42.0, 40.0]),
        ("*wr", "*el", [9.0, 16.0, 44.0]), ("*fp", "*wr", [9.0, 2.0, 46.0]),
        ("tail", "root", [0.0, 62.0, -30.0]),
    ], ["L_", "R_"]);
    let found = Labels::of(&dog);
    assert!(found.is_err(), "{found:?}");
}
