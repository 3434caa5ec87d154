//! What other programs expect of a file.
//!
//! A preset only holds requirements; rotating, scaling and adding frames is done by the export. No preset changes the
//! frame rate or keeps the character in place: all of these programs read any rate and any path. Y stays up in all of
//! them, also for those whose own worlds have Z up, because their BVH importers take Y for up and turn it themselves.

use crate::motion::{Axis, RotationOrder};

use super::bvh::WriteSettings;

/// A program that the files are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preset {
    /// Reads every joint's own rotation order, any name, and takes the rest pose from the offsets, so these stay; but
    /// it cannot open a joint with one or two rotations. One unit is a metre.
    Blender,
    /// Joints turn x first by default, which BVH writes as ZYX. Names may hold letters, digits and `_` only (`:` would
    /// open a namespace). One unit is a centimetre. `HumanIK` wants to see a T-pose, so one leads.
    Maya,
    /// As Maya: a character is defined on a T-pose, facing along Z, in centimetres.
    MotionBuilder,
    /// One unit is a centimetre. Names that differ only in case are the same name there, and odd signs are dropped, so
    /// names are made safe. Importers read the usual ZXY.
    Unreal,
    /// One unit is a metre. Loaders find bones by their path, in which `/` and the like cannot stand, so names are made
    /// safe; they all read the usual ZXY.
    Unity,
    /// Nodes turn x first by default, which BVH writes as ZYX, and are called by letters, digits and `_`. One unit is a
    /// metre.
    Houdini,
}

/// What a program requires of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PresetRequirements {
    /// Which way should be up; `None` leaves it.
    pub up: Option<Axis>,
    /// How long one unit is there, in centimetres.
    pub unit_cm: f64,
    /// One rotation order for all joints; `None` leaves the source's channels.
    pub order: Option<RotationOrder>,
    /// All three rotations or positions of a joint, or none.
    pub whole_channels: bool,
    /// Plain and unique joint names.
    pub safe_names: bool,
    /// A T-pose as first frame.
    pub tpose_first: bool,
}

impl PresetRequirements {
    /// By how much to scale a clip whose unit has this length in centimetres.
    pub fn scale_from(&self, source_unit_cm: f64) -> f64 {
        source_unit_cm / self.unit_cm
    }

    /// The part that the BVH writer does.
    pub fn bvh(&self) -> WriteSettings {
        WriteSettings {
            order: self.order,
            whole_channels: self.whole_channels,
            safe_names: self.safe_names,
        }
    }
}

impl Preset {
    /// All of them, by name.
    pub const ALL: [Self; 6] = [
        Self::Blender,
        Self::Houdini,
        Self::Maya,
        Self::MotionBuilder,
        Self::Unity,
        Self::Unreal,
    ];

    /// What it asks for; the reasons stand with each preset.
    pub const fn requirements(self) -> PresetRequirements {
        let (unit_cm, order, safe_names, tpose_first) = match self {
            Self::Blender => (100.0, None, false, false),
            Self::Maya | Self::MotionBuilder => (1.0, Some(RotationOrder::ZYX), true, true),
            Self::Unreal => (1.0, Some(RotationOrder::ZXY), true, false),
            Self::Unity => (100.0, Some(RotationOrder::ZXY), true, false),
            Self::Houdini => (100.0, Some(RotationOrder::ZYX), true, false),
        };
        PresetRequirements {
            up: Some(Axis::Y),
            unit_cm,
            order,
            whole_channels: true,
            safe_names,
            tpose_first,
        }
    }

    /// As its makers write it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Blender => "Blender",
            Self::Maya => "Maya",
            Self::MotionBuilder => "MotionBuilder",
            Self::Unreal => "Unreal",
            Self::Unity => "Unity",
            Self::Houdini => "Houdini",
        }
    }

    /// As on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blender => "blender",
            Self::Maya => "maya",
            Self::MotionBuilder => "motionbuilder",
            Self::Unreal => "unreal",
            Self::Unity => "unity",
            Self::Houdini => "houdini",
        }
    }
}

impl std::fmt::Display for Preset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected blender, houdini, maya, motionbuilder, unity or unreal, found \"{0}\"")]
pub struct NotAPreset(pub String);

impl std::str::FromStr for Preset {
    type Err = NotAPreset;

    fn from_str(text: &str) -> Result<Self, NotAPreset> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| NotAPreset(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_read_as_they_are_shown() {
        let error = "3dsmax".parse::<Preset>().unwrap_err().to_string();
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().parse(), Ok(preset));
            assert!(error.contains(preset.name()), "{error}");
        }
        assert_eq!("MotionBuilder".parse(), Ok(Preset::MotionBuilder));
    }

    #[test]
    fn a_metre_is_a_metre_everywhere() {
        // A CMU unit is 5.644 cm: a leg of 15 units is 0.85 m in Blender and 85 cm in Maya.
        let leg = |preset: Preset| 15.0 * preset.requirements().scale_from(5.644);
        assert!((leg(Preset::Blender) - 0.8466).abs() < 1e-9, "metres");
        assert!((leg(Preset::Maya) - 84.66).abs() < 1e-9, "centimetres");
    }
}
