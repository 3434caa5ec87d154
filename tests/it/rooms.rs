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
    ("retarget", &["motion", "numerics"]),
    ("style", &["motion", "numerics", "jobs"]),
    ("variation", &["motion", "numerics", "jobs"]),
    ("transition", &["motion", "numerics", "jobs"]),
    ("texture", &["motion", "numerics", "jobs"]),
    ("study", &["motion", "numerics", "variation", "jobs"]),
    (
        "sequence",
        &["motion", "numerics", "jobs", "transition", "variation"],
    ),
    (
        "document",
        &[
            "motion",
            "style",
            "variation",
            "texture",
            "transition",
            "sequence",
            "study",
        ],
    ),
    (
        "file",
        &[
            "motion",
            "numerics",
            "style",
            "variation",
            "transition",
            "texture",
            "study",
            "retarget",
            "sequence",
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
            "sequence",
            "study",
            "document",
            "file",
            "jobs",
            "retarget",
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
            "sequence",
            "study",
            "retarget",
            "app::render",
        ],
    ),
];

/// A part of the window, and the parts that it may name. What stands lower comes first; workspaces do not name each
/// other, and only the window itself, in the files beside these folders, knows all of them.
const PARTS_OF_APP: &[(&str, &[&str])] = &[
    ("app::render", &[]),
    ("app::shell", &["app::render"]),
    ("app::timeline", &["app::shell"]),
    ("app::viewport", &["app::shell", "app::render"]),
    (
        "app::library",
        &[
            "app::shell",
            "app::timeline",
            "app::viewport",
            "app::render",
        ],
    ),
    (
        "app::variation",
        &[
            "app::shell",
            "app::timeline",
            "app::viewport",
            "app::render",
        ],
    ),
    (
        "app::pose",
        &[
            "app::shell",
            "app::timeline",
            "app::viewport",
            "app::render",
        ],
    ),
    (
        "app::sequence",
        &[
            "app::shell",
            "app::timeline",
            "app::viewport",
            "app::render",
        ],
    ),
    (
        "app::study",
        &[
            "app::shell",
            "app::timeline",
            "app::viewport",
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

fn window_sources() -> Vec<(std::path::PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app");
    let files = files_below(&src, "rs").into_iter();
    files
        .map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            let below = file.strip_prefix(&src).unwrap().to_owned();
            (below, text)
        })
        .collect()
}

/// What a file of the window names, without the words that only say how far something can be seen.
fn names_in(text: &str) -> Vec<String> {
    named_paths(&text.replace("pub(in crate::app", ""))
}

#[test]
fn parts_of_the_window_name_only_what_they_may() {
    let sources = window_sources();
    for (part, may) in PARTS_OF_APP {
        let folder = Path::new(part.strip_prefix("app::").unwrap());
        let files: Vec<_> = sources
            .iter()
            .filter(|(file, _)| file.starts_with(folder))
            .collect();
        assert!(!files.is_empty(), "{part} is empty or gone");
        for (file, text) in files {
            for named in names_in(text).iter().filter(|n| is_in(n, "app")) {
                let allowed = is_in(named, part) || may.iter().any(|part| is_in(named, part));
                assert!(allowed, "{part} names {named} in {}", file.display());
            }
        }
    }
    let known = |file: &Path| {
        let mut parts = PARTS_OF_APP.iter();
        parts.any(|(part, _)| file.starts_with(part.strip_prefix("app::").unwrap()))
    };
    for (file, _) in &sources {
        let is_window = file.components().count() == 1;
        assert!(is_window || known(file), "{} is in no part", file.display());
    }
}

/// The parts are listed from below, and each names only parts before it: so there can be no circle of them.
#[test]
fn parts_of_the_window_stand_on_each_other() {
    for (place, (part, may)) in PARTS_OF_APP.iter().enumerate() {
        for below in *may {
            let found = PARTS_OF_APP.iter().position(|(other, _)| other == below);
            assert!(found.unwrap() < place, "{part} stands on {below}");
        }
    }
}

/// What draws gets a context and asks; it cannot change the document. Only work that is done between frames gets the
/// shell, and only the shell has the history.
#[test]
fn what_draws_does_not_reach_the_document() {
    for (file, text) in window_sources() {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let is_window = file.components().count() == 1;
        let draws = code.contains("egui::Ui") && !is_window;
        assert!(
            !(draws && names_in(code).iter().any(|n| n == "app::shell::Shell")),
            "{} draws and names the shell",
            file.display()
        );
        let in_shell = file.starts_with("shell");
        let reaches = names_in(code).iter().any(|n| n.ends_with("History"))
            || code.contains("History,")
            || code.contains("History}");
        assert!(in_shell || !reaches, "{} names the history", file.display());
    }
}

/// How many folders up the paths of a file lead at most.
fn supers(text: &str) -> usize {
    let mut most = 0;
    let mut run = 0;
    for word in text.split("::") {
        run = match word {
            "super" => run + 1,
            _ => usize::from(word.ends_with("super")),
        };
        most = most.max(run);
    }
    most
}

#[test]
fn no_path_leads_around_the_table() {
    for (file, text) in window_sources() {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let is_folder = file.file_name().is_some_and(|name| name == "mod.rs");
        let depth = file.components().count() - usize::from(is_folder);
        // From the last folder of a part one step up is the window, where its other parts are.
        assert!(
            depth <= 1 || supers(code) < depth,
            "{} leads out of its part",
            file.display()
        );
    }
}

#[test]
fn names_of_the_window_are_seen() {
    let text = "pub(in crate::app::pose) fn f() {}\nuse crate::app::{library::X, shell};";
    // A group is not looked into: it names the whole window, which no part may.
    assert_eq!(names_in(text), ["app"]);
    assert_eq!(supers("use super::super::x;\nuse super::y;"), 2);
}

/// Who follows a walk of `ARCHITECTURE.md` finds every function and type that it names.
#[test]
fn the_walks_of_the_page_name_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let walks = page
        .split("\n## ")
        .find(|part| part.starts_with("Three walks"));
    let sources = files_below(&root.join("src"), "rs").into_iter();
    let sources: String = sources.map(|f| fs::read_to_string(f).unwrap()).collect();
    let named: Vec<&str> = walks.unwrap().split('`').skip(1).step_by(2).collect();
    assert!(named.len() > 40, "{} names in the walks", named.len());
    for name in named {
        for part in name.split("::") {
            let is_defined = ["fn ", "struct ", "enum ", "mod "].iter().any(|kind| {
                let start = format!("{kind}{part}");
                let mut ends = sources
                    .match_indices(&start)
                    .map(|(at, _)| at + start.len());
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                ends.any(|end| !sources[end..].starts_with(is_word))
            });
            assert!(is_defined, "{part} of {name} is not there");
        }
    }
}
