//! `kinfolk map`: which joint of one skeleton goes with which of another.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;

use super::{Common, End, TO_STRING, check_file, print, print_json, write_file};
use crate::file::{map_file, read_clip};
use crate::retarget::{BoneMap, Character, Pairing, ReferencePose, Unmapped};

/// Maps the joints of one skeleton to those of another
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A clip on the skeleton that motions come from
    #[arg(value_name = "A")]
    from: PathBuf,
    /// A clip on the skeleton that they are brought onto
    #[arg(value_name = "B")]
    to: PathBuf,
    /// The map, to look at, to correct, and for `kinfolk retarget --map`
    #[arg(long, value_name = "MAP.ron")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    check_file(&args.out, common)?;
    let source = character(&args.from)?;
    let target = character(&args.to)?;
    let pairing = Pairing::between(&source, &target);
    let map = &pairing.map;
    let text = map_file::write(&pairing, source.skeleton(), target.skeleton())?;
    write_file(&args.out, text.as_bytes(), common)?;
    let unmapped = map.unmapped(source.skeleton(), target.skeleton());
    if common.json {
        let mapped: Vec<_> = pairs(map, &source, &target)
            .map(|(from, to)| json!({ "from": from, "to": to }))
            .collect();
        print_json(&json!({
            "file": args.out.display().to_string(),
            "mapped": mapped,
            "unmapped": { "source": unmapped.source, "target": unmapped.target },
            "source_names": source.labels().preset, "target_names": target.labels().preset,
        }))?;
    } else {
        print(&words(map, &source, &target, &unmapped))?;
    }
    Ok(End::Done)
}

fn character(path: &Path) -> anyhow::Result<Character> {
    let clip = read_clip(path).with_context(|| path.display().to_string())?;
    let found = Character::of(&clip, ReferencePose::Found);
    found.with_context(|| path.display().to_string())
}

fn pairs<'a>(
    map: &'a BoneMap,
    source: &'a Character,
    target: &'a Character,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let (from, to) = (source.skeleton().joints(), target.skeleton().joints());
    let links = map.links().iter();
    links.map(|link| (from[link.from].name.as_str(), to[link.to].name.as_str()))
}

fn words(map: &BoneMap, source: &Character, target: &Character, unmapped: &Unmapped) -> String {
    let mut text = String::new();
    for (side, character) in [("from", source), ("to", target)] {
        let names = character.labels().preset;
        let names = names.unwrap_or("no program that is known; told by single names and shape");
        writeln!(text, "{side}: names of {names}").expect(TO_STRING);
    }
    let widest = pairs(map, source, target).map(|(from, _)| from.chars().count());
    let widest = widest.max().unwrap_or(0);
    for ((from, to), link) in pairs(map, source, target).zip(map.links()) {
        let between = if link.share > 0.0 {
            let toward = &source.skeleton().joints()[link.toward].name;
            format!("  ({:.0} % towards {toward})", 100.0 * link.share)
        } else {
            String::new()
        };
        writeln!(text, "{from:widest$}  ->  {to}{between}").expect(TO_STRING);
    }
    text.push_str(&cost(unmapped));
    text
}

/// What is unmapped, and what that costs.
pub(super) fn cost(unmapped: &Unmapped) -> String {
    let mut text = String::new();
    if !unmapped.source.is_empty() {
        let names = unmapped.source.join(", ");
        writeln!(text, "motion that is not carried over: {names}").expect(TO_STRING);
    }
    if !unmapped.target.is_empty() {
        let names = unmapped.target.join(", ");
        writeln!(text, "joints that only follow their parents: {names}").expect(TO_STRING);
    }
    text
}
