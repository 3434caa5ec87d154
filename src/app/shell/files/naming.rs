//! Names by a pattern: `{set}_{n:3}` gives `walks_000`, `walks_001` and so on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What stands for something in a pattern, with what it stands for.
pub const WORDS: [(&str, &str); 5] = [
    ("{name}", "name of the clip"),
    ("{n}", "number, counted from 0; {n:3} gives 000, 001"),
    ("{set}", "name of the set"),
    ("{take}", "name of the file it came from"),
    ("{frames}", "how many frames it has"),
];

/// What a name is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameParts<'a> {
    /// The name of the clip.
    pub name: &'a str,
    /// Of the set; empty without one.
    pub set: &'a str,
    /// Of its file, without ending; empty without one.
    pub take: &'a str,
    /// How many frames the clip has.
    pub n_frames: usize,
}

/// A pattern that makes no names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Nothing would be left.
    #[error("the pattern is empty")]
    Empty,
    /// Braces that do not match.
    #[error("a {{ without its }}, or the other way round")]
    Braces,
    /// A placeholder that does not exist.
    #[error(
        "{{{0}}} is no placeholder; there are {{name}}, {{n}}, {{n:3}}, {{set}}, {{take}} and {{frames}}"
    )]
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Name,
    Number(usize),
    Set,
    Take,
    Frames,
}

/// A pattern that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern(Vec<Piece>);

impl std::str::FromStr for NamePattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        if text.trim().is_empty() {
            return Err(PatternError::Empty);
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let open = rest.find(['{', '}']).unwrap_or(rest.len());
            if open > 0 {
                pieces.push(Piece::Text(rest[..open].to_owned()));
            }
            rest = &rest[open..];
            let Some(inner) = rest.strip_prefix('{') else {
                if rest.is_empty() {
                    break;
                }
                return Err(PatternError::Braces);
            };
            let close = inner.find('}').ok_or(PatternError::Braces)?;
            pieces.push(piece(&inner[..close])?);
            rest = &inner[close + 1..];
        }
        Ok(Self(pieces))
    }
}

fn piece(word: &str) -> Result<Piece, PatternError> {
    const WIDEST: usize = 12;
    let unknown = || PatternError::Unknown(word.chars().take(20).collect());
    Ok(match word {
        "name" => Piece::Name,
        "n" => Piece::Number(0),
        "set" => Piece::Set,
        "take" => Piece::Take,
        "frames" => Piece::Frames,
        _ => {
            let digits = word.strip_prefix("n:").ok_or_else(unknown)?;
            let wide = digits.parse().map_err(|_not_a_number| unknown())?;
            Piece::Number(usize::min(wide, WIDEST))
        }
    })
}

impl NamePattern {
    /// The name of one of many.
    pub fn name(&self, number: usize, subject: &NameParts<'_>) -> String {
        let mut name = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => name.push_str(text),
                Piece::Name => name.push_str(subject.name),
                Piece::Number(wide) => {
                    write!(name, "{number:0wide$}").expect("a string takes every character");
                }
                Piece::Set => name.push_str(subject.set),
                Piece::Take => name.push_str(subject.take),
                Piece::Frames => name.push_str(&subject.n_frames.to_string()),
            }
        }
        name
    }
}

/// File names: without spaces and signs that some system forbids, and no two alike even where case does not count.
pub fn file_names<'a>(names: impl IntoIterator<Item = &'a str>, ending: &str) -> Vec<String> {
    const LONGEST: usize = 120;
    let mut taken = BTreeSet::new();
    // For each stem the next number to try, so that thousands of one name do not each try all numbers.
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for name in names {
        let plain = |c: char| match c {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            c if c.is_control() || c.is_whitespace() => '_',
            c => c,
        };
        let name = name.trim_matches(|c: char| c == '.' || c.is_whitespace());
        let stem: String = name.chars().take(LONGEST).map(plain).collect();
        let stem = if stem.is_empty() { "clip" } else { &stem };
        let mut file = format!("{stem}.{ending}");
        let number = next.entry(stem.to_lowercase()).or_insert(2);
        while !taken.insert(file.to_lowercase()) {
            file = format!("{stem}_{number}.{ending}");
            *number += 1;
        }
        all.push(file);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALK: NameParts<'_> = NameParts {
        name: "walk",
        set: "calm",
        take: "02_01",
        n_frames: 130,
    };

    fn named(pattern: &str) -> Result<String, PatternError> {
        Ok(pattern.parse::<NamePattern>()?.name(7, &WALK))
    }

    #[test]
    fn patterns_make_names() {
        for (pattern, name) in [
            ("{name}", "walk"),
            ("{set}_{n:3}", "calm_007"),
            ("{take}-{n} {frames}f", "02_01-7 130f"),
            ("plain", "plain"),
            ("{n:99}", "000000000007"),
        ] {
            assert_eq!(named(pattern).as_deref(), Ok(name), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_mean_nothing_are_refused() {
        assert_eq!(named("  "), Err(PatternError::Empty));
        for pattern in ["{name", "name}", "}{", "a{b{c}}"] {
            let refused = named(pattern);
            assert!(refused.is_err(), "{pattern}: {refused:?}");
        }
        assert_eq!(named("{nam}"), Err(PatternError::Unknown("nam".to_owned())));
        assert!(named("{n:x}").is_err() && named("{}").is_err(), "no words");
    }

    #[test]
    fn file_names_fit_every_system_and_differ() {
        let names = ["walk", "Walk", "a/b:c", "..", "  ", "walk", " old man 2 "];
        let wanted = [
            "walk.glb",
            "Walk_2.glb",
            "a_b_c.glb",
            "clip.glb",
            "clip_2.glb",
            "walk_3.glb",
            "old_man_2.glb",
        ];
        assert_eq!(file_names(names, "glb"), wanted);
        let long = file_names(["x".repeat(5000).as_str()], "bvh");
        assert!(long[0].len() < 200, "{} letters", long[0].len());
        let clash = file_names(["a", "a_2", "a", "a"], "csv");
        assert_eq!(clash, ["a.csv", "a_2.csv", "a_3.csv", "a_4.csv"]);
        let many: BTreeSet<String> = file_names(vec!["same"; 20_000], "bvh")
            .into_iter()
            .collect();
        assert_eq!(many.len(), 20_000);
    }
}
