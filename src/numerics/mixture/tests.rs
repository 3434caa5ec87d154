use super::*;
use crate::numerics::random::Stream;

const KINDS: [Covariance; 3] = [
    Covariance::TiedDiagonal,
    Covariance::Diagonal,
    Covariance::Full,
];

fn go_on(_: usize, _: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Rows around these middles in turn, with standard deviations per column.
fn planted(middles: &[&[f64]], deviations: &[f64], n_rows: usize, seed: u64) -> Vec<f64> {
    let mut stream = Stream::named(seed, &[]);
    let mut rows = Vec::new();
    for at in 0..n_rows {
        let middle = middles[at % middles.len()];
        let pairs = middle.iter().zip(deviations);
        rows.extend(pairs.map(|(m, d)| m + d * stream.normal()));
    }
    rows
}

fn settings(n_components: usize, covariance: Covariance) -> MixtureSettings {
    MixtureSettings {
        covariance,
        ..MixtureSettings::new(n_components)
    }
}

#[test]
fn a_planted_mixture_is_found_again() {
    let middles: [&[f64]; 3] = [&[0.0, 5.0, 100.0], &[4.0, 0.0, 100.0], &[-4.0, -3.0, 101.0]];
    let deviations = [0.5, 1.0, 0.2];
    let rows = planted(&middles, &deviations, 1500, 1);
    for covariance in KINDS {
        let fitted = Mixture::fit(&rows, 3, &settings(3, covariance), go_on);
        let (mixture, _) = fitted.unwrap();
        for (at, middle) in middles.iter().enumerate() {
            let found = mixture.most_likely(middle);
            assert!(
                (mixture.weights()[found] - 1.0 / 3.0).abs() < 0.01,
                "weight"
            );
            for (column, (x, y)) in mixture.mean(found).iter().zip(*middle).enumerate() {
                // Four standard errors of a mean of 500 rows.
                let error = 4.0 * deviations[column] / 500.0_f64.sqrt();
                assert!((x - y).abs() < error, "{covariance:?}: {x}, not {y}");
            }
            for (v, d) in mixture.variances(found).iter().zip(deviations) {
                assert!((v / (d * d) - 1.0).abs() < 0.25, "{covariance:?} {v} {d}");
            }
            let sure = mixture.memberships(middle).0;
            assert!((sure.iter().sum::<f64>() - 1.0).abs() < 1e-12, "of one");
            assert!(sure[found] > 0.99, "{covariance:?}");
            assert_eq!(mixture.most_likely(&rows[3 * at..][..3]), found);
        }
    }
}

#[test]
fn the_density_is_that_of_the_definition() {
    let rows = planted(&[&[1.0, 2.0], &[3.0, 2.5]], &[0.5, 0.3], 200, 4);
    for covariance in KINDS {
        let fitted = Mixture::fit(&rows, 2, &settings(2, covariance), go_on);
        let (mixture, history) = fitted.unwrap();
        // The density over the plane sums to 1.
        let (step, mut sum) = (0.05, 0.0);
        for i in 0..160 {
            for j in 0..160 {
                let row = [f64::from(i) * step - 2.0, f64::from(j) * step - 2.0];
                sum += mixture.log_density(&row).exp() * step * step;
            }
        }
        assert!((sum - 1.0).abs() < 1e-3, "{covariance:?}: {sum}");
        let densities = rows.chunks(2).map(|row| mixture.log_density(row));
        let mean = densities.sum::<f64>() / 200.0;
        assert!((mean - history.last().unwrap()).abs() < 1e-10, "likelihood");
    }
}

#[test]
fn the_likelihood_never_falls() {
    let mut stream = Stream::named(9, &[]);
    // Nearly dependent columns, of very different sizes, in more clusters than there are components.
    let mut rows = Vec::new();
    for at in 0..900 {
        let place = f64::from(at % 13);
        let (a, b) = (
            stream.normal() + place,
            stream.normal() - 0.3 * place * place,
        );
        rows.extend([a, b, a + b + 1e-4 * stream.normal(), 50.0 * a * b, 1.0]);
    }
    for covariance in KINDS {
        for (n_components, lloyd_rounds) in [(4, 5), (9, 0), (40, 1)] {
            let settings = MixtureSettings {
                floor: 1e-5,
                least_gain: -1.0,
                max_rounds: 25,
                lloyd_rounds,
                ..settings(n_components, covariance)
            };
            let (_, history) = Mixture::fit(&rows, 5, &settings, go_on).unwrap();
            assert_eq!(history.len(), 26);
            for pair in history.windows(2) {
                assert!(
                    pair[1] >= pair[0] - 1e-9 * pair[0].abs().max(1.0),
                    "{covariance:?} {n_components}: {pair:?}"
                );
            }
            assert!(history[25] > history[0] + 1e-3, "{history:?}");
        }
    }
}

#[test]
fn few_equal_and_constant_rows_are_answered() {
    for covariance in KINDS {
        let fit = |rows: &[f64], n| Mixture::fit(rows, 2, &settings(n, covariance), go_on);
        let (one, _) = fit(&[1.0, 2.0], 5).unwrap();
        assert_eq!((one.n_components(), one.mean(0)), (1, &[1.0, 2.0][..]));
        let equal = [3.0, 4.0].repeat(50);
        let (equal, history) = fit(&equal, 7).unwrap();
        assert_eq!(equal.n_components(), 1);
        assert!((equal.variances(0)[0] - 1e-3).abs() < 1e-12, "the floor");
        assert!(history.iter().all(|x| x.is_finite()), "{history:?}");
        let three = [0.0, 1.0, 5.0, 1.0, 9.0, 1.0].repeat(20);
        let (three, _) = fit(&three, 6).unwrap();
        assert_eq!(three.n_components(), 3, "{covariance:?}");
        let mut found = [0.0, 5.0, 9.0].map(|x| three.most_likely(&[x, 1.0]));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2]);
    }
}

#[test]
fn an_empty_component_goes_where_it_is_needed_or_away() {
    let mut rows = planted(&[&[0.0]], &[0.1], 100, 3);
    rows.push(7.0);
    for covariance in KINDS {
        let spread = match covariance {
            Covariance::TiedDiagonal => Covariances::Tied(vec![0.01]),
            Covariance::Diagonal => Covariances::Diagonal(vec![0.01; 3]),
            Covariance::Full => {
                let one = Mixture::fit(&rows[..100], 1, &settings(1, covariance), go_on);
                let Covariances::Full(full) = one.unwrap().0.spread else {
                    panic!("asked for full covariances");
                };
                Covariances::Full(vec![full[0].clone(); 3])
            }
        };
        // Two components are far from every row; one row is far from the third.
        let means = vec![0.0, 500.0, 600.0];
        let mixture = Mixture::new(vec![0.98, 0.01, 0.01], means, spread, &[0.0]);
        let before = gather(&rows, &mixture.scores, covariance, Membership::Soft);
        let revived = update::revive(&mixture, &rows, &before).expect("two are empty");
        assert_eq!(revived.n_components(), 2, "one goes to the row, one away");
        assert_eq!(revived.mean(1), &[7.0]);
        let after = gather(&rows, &revived.scores, covariance, Membership::Soft);
        assert!(
            after.mean_log_density() > before.mean_log_density(),
            "higher"
        );
        assert!(
            update::revive(&revived, &rows, &after).is_none(),
            "all have rows"
        );
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let rows = planted(
        &[&[0.0, 1.0], &[1.0, 0.0], &[2.0, 2.0]],
        &[0.4, 0.4],
        3000,
        8,
    );
    let with = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
        let fit = || Mixture::fit(&rows, 2, &settings(5, Covariance::Diagonal), go_on);
        pool.unwrap().install(fit).unwrap()
    };
    let (one, three) = (with(1), with(3));
    assert_eq!(one, three);
    let each = one.0.most_likely_each(&rows);
    assert_eq!(each.len(), 3000);
    assert_eq!(each[1234], one.0.most_likely(&rows[2468..2470]));
}

#[test]
fn it_stops_when_told() {
    let rows = planted(&[&[0.0], &[1.0]], &[0.5], 100, 2);
    let mut heard = Vec::new();
    let stop = |round, likelihood| {
        heard.push((round, likelihood));
        if round == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let settings = MixtureSettings {
        least_gain: -1.0,
        ..MixtureSettings::new(2)
    };
    let (_, history) = Mixture::fit(&rows, 1, &settings, stop).unwrap();
    assert_eq!(heard.len(), 3);
    assert_eq!(history.len(), 3);
    assert_eq!(heard[2], (2, history[2]));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let good = settings(2, Covariance::Diagonal);
    let fit = |rows: &[f64], width, settings: &MixtureSettings| {
        Mixture::fit(rows, width, settings, go_on).map(|_| ())
    };
    assert_eq!(fit(&[], 3, &good), Err(MixtureError::NoRows));
    assert_eq!(fit(&[1.0], 0, &good), Err(MixtureError::NoRows));
    let broken = MixtureError::NotWhole { len: 3, width: 2 };
    assert_eq!(fit(&[1.0, 2.0, 3.0], 2, &good), Err(broken));
    let infinite = [1.0, 2.0, f64::NAN, 0.0];
    assert_eq!(fit(&infinite, 2, &good), Err(MixtureError::NotFinite(1)));
    let none = settings(0, Covariance::Full);
    assert_eq!(fit(&[1.0], 1, &none), Err(MixtureError::NoComponents));
    let flat = MixtureSettings { floor: 0.0, ..good };
    assert_eq!(fit(&[1.0], 1, &flat), Err(MixtureError::Floor(0.0)));
}
