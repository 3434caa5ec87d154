//! Which room may name which: the map in the house style, as a test.

use std::fs;
use std::path::Path;

use crate::data::files_below;

const ROOMS: &[(&str, &[&str])] = &[
    ("numerics", &[]),
    ("jobs", &[]),
    ("motion", &["numerics"]),
    ("demo", &["motion", "numerics"]),
    ("document", &["motion"]),
    ("file", &["motion", "numerics", "document"]),
    (
        "cli",
        &["motion", "numerics", "demo", "document", "file", "jobs"],
    ),
    (
        "app",
        &["motion", "numerics", "demo", "document", "file", "jobs"],
    ),
];

/// The first path segment after every `crate::`, also inside `crate::{a::B, c}`.
fn named_rooms(text: &str) -> Vec<String> {
    let ident = |s: &str| {
        s.trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let mut named = Vec::new();
    for tail in text.split("crate::").skip(1) {
        let Some(group) = tail.strip_prefix('{') else {
            named.push(ident(tail));
            continue;
        };
        let mut depth = 1;
        let mut start = 0;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && c == ',') {
                named.push(ident(&group[start..at]));
                start = at + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    named
}

#[test]
fn grouped_imports_are_seen() {
    let seen =
        named_rooms("use crate::{jobs::{Job, Ticket}, motion};\nlet x = crate::document::Y;");
    assert_eq!(seen, ["jobs", "motion", "document"]);
}

#[test]
fn rooms_name_only_what_they_may() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, may) in ROOMS {
        let files = files_below(&src.join(room), "rs");
        assert!(!files.is_empty(), "room {room} is empty or gone");
        for file in files {
            for named in named_rooms(&fs::read_to_string(&file).unwrap()) {
                let known = ROOMS.iter().any(|(other, _)| *other == named);
                let allowed = named == *room || may.contains(&named.as_str());
                assert!(
                    !known || allowed,
                    "{room} names {named} in {}",
                    file.display()
                );
            }
        }
    }
}
