use nalgebra::SymmetricEigen;

use super::*;
use crate::numerics::random::Stream;

fn go_on(_: usize, _: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Three hidden numbers that swing, each at its own pace, and five observed.
fn planted() -> StateSpace {
    let mixed = [
        1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.0, 0.0, 0.5, -0.5,
    ];
    StateSpace {
        dynamics: swinging(),
        observation: DMatrix::from_row_slice(5, 3, &mixed),
        noise: DVector::from_fn(5, |i, _| 0.02 + 0.01 * i as f64),
        start_mean: DVector::from_fn(6, |i, _| 0.2 * i as f64 - 0.5),
        start_covariance: DMatrix::identity(6, 6) * 0.2,
    }
}

fn swinging() -> Ar2 {
    let pace_rad: [f64; 3] = [0.3, 0.5, 0.8];
    let mut a1 = DMatrix::from_fn(
        3,
        3,
        |i, j| if i == j { 1.9 * pace_rad[i].cos() } else { 0.0 },
    );
    a1[(0, 2)] = 0.05;
    Ar2 {
        a1,
        a2: DMatrix::identity(3, 3) * -(0.95 * 0.95),
        offset: DVector::from_vec(vec![0.01, -0.02, 0.03]),
        q: DMatrix::from_diagonal(&DVector::from_vec(vec![0.01, 0.02, 0.03])),
    }
}

fn draw(model: &StateSpace, n_frames: usize, stream: &mut Stream) -> Vec<f64> {
    let n = model.dynamics.n_dims();
    let root = Cholesky::new(model.start_covariance.clone()).unwrap();
    let normal = DVector::from_fn(2 * n, |_, _| stream.normal());
    let start = &model.start_mean + root.lower() * normal;
    let (last, before) = start.as_slice().split_at(n);
    let mut states = last.to_vec();
    states.extend(
        model
            .dynamics
            .sample(last, before, n_frames - 1, stream)
            .unwrap(),
    );
    let mut observed = Vec::new();
    for state in states.chunks_exact(n) {
        let seen = &model.observation * DVector::from_column_slice(state);
        let pairs = seen.iter().zip(&model.noise);
        observed.extend(pairs.map(|(y, variance)| y + variance.sqrt() * stream.normal()));
    }
    observed
}

fn draws(model: &StateSpace, lengths: &[usize], seed: u64) -> Vec<Vec<f64>> {
    let mut stream = Stream::named(seed, &[]);
    lengths
        .iter()
        .map(|&n| draw(model, n, &mut stream))
        .collect()
}

fn slices(sequences: &[Vec<f64>]) -> Vec<&[f64]> {
    sequences.iter().map(Vec::as_slice).collect()
}

fn settings() -> EmSettings {
    EmSettings {
        max_rounds: 15,
        least_gain: f64::NEG_INFINITY,
        fix_observation: false,
        floor: 1e-6,
        noise_floor: 1e-6,
        prior: None,
    }
}

fn weak_prior() -> SystemPrior {
    SystemPrior {
        system: Ar2::constant_velocity(3, 0.1),
        ridge: 1e-3,
        pseudo_count: 1.0,
    }
}

/// Joint mean and covariance of all states of a sequence, everything written out.
fn dense_states(model: &StateSpace, n_frames: usize) -> (DVector<f64>, DMatrix<f64>) {
    let n = model.dynamics.n_dims();
    let companion = model.dynamics.companion();
    let mut mean = DVector::zeros(n_frames * n);
    let mut covariance = DMatrix::zeros(n_frames * n, n_frames * n);
    let (mut m, mut p) = (model.start_mean.clone(), model.start_covariance.clone());
    for i in 0..n_frames {
        mean.rows_mut(i * n, n).copy_from(&m.rows(0, n));
        let mut later = p.clone();
        for j in i..n_frames {
            let block = later.view((0, 0), (n, n)).into_owned();
            covariance
                .view_mut((j * n, i * n), (n, n))
                .copy_from(&block);
            covariance
                .view_mut((i * n, j * n), (n, n))
                .copy_from(&block.transpose());
            later = &companion * later;
        }
        m = &companion * m;
        let mut top = m.rows_mut(0, n);
        top += &model.dynamics.offset;
        p = &companion * p * companion.transpose();
        let mut corner = p.view_mut((0, 0), (n, n));
        corner += &model.dynamics.q;
    }
    (mean, covariance)
}

#[test]
fn filter_and_smoother_are_the_dense_normal_distribution() {
    let model = planted();
    // Long enough that gains settle on the way.
    let n_frames = 45;
    let sequence = draw(&model, n_frames, &mut Stream::named(32, &[]));
    let gains = Gains::new(&model, n_frames).unwrap();
    assert!(gains.is_settled(n_frames - 5), "the shortcut is taken");
    let (mean, covariance) = dense_states(&model, n_frames);
    let mut c = DMatrix::zeros(n_frames * 5, n_frames * 3);
    let mut noise = DMatrix::zeros(n_frames * 5, n_frames * 5);
    for t in 0..n_frames {
        c.view_mut((t * 5, t * 3), (5, 3))
            .copy_from(&model.observation);
        let variances = DMatrix::from_diagonal(&model.noise);
        noise.view_mut((t * 5, t * 5), (5, 5)).copy_from(&variances);
    }
    let observed = &c * &covariance * c.transpose() + noise;
    let left = DVector::from_column_slice(&sequence) - &c * &mean;
    let factor = Cholesky::new(observed).unwrap();
    let inverse = factor.inverse();
    let size = (n_frames * 5) as f64;
    let known = -0.5
        * (size * std::f64::consts::TAU.ln()
            + factor.ln_determinant()
            + left.dot(&(&inverse * &left)));
    let (_, found) = smooth(&model, &gains, &sequence);
    assert!((found - known).abs() < 1e-7, "{found}, not {known}");
    let states = &mean + &covariance * c.transpose() * (&inverse * &left);
    let smoothed = model.smoothed(&sequence).unwrap();
    for (x, y) in smoothed.iter().zip(&states) {
        assert!((x - y).abs() < 1e-8, "{x}, not {y}");
    }
    // Sums of E[x x^T], against the conditional covariance written out.
    let uncertain = &covariance - &covariance * c.transpose() * inverse * &c * &covariance;
    let mut known = DMatrix::zeros(3, 3);
    for t in 0..n_frames {
        let x = states.rows(t * 3, 3);
        known += x * x.transpose() + uncertain.view((t * 3, t * 3), (3, 3));
    }
    let sums = expect(&model, &[&sequence]).unwrap();
    assert!((sums.state_state - known).amax() < 1e-7, "E-step");
}

/// The directions in which observations are largest, as the columns of C: their principal components around zero, each
/// with its largest number positive.
fn principal_observation(
    sequences: &[&[f64]],
    width: usize,
    n_states: usize,
) -> Result<DMatrix<f64>, SystemError> {
    check(sequences, width)?;
    let mut squares = DMatrix::zeros(width, width);
    for sequence in sequences {
        let observed = frames(sequence, width);
        squares.gemm(1.0, &observed, &observed.transpose(), 1.0);
    }
    let eigen = SymmetricEigen::new(squares);
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    order.truncate(n_states);
    let mut columns = eigen.eigenvectors.select_columns(&order);
    for mut column in columns.column_iter_mut() {
        if column[column.icamax()] < 0.0 {
            column.neg_mut();
        }
    }
    Ok(columns)
}

#[test]
fn the_likelihood_never_falls() {
    let truth = planted();
    let mut sequences = draws(&truth, &[60, 25, 1, 2, 40], 33);
    sequences.push(Vec::new());
    let sequences = slices(&sequences);
    let c = principal_observation(&sequences, 5, 3).unwrap();
    let start = StateSpace::start(&sequences, c, &weak_prior(), 1e-6, 1e-6).unwrap();
    let strong = SystemPrior {
        ridge: 5.0,
        pseudo_count: 20.0,
        ..weak_prior()
    };
    // A floor that is felt, too.
    for (fix_observation, prior, floor) in [
        (false, None, 1e-6),
        (true, None, 1e-6),
        (false, Some(strong.clone()), 1e-6),
        (true, Some(strong), 0.05),
    ] {
        let settings = EmSettings {
            fix_observation,
            floor,
            prior,
            ..settings()
        };
        let mut start = start.clone();
        start.dynamics.q = floored(start.dynamics.q, floor);
        start.start_covariance = floored(start.start_covariance, floor);
        let (model, history) = start.clone().fit(&sequences, &settings, go_on).unwrap();
        assert_eq!(history.len(), 16);
        for pair in history.windows(2) {
            assert!(pair[1] >= pair[0] - 1e-10, "{settings:?}: {pair:?}");
        }
        assert!(history[15] > history[0] + 0.05, "{history:?}");
        let fixed = model.observation == start.observation;
        assert_eq!(fixed, fix_observation);
    }
}

#[test]
fn a_planted_model_is_found_again() {
    let truth = planted();
    let sequences = draws(&truth, &[600; 4], 34);
    let sequences = slices(&sequences);
    let c = truth.observation.clone();
    let start = StateSpace::start(&sequences, c, &weak_prior(), 1e-6, 1e-6).unwrap();
    let settings = EmSettings {
        fix_observation: true,
        max_rounds: 40,
        ..settings()
    };
    let own = truth.clone().fit(
        &sequences,
        &EmSettings {
            max_rounds: 0,
            ..settings.clone()
        },
        go_on,
    );
    let own = own.unwrap().1[0];
    let before = (&start.dynamics.a1 - &truth.dynamics.a1).norm();
    let (found, history) = start.fit(&sequences, &settings, go_on).unwrap();
    assert!(
        history[40] > own,
        "{} after EM, {own} of the truth",
        history[40]
    );
    let after = (&found.dynamics.a1 - &truth.dynamics.a1).norm();
    let size = truth.dynamics.a1.norm();
    assert!(after < 0.03 * size, "A1 off by {after} of {size}");
    assert!(after < 0.2 * before, "closed form {before}, EM {after}");
    let a2 = (&found.dynamics.a2 - &truth.dynamics.a2).norm();
    assert!(a2 < 0.05 * truth.dynamics.a2.norm(), "A2 off by {a2}");
    for (x, y) in found.noise.iter().zip(&truth.noise) {
        assert!((x / y - 1.0).abs() < 0.2, "noise {x}, not {y}");
    }
}

#[test]
fn sequences_share_gains_but_not_states() {
    let truth = planted();
    let sequences = draws(&truth, &[70, 3, 12], 35);
    let sequences = slices(&sequences);
    let all = expect(&truth, &sequences).unwrap();
    let apart: Vec<_> = sequences
        .iter()
        .map(|s| expect(&truth, &[s]).unwrap())
        .collect();
    let sum: f64 = apart.iter().map(|sums| sums.log_likelihood).sum();
    assert!(
        (all.log_likelihood - sum).abs() < 1e-8,
        "likelihoods add up"
    );
    let mut past = DMatrix::zeros(7, 7);
    for sums in &apart {
        past += &sums.past_past;
    }
    assert!((all.past_past - past).amax() < 1e-8, "and so do the sums");
}

#[test]
fn it_stops_when_told_and_refuses_rubbish() {
    let truth = planted();
    let sequences = draws(&truth, &[30], 36);
    let sequences = slices(&sequences);
    let stop = |round, _| {
        if round == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let (_, history) = truth.clone().fit(&sequences, &settings(), stop).unwrap();
    assert_eq!(history.len(), 4);
    let broken = truth.clone().fit(&[&[0.0; 7]], &settings(), go_on);
    let width = SystemError::Width {
        sequence: 0,
        width: 5,
    };
    assert_eq!(broken, Err(width));
    assert_eq!(
        truth.smoothed(&[f64::NAN; 5]),
        Err(SystemError::NotFinite(0))
    );
    let (same, _) = truth.clone().fit(&[], &settings(), go_on).unwrap();
    assert_eq!(same, truth, "nothing seen, nothing learned");
}
