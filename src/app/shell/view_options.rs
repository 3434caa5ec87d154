//! What the 3D view shows beside the characters themselves, and how they stand: kept between runs.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// How several selected clips stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Arrangement {
    /// Each where its clip puts it.
    #[default]
    Overlaid,
    /// All in one row, to be compared from the front.
    SideBySide,
    /// In rows behind each other.
    Grid,
}

/// A part of the body whose way can be drawn, on any skeleton that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "these are the words of the switches")]
pub enum TrailPart {
    Hips,
    Head,
    Hands,
    Feet,
}

impl TrailPart {
    /// In the order of the switches.
    pub const ALL: [Self; 4] = [Self::Hips, Self::Head, Self::Hands, Self::Feet];

    /// The word on its switch.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hips => "Hips",
            Self::Head => "Head",
            Self::Hands => "Hands",
            Self::Feet => "Feet",
        }
    }
}

/// What the 3D view shows. Values out of range do no harm: they are brought into it where they are used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewOptions {
    /// How several characters stand.
    pub arrangement: Arrangement,
    /// Whether every clip has a colour of its own, instead of blue for all.
    pub has_own_colours: bool,
    /// How solid all but the active character are.
    pub others_opacity: f32,
    /// Whether names hang over the characters.
    pub shows_names: bool,
    /// Whether rings lie under feet that stand.
    pub shows_contacts: bool,
    /// Whether ways are drawn.
    pub shows_trails: bool,
    /// The parts whose ways are drawn.
    pub trail_parts: BTreeSet<TrailPart>,
    /// How far a way reaches to both sides of now.
    pub trail_secs: f64,
    /// Whether other frames of the active clip are drawn as ghosts.
    pub shows_ghosts: bool,
    /// Ghosts on either side of now.
    pub n_ghosts: usize,
    /// From one ghost to the next.
    pub ghost_frames: usize,
    /// Whether the floor has its grid.
    pub shows_floor: bool,
}

impl ViewOptions {
    /// More ghosts would hide the character.
    pub const MOST_GHOSTS: usize = 8;
    /// A longer way is a tangle.
    pub const LONGEST_TRAIL_SECS: f64 = 30.0;
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            arrangement: Arrangement::default(),
            has_own_colours: false,
            others_opacity: 1.0,
            shows_names: true,
            shows_contacts: true,
            shows_trails: false,
            trail_parts: [TrailPart::Hands, TrailPart::Feet].into(),
            trail_secs: 1.0,
            shows_ghosts: false,
            n_ghosts: 3,
            ghost_frames: 10,
            shows_floor: true,
        }
    }
}
