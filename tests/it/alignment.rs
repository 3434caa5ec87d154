//! Clips in step: the similarity numbers of the development set, and warps that were planted.

use std::fs;

use kinfolk::motion::alignment::{AlignSettings, Curves, align_pair, align_set, warp_clip};
use kinfolk::motion::{Clip, body};

use crate::data::{files_below, shared};
use crate::takes::{CMU_CM, take};

/// name, nearest cm, mean cm
fn table(folder: &str, readme: &str) -> Vec<(String, f64, f64)> {
    let section = readme.split(&format!("### {folder}\n")).nth(1).unwrap();
    let section = section.split("\n###").next().unwrap();
    section
        .lines()
        .filter(|l| l.starts_with("| ") && !l.starts_with("| c"))
        .map(|l| {
            let cells: Vec<&str> = l.trim_matches('|').split('|').map(str::trim).collect();
            let number = |from_end: usize| cells[cells.len() - from_end].parse().unwrap();
            (cells[0].to_owned(), number(2), number(1))
        })
        .collect()
}

#[test]
fn similarity_numbers_of_the_development_set() {
    let Some(readme) = shared("README.md") else {
        return;
    };
    let readme = fs::read_to_string(readme).unwrap();
    for folder in [
        "walk_cycles/s35",
        "walk_cycles/s16",
        "jump/s118",
        "gesture/jumping_jack_s14",
        "gesture/golf_swing_s64",
        "gesture/front_kick_s144",
        "swim/breaststroke_126_04",
        "throw/football_s34",
    ] {
        let clips: Vec<Clip> = files_below(&shared(folder).unwrap(), "bvh")
            .iter()
            .map(|p| take(p))
            .collect();
        let find = |name: &str| clips.iter().find(|c| c.info.name == name).unwrap();
        let table = table(folder, &readme);
        let labels = fs::read_to_string(shared(folder).unwrap().join("labels.csv")).unwrap();
        let fits: Vec<&str> = labels
            .lines()
            .skip(1)
            .filter(|l| l.contains("train") || l.contains(",yes"))
            .map(|l| {
                l.split(',')
                    .next()
                    .unwrap()
                    .rsplit('/')
                    .next()
                    .unwrap()
                    .trim_end_matches(".bvh")
            })
            .collect();
        eprintln!("{folder} {fits:?}\n{labels}");
        for (name, nearest, mean) in &table {
            let clip = find(name);
            let to_cm = body::height(clip) * CMU_CM;
            let d: Vec<f64> = fits
                .iter()
                .filter(|f| **f != name)
                .map(|f| align_pair(clip, find(f)).map_or(999.0, |p| p.cost * to_cm))
                .collect();
            let m = d.iter().sum::<f64>() / d.len() as f64;
            let n = d.iter().copied().fold(f64::INFINITY, f64::min);
            eprintln!(
                "{name:24} {nearest:5} {n:5.1}   {mean:5} {m:5.1}  {:.2}",
                m / mean
            );
        }
    }
}
