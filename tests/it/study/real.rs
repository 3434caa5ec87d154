//! On real clips: variants sit with real ones and apart from noise; real walks are no clones of each other.

use kinfolk::jobs::Ticket;
use kinfolk::motion::Clip;
use kinfolk::study::clones::{CloneSettings, NEAR, find};
use kinfolk::study::measures::{ClipSet, Comparison, Measure, SetReadings, compare};
use kinfolk::variation::baseline::{self, Baseline, Octaves};
use kinfolk::variation::{ClipModel, Hold, LearnSettings, Length, SampleSettings};

use crate::data::shared;
use crate::takes::take;

fn clips(folder: &str, names: &[&str]) -> Option<Vec<Clip>> {
    let folder = shared(folder)?;
    let read = names
        .iter()
        .map(|name| take(&folder.join(format!("{name}.bvh"))));
    Some(read.collect())
}

fn refs(clips: &[Clip]) -> Vec<&Clip> {
    clips.iter().collect()
}

/// Variants and both kinds of noise beside real clips.
fn compared(inputs: &[Clip], real: &[Clip]) -> Comparison {
    let ticket = Ticket::default();
    let model = ClipModel::learn(&refs(inputs), &LearnSettings::default(), &ticket).unwrap();
    let variant = |number| {
        let settings = SampleSettings::default();
        let made = model.vary(&settings, number, Length::Once, Hold::Feet);
        made.unwrap().clip
    };
    let variants: Vec<Clip> = (0..12).map(variant).collect();
    let noise = |kind| baseline::make(kind, &refs(inputs), &refs(&variants), 12, 1).unwrap();
    let smooth = noise(Baseline::SmoothedNoise);
    let perlin = noise(Baseline::Perlin(Octaves::default()));
    let named = [
        ("variants", &variants),
        ("smoothed", &smooth),
        ("perlin", &perlin),
    ];
    let sets = named.map(|(name, clips)| ClipSet {
        name: name.to_owned(),
        clips: clips.iter().collect(),
    });
    compare(&refs(inputs), &refs(real), &sets, Some(&model), &ticket).unwrap()
}

fn check(found: &Comparison) {
    let set = |name: &str| found.sets.iter().find(|set| set.name == name).unwrap();
    let usual = |set: &SetReadings| {
        let measures = found.measures();
        measures
            .filter(|m| found.is_usual(set, *m) == Some(true))
            .collect::<Vec<Measure>>()
    };
    let n_measures = found.measures().count();
    let (own, smooth, perlin) = (set("variants"), set("smoothed"), set("perlin"));
    let n = usual(own).len();
    // The range is that of some clips of one person on one day; `resources/study.md` says which measures are outside.
    assert!(
        5 * n >= 3 * n_measures,
        "{n} of {n_measures} as in real clips: {:?}",
        usual(own)
    );
    for noise in [smooth, perlin] {
        let n_noise = usual(noise).len();
        assert!(
            n >= n_noise + 4,
            "{}: {n_noise} as in real clips, variants {n}",
            noise.name
        );
        // And where they are not, they are nearer to real clips than noise is.
        for measure in [
            Measure::Novelty,
            Measure::LocalDiversity,
            Measure::GlobalDiversity,
            Measure::LoopGap,
        ] {
            assert!(
                own.get(measure) < noise.get(measure),
                "{} {}",
                noise.name,
                measure.id()
            );
        }
        for measure in [Measure::SpaceJerk, Measure::FootSlide, Measure::GaitPhase] {
            assert_eq!(
                found.is_usual(noise, measure),
                Some(false),
                "{} {}",
                noise.name,
                measure.id()
            );
            assert_eq!(
                found.is_usual(own, measure),
                Some(true),
                "variants {}",
                measure.id()
            );
        }
    }
}

#[test]
fn variants_of_walks_sit_with_real_walks_and_apart_from_noise() {
    let train = ["35_02_c1", "35_04_c2", "35_06_c1", "35_08_c1"];
    let Some(inputs) = clips("walk_cycles/s35/train", &train) else {
        return;
    };
    let held = ["35_10_c1", "35_11_c1", "35_13_c1", "35_15_c1"];
    let mut real = clips("walk_cycles/s35/train", &held).unwrap();
    let test = ["35_03_c2", "35_09_c1", "35_16_c1", "35_32_c1"];
    real.extend(clips("walk_cycles/s35/test", &test).unwrap());
    check(&compared(&inputs, &real));
}

#[test]
fn variants_of_jumps_sit_with_real_jumps_and_apart_from_noise() {
    let first = ["118_06", "118_07", "118_08", "118_10"];
    let Some(inputs) = clips("jump/s118", &first) else {
        return;
    };
    let others = ["118_12", "118_13", "118_14", "118_18", "118_20", "118_25"];
    check(&compared(&inputs, &clips("jump/s118", &others).unwrap()));
}

#[test]
fn real_walks_of_one_person_are_no_clones() {
    let names: Vec<String> = (1..=16).map(|n| format!("35_{n:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(takes) = clips("walk_full", &names) else {
        return;
    };
    let found = find(&refs(&takes), CloneSettings::default(), &Ticket::default()).unwrap();
    assert!(found.clones.is_empty(), "{:?}", found.clones);
    let least = found
        .nearest
        .iter()
        .flatten()
        .map(|n| n.least)
        .fold(f64::INFINITY, f64::min);
    // What the threshold was chosen from.
    assert!((1.2 * NEAR..1.6 * NEAR).contains(&least), "{least}");
}
