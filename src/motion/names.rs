//! Side and part of the body from joint names.
//!
//! Every exporter has its own habits (`LeftFoot`, `mixamorig:LeftFoot`, `Foot_L`, `foot.L`, `lfoot`, `LHipJoint`,
//! `Bip01 L Foot`), so a name is taken apart into a side and a core that is the same for both sides.

/// Left, right, or the middle of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The character's own left.
    Left,
    /// The character's own right.
    Right,
    /// Neither: spine, neck, head.
    Middle,
}

impl Side {
    /// The other side; the middle stays the middle.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Middle => Self::Middle,
        }
    }
}

/// A joint name taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameParts {
    /// By the name alone; a single leading letter (`lfoot`) counts only if [`super::Body`] finds its partner.
    pub(crate) side: Side,
    /// Lower case, without side, namespace, separators.
    pub(crate) core: String,
    /// The side rests on a glued letter (`lfoot`), which could as well begin a word (`lowerback`).
    pub(crate) is_weak: bool,
}

/// Takes a name apart; see [`NameParts`].
pub(crate) fn parts(name: &str) -> NameParts {
    let local = name.rsplit([':', '|']).next().unwrap_or(name);
    let words = words(local);
    let side_of = |word: &str| match word {
        "left" | "l" | "lf" | "lft" => Some(Side::Left),
        "right" | "r" | "rt" | "rgt" => Some(Side::Right),
        _ => None,
    };
    let sided = words
        .iter()
        .position(|w| side_of(w).is_some())
        .map(|at| (at, side_of(&words[at]).unwrap_or(Side::Middle)));
    if let Some((at, side)) = sided {
        let rest = words.iter().enumerate().filter(|(i, _)| *i != at);
        return NameParts {
            side,
            core: core(rest.map(|(_, w)| w.as_str())),
            is_weak: false,
        };
    }
    let all = core(words.iter().map(String::as_str));
    for (prefix, side) in [
        ("left", Side::Left),
        ("right", Side::Right),
        ("l", Side::Left),
        ("r", Side::Right),
    ] {
        if let Some(rest) = all.strip_prefix(prefix)
            && !rest.is_empty()
        {
            return NameParts {
                side,
                core: rest.to_owned(),
                is_weak: prefix.len() == 1,
            };
        }
    }
    NameParts {
        side: Side::Middle,
        core: all,
        is_weak: false,
    }
}

/// `LeftUpLeg_01` -> `left`, `up`, `leg`, `01`; `LHipJoint` -> `l`, `hip`, `joint`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(|n| n.is_lowercase());
        let starts = !before.is_alphanumeric()
            || (c.is_uppercase() && (before.is_lowercase() || next_is_lower))
            || (c.is_ascii_digit() != before.is_ascii_digit());
        if c.is_alphanumeric() {
            if starts {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        before = c;
    }
    words
}

/// Glues the words together, leaving out what rigs put before every name.
fn core<'a>(words: impl Iterator<Item = &'a str>) -> String {
    // `c` is the middle where `l` and `r` are the sides.
    const RIG_WORDS: [&str; 8] = [
        "mixamorig",
        "bip",
        "def",
        "jnt",
        "bn",
        "valvebiped",
        "j",
        "c",
    ];
    let words: Vec<&str> = words.collect();
    let is_rig = |w: &str| RIG_WORDS.contains(&w) || w.chars().all(|c| c.is_ascii_digit());
    let lead = words.iter().take_while(|w| is_rig(w)).count();
    // A name that is nothing but such words is a name after all.
    let from = if lead == words.len() { 0 } else { lead };
    words[from..].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_exporters_are_taken_apart_alike() {
        let strong = |name: &str, side, core: &str| {
            let found = parts(name);
            assert_eq!(
                (found.side, found.core.as_str(), found.is_weak),
                (side, core, false),
                "{name}"
            );
        };
        for name in [
            "LeftFoot",
            "mixamorig:LeftFoot",
            "Foot_L",
            "foot.L",
            "foot_l",
            "L_Foot",
            "Bip01 L Foot",
            "Bip001_L_Foot",
            "leftFoot",
            "leftfoot",
            "LEFTFOOT",
            "DEF-foot.L",
        ] {
            strong(name, Side::Left, "foot");
        }
        strong("RHipJoint", Side::Right, "hipjoint");
        strong("RightUpLeg", Side::Right, "upleg");
        strong("LeftHandIndex1", Side::Left, "handindex1");
        strong("Hips", Side::Middle, "hips");
        strong("Spine1", Side::Middle, "spine1");
        let weak = parts("lfoot");
        assert_eq!(
            (weak.side, weak.core.as_str(), weak.is_weak),
            (Side::Left, "foot", true)
        );
        assert!(parts("lowerback").is_weak, "might begin a word");
        assert_eq!(parts("").core, "");
        assert_eq!(parts("Bip01").core, "bip01");
    }
}
