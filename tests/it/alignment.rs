//! Clips in step: the similarity numbers of the development set, and warps that were planted.

use std::fs;

use kinfolk::motion::alignment::{
    AlignError, AlignSettings, FrameCurves, align_pair, align_set, warp_clip,
};
use kinfolk::motion::{Axis, Clip, Contact, body};

use crate::data::{files_below, shared};
use crate::figure::Walk;
use crate::takes::{CMU_CM, cut, take};

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

/// Names of the clips that others are compared with.
fn fitting(folder: &str) -> Vec<String> {
    let labels = fs::read_to_string(shared(folder).unwrap().join("labels.csv")).unwrap();
    let is_fitting = |line: &&str| {
        if folder.starts_with("walk_cycles") {
            line.starts_with("train/")
        } else {
            line.contains(",yes,")
        }
    };
    let name = |line: &str| {
        let file = line.split(',').next().unwrap();
        file.rsplit('/')
            .next()
            .unwrap()
            .trim_end_matches(".bvh")
            .to_owned()
    };
    labels.lines().filter(is_fitting).map(name).collect()
}

#[test]
fn similarity_numbers_of_the_development_set() {
    let Some(readme) = shared("README.md") else {
        return;
    };
    let readme = fs::read_to_string(readme).unwrap();
    // The table's warps may be steeper and its twelve joints are not named: numbers agree within a third and 1 cm.
    // Golf 64_06 is held at its end for long, which steeper warps skip.
    for (folder, tolerance) in [
        ("walk_cycles/s35", 0.3),
        ("walk_cycles/s16", 0.3),
        ("jump/s118", 0.25),
        ("gesture/jumping_jack_s14", 0.2),
        ("gesture/golf_swing_s64", 0.45),
        ("gesture/front_kick_s144", 0.2),
    ] {
        let files = files_below(&shared(folder).unwrap(), "bvh");
        let clips: Vec<Clip> = files.iter().map(|p| take(p)).collect();
        let find = |name: &str| clips.iter().find(|c| c.info.name == name).unwrap();
        let fits = fitting(folder);
        let (mut worst_fit, mut nearest_misfit) = (0.0_f64, f64::INFINITY);
        let mut worst_ratio = 1.0_f64;
        for (name, nearest, mean) in table(folder, &readme) {
            let clip = find(&name);
            let to_cm = body::height(clip) * CMU_CM;
            let others = fits.iter().filter(|f| **f != name);
            let distances: Vec<f64> = others
                .map(|f| align_pair(clip, find(f)).unwrap().cost * to_cm)
                .collect();
            let our_mean = distances.iter().sum::<f64>() / distances.len() as f64;
            let our_nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
            for (ours, theirs) in [(our_nearest, nearest), (our_mean, mean)] {
                assert!(
                    (ours - theirs).abs() < (tolerance * theirs).max(1.0),
                    "{folder} {name}: {ours:.1} cm against {theirs}"
                );
            }
            if (our_mean / mean).ln().abs() > worst_ratio.ln().abs() {
                worst_ratio = our_mean / mean;
            }
            let line = readme
                .lines()
                .find(|l| l.contains(&format!("/{name}.bvh")))
                .unwrap();
            if fits.contains(&name) {
                worst_fit = worst_fit.max(our_mean);
            } else if line.contains("OUTLIER:")
                || line.contains("OUTLIER ") && !line.contains("OUTLIER BY")
            {
                nearest_misfit = nearest_misfit.min(our_mean);
            }
        }
        eprintln!(
            "{folder}: fitting up to {worst_fit:.1} cm, misfits from {nearest_misfit:.1} cm; means off by at most {worst_ratio:.2}"
        );
        assert!(
            nearest_misfit > 1.3 * worst_fit,
            "{folder}: {nearest_misfit} against {worst_fit}"
        );
    }
}

/// A walk whose time runs unevenly: `warp` takes a share of the whole to a share of the whole.
fn uneven(walk: &Walk, n_frames: usize, warp: impl Fn(f64) -> f64) -> Clip {
    let clip = walk.clip();
    let last = (clip.n_frames() - 1) as f64;
    let moments: Vec<f64> = (0..n_frames)
        .map(|i| last * warp(i as f64 / (n_frames - 1) as f64))
        .collect();
    warp_clip(&clip, &moments, clip.frame_secs()).unwrap()
}

fn bent(bend: f64) -> impl Fn(f64) -> f64 {
    move |t: f64| t + bend * (t * std::f64::consts::PI).sin()
}

#[test]
fn planted_timing_is_taken_out() {
    // One and a half cycles, so that no moment looks like another, with an arm that drifts.
    let walk = Walk {
        n_frames: 198,
        drift: 0.1,
        ..Walk::default()
    };
    let lengths = [198, 230, 170, 198, 150];
    let bends = [0.0, 0.06, -0.06, 0.04, -0.04];
    let clips: Vec<Clip> = lengths
        .iter()
        .zip(bends)
        .map(|(&n, b)| uneven(&walk, n, bent(b)))
        .collect();
    let list: Vec<&Clip> = clips.iter().collect();
    let aligned = align_set(&list, &AlignSettings::default()).unwrap();
    let n = aligned.n_phases();
    assert_eq!(n, 198, "the median length");
    let mut worst = 0.0_f64;
    for phase in 0..n {
        // At each phase all clips must be at the same moment of the walk.
        let true_moments: Vec<f64> = (0..5)
            .map(|k| bent(bends[k])(aligned.warps[k][phase] / (lengths[k] - 1) as f64))
            .collect();
        let (low, high) = true_moments
            .iter()
            .fold((1.0_f64, 0.0_f64), |(l, h), m| (l.min(*m), h.max(*m)));
        worst = worst.max(high - low);
    }
    eprintln!(
        "out of step by at most {worst:.4} of the whole; distances {:.5?}",
        aligned.distances
    );
    assert!(worst < 0.02, "out of step by {worst}");
    for (warp, clip) in aligned.warps.iter().zip(&clips) {
        assert_eq!(warp[0], 0.0);
        assert!(
            (warp[n - 1] - (clip.n_frames() - 1) as f64).abs() < 1e-9,
            "ends at its end"
        );
        assert!(warp.windows(2).all(|w| w[1] >= w[0]), "never turns back");
    }
    assert!(
        aligned.distances.iter().all(|d| *d < 0.004),
        "{:?}",
        aligned.distances
    );
    let warped = aligned.warped(&list).unwrap();
    assert!(
        warped.iter().all(|c| c.n_frames() == n),
        "all of one length"
    );
    let seconds = lengths.iter().map(|n| (n - 1) as f64 / 120.0).sum::<f64>() / 5.0;
    assert!(
        (aligned.seconds - seconds).abs() < 1e-9,
        "lasting the mean time"
    );
    let back = align_pair(&warped[1], &warped[2]).unwrap();
    let off = back
        .pairs
        .iter()
        .map(|(i, j)| i.abs_diff(*j))
        .max()
        .unwrap();
    assert!(off <= 4, "already in step: {off} frames");
}

#[test]
fn averages_and_spreads_of_curves() {
    let walk = Walk {
        n_frames: 132,
        ..Walk::default()
    };
    let clips = [walk.clip(), walk.clip(), walk.clip()];
    let list: Vec<&Clip> = clips.iter().collect();
    let aligned = align_set(&list, &AlignSettings::default()).unwrap();
    let curves: Vec<Vec<f64>> = (0..3)
        .map(|k| {
            (0..132)
                .flat_map(|f| [f64::from(k), f64::from(f)])
                .collect()
        })
        .collect();
    let given: Vec<FrameCurves<'_>> = curves
        .iter()
        .map(|values| FrameCurves { n_dims: 2, values })
        .collect();
    let spread = aligned.spread(&given).unwrap();
    for phase in 0..132 {
        assert!(
            (spread.mean[2 * phase] - 1.0).abs() < 1e-12,
            "mean of 0, 1, 2"
        );
        assert!(
            (spread.deviation[2 * phase] - 1.0).abs() < 1e-12,
            "deviation of 0, 1, 2"
        );
        assert!(
            (spread.mean[2 * phase + 1] - phase as f64).abs() < 1.0,
            "clips that are equal are in step"
        );
    }
    assert!(
        matches!(
            aligned.spread(&given[..2]),
            Err(AlignError::Curves {
                expected: 3,
                found: 2,
                ..
            })
        ),
        "one is missing"
    );
    let short = [
        given[0],
        given[1],
        FrameCurves {
            n_dims: 2,
            values: &curves[2][..100],
        },
    ];
    assert!(
        matches!(
            aligned.spread(&short),
            Err(AlignError::Curves {
                expected: 132,
                found: 50,
                ..
            })
        ),
        "too short"
    );
    assert!(aligned.warped(&list[..1]).is_err(), "clips are missing");
    let endless = AlignSettings {
        n_phases: Some(usize::MAX),
        ..AlignSettings::default()
    };
    assert!(
        matches!(align_set(&list, &endless), Err(AlignError::Time(_))),
        "memory is kept in bounds"
    );
    assert!(
        align_set(&[], &AlignSettings::default()).is_err(),
        "no clips"
    );
}

#[test]
fn other_rates_bodies_and_lengths() {
    let walk = Walk {
        n_frames: 264,
        ..Walk::default()
    };
    let (a, tall) = (
        walk.clip(),
        Walk {
            scale: 3.0,
            up: Axis::Z,
            ..walk.clone()
        }
        .clip(),
    );
    let path = align_pair(&a, &tall).unwrap();
    assert!(
        path.cost < 1e-6,
        "the same walk of a larger body with another up: {}",
        path.cost
    );
    let half = cut(&a, 0, 264, 2);
    let path = align_pair(&half, &a).unwrap();
    assert!(
        path.cost < 1e-6 && path.pairs.iter().all(|(i, j)| 2 * i == *j),
        "half the rate"
    );
    let path = align_pair(&a, &half).unwrap();
    assert!(
        path.cost < 0.01 && path.pairs.last() == Some(&(263, 131)),
        "{:?}",
        path.pairs.last()
    );
    let short = cut(&a, 0, 80, 1);
    assert!(
        matches!(align_pair(&a, &short), Err(AlignError::Time(_))),
        "more than twice as long"
    );
    let one = cut(&a, 0, 1, 1);
    assert_eq!(align_pair(&one, &one).unwrap().pairs, [(0, 0)]);
    assert_eq!(
        align_set(&[&one, &short], &AlignSettings::default())
            .unwrap()
            .n_phases(),
        80
    );
    // Contacts keep to their frames.
    let with = a
        .clone()
        .with_contacts(vec![Contact {
            joint: 3,
            frames: 100..140,
        }])
        .unwrap();
    let moments: Vec<f64> = (0..132).map(|i| f64::from(i) * 2.0).collect();
    let warped = warp_clip(&with, &moments, 1.0 / 60.0).unwrap();
    assert_eq!(
        warped.contacts(),
        [Contact {
            joint: 3,
            frames: 50..70
        }]
    );
}
