//! Names of files: plain on every system, never taken, never leading out of the folder.

use std::collections::{BTreeMap, BTreeSet};

/// Longer names are cut; some systems refuse them.
const LONGEST: usize = 60;

/// Names that no new file may have.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// In small letters: some systems take `Walk.bvh` and `walk.bvh` for one file.
    names: BTreeSet<String>,
    /// For each stem the next number to try, so that thousands of clips of one name do not each try all numbers.
    next: BTreeMap<String, usize>,
}

impl Taken {
    pub(super) fn insert(&mut self, name: &str) {
        self.names.insert(name.to_lowercase());
    }

    /// A name with this ending for the file of something that is called so, and takes it.
    pub(super) fn fresh(&mut self, called: &str, ending: &str) -> String {
        let stem = stem(called);
        let next = self.next.entry(stem.to_lowercase()).or_insert(1);
        loop {
            let name = match *next {
                1 => format!("{stem}{ending}"),
                number => format!("{stem}_{number}{ending}"),
            };
            *next += 1;
            if self.names.insert(name.to_lowercase()) {
                return name;
            }
        }
    }
}

/// ASCII letters, digits, `-` and `_`; other runs of characters become one `_`.
fn stem(called: &str) -> String {
    let mut stem = String::new();
    for c in called.chars() {
        if stem.len() >= LONGEST {
            break;
        }
        if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
            stem.push(c);
        } else if !stem.ends_with('_') {
            stem.push('_');
        }
    }
    let trimmed = stem.trim_matches('_');
    // Windows keeps some names for devices, with any ending: con.bvh, com1.bvh.
    let lower = trimmed.to_ascii_lowercase();
    let is_device = matches!(lower.as_str(), "con" | "prn" | "aux" | "nul")
        || (lower.len() == 4 && (lower.starts_with("com") || lower.starts_with("lpt")));
    match trimmed {
        "" => "unnamed".to_owned(),
        _ if is_device => format!("_{trimmed}"),
        fine => fine.to_owned(),
    }
}

/// Whether this is a file with this ending directly in its folder. Everything else (`../x`, `/etc/passwd`, `a/b.bvh`,
/// `C:x`, `walk.bvh:stream`) comes from a broken or hostile project.
pub(super) fn is_plain(name: &str, ending: &str) -> bool {
    let end = name.len().checked_sub(ending.len());
    let has_ending = end
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(ending));
    let odd = |c: char| {
        c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    has_ending && name.len() <= 255 && !name.starts_with('.') && !name.contains(odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_names_are_plain_and_never_taken() {
        let mut taken = Taken::default();
        taken.insert("Walk.BVH");
        taken.insert("walk_3.bvh");
        assert_eq!(taken.fresh("walk", ".bvh"), "walk_2.bvh");
        assert_eq!(taken.fresh("WALK", ".bvh"), "WALK_4.bvh");
        for (clip, file) in [
            ("../../etc/passwd", "etc_passwd.bvh"),
            ("Füße / links", "F_e_links.bvh"),
            ("", "unnamed.bvh"),
            ("...", "unnamed_2.bvh"),
            ("con", "_con.bvh"),
            ("COM1", "_COM1.bvh"),
            ("comb", "_comb.bvh"),
        ] {
            let fresh = taken.fresh(clip, ".bvh");
            assert_eq!(fresh, file);
            assert!(is_plain(&fresh, ".bvh"), "{fresh}");
        }
        assert!(taken.fresh(&"x".repeat(1000), ".bvh").len() < 80, "cut");
        let many: BTreeSet<String> = (0..20_000).map(|_| taken.fresh("same", ".bvh")).collect();
        assert_eq!(many.len(), 20_000);
    }

    #[test]
    fn names_that_lead_elsewhere_are_not_plain() {
        for name in [
            "../../etc/passwd",
            "../a.bvh",
            "/a.bvh",
            "a/b.bvh",
            "a\\b.bvh",
            "C:a.bvh",
            "a.bvh:b.bvh",
            "..bvh",
            ".bvh",
            ".a.bvh",
            "a.bvh\0",
            "a\n.bvh",
            "bvh",
            "",
            "é",
            "a.ron",
        ] {
            assert!(!is_plain(name, ".bvh"), "{name:?}");
        }
        assert!(
            !is_plain(&format!("{}.bvh", "x".repeat(300)), ".bvh"),
            "too long"
        );
        assert!(is_plain("Füße 1.BVH", ".bvh"), "any letters");
    }
}
