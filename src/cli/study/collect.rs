//! `kinfolk collect`: whether a set that was made in shards is whole, unharmed and free of clones.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;

use super::super::inputs::{Input, for_each_motion};
use super::super::progress::ticket_for_ctrl_c;
use super::super::{Common, End, TO_STRING, between, print, print_json};
use super::clones::{pairs_json, pairs_text};
use crate::file::bytes_of;
use crate::file::checksum::Crc32;
use crate::file::study_manifest::{Manifest, ManifestRow, parse};
use crate::motion::Clip;
use crate::study::clones::{ClonePair, CloneSettings, NEAR, find};

/// Checks that a set made in shards is complete, as it was written, and free of clones
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The folder that `kinfolk vary --shard` wrote to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// What is nearer than this, in body heights, is a clone
    #[arg(long, value_name = "H", default_value_t = NEAR, value_parser = between(0.0, 10.0))]
    near: f64,
}

/// What manifests say, taken together.
#[derive(Debug, Default)]
struct Collected {
    /// What should be there, by number of the variant.
    variants: BTreeMap<usize, ManifestRow>,
    /// What is not there: shards, variants.
    missing: Vec<String>,
    /// What cannot be right.
    wrong: Vec<String>,
}

pub(in crate::cli) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    collect(args, common).map_err(super::plainly)
}

fn collect(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let mut set = manifests(&args.folder)?;
    let mut inputs: Vec<Input> = Vec::new();
    for row in set.variants.values() {
        ticket.check()?;
        let path = args.folder.join(&row.file);
        if !path.is_file() {
            set.missing.push(row.file.clone());
            continue;
        }
        let is_changed = row
            .crc32
            .is_some_and(|wanted| bytes_of(&path).is_ok_and(|bytes| Crc32::of(&bytes) != wanted));
        if is_changed {
            set.wrong.push(format!(
                "{} is not as it was written: its checksum is another",
                row.file
            ));
        }
        let place = path.with_extension("");
        inputs.push(Input::at(path, place));
    }
    let read = for_each_motion(&inputs, common, &ticket, |input, mut clip| {
        clip.info.name = input
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(clip)
    });
    ticket.check()?;
    let mut clips: Vec<Clip> = Vec::with_capacity(read.each.len());
    for (input, clip) in inputs.iter().zip(read.each) {
        match clip {
            Ok(clip) => clips.push(clip),
            Err(_) => set
                .wrong
                .push(format!("{} cannot be read", input.path.display())),
        }
    }
    check_lengths(&mut set, &clips);
    let refs: Vec<&Clip> = clips.iter().collect();
    let clones = if refs.is_empty() {
        Vec::new()
    } else {
        // A walk repeats its own steps; what matters is one variant in another.
        let found = find(&refs, CloneSettings { near: args.near }, &ticket)?.clones;
        let is_other = |pair: &ClonePair| pair.first.clip != pair.second.clip;
        found.into_iter().filter(is_other).collect()
    };
    report(&set, &clips, &clones, common)?;
    let is_whole = set.missing.is_empty() && set.wrong.is_empty() && clones.is_empty();
    Ok(if is_whole { End::Done } else { End::SomeFailed })
}

fn report(
    set: &Collected,
    clips: &[Clip],
    clones: &[ClonePair],
    common: &Common,
) -> anyhow::Result<()> {
    if common.json {
        let files: Vec<&String> = clips.iter().map(|clip| &clip.info.name).collect();
        return Ok(print_json(&json!({
            "files": files, "missing": set.missing, "wrong": set.wrong,
            "clones": pairs_json(clones, clips),
        }))?);
    }
    let mut text = String::new();
    for missing in &set.missing {
        writeln!(text, "missing  {missing}").expect(TO_STRING);
    }
    for wrong in &set.wrong {
        writeln!(text, "wrong    {wrong}").expect(TO_STRING);
    }
    text.push_str(&pairs_text(clones, clips));
    writeln!(
        text,
        "{} files, {} missing, {} clones",
        clips.len(),
        set.missing.len(),
        clones.len()
    )
    .expect(TO_STRING);
    Ok(print(&text)?)
}

/// Frames as the manifests say.
fn check_lengths(set: &mut Collected, clips: &[Clip]) {
    let lengths: BTreeMap<&str, usize> = set
        .variants
        .values()
        .map(|row| (row.file.as_str(), row.frames))
        .collect();
    let mut wrong = Vec::new();
    for clip in clips {
        let (name, found) = (&clip.info.name, clip.n_frames());
        if let Some(&wanted) = lengths.get(name.as_str()).filter(|n| **n != found) {
            wrong.push(format!(
                "{name} has {found} frames, its manifest says {wanted}"
            ));
        }
    }
    set.wrong.extend(wrong);
}

/// Reads all manifests of a folder, and says which shards and numbers are missing.
fn manifests(folder: &Path) -> anyhow::Result<Collected> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut shards: BTreeMap<usize, Vec<(usize, Manifest)>> = BTreeMap::new();
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((index, count)) = shard_of(&name) else {
            continue;
        };
        let path = entry.path();
        let bytes = bytes_of(&path).with_context(|| path.display().to_string())?;
        let manifest = parse(&bytes).with_context(|| path.display().to_string())?;
        shards.entry(count).or_default().push((index, manifest));
    }
    let mut counts: Vec<usize> = shards.keys().copied().collect();
    anyhow::ensure!(
        !counts.is_empty(),
        "{}: there is no manifest.csv and no manifest_0_of_4.csv or the like, as `kinfolk vary` writes them when it is done",
        folder.display()
    );
    anyhow::ensure!(
        counts.len() == 1,
        "{}: there are manifests of sets in {} and in {} parts; keep one set in a folder",
        folder.display(),
        counts[0],
        counts[1]
    );
    let count = counts.remove(0);
    let found = shards.remove(&count).unwrap_or_default();
    Ok(together(count, found))
}

fn together(count: usize, found: Vec<(usize, Manifest)>) -> Collected {
    let mut set = Collected::default();
    for index in 0..count {
        if !found.iter().any(|(own, _)| *own == index) {
            set.missing.push(format!("shard {index}/{count}"));
        }
    }
    let mut how: Option<(String, String)> = None;
    for (index, manifest) in found {
        for row in manifest.rows {
            let own = (row.seed.clone(), row.amount.clone());
            let how = how.get_or_insert_with(|| own.clone());
            if *how != own {
                set.wrong.push(format!(
                    "{} was made with seed {} and amount {}, others with {} and {}",
                    row.file, row.seed, row.amount, how.0, how.1
                ));
            }
            if row.variant % count != index {
                let number = row.variant;
                set.wrong.push(format!(
                    "{} is variant {number}, which is not of shard {index}/{count}",
                    row.file
                ));
            }
            if let Some(other) = set.variants.insert(row.variant, row) {
                set.wrong.push(format!(
                    "variant {} is there twice: {}",
                    other.variant, other.file
                ));
            }
        }
    }
    // Shards of missing manifests are named already.
    let n = set.variants.keys().next_back().map_or(0, |last| last + 1);
    let is_due = |number: &usize| {
        !set.missing
            .contains(&format!("shard {}/{count}", number % count))
    };
    let gaps = (0..n)
        .filter(|number| !set.variants.contains_key(number))
        .filter(is_due);
    let gaps: Vec<String> = gaps.map(|number| format!("variant {number}")).collect();
    set.missing.extend(gaps);
    set
}

/// Which part of how many a manifest's name says it is: `manifest.csv`, `manifest_2_of_4.csv`.
fn shard_of(name: &str) -> Option<(usize, usize)> {
    let stem = name.strip_suffix(".csv")?;
    if stem == "manifest" {
        return Some((0, 1));
    }
    let (index, count) = stem.strip_prefix("manifest_")?.split_once("_of_")?;
    let (index, count) = (index.parse().ok()?, count.parse().ok()?);
    (index < count && count <= 1_000_000).then_some((index, count))
}
