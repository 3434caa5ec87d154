//! What the rigs of other programs call their joints.
//!
//! Names are given as [`crate::motion::names::parts`] leaves them: lower case, without side, namespace and separators.
//! Several programs use one word for different joints (`LeftLeg` is a shin for Mixamo and a thigh for SOMA), so a rig is
//! recognised as a whole where that is possible; where it is not, every preset has a vote.

use super::part::Part;

/// The names of one program's rig.
pub(super) struct Preset {
    /// As its users know it.
    pub name: &'static str,
    /// Joint names for each part; words for one part are separated by blanks.
    names: &'static [(Part, &'static str)],
}

macro_rules! preset {
    ($name:literal, $hips:literal, $spine:literal, $neck:literal, $head:literal, $clavicle:literal, $upper_arm:literal,
     $forearm:literal, $hand:literal, $thigh:literal, $calf:literal, $foot:literal, $toe:literal) => {
        Preset {
            name: $name,
            names: &[
                (Part::Hips, $hips),
                (Part::Spine, $spine),
                (Part::Neck, $neck),
                (Part::Head, $head),
                (Part::Clavicle, $clavicle),
                (Part::UpperArm, $upper_arm),
                (Part::Forearm, $forearm),
                (Part::Hand, $hand),
                (Part::Thigh, $thigh),
                (Part::Calf, $calf),
                (Part::Foot, $foot),
                (Part::Toe, $toe),
            ],
        }
    };
}

/// In order of preference where two fit equally well.
#[rustfmt::skip]
pub(super) const PRESETS: [Preset; 16] = [
    preset!("CMU", "hips", "lowerback spine spine1", "neck neck1", "head",
        "shoulder", "arm", "forearm", "hand", "upleg", "leg", "foot", "toebase"),
    preset!("Mixamo or HumanIK", "hips", "spine spine1 spine2 spine3", "neck neck1", "head",
        "shoulder", "arm", "forearm", "hand", "upleg", "leg", "foot", "toebase"),
    preset!("Unreal mannequin", "pelvis", "spine01 spine02 spine03 spine04 spine05", "neck01 neck02", "head",
        "clavicle", "upperarm", "lowerarm", "hand", "thigh", "calf", "foot", "ball"),
    preset!("3ds Max Biped", "pelvis", "spine spine1 spine2 spine3", "neck neck1", "head",
        "clavicle", "upperarm", "forearm", "hand", "thigh", "calf", "foot", "toe0"),
    preset!("Xsens", "pelvis hips", "l5 l3 t12 t8", "neck", "head",
        "shoulder", "upperarm", "forearm", "hand", "upperleg", "lowerleg", "foot", "toe"),
    preset!("Xsens or Biovision BVH", "hips", "chest chest2 chest3 chest4", "neck", "head",
        "collar", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe"),
    preset!("Rokoko", "hips", "spine spine1 spine2 spine3 spine4", "neck", "head",
        "shoulder", "arm", "forearm", "hand", "thigh", "shin", "foot", "toe"),
    preset!("SOMA", "hips", "spine1 spine2 chest", "neck1 neck2", "head",
        "shoulder", "arm", "forearm", "hand", "leg", "shin", "foot", "toebase"),
    preset!("Daz Genesis", "pelvis hip", "abdomenlower abdomenupper chestlower chestupper abdomen abdomen2 chest",
        "necklower neckupper neck", "head", "collar", "shldrbend shldr", "forearmbend forearm", "hand",
        "thighbend thigh", "shin", "foot", "toe metatarsals"),
    preset!("Daz Genesis 9", "pelvis hip", "spine1 spine2 spine3 spine4", "neck1 neck2", "head",
        "shoulder", "upperarm", "forearm", "hand", "thigh", "shin", "foot", "toes metatarsals"),
    preset!("Rigify", "spine", "spine001 spine002 spine003", "spine004 spine005", "spine006",
        "shoulder", "upperarm", "forearm", "hand", "thigh", "shin", "foot", "toe"),
    preset!("VRM or Bandai Namco", "hips", "spine chest upperchest", "neck", "head",
        "shoulder", "upperarm", "lowerarm", "hand", "upperleg", "lowerleg", "foot", "toes"),
    preset!("SMPL", "pelvis", "spine1 spine2 spine3", "neck", "head",
        "collar", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "foot"),
    preset!("CMU ASF", "root", "lowerback upperback thorax", "lowerneck upperneck neck", "head",
        "clavicle shoulderjoint", "humerus", "radius", "wrist hand", "femur", "tibia", "foot", "toes"),
    preset!("older Biovision BVH", "hips", "chest", "neck", "head",
        "collar", "uparm", "lowarm", "hand", "upleg", "lowleg", "foot", "toe"),
    preset!("AccuRIG", "hip pelvis", "waist spine01 spine02", "necktwist01 necktwist02", "head",
        "clavicle", "upperarm", "forearm", "hand", "thigh", "calf", "foot", "toebase"),
];

impl Preset {
    /// Which part a joint of this name is in such a rig.
    pub(super) fn part(&self, core: &str) -> Option<Part> {
        let of =
            |(part, words): &(Part, &str)| words.split(' ').any(|w| w == core).then_some(*part);
        self.names.iter().find_map(of)
    }

    /// How many parts of the body find a joint by their names. Neck and toes are often missing.
    fn parts_named(&self, has: &impl Fn(&str) -> bool) -> (usize, usize) {
        let main = self.names.iter().filter(|(part, _)| part.is_required());
        let (mut found, mut all) = (0, 0);
        for (_, words) in main {
            all += 1;
            found += usize::from(words.split(' ').any(has));
        }
        (found, all)
    }

    /// How many of its words occur at all.
    fn n_words(&self, has: &impl Fn(&str) -> bool) -> usize {
        let words = self.names.iter().flat_map(|(_, words)| words.split(' '));
        words.filter(|word| has(word)).count()
    }
}

/// The rig whose names these are, if all that every body has is among them.
pub(super) fn recognise(cores: &[String]) -> Option<&'static Preset> {
    let has = |word: &str| cores.iter().any(|core| core == word);
    let whole = PRESETS.iter().filter(|preset| {
        let (found, all) = preset.parts_named(&has);
        found == all
    });
    // Of equals the first.
    whole.rev().max_by_key(|preset| preset.n_words(&has))
}

/// How many presets call this part so, and how many use the word at all.
pub(super) fn votes(core: &str, part: Part) -> (usize, usize) {
    let uses = PRESETS.iter().filter_map(|preset| preset.part(core));
    uses.fold((0, 0), |(own, all), used| {
        (own + usize::from(used == part), all + 1)
    })
}
