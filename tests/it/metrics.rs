//! Each number has a planted answer, and none depends on scale, frame rate or the up axis.

use kinfolk::motion::metrics::{
    FootLevels, MeasureSettings, MetricError, foot_slide, jerk, measure, penetration,
};
use kinfolk::motion::{Axis, Clip, Vec3, body, heading};

use crate::data::{files_below, shared};
use crate::figure::{Walk, noise, stiff, turned};
use crate::takes::{cut, scaled, take};

#[test]
fn jerk_of_a_cubic_path_is_its_constant() {
    for up in [Axis::Y, Axis::Z.opposite()] {
        let clip = stiff(up, 120.0, 100, |t| {
            heading::forward(up) * (7.0 * t * t * t / 6.0)
        });
        let height = body::height(&clip);
        for fps in [120.0, 60.0, 40.0] {
            let found = jerk(&clip, fps).unwrap();
            assert!(
                (found.value * height - 7.0).abs() < 1e-4,
                "{fps}: {found:?}"
            );
        }
        // A jump of one unit in one frame: its third difference at 60 is 1, 3, 3, 1 around it.
        let kicked = turned(&clip, |f, j| {
            if (f, j) == (50, 11) {
                Vec3::z() * 0.5
            } else {
                Vec3::zeros()
            }
        });
        let worst = jerk(&kicked, 120.0).unwrap().worst;
        assert!(worst.frame.abs_diff(50) <= 2, "{worst:?}");
        assert!(
            [12, 13].contains(&worst.joint),
            "the hand at the end of the arm: {worst:?}"
        );
        assert!(
            matches!(
                jerk(&cut(&clip, 0, 3, 1), 60.0),
                Err(MetricError::TooShort { .. })
            ),
            "too short"
        );
        assert!(
            matches!(jerk(&clip, 0.0), Err(MetricError::Rate(_))),
            "no rate"
        );
    }
}

#[test]
fn feet_slide_as_fast_as_the_body_is_pushed() {
    for up in Axis::all() {
        let still = stiff(up, 120.0, 60, |_| Vec3::zeros());
        let ground = FootLevels::learn(&[&still]).unwrap();
        assert_eq!(ground.levels.len(), 4, "ankles and toes");
        let height = body::height(&still);
        let pushed = stiff(up, 120.0, 60, |t| heading::left(up) * (3.0 * t));
        for fps in [120.0, 60.0] {
            let slide = foot_slide(&pushed, &ground, fps).unwrap();
            assert!((slide.speed * height - 3.0).abs() < 1e-6, "{up}: {slide:?}");
            assert!(
                (slide.mean_speed * height - 3.0).abs() < 1e-6,
                "{up}: {slide:?}"
            );
            assert!(
                (slide.down_share - 1.0).abs() < 1e-9,
                "always down: {slide:?}"
            );
        }
        assert_eq!(foot_slide(&still, &ground, 60.0).unwrap().speed, 0.0);
        let flying = stiff(up, 120.0, 60, |t| {
            heading::left(up) * (3.0 * t) + up.vector()
        });
        let slide = foot_slide(&flying, &ground, 60.0).unwrap();
        assert_eq!(
            (slide.speed, slide.down_share),
            (0.0, 0.0),
            "not on the floor"
        );
    }
}

#[test]
fn feet_sink_as_deep_as_the_body_is_lowered() {
    let up = Axis::Z;
    let still = stiff(up, 60.0, 40, |_| Vec3::zeros());
    let ground = FootLevels::learn(&[&still]).unwrap();
    let height = body::height(&still);
    // Down by 0.5 for the second half, by 0.8 at one frame.
    let sunk = stiff(up, 60.0, 40, |t| {
        let frame = (t * 60.0).round() as usize;
        let depth = match frame {
            0..20 => 0.0,
            33 => 0.8,
            _ => 0.5,
        };
        up.vector() * -depth
    });
    let found = penetration(&sunk, &ground, 60.0).unwrap();
    let mean = (19.0 * 0.5 + 0.8) / 40.0;
    assert!((found.depth * height - mean).abs() < 1e-9, "{found:?}");
    assert_eq!(found.worst.frame, 33);
    assert!((found.worst.value * height - 0.8).abs() < 1e-9, "{found:?}");
    assert_eq!(penetration(&still, &ground, 60.0).unwrap().depth, 0.0);
}

fn walks(seeds: std::ops::Range<usize>) -> Vec<Clip> {
    seeds
        .map(|seed| {
            Walk {
                n_frames: 133,
                swing: 0.5 + 0.03 * noise(seed),
                ..Walk::default()
            }
            .clip()
        })
        .collect()
}

#[test]
fn copies_strangers_and_trembling_are_told_apart() {
    let (inputs, fresh) = (walks(0..4), walks(10..14));
    let inputs: Vec<&Clip> = inputs.iter().collect();
    let fresh: Vec<&Clip> = fresh.iter().collect();
    let settings = MeasureSettings::default();
    let copies = measure(&inputs, &inputs, &fresh, &settings).unwrap();
    assert_eq!(copies.nn_ratio, Some(0.0));
    assert_eq!(copies.coverage, Some(1.0));
    assert_eq!(copies.jerk_ratio, 1.0);
    let n_frames: usize = inputs.iter().map(|c| c.n_frames().div_ceil(2)).sum();
    assert_eq!(copies.copied_frames, n_frames, "every frame is a copy");
    assert!(
        (copies.spectrum_overlap.unwrap() - 1.0).abs() < 1e-9,
        "same rhythm"
    );
    let real = measure(&inputs, &fresh, &fresh, &settings).unwrap();
    assert!(
        (real.nn_ratio.unwrap() - 1.0).abs() < 1e-9,
        "{:?}",
        real.nn_ratio
    );
    assert_eq!(real.diversity_ratio, Some(1.0));
    assert_eq!(real.copied_frames, 0);
    let trembling: Vec<Clip> = fresh
        .iter()
        .map(|c| turned(c, |f, j| Vec3::x() * 0.003 * noise(f * 31 + j)))
        .collect();
    let trembling: Vec<&Clip> = trembling.iter().collect();
    let shaken = measure(&inputs, &trembling, &fresh, &settings).unwrap();
    assert!(shaken.jerk_ratio > 2.0, "{}", shaken.jerk_ratio);
    let far: Vec<Clip> = fresh
        .iter()
        .map(|c| {
            turned(c, |_, j| {
                if j == 1 {
                    Vec3::z() * 0.8
                } else {
                    Vec3::zeros()
                }
            })
        })
        .collect();
    let far: Vec<&Clip> = far.iter().collect();
    let lame = measure(&inputs, &far, &fresh, &settings).unwrap();
    assert!(lame.nn_ratio.unwrap() > 5.0, "{lame:?}");
    assert_eq!(lame.coverage, Some(0.0));
    assert_eq!(
        lame.variants[0].nn_worst.joint, 1,
        "the joint that is off is named"
    );
    assert!(
        (lame.jerk_ratio - 1.0).abs() < 0.3,
        "but it is smooth: {}",
        lame.jerk_ratio
    );
}

#[test]
fn a_slower_walk_has_slower_rhythms() {
    let walk = |period_secs: f64| {
        Walk {
            period_secs,
            n_frames: 600,
            ..Walk::default()
        }
        .clip()
    };
    let (quick, slow) = (walk(0.8), walk(1.6));
    let report = measure(&[&quick], &[&slow], &[], &MeasureSettings::default()).unwrap();
    // Most power moves from 1.25 to 0.625 hertz, some from 2.5 to 1.25.
    let shift = report.spectrum_shift_hz.unwrap();
    assert!((0.5..1.0).contains(&shift), "{shift}");
    assert!(report.spectrum_overlap.unwrap() < 0.5, "{report:?}");
    assert_eq!(
        (report.nn_real, report.nn_ratio, report.coverage),
        (None, None, None),
        "nothing to compare with"
    );
    assert_eq!(report.diversity, None, "one variant");
}

#[test]
fn every_refusal() {
    let clip = walks(0..1).remove(0);
    let settings = MeasureSettings::default();
    assert_eq!(
        measure(&[], &[&clip], &[], &settings),
        Err(MetricError::Nothing { what: "inputs" })
    );
    assert_eq!(
        measure(&[&clip], &[], &[], &settings),
        Err(MetricError::Nothing { what: "variants" })
    );
    let short = cut(&clip, 0, 4, 1);
    assert!(
        matches!(
            measure(&[&clip], &[&short], &[], &settings),
            Err(MetricError::TooShort { found: 2, .. })
        ),
        "short"
    );
    let other = MeasureSettings {
        most_fps: 0.0,
        ..MeasureSettings::default()
    };
    assert_eq!(
        measure(&[&clip], &[&clip], &[], &other),
        Err(MetricError::Rate(0.0))
    );
    // A clip that never moves is fine.
    let still = stiff(Axis::Y, 30.0, 20, |_| Vec3::zeros());
    let report = measure(&[&still, &still], &[&still], &[], &settings).unwrap();
    assert_eq!((report.n_dofs, report.nn, report.jerk_ratio), (0, 0.0, 1.0));
}

fn set(folder: &str) -> Option<Vec<Clip>> {
    Some(
        files_below(&shared(folder)?, "bvh")
            .iter()
            .map(|p| take(p))
            .collect(),
    )
}

#[test]
fn real_walks_measure_like_real_walks_and_jogs_do_not() {
    let (Some(train), Some(extra)) = (set("walk_cycles/s35/train"), set("walk_cycles/s35/extra"))
    else {
        return;
    };
    let inputs: Vec<&Clip> = train.iter().take(4).collect();
    let real: Vec<&Clip> = train.iter().skip(4).collect();
    let own: Vec<&Clip> = extra
        .iter()
        .filter(|c| {
            ["35_01_c1", "35_14_c1", "35_12_c1", "35_33_c2"].contains(&c.info.name.as_str())
        })
        .collect();
    let jog: Vec<&Clip> = extra
        .iter()
        .filter(|c| c.info.name.contains("jog"))
        .collect();
    let settings = MeasureSettings::default();
    let good = measure(&inputs, &own, &real, &settings).unwrap();
    let odd = measure(&inputs, &jog, &real, &settings).unwrap();
    for (name, r) in [("other walks", &good), ("a jog", &odd)] {
        eprintln!(
            "{name}: {} dofs at {} fps, nn {:.2} (real {:.2}) ratio {:.2}, jerk {:.2}, diversity {:.2?} (real {:.2?}), coverage {:.2?}, spectrum {:.2?} {:.2?} Hz, slide {:.4?} (inputs {:.4?}), depth {:.5?} (inputs {:.5?}), loops {:.4?}",
            r.n_dofs,
            r.fps,
            r.nn,
            r.nn_real.unwrap(),
            r.nn_ratio.unwrap(),
            r.jerk_ratio,
            r.diversity,
            r.diversity_real,
            r.coverage,
            r.spectrum_overlap,
            r.spectrum_shift_hz,
            r.foot_slide,
            r.foot_slide_inputs,
            r.penetration,
            r.penetration_inputs,
            r.variants
                .iter()
                .map(|v| v.loop_gap.unwrap())
                .collect::<Vec<_>>()
        );
    }
    assert!(
        (0.7..1.3).contains(&good.nn_ratio.unwrap()),
        "{:?}",
        good.nn_ratio
    );
    assert!((0.7..1.4).contains(&good.jerk_ratio), "{}", good.jerk_ratio);
    assert!(
        (0.7..1.5).contains(&good.diversity_ratio.unwrap()),
        "{:?}",
        good.diversity_ratio
    );
    assert!(good.coverage.unwrap() > 0.75, "{:?}", good.coverage);
    assert!(
        odd.nn_ratio.unwrap() > 3.0 && odd.coverage.unwrap() < 0.2,
        "{:?}",
        odd.nn_ratio
    );
    assert!(
        odd.spectrum_overlap.unwrap() < good.spectrum_overlap.unwrap(),
        "another rhythm"
    );
}

#[test]
fn neither_scale_nor_frame_rate_decides() {
    let (Some(train), Some(test)) = (set("walk_cycles/s35/train"), set("walk_cycles/s35/test"))
    else {
        return;
    };
    let settings = MeasureSettings::default();
    let numbers = |change: &dyn Fn(&Clip) -> Clip| {
        let all: Vec<Clip> = train.iter().chain(&test[4..7]).map(change).collect();
        let all: Vec<&Clip> = all.iter().collect();
        let r = measure(&all[..4], &all[8..], &all[4..8], &settings).unwrap();
        [
            r.nn,
            r.nn_ratio.unwrap(),
            r.jerk_ratio,
            r.diversity.unwrap(),
            r.diversity_ratio.unwrap(),
            r.coverage.unwrap(),
            r.spectrum_overlap.unwrap(),
            r.foot_slide.unwrap(),
            jerk(all[0], 60.0).unwrap().value,
        ]
    };
    let plain = numbers(&|c| c.clone());
    let large = numbers(&|c| scaled(c, 100.0));
    let slow = numbers(&|c| cut(c, 0, c.n_frames(), 2));
    eprintln!("{plain:.4?}\n{large:.4?}\n{slow:.4?}");
    for (i, p) in plain.iter().enumerate() {
        assert!(
            (large[i] / p - 1.0).abs() < 1e-6,
            "number {i} by scale: {p} {}",
            large[i]
        );
        assert!(
            (slow[i] / p - 1.0).abs() < 0.05,
            "number {i} by rate: {p} {}",
            slow[i]
        );
    }
}

#[test]
fn absurd_numbers_do_no_harm() {
    use kinfolk::motion::alignment::{AlignSettings, align_pair, align_set};
    use kinfolk::motion::cycles::{CycleSettings, closure, find_cycles, make_loop};
    use kinfolk::motion::repeats::{RepeatQuery, RepeatSettings};
    let plain = walks(0..1).remove(0);
    let broken: Vec<Clip> = [1e12, 1e9, 1e6, 1e-300, 1e-40]
        .into_iter()
        .flat_map(|factor| {
            // Everything of that size, or only the way of the root.
            let mut far = plain.motion().clone();
            far.translations
                .iter_mut()
                .step_by(2)
                .for_each(|t| *t *= factor);
            let far = Clip::new(
                plain.info.clone(),
                std::sync::Arc::clone(plain.skeleton()),
                far,
            );
            [Some(scaled(&plain, factor)), far.ok()]
        })
        .flatten()
        .collect();
    assert_eq!(broken.len(), 10);
    // Results may be errors or useless; they must not be panics or hang.
    let mut n_results = 0;
    for clip in &broken {
        n_results += usize::from(find_cycles(clip, &CycleSettings::default()).is_ok());
        n_results += usize::from(make_loop(clip, &(0..132)).is_ok());
        n_results += usize::from(closure(clip, &(0..132)).is_ok());
        n_results += usize::from(align_pair(clip, &plain).is_ok());
        let set = align_set(&[clip, &plain, clip], &AlignSettings::default());
        n_results += usize::from(set.is_ok_and(|s| s.warped(&[clip, &plain, clip]).is_ok()));
        let marked = RepeatQuery::new(clip, 0..60, &RepeatSettings::default());
        n_results += usize::from(marked.is_ok_and(|m| m.search(clip).is_ok()));
        n_results += usize::from(
            measure(
                &[clip, &plain],
                &[clip],
                &[&plain],
                &MeasureSettings::default(),
            )
            .is_ok(),
        );
        n_results += usize::from(jerk(clip, 60.0).is_ok());
    }
    eprintln!("{n_results} of 80 answered");
}
