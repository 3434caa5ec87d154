//! Joint names that other programs can read.

use std::collections::{BTreeMap, BTreeSet};

use crate::motion::{Joint, Note, NoteKind};

/// Lists longer than this are cut short: a note is read by a person.
const LISTED: usize = 8;

/// The names to write, one per joint, and a note on what had to change.
///
/// Blanks and braces always go, because most readers stop at them. With `safe`, only ASCII letters, digits and `_`
/// stay, none starts with a digit, and all differ even for programs that take `hips` and `Hips` for the same.
pub(in crate::file) fn names(joints: &[Joint], safe: bool) -> (Vec<String>, Option<Note>) {
    let mut written: Vec<String> = joints.iter().map(|j| mended(&j.name, safe)).collect();
    let mut taken = BTreeSet::new();
    let mut clashing = Vec::new();
    // Names that can stay have the first choice; only then are the others fitted in between.
    for (idx, joint) in joints.iter().enumerate() {
        let unchanged = written[idx] == joint.name;
        let first = unchanged && taken.insert(written[idx].to_ascii_lowercase());
        if !first && (safe || !unchanged) {
            clashing.push(idx);
        }
    }
    let mut next_numbers = BTreeMap::new();
    for idx in clashing {
        let key = written[idx].to_ascii_lowercase();
        if taken.insert(key.clone()) {
            continue;
        }
        let number = next_numbers.entry(key.clone()).or_insert(2_usize);
        while !taken.insert(format!("{key}_{number}")) {
            *number += 1;
        }
        written[idx] = format!("{}_{number}", written[idx]);
    }
    let changed: Vec<String> = joints
        .iter()
        .zip(&written)
        .filter(|(joint, name)| joint.name != **name)
        .map(|(joint, name)| format!("\"{}\" is \"{name}\"", joint.name))
        .collect();
    let note = (!changed.is_empty()).then(|| {
        let text = format!("joints renamed in the file: {}", listed(&changed));
        Note::new(NoteKind::Repaired, text)
    });
    (written, note)
}

fn mended(name: &str, safe: bool) -> String {
    let fits = |c: char| {
        if safe {
            c.is_ascii_alphanumeric() || c == '_'
        } else {
            !(c.is_whitespace() || c.is_control() || matches!(c, '{' | '}' | '\u{feff}'))
        }
    };
    let mut mended: String = name
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    if mended.is_empty() {
        "joint".clone_into(&mut mended);
    }
    if safe && mended.starts_with(|c: char| c.is_ascii_digit()) {
        mended.insert(0, '_');
    }
    mended
}

/// `a, b, c and 4 more`.
pub(super) fn listed(items: &[String]) -> String {
    let shown = items[..items.len().min(LISTED)].join(", ");
    match items.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, Vec3};

    fn written(list: &[&str], safe: bool) -> Vec<String> {
        let joints: Vec<Joint> = list
            .iter()
            .enumerate()
            .map(|(idx, name)| Joint {
                name: (*name).to_owned(),
                parent: idx.checked_sub(1),
                offset: Vec3::zeros(),
                channels: Channels::NONE,
            })
            .collect();
        names(&joints, safe).0
    }

    #[test]
    fn odd_names_stay_unless_a_reader_would_break() {
        let odd = ["rig:Hips", "Knie-Gelenk", "Füße", "Hips", "Hips", "1st"];
        assert_eq!(written(&odd, false), odd);
        let broken = ["left leg", "{a}", "", "a\u{a0}b", "left_leg", "joint"];
        let mended = ["left_leg_2", "_a_", "joint_2", "a_b", "left_leg", "joint"];
        assert_eq!(written(&broken, false), mended);
    }

    #[test]
    fn safe_names_are_plain_and_differ() {
        let odd = ["rig:Hips", "rig_hips", "rig-Hips", "Füße", "1st", "Füße"];
        let safe = [
            "rig_Hips_2",
            "rig_hips",
            "rig_Hips_3",
            "F__e",
            "_1st",
            "F__e_2",
        ];
        assert_eq!(written(&odd, true), safe);
        let plain = ["Hips", "LeftUpLeg", "_x9"];
        assert_eq!(written(&plain, true), plain);
    }

    #[test]
    fn a_note_names_what_changed_and_stays_short() {
        let joint = |name: &str| Joint {
            name: name.to_owned(),
            parent: None,
            offset: Vec3::zeros(),
            channels: Channels::NONE,
        };
        let (_, note) = names(&[joint("a b"), joint("c")], false);
        assert!(
            note.unwrap().text.ends_with(": \"a b\" is \"a_b\""),
            "only what changed"
        );
        let (all, note) = names(&vec![joint("a b"); 5000], true);
        assert!(note.unwrap().text.ends_with("and 4992 more"), "cut short");
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 5000);
        assert_eq!(names(&[joint("c")], true).1, None);
    }
}
