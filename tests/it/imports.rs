//! Which file needs which, read from the sources: files that need each other in a circle can only be read together.
//!
//! A file needs another where it names something that is defined there, whatever folder re-exports it. Re-exports
//! themselves, methods (they are named by what they are called on) and tests do not count.
//! `cargo test --test it imports -- --nocapture` tells what is found; `KINFOLK_SOURCES` looks at another tree.

mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use read::Sources;

/// Files that still stand in a circle, by circle. The list may only become shorter: a file that has left its circle
/// must leave the list, and no other may come.
const IN_CIRCLES: &[&[&str]] = &[
    // A texture is learned to its end by playing it.
    &["texture/model.rs", "texture/player.rs", "texture/spread.rs"],
    // A model of clips holds what its feet do, and feet are learned on the model that is not finished yet.
    &[
        "variation/clips.rs",
        "variation/contact/by_hand.rs",
        "variation/contact/foot_lock.rs",
        "variation/contact/root_follow.rs",
        "variation/contact/root_height.rs",
        "variation/contact/sway.rs",
    ],
    &["variation/takes/examples.rs", "variation/takes/progress.rs"],
];

impl Sources {
    /// The file in which that is defined which a path means in a module.
    fn definition(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        if depth > 12 {
            return None;
        }
        let (first, mut rest) = path.split_first()?;
        let mut here = match first.as_str() {
            "crate" => 0,
            "super" => self.modules[module].parent?,
            "self" => module,
            _ => return self.inside(module, path, depth),
        };
        while rest.first().is_some_and(|part| part == "super") {
            here = self.modules[here].parent?;
            rest = &rest[1..];
        }
        self.inside(here, rest, depth)
    }

    /// The same of a path that begins in a module.
    fn inside(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let here = &self.modules[module];
        if let Some(child) = here.children.get(first)
            && !rest.is_empty()
        {
            return self.inside(*child, rest, depth + 1);
        }
        if here.defined.contains(first) {
            return Some(here.file);
        }
        for (name, path, _) in &here.brought {
            if name == first && path.first() != Some(first) {
                let path: Vec<String> = path.iter().chain(rest).cloned().collect();
                return self.definition(module, &path, depth + 1);
            }
        }
        for (name, path, _) in &here.brought {
            if name == "*" {
                let path: Vec<String> = path.iter().chain([first]).chain(rest).cloned().collect();
                if let Some(file) = self.definition(module, &path, depth + 1) {
                    return Some(file);
                }
            }
        }
        None
    }

    /// For each file, which others it needs, and by what name.
    fn needs(&self) -> Vec<BTreeMap<usize, BTreeSet<String>>> {
        let mut needs = vec![BTreeMap::new(); self.files.len()];
        for (number, module) in self.modules.iter().enumerate() {
            let brought = module.brought.iter().filter(|(_, _, is_public)| !is_public);
            let brought = brought.map(|(_, path, _)| path.clone());
            let words = module.words.iter().map(|word| vec![word.clone()]);
            for path in brought.chain(module.named.iter().cloned()).chain(words) {
                if let Some(file) = self.definition(number, &path, 0)
                    && file != module.file
                {
                    let names: &mut BTreeSet<String> = needs[module.file].entry(file).or_default();
                    names.insert(path.last().cloned().unwrap_or_default());
                }
            }
        }
        needs
    }

    /// The circles, each with the numbers of its files.
    fn circles(&self) -> Vec<Vec<usize>> {
        let needs = self.needs();
        let reach: Vec<BTreeSet<usize>> = (0..needs.len())
            .map(|from| {
                let mut seen = BTreeSet::new();
                let mut open = vec![from];
                while let Some(file) = open.pop() {
                    open.extend(needs[file].keys().filter(|to| seen.insert(**to)));
                }
                seen
            })
            .collect();
        let mut circles: Vec<Vec<usize>> = Vec::new();
        for file in 0..needs.len() {
            if !reach[file].contains(&file) || circles.iter().any(|c| c.contains(&file)) {
                continue;
            }
            let back = reach[file].iter().filter(|to| reach[**to].contains(&file));
            circles.push(back.copied().collect());
        }
        circles
    }
}

fn sources() -> PathBuf {
    let here = || Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    std::env::var_os("KINFOLK_SOURCES").map_or_else(here, PathBuf::from)
}

#[test]
fn no_file_needs_itself_through_others() {
    let sources = Sources::read(&sources());
    let circles = sources.circles();
    let named = |circle: &Vec<usize>| -> BTreeSet<&str> {
        let files = circle.iter().map(|file| sources.files[*file].as_str());
        files.collect()
    };
    let found: Vec<BTreeSet<&str>> = circles.iter().map(named).collect();
    for (part, is_of) in [("the window", true), ("everything else", false)] {
        let of = |file: &&str| file.starts_with("app/") == is_of;
        let n_files = sources.files.iter().filter(|f| of(&f.as_str())).count();
        let n_circled = found.iter().flatten().filter(|file| of(file)).count();
        eprintln!("{part}: {n_circled} of {n_files} files in circles");
    }
    let known: BTreeSet<&str> = IN_CIRCLES.iter().copied().flatten().copied().collect();
    let needs = sources.needs();
    for (circle, files) in circles.iter().zip(&found) {
        let new: Vec<&&str> = files.difference(&known).collect();
        let why = circle.iter().flat_map(|from| {
            let inside = needs[*from].iter().filter(|(to, _)| circle.contains(to));
            inside.map(|(to, names)| {
                let (from, to) = (&sources.files[*from], &sources.files[*to]);
                format!("\n{from} needs {to} for {names:?}")
            })
        });
        assert!(
            new.is_empty(),
            "{new:?} in a circle:{}",
            why.collect::<String>()
        );
    }
    let circled: BTreeSet<&str> = found.iter().flatten().copied().collect();
    let left: Vec<&&str> = known.difference(&circled).collect();
    assert!(
        left.is_empty(),
        "no longer in a circle, so take them off the list: {left:?}"
    );
}

#[test]
fn a_circle_is_seen_through_reexports_and_not_through_tests() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
    write(
        "lib.rs",
        "mod a;\nmod b;\nmod c;\npub use b::{Big, small as tiny};\n",
    );
    write(
        "a.rs",
        "use crate::Big;\n/// `crate::c::C` in words.\npub struct Part;\n",
    );
    write(
        "b.rs",
        "pub struct Big(pub super::a::Part);\npub fn small() {}\n",
    );
    let of_tests = "#[cfg(test)]\nmod tests {\n    use crate::b::Big;\n}\n";
    let text = "pub struct C;\nconst WORDS: &str = \"crate::b::Big\";\n";
    write("c.rs", &format!("{text}{of_tests}"));
    let sources = Sources::read(folder.path());
    let circles = sources.circles();
    assert_eq!(circles.len(), 1, "{circles:?}");
    let files: Vec<&str> = circles[0]
        .iter()
        .map(|f| sources.files[*f].as_str())
        .collect();
    assert_eq!(files, ["a.rs", "b.rs"]);
}
