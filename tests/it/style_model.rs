//! Learning which poses are natural: features, the Gaussian, the latent model, its map and its file.

use std::fs;
use std::sync::Arc;

use kinfolk::demo::{Action, LIBRARY_SEED, make};
use kinfolk::file::FileKind;
use kinfolk::file::style_file::{self, StyleFileError};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Body, Clip, Motion, Pose, Quat, Vec3, edit};
use kinfolk::numerics::random::Stream;
use kinfolk::style::gplvm::objective::{ObjectiveScratch, TrainingPoses};
use kinfolk::style::gplvm::{Kernel, LatentTerms};
use kinfolk::style::{
    FeatureMap, LearnSettings, MapView, Method, PriorKind, Sharpness, Style, StyleError, Terms,
    encode, fit_latent,
};

use crate::command::Bench;
use crate::data::{files_below, shared};
use crate::takes::{cut, take};

/// Quick to learn; enough for what these tests look at.
fn quick() -> LearnSettings {
    LearnSettings {
        n_active: 40,
        n_fitted: 80,
        n_steps: 30,
        ..LearnSettings::default()
    }
}

/// Motions that the program makes itself, thinned.
fn demo_clips(action: Action, stride: usize) -> Vec<Clip> {
    let clips = (0..3).map(|index| make(action, LIBRARY_SEED, index).clip);
    clips
        .map(|clip| cut(&clip, 0, clip.n_frames(), stride))
        .collect()
}

fn learned(clips: &[Clip], settings: &LearnSettings) -> Style {
    let refs: Vec<&Clip> = clips.iter().collect();
    Style::learn(&refs, settings, &Ticket::default()).unwrap()
}

#[test]
fn features_forget_place_and_heading_and_nothing_else() {
    let clips = demo_clips(Action::Walk, 4);
    let refs: Vec<&Clip> = clips.iter().collect();
    let map = FeatureMap::learn(&refs).unwrap();
    let d = map.n_features();
    let (mut there, mut moved, mut back) = (vec![0.0; d], vec![0.0; d], vec![0.0; d]);
    for pose in clips[0].frames().step_by(7) {
        map.encode(pose, &mut there);
        let mut elsewhere = pose.to_pose();
        let turn = Quat::from_scaled_axis(Vec3::y() * 2.0);
        elsewhere.translations[0] += Vec3::new(3.0, 0.5, -2.0);
        elsewhere.rotations[0] = turn * elsewhere.rotations[0];
        map.encode(elsewhere.as_ref(), &mut moved);
        for k in 0..d {
            assert!((there[k] - moved[k]).abs() < 1e-12, "{}", map.names()[k]);
        }
        let decoded = map.decode(&there);
        map.encode(decoded.as_ref(), &mut back);
        for k in 0..d {
            // Up has three coordinates of which the stillest may be no feature, and is then only near.
            assert!((there[k] - back[k]).abs() < 2e-3, "{}", map.names()[k]);
        }
        for joint in 1..decoded.rotations.len() {
            let off = decoded.rotations[joint].angle_to(&pose.rotations[joint]);
            assert!(off < 0.05, "joint {joint}: {off}");
        }
    }
}

/// The clip with one joint turned by half a turn in these frames: what was never captured looks like that.
fn flipped(clip: &Clip, joint: usize, is_flipped: impl Fn(usize) -> bool) -> Clip {
    let mut motion = Motion::with_capacity(clip.skeleton(), clip.frame_secs(), clip.n_frames());
    for (frame, pose) in clip.frames().enumerate() {
        let mut pose = pose.to_pose();
        if is_flipped(frame) {
            pose.rotations[joint] *= Quat::from_scaled_axis(Vec3::z() * std::f64::consts::PI);
        }
        motion.push(pose.as_ref());
    }
    Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap()
}

#[test]
fn a_joint_that_flips_is_no_feature_and_one_glitch_does_not_count() {
    let clip = make(Action::Walk, LIBRARY_SEED, 0).clip;
    let joint = clip.skeleton().find("LeftForeArm").unwrap();
    let has_feature = |clip: &Clip| {
        let map = FeatureMap::learn(&[clip]).unwrap();
        map.feature_of(joint).iter().any(Option::is_some)
    };
    assert!(has_feature(&clip), "an elbow moves");
    assert!(
        has_feature(&flipped(&clip, joint, |f| f == 20)),
        "one bad frame"
    );
    let noise = flipped(&clip, joint, |f| f % 7 < 3);
    assert!(!has_feature(&noise), "to and fro");
    let others = FeatureMap::learn(&[&noise]).unwrap().n_features();
    let all = FeatureMap::learn(&[&clip]).unwrap().n_features();
    assert!(others < all && others + 3 >= all, "only that joint");
    // TrainingPoses one second apart may differ by any turn without a flip between them.
    let sparse = Motion {
        frame_secs: 1.0,
        ..noise.motion().clone()
    };
    let sparse = Clip::new(noise.info.clone(), Arc::clone(noise.skeleton()), sparse).unwrap();
    assert!(has_feature(&sparse), "single poses");
}

#[test]
fn coordinates_change_as_their_jacobians_say() {
    let clips = demo_clips(Action::Walk, 4);
    let refs: Vec<&Clip> = clips.iter().collect();
    let map = FeatureMap::learn(&refs).unwrap();
    let pose = clips[1].frame(5).to_pose();
    let (mut at, mut plus, mut minus) = (map.measured(), map.measured(), map.measured());
    map.measure(pose.as_ref(), &mut at);
    let step = 1e-6;
    for joint in 0..pose.rotations.len() {
        for axis in 0..3 {
            let turned = |by: f64| -> Pose {
                let mut w = Vec3::zeros();
                w[axis] = by;
                let mut turned = pose.clone();
                turned.rotations[joint] *= Quat::from_scaled_axis(w);
                turned
            };
            map.measure(turned(step).as_ref(), &mut plus);
            map.measure(turned(-step).as_ref(), &mut minus);
            for other in 0..pose.rotations.len() {
                let numeric = (plus.coordinates[other] - minus.coordinates[other]) / (2.0 * step);
                let analytic = if other == joint {
                    at.jacobians[joint].column(axis).into_owned()
                } else {
                    Vec3::zeros()
                };
                let error = (numeric - analytic).norm();
                assert!(error < 1e-7, "{other} by {joint}, axis {axis}: {error:e}");
            }
        }
    }
    let mut features = vec![0.0; map.n_features()];
    let mut gathered = features.clone();
    map.encode(pose.as_ref(), &mut features);
    map.gather(&at, &mut gathered);
    assert_eq!(features, gathered);
}

/// A few poses with known unknowns, for derivatives.
fn some_poses() -> (TrainingPoses, Vec<f64>, Kernel, Vec<f64>) {
    let mut stream = Stream::named(2, &[]);
    let (n, d, q) = (23, 6, 2);
    let rows: Vec<f64> = (0..n * d).map(|_| 0.3 * stream.normal()).collect();
    let latent: Vec<f64> = (0..n * q).map(|_| stream.normal()).collect();
    let scales: Vec<f64> = (0..d).map(|_| stream.between(1.0, 4.0)).collect();
    let kernel = Kernel {
        alpha: 1.3,
        beta: 20.0,
        gamma: 0.8,
    };
    (
        TrainingPoses::new(&rows, &vec![0.0; d]),
        latent,
        kernel,
        scales,
    )
}

#[test]
fn gradients_of_equation_2_are_its_differences() {
    let (poses, latent, kernel, scales) = some_poses();
    let mut scratch = ObjectiveScratch::default();
    let data = |x: &[f64], k: Kernel, w: &[f64]| poses.objective(x, k, w).unwrap().data;
    let (value, gradient) = poses
        .gradient(&latent, kernel, &scales, 0.0, &mut scratch)
        .unwrap();
    assert!(
        (value - data(&latent, kernel, &scales)).abs() < 1e-9,
        "value"
    );
    let h = 1e-5;
    let near = |analytic: f64, numeric: f64, what: &str| {
        let error = (analytic - numeric).abs() / (1.0 + numeric.abs());
        assert!(error < 1e-6, "{what}: {analytic} {numeric}");
    };
    for i in 0..latent.len() {
        let moved = |by: f64| {
            let mut x = latent.clone();
            x[i] += by;
            data(&x, kernel, &scales)
        };
        near(gradient.latent[i], (moved(h) - moved(-h)) / (2.0 * h), "x");
    }
    for k in 0..scales.len() {
        let moved = |by: f64| {
            let mut w = scales.clone();
            w[k] += by;
            data(&latent, kernel, &w)
        };
        near(gradient.scales[k], (moved(h) - moved(-h)) / (2.0 * h), "w");
    }
    let with = |a: f64, b: f64, g: f64| Kernel {
        alpha: kernel.alpha * a.exp(),
        beta: kernel.beta * b.exp(),
        gamma: kernel.gamma * g.exp(),
    };
    let slope = |plus: Kernel, minus: Kernel| {
        (data(&latent, plus, &scales) - data(&latent, minus, &scales)) / (2.0 * h)
    };
    let by = [(h, 0.0, 0.0), (0.0, h, 0.0), (0.0, 0.0, h)];
    let analytic = [gradient.ln_alpha, gradient.ln_beta, gradient.ln_gamma];
    for ((a, b, g), analytic) in by.into_iter().zip(analytic) {
        near(analytic, slope(with(a, b, g), with(-a, -b, -g)), "kernel");
    }
}

#[test]
fn gradients_with_the_best_scales_are_differences_of_the_whole() {
    let (poses, latent, kernel, _) = some_poses();
    let mut scratch = ObjectiveScratch::default();
    let (_, gradient) = poses.profile(&latent, kernel, 0.05, &mut scratch).unwrap();
    let mut value = |x: &[f64], ln_beta: f64| {
        let kernel = Kernel {
            beta: kernel.beta * ln_beta.exp(),
            ..kernel
        };
        poses.profile(x, kernel, 0.05, &mut scratch).unwrap().0
    };
    let h = 1e-5;
    for i in 0..latent.len() {
        let (mut plus, mut minus) = (latent.clone(), latent.clone());
        plus[i] += h;
        minus[i] -= h;
        let numeric = (value(&plus, 0.0) - value(&minus, 0.0)) / (2.0 * h);
        let error = (numeric - gradient.latent[i]).abs() / (1.0 + numeric.abs());
        assert!(error < 1e-6, "x {i}: {numeric} {}", gradient.latent[i]);
    }
    let numeric = (value(&latent, h) - value(&latent, -h)) / (2.0 * h);
    let error = (numeric - gradient.ln_beta).abs() / (1.0 + numeric.abs());
    assert!(error < 1e-6, "beta: {numeric} {}", gradient.ln_beta);
    // The scales are at their best: the gradient by them, with the same noise, is zero.
    let scales = gradient.scales;
    let (_, at_best) = poses
        .gradient(&latent, kernel, &scales, 0.05, &mut scratch)
        .unwrap();
    for (slope, w) in at_best.scales.iter().zip(&scales) {
        assert!((slope * w).abs() < 1e-9, "w = {w}: {slope}");
    }
}

#[test]
fn equation_3_as_least_squares_has_the_derivatives_it_says() {
    let style = learned(&demo_clips(Action::Walk, 8), &quick());
    let model = style.latent().unwrap();
    let (d, q) = (model.n_features(), model.n_latent());
    let mut y = vec![0.0; d];
    style.map().encode(style.active()[3].as_ref(), &mut y);
    let x: Vec<f64> = model.latent(5).iter().map(|x| x + 0.2).collect();
    for sharpness in Sharpness::ALL {
        let mut at = LatentTerms::default();
        let (mut plus, mut minus) = (at.clone(), at.clone());
        model.evaluate(sharpness, &x, &y, &mut at);
        let h = 1e-6;
        for a in 0..q {
            let moved = |by: f64| {
                let mut x = x.clone();
                x[a] += by;
                x
            };
            model.evaluate(sharpness, &moved(h), &y, &mut plus);
            model.evaluate(sharpness, &moved(-h), &y, &mut minus);
            for k in 0..d {
                let numeric = (plus.residuals[k] - minus.residuals[k]) / (2.0 * h);
                let error = (numeric - at.by_latent[a * d + k]).abs() / (1.0 + numeric.abs());
                assert!(
                    error < 1e-5,
                    "{sharpness:?} residual {k} by x {a}: {error:e}"
                );
            }
            for k in 0..=q {
                let numeric = (plus.latent_residuals[k] - minus.latent_residuals[k]) / (2.0 * h);
                let analytic = at.latent_by_latent[a * (q + 1) + k];
                let error = (numeric - analytic).abs() / (1.0 + numeric.abs());
                assert!(error < 1e-5, "{sharpness:?} latent {k} by x {a}: {error:e}");
            }
        }
        for k in 0..d {
            let mut moved = y.clone();
            moved[k] += 0.1;
            model.evaluate(sharpness, &x, &moved, &mut plus);
            let numeric = (plus.residuals[k] - at.residuals[k]) / 0.1;
            assert!((numeric - at.by_feature[k]).abs() < 1e-8, "by feature {k}");
        }
        // Half the squares are Eq. (3) with its weight on ln sigma, up to a constant.
        let moved: Vec<f64> = y.iter().map(|y| y + 0.1).collect();
        model.evaluate(sharpness, &x, &moved, &mut plus);
        let drop =
            model.log_likelihood(sharpness, &x, &y) - model.log_likelihood(sharpness, &x, &moved);
        assert!(
            (plus.cost() - at.cost() - drop).abs() < 1e-8 * drop.abs(),
            "{drop}"
        );
    }
}

/// Rows of the reference set and the solution of another program (`GPy`).
fn reference() -> Option<(Vec<f64>, serde_json::Value)> {
    let rows = fs::read_to_string(shared("reference/gplvm/features_500x100.csv")?).unwrap();
    let rows = rows
        .lines()
        .flat_map(|line| line.split(',').map(|v| v.trim().parse::<f64>().unwrap()));
    let solution = fs::read_to_string(shared("reference/gplvm/solution_gpy.json")?).unwrap();
    Some((rows.collect(), serde_json::from_str(&solution).unwrap()))
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    match value {
        serde_json::Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

#[test]
fn equation_2_is_what_another_program_says_it_is() {
    let Some((rows, solution)) = reference() else {
        return;
    };
    let number = |key: &str| solution[key].as_f64().unwrap();
    let kernel = Kernel {
        alpha: number("alpha"),
        beta: number("beta"),
        gamma: number("gamma"),
    };
    let poses = TrainingPoses::new(&rows, &numbers(&solution["mean"]));
    let found = poses
        .objective(&numbers(&solution["X"]), kernel, &numbers(&solution["w"]))
        .unwrap();
    // The reference leaves out ln(alpha beta gamma), which is a few nats.
    let theirs = number("L_S");
    let ours = found.total() - found.kernel_prior;
    assert!((ours / theirs - 1.0).abs() < 1e-6, "{ours} {theirs}");
    assert!(
        (found.kernel_prior - (kernel.alpha * kernel.beta * kernel.gamma).ln()).abs() < 1e-12,
        "prior"
    );
}

#[test]
fn learning_explains_the_reference_better_than_another_program() {
    let Some((rows, _)) = reference() else {
        return;
    };
    // Fewer steps than the bench takes: a debug build is slow. The other program ends at -75 730 after 9 s.
    let settings = LearnSettings {
        n_steps: 20,
        ..LearnSettings::default()
    };
    let fitted = fit_latent(rows, 100, &settings, &Ticket::default()).unwrap();
    assert!(fitted.data_term < -75_730.0, "{}", fitted.data_term);
    assert_eq!(fitted.active.len(), 100);
}

#[test]
fn a_planted_circle_is_found_in_the_plane() {
    // Features that go once round a circle, through bends that no plane holds.
    let n = 60;
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / f64::from(n);
    let features = |t: f64| {
        let round = [t.cos(), t.sin(), (t + 1.0).cos(), (t + 2.0).sin()];
        let bent = [(2.0 * t).cos(), (3.0 * t).sin()];
        [round[0], round[1], round[2], round[3], bent[0], bent[1]].map(|y| 0.5 * y)
    };
    let rows: Vec<f64> = (0..n as usize).flat_map(|i| features(angle(i))).collect();
    let settings = LearnSettings {
        n_latent: 2,
        n_active: 60,
        ..quick()
    };
    let fitted = fit_latent(rows, 6, &settings, &Ticket::default()).unwrap();
    let point = |i: usize| &fitted.latent[(i % 60) * 2..][..2];
    let apart = |i: usize, j: usize| (point(i)[0] - point(j)[0]).hypot(point(i)[1] - point(j)[1]);
    for i in 0..60 {
        // Neighbours on the circle are neighbours on the map, and far ones are not.
        assert!(apart(i, i + 1) < 0.5 * apart(i, i + 15), "at {i}");
    }
    // Half-way between two neighbours the model expects what the circle has there.
    let mut terms = LatentTerms::default();
    for i in (0..60).step_by(7) {
        let middle: Vec<f64> = (0..2)
            .map(|a| 0.5 * (point(i)[a] + point(i + 1)[a]))
            .collect();
        fitted.model.predict(Sharpness::Sharp, &middle, &mut terms);
        let truth = features(angle(i) + 0.5 * angle(1));
        for k in 0..6 {
            let off = (terms.expected[k] - truth[k]).abs();
            assert!(off < 0.05, "at {i}, feature {k}: {off}");
        }
    }
}

#[test]
fn the_same_seed_learns_the_same_bytes_on_any_number_of_threads() {
    let clips = demo_clips(Action::Walk, 6);
    for method in [Method::Gaussian, Method::Full, Method::ActiveSet] {
        let settings = LearnSettings { method, ..quick() };
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let one = one.unwrap().install(|| learned(&clips, &settings));
        let four = rayon::ThreadPoolBuilder::new().num_threads(4).build();
        let four = four.unwrap().install(|| learned(&clips, &settings));
        let text = style_file::write(&one).unwrap();
        assert!(text == style_file::write(&four).unwrap(), "{method:?}");
        let back = style_file::parse(text.as_bytes()).unwrap();
        assert!(back == one, "{method:?}: saved and opened is the same");
    }
}

#[test]
fn learning_can_be_cancelled_and_refuses_what_says_nothing() {
    let clips = demo_clips(Action::Walk, 8);
    let refs: Vec<&Clip> = clips.iter().collect();
    let ticket = Ticket::default();
    ticket.cancel();
    let stopped = Style::learn(&refs, &quick(), &ticket);
    assert!(
        matches!(stopped, Err(StyleError::Cancelled(_))),
        "cancelled"
    );
    let learn = |clips: &[&Clip], settings: &LearnSettings| {
        Style::learn(clips, settings, &Ticket::default()).unwrap_err()
    };
    assert_eq!(learn(&[], &quick()), StyleError::NoClips);
    let still = cut(&clips[0], 0, 1, 1);
    assert_eq!(learn(&[&still], &quick()), StyleError::NothingMoves);
    let two = cut(&clips[0], 0, 2, 1);
    assert!(
        matches!(
            learn(&[&two], &quick()),
            StyleError::TooFewPoses { .. } | StyleError::NothingMoves
        ),
        "two poses"
    );
    for wrong in [
        LearnSettings {
            n_active: 2,
            ..quick()
        },
        LearnSettings {
            n_latent: 0,
            ..quick()
        },
        LearnSettings {
            n_latent: 11,
            ..quick()
        },
        LearnSettings {
            n_fitted: 5000,
            ..quick()
        },
        LearnSettings {
            n_steps: 0,
            ..quick()
        },
    ] {
        assert!(
            matches!(learn(&refs, &wrong), StyleError::Setting { .. }),
            "{wrong:?}"
        );
    }
}

#[test]
fn ten_poses_make_a_sane_style_in_any_latent_space() {
    let clip = demo_clips(Action::Walk, 1).remove(0);
    let ten = cut(&clip, 0, clip.n_frames(), clip.n_frames().div_ceil(10));
    for n_latent in [1, 2, 3, 6] {
        let settings = LearnSettings {
            n_latent,
            ..quick()
        };
        let style = learned(std::slice::from_ref(&ten), &settings);
        let model = style.latent().unwrap();
        assert_eq!(model.n_latent(), n_latent);
        assert!(model.n_active() <= 10, "{}", model.n_active());
        sane(&style);
    }
}

/// Kernel and scales are numbers that a solver can live with.
fn sane(style: &Style) {
    let model = style.latent().unwrap();
    for sharpness in Sharpness::ALL {
        let kernel = model.kernel(sharpness);
        assert!((1.0..=1000.0).contains(&kernel.beta), "{kernel:?}");
        assert!((1e-4..1e4).contains(&kernel.gamma), "{kernel:?}");
        assert!((1e-2..1e2).contains(&kernel.alpha), "{kernel:?}");
    }
    let beta = model.kernel(Sharpness::Sharp).beta;
    for (w, name) in model.parts().scales.iter().zip(style.map().names()) {
        let deviation = 1.0 / (w * beta.sqrt());
        assert!((2e-4..10.0).contains(&deviation), "{name}: {deviation}");
    }
    for x in &model.parts().latent {
        assert!(x.abs() < 20.0, "latent {x}");
    }
}

#[test]
fn every_folder_of_real_clips_makes_a_sane_style() {
    for folder in [
        "walk_cycles/s35/train",
        "walk_full",
        "gesture/golf_swing_s64",
        "gesture/jumping_jack_s14",
        "gesture/front_kick_s144",
        "throw/football_s34",
        "jump/s118",
        "swim/breaststroke_126_03",
        "actions/martial_s144",
        "locomotion/sneak",
        "bandai_nc/wave",
    ] {
        let Some(folder) = shared(folder) else { return };
        let clips: Vec<Clip> = files_below(&folder, "bvh")
            .iter()
            .map(|path| edit::drop_tpose(&take(path)).unwrap())
            .map(|clip| cut(&clip, 0, clip.n_frames(), 8))
            .collect();
        let first = &clips[0];
        let fits: Vec<&Clip> = clips
            .iter()
            .filter(|c| c.skeleton().same_structure(first.skeleton()) && c.info.up == first.info.up)
            .collect();
        let style = Style::learn(&fits, &quick(), &Ticket::default()).unwrap();
        sane(&style);
        // Learned, not stopped at one of the bounds that few poses run into.
        let kernel = style.latent().unwrap().kernel(Sharpness::Sharp);
        let name = folder.display();
        assert!((3.0..500.0).contains(&kernel.beta), "{name}: {kernel:?}");
    }
}

#[test]
fn kept_poses_are_likely_where_the_model_put_them() {
    let style = learned(&demo_clips(Action::Walk, 6), &quick());
    let model = style.latent().unwrap();
    let view = MapView::whole(model);
    let image = model.likelihood_image(Sharpness::Sharp, &view, 40, 30);
    assert_eq!(image.values.len(), 1200);
    // The image is Eq. (3) at its points, with the pose that the model expects there.
    let mut terms = LatentTerms::default();
    for (row, column) in [(0, 0), (7, 31), (29, 39), (15, 20)] {
        let x = view.point(
            (f64::from(column) + 0.5) / 40.0,
            (f64::from(row) + 0.5) / 30.0,
        );
        model.predict(Sharpness::Sharp, &x, &mut terms);
        let value = model.log_likelihood(Sharpness::Sharp, &x, &terms.expected);
        let there = image.values[(row * 40 + column) as usize];
        assert!(
            (there - value).abs() < 1e-6 * value.abs(),
            "{there} {value}"
        );
        let place = view.place(&x);
        assert!(
            (place[0] * 40.0 - f64::from(column) - 0.5).abs() < 1e-9,
            "{place:?}"
        );
        assert!(
            (place[1] * 30.0 - f64::from(row) - 0.5).abs() < 1e-9,
            "{place:?}"
        );
    }
    // TrainingPoses on the map are the poses that were kept, within what the model takes for noise.
    let d = model.n_features();
    let (mut features, mut worst) = (vec![0.0; d], 0.0_f64);
    for (active, pose) in style.active().iter().enumerate() {
        let there = style.pose_at(model.latent(active)).unwrap();
        style.map().encode(there.as_ref(), &mut features);
        let row = &model.parts().features[active * d..][..d];
        let mut own = vec![0.0; d];
        style.map().encode(pose.as_ref(), &mut own);
        assert_eq!(row, own, "features of the kept pose");
        let square: f64 = row
            .iter()
            .zip(&features)
            .map(|(a, b)| (a - b).powi(2))
            .sum();
        worst = worst.max((square / d as f64).sqrt());
    }
    assert!(worst < 0.12, "{worst} rad");
    assert_eq!(style.pose_at(&[0.0]), None, "a point of another space");
}

#[test]
fn the_path_of_a_clip_goes_through_its_own_poses() {
    let clips = demo_clips(Action::Walk, 6);
    let style = learned(&clips, &quick());
    let path = style.path(&clips[0], &Ticket::default()).unwrap();
    assert_eq!(path.len(), clips[0].n_frames());
    let rows = encode(style.map(), &clips[0]);
    let mean = style.gaussian().mean().to_vec();
    let mut terms = LatentTerms::default();
    let (mut missed, mut spread) = (0.0, 0.0);
    for (row, at) in rows.chunks_exact(mean.len()).zip(&path) {
        let model = style.latent().unwrap();
        model.predict(Sharpness::Sharp, &at.x, &mut terms);
        for k in 0..row.len() {
            missed += (row[k] - terms.expected[k]).powi(2);
            spread += (row[k] - mean[k]).powi(2);
        }
    }
    assert!(missed < 0.1 * spread, "explains {}", 1.0 - missed / spread);
}

#[test]
fn a_flat_map_of_walks_is_in_one_piece() {
    let clips = demo_clips(Action::Walk, 2);
    let settings = LearnSettings {
        n_latent: 2,
        n_fitted: 120,
        ..quick()
    };
    let style = learned(&clips, &settings);
    let gamma = style.latent().unwrap().kernel(Sharpness::Sharp).gamma;
    let (mut n_near, mut n_steps) = (0, 0);
    for clip in &clips {
        let path = style.path(clip, &Ticket::default()).unwrap();
        for pair in path.windows(2) {
            let apart = pair[0].x.iter().zip(&pair[1].x).map(|(a, b)| a - b);
            let squared: f64 = apart.map(|d| d * d).sum();
            n_near += usize::from(gamma * squared < 0.25);
            n_steps += 1;
        }
    }
    let share = n_near as f64 / f64::from(n_steps);
    assert!(share > 0.97, "{share} of {n_steps} steps are short");
}

#[test]
fn a_mirrored_style_judges_mirrored_poses_alike() {
    let clips = demo_clips(Action::Walk, 6);
    let style = learned(&clips, &quick());
    let mirrored = style.mirrored().unwrap();
    let flipped = edit::mirror(&clips[0]).unwrap();
    let d = style.map().n_features();
    assert_eq!(mirrored.map().n_features(), d);
    let (mut y, mut z) = (vec![0.0; d], vec![0.0; d]);
    let (mut ours, mut theirs) = (Terms::default(), Terms::default());
    let kind = PriorKind::Both {
        gaussian_weight: 0.5,
    };
    let x = style.latent().unwrap().latent(2);
    for frame in (0..clips[0].n_frames()).step_by(5) {
        style.map().encode(clips[0].frame(frame), &mut y);
        mirrored.map().encode(flipped.frame(frame), &mut z);
        style
            .prior(kind)
            .evaluate(Sharpness::Sharp, x, &y, &mut ours);
        mirrored
            .prior(kind)
            .evaluate(Sharpness::Sharp, x, &z, &mut theirs);
        let error = (ours.cost - theirs.cost).abs() / ours.cost;
        assert!(error < 1e-6, "frame {frame}: {} {}", ours.cost, theirs.cost);
    }
    // A pose as it was is not a mirrored one: walks swing the other arm.
    mirrored.map().encode(clips[0].frame(0), &mut z);
    style.map().encode(clips[0].frame(0), &mut y);
    assert!(
        y.iter().zip(&z).any(|(a, b)| (a - b).abs() > 0.05),
        "it changed sides"
    );
    let twice = mirrored.mirrored().unwrap();
    twice.map().encode(clips[0].frame(3), &mut z);
    style.map().encode(clips[0].frame(3), &mut y);
    for k in 0..d {
        assert!((y[k] - z[k]).abs() < 1e-9, "mirrored twice is as it was");
    }
}

#[test]
fn styles_on_one_map_can_be_compared_and_starts_face_where_asked() {
    let walk = demo_clips(Action::Walk, 8);
    let sneak = demo_clips(Action::Sneak, 8);
    let all: Vec<&Clip> = walk.iter().chain(&sneak).collect();
    let map = FeatureMap::learn(&all).unwrap();
    let gaussian = LearnSettings {
        method: Method::Gaussian,
        ..quick()
    };
    let on = |clips: &[Clip]| {
        let refs: Vec<&Clip> = clips.iter().collect();
        Style::learn_on(&map, &refs, &gaussian, &Ticket::default()).unwrap()
    };
    let (walks, sneaks) = (on(&walk), on(&sneak));
    assert!(walks.map() == sneaks.map(), "one map");
    let mut y = vec![0.0; map.n_features()];
    for (clip, is_walk) in walk
        .iter()
        .map(|c| (c, true))
        .chain(sneak.iter().map(|c| (c, false)))
    {
        map.encode(clip.frame(clip.n_frames() / 2), &mut y);
        let (w, s) = (
            walks.gaussian().log_likelihood(&y),
            sneaks.gaussian().log_likelihood(&y),
        );
        assert_eq!(w > s, is_walk, "{}: {w} {s}", clip.info.name);
    }
}

#[test]
fn hostile_style_files_are_refused_in_words() {
    let style = learned(&demo_clips(Action::Walk, 12), &quick());
    let text = style_file::write(&style).unwrap();
    let refuse = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let error = style_file::parse(text.replacen(from, to, 1).as_bytes());
        error.expect_err(to).to_string()
    };
    assert!(
        matches!(
            style_file::parse(b""),
            Err(StyleFileError::Other(FileKind::Empty))
        ),
        "empty"
    );
    assert!(
        style_file::parse(&text.as_bytes()[..text.len() / 2]).is_err(),
        "cut off"
    );
    assert!(style_file::parse(&[0xff, 0xfe, 0x00]).is_err(), "no text");
    assert!(
        refuse("version: 1", "version: 7").contains("format 7"),
        "newer"
    );
    assert!(refuse("up: \"Y\"", "up: \"W\"").contains('W'), "no axis");
    assert!(
        refuse("root: 0", "root: 999").contains("not a joint"),
        "no root"
    );
    assert!(
        refuse("sharp: (", "sharp: (-").contains("positive"),
        "negative kernel"
    );
    for (from, to) in [
        ("covariance: [", "covariance: [1.0,"),
        ("covariance: [", "covariance: [NaN, "),
        ("scales: [", "scales: [0.0, "),
        ("points: [", "points: [[0.0],"),
        ("points: [", "points: [[],"),
        ("live: (true", "live: (false"),
        ("upright: (", "upright: (7"),
        ("joints: [", "joints: [[[[[[[[[["),
    ] {
        if text.contains(from) {
            refuse(from, to);
        }
    }
}

#[test]
fn style_learn_on_the_command_line() {
    let bench = Bench::new();
    bench.run(["demo", "--motions", "--out", "demo"]).ok();
    let clips = ["demo/clips/walk_01.bvh", "demo/clips/walk_02.bvh"];
    let learn = |extra: &[&str]| {
        let args = ["style", "learn"].iter().chain(&clips).chain(extra);
        bench.run(args)
    };
    let fast = [
        "--out", "walk.ron", "--active", "30", "--json", "--fps", "20", "--map", "map.png",
    ];
    let ran = learn(&fast).ok().json();
    assert_eq!(ran["active"], 30);
    assert!(ran["frames"].as_u64().unwrap() > 30, "{ran}");
    assert!(ran["seconds"].as_f64().unwrap() > 0.0, "{ran}");
    assert!(ran["log_likelihood"].as_f64().unwrap() > 0.0, "{ran}");
    let style = style_file::read(&bench.path("walk.ron")).unwrap();
    assert_eq!(style.active().len(), 30);
    assert!(bench.path("map.png").is_file(), "the picture");
    assert_eq!(learn(&fast).code(), 2, "not over an old style");
    assert_eq!(learn(&["--out", "x.ron", "--latent", "0"]).code(), 2);
    let none = ["style", "learn", "nowhere.bvh", "--out", "y.ron"];
    assert_eq!(bench.run(none).code(), 1, "nothing to learn from");
}

#[test]
fn a_planted_wrong_joint_is_named_and_a_good_take_is_left_alone() {
    let walks: Vec<Clip> = (0..4).map(|i| make(Action::Walk, 5, i).clip).collect();
    let gaussian = LearnSettings {
        method: Method::Gaussian,
        ..LearnSettings::default()
    };
    let style = learned(&walks, &gaussian);
    let walk = make(Action::Walk, 5, 9).clip;
    let ticket = Ticket::default();
    let good = style.outliers(&walk, &ticket).unwrap();
    assert!(good.is_empty(), "{good:?}");
    let body = Body::of(walk.skeleton());
    let n = walk.skeleton().n_joints();
    for joint in [body.arms[0].middle, body.legs[1].middle] {
        let mut motion = walk.motion().clone();
        for frame in 10..18 {
            motion.rotations[frame * n + joint] *= Quat::from_scaled_axis(Vec3::x() * 1.3);
        }
        let odd = Clip::new(walk.info.clone(), Arc::clone(walk.skeleton()), motion).unwrap();
        let found = style.outliers(&odd, &ticket).unwrap();
        let joints: Vec<usize> = found.iter().map(|s| s.joint).collect();
        assert_eq!(joints, [joint], "{found:?}");
        let frames = &found[0].frames;
        let is_near = frames.start <= 10 && frames.end >= 18 && frames.len() < 16;
        assert!(is_near, "{frames:?}");
    }
}
