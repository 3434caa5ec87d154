//! Which room may name which: the map in the house style, as a test.

use std::fs;
use std::path::Path;

use crate::data::files_below;

/// A room, and the rooms or parts of rooms that it may name.
const ROOMS: &[(&str, &[&str])] = &[
    ("numerics", &[]),
    ("jobs", &[]),
    ("motion", &["numerics"]),
    ("demo", &["motion", "numerics"]),
    ("style", &["motion", "numerics", "jobs"]),
    ("variation", &["motion", "numerics", "jobs"]),
    ("transition", &["motion", "numerics", "jobs"]),
    ("texture", &["motion", "numerics", "jobs"]),
    ("document", &["motion", "style", "variation"]),
    (
        "file",
        &[
            "motion",
            "numerics",
            "style",
            "variation",
            "transition",
            "texture",
            "document",
        ],
    ),
    (
        "app",
        &[
            "motion",
            "numerics",
            "demo",
            "style",
            "variation",
            "transition",
            "texture",
            "document",
            "file",
            "jobs",
        ],
    ),
    (
        "cli",
        &[
            "motion",
            "numerics",
            "demo",
            "style",
            "document",
            "file",
            "jobs",
            "variation",
            "transition",
            "texture",
            "app::render",
        ],
    ),
];

/// The path after every `crate::`, also inside `crate::{a::B, c}`.
fn named_paths(text: &str) -> Vec<String> {
    let ident = |s: &str| {
        let path: String = s
            .trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
            .collect();
        path.trim_end_matches(':').to_owned()
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

/// Whether a path is this room, or this part of one, or inside it.
fn is_in(path: &str, room: &str) -> bool {
    path.strip_prefix(room)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[test]
fn a_part_of_a_room_is_not_the_room() {
    assert!(is_in("app::render::Scene", "app::render"), "inside");
    assert!(is_in("app::render", "app"), "inside");
    assert!(!is_in("app::shell", "app::render"), "beside");
    assert!(!is_in("application", "app"), "another word");
}

#[test]
fn grouped_imports_are_seen() {
    let seen =
        named_paths("use crate::{jobs::{Job, Ticket}, motion};\nlet x = crate::document::Y;");
    assert_eq!(seen, ["jobs", "motion", "document::Y"]);
}

#[test]
fn rooms_name_only_what_they_may() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, may) in ROOMS {
        let files = files_below(&src.join(room), "rs");
        assert!(!files.is_empty(), "room {room} is empty or gone");
        for file in files {
            for named in named_paths(&fs::read_to_string(&file).unwrap()) {
                let known = ROOMS.iter().any(|(other, _)| is_in(&named, other));
                let allowed = is_in(&named, room) || may.iter().any(|part| is_in(&named, part));
                assert!(
                    !known || allowed,
                    "{room} names {named} in {}",
                    file.display()
                );
            }
        }
    }
}
