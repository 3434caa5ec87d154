//! Analysis of variance against published worked examples and an independent program.

use kinfolk::study::anova::{AnovaError, Group, box_plot, one_way, summarise};

fn groups(scores: &[&[f64]]) -> Vec<Group> {
    let named = scores.iter().enumerate().map(|(at, scores)| Group {
        name: format!("group {at}"),
        scores: scores.to_vec(),
    });
    named.collect()
}

/// F and p are those of SciPy 1.17.1, `scipy.stats.f_oneway`, printed with all digits.
#[track_caller]
fn check(scores: &[&[f64]], f: f64, p: f64) {
    let found = one_way(&groups(scores)).unwrap();
    assert!(
        (found.f - f).abs() < 1e-9 * f.max(1.0),
        "F {} is not {f}",
        found.f
    );
    assert!((found.p - p).abs() < 1e-9, "p {} is not {p}", found.p);
}

/// The example of the article "One-way analysis of variance" in Wikipedia: F is 9.3 there, and p 0.0024.
#[test]
fn the_worked_example_of_an_encyclopedia() {
    let scores: [&[f64]; 3] = [
        &[6.0, 8.0, 4.0, 5.0, 3.0, 4.0],
        &[8.0, 12.0, 9.0, 11.0, 6.0, 8.0],
        &[13.0, 9.0, 11.0, 8.0, 7.0, 12.0],
    ];
    check(&scores, 9.264705882352942, 0.0023987773293929083);
    let found = one_way(&groups(&scores)).unwrap();
    assert_eq!(found.freedom, (2, 15));
    assert!(
        (found.squares.0 - 84.0).abs() < 1e-12,
        "between: 84 in the article"
    );
    assert!(
        (found.squares.1 - 68.0).abs() < 1e-12,
        "within: 68 in the article"
    );
}

/// Mussel shells (McDonald and Seed; the example of SciPy's documentation, which prints 7.121019471642447,
/// 0.0002812242314534544).
#[test]
fn groups_of_unequal_size() {
    check(
        &[
            &[
                0.0571, 0.0813, 0.0831, 0.0976, 0.0817, 0.0859, 0.0735, 0.0659, 0.0923, 0.0836,
            ],
            &[
                0.0873, 0.0662, 0.0672, 0.0819, 0.0749, 0.0649, 0.0835, 0.0725,
            ],
            &[0.0974, 0.1352, 0.0817, 0.1016, 0.0968, 0.1064, 0.105],
            &[
                0.1033, 0.0915, 0.0781, 0.0685, 0.0677, 0.0697, 0.0764, 0.0689,
            ],
            &[0.0703, 0.1026, 0.0956, 0.0973, 0.1039, 0.1045],
        ],
        7.121019471642447,
        0.00028122423145345525,
    );
}

/// `PlantGrowth` of R, whose `anova(lm(weight ~ group))` prints F 4.8461 and p 0.01591 (Dobson 1983).
#[test]
fn plants_of_a_textbook() {
    let control: &[f64] = &[4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14];
    check(
        &[
            control,
            &[4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
            &[6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
        ],
        4.846087862380136,
        0.015909958325622912,
    );
    // Student's interval by SciPy's `t.ppf`, quartiles by NumPy's `percentile(method="hazen")`.
    let summary = summarise(&groups(&[control])[0]);
    let (low, high) = summary.interval.unwrap();
    assert!((low - 4.614881555655038).abs() < 1e-9, "{low}");
    assert!((high - 5.44911844434496).abs() < 1e-9, "{high}");
    assert!(
        (summary.deviation - 0.5830913783924057).abs() < 1e-12,
        "deviation"
    );
    assert_eq!(summary.box_plot.quartiles, (4.53, 5.33));
    assert!((summary.box_plot.median - 5.155).abs() < 1e-12, "median");
}

/// Resistivity of silicon, NIST's Statistical Reference Datasets (`SiRstv`): certified F 1.18046237440255.
#[test]
fn certified_numbers_of_many_equal_digits() {
    let scores: [&[f64]; 5] = [
        &[196.3052, 196.1240, 196.1890, 196.2569, 196.3403],
        &[196.3042, 196.3825, 196.1669, 196.3257, 196.0422],
        &[196.1303, 196.2005, 196.2889, 196.0343, 196.1811],
        &[196.2795, 196.1748, 196.1494, 196.1485, 195.9885],
        &[196.2119, 196.1051, 196.1850, 196.0052, 196.2090],
    ];
    check(&scores, 1.18046237440255, 0.3494474934022352);
}

/// 225 made-up ratings, as many as the paper's experiments have; the first condition has one more.
#[test]
fn as_many_ratings_as_the_paper_had() {
    let score = |at: usize, low: usize| (low + (at * at * 7 + at * 3) % 6) as f64;
    let first: Vec<f64> = (0..113).map(|at| score(at, 2)).collect();
    let second: Vec<f64> = (0..112).map(|at| score(at + 5, 4)).collect();
    let found = one_way(&groups(&[&first, &second])).unwrap();
    assert_eq!(found.freedom, (1, 223));
    // By hand from the definition, in another order of sums.
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (a, b) = (mean(&first), mean(&second));
    let squares = |x: &[f64], m: f64| x.iter().map(|v| v * v).sum::<f64>() - x.len() as f64 * m * m;
    let pooled = (squares(&first, a) + squares(&second, b)) / 223.0;
    // With two groups F is the square of Student's t.
    let t = (a - b) / (pooled * (1.0 / 113.0 + 1.0 / 112.0)).sqrt();
    assert!(
        (found.f - t * t).abs() < 1e-9 * t * t,
        "{} is not {}",
        found.f,
        t * t
    );
    assert!(found.p < 1e-10, "{}", found.p);
}

#[test]
fn boxes_have_whiskers_and_outliers() {
    let found = box_plot(&[5.0, 5.0, 6.0, 6.0, 7.0, 7.0, 1.0, 9.0, 20.0, 6.0]);
    assert_eq!(found.median, 6.0);
    assert_eq!(found.quartiles, (5.0, 7.0));
    // One and a half boxes beyond: from 2 to 10.
    assert_eq!(found.whiskers, (5.0, 9.0));
    assert_eq!(found.outliers, [1.0, 20.0]);
    let notch = 1.57 * 2.0 / 10.0_f64.sqrt();
    assert!((found.notch.1 - (6.0 + notch)).abs() < 1e-12, "notch");
    let single = box_plot(&[3.0]);
    assert_eq!(
        (single.median, single.quartiles, single.whiskers),
        (3.0, (3.0, 3.0), (3.0, 3.0))
    );
}

#[test]
fn what_cannot_be_compared_is_refused_in_words() {
    let refused = |scores: &[&[f64]]| one_way(&groups(scores)).unwrap_err();
    assert_eq!(refused(&[]), AnovaError::Groups(0));
    assert_eq!(refused(&[&[1.0, 2.0]]), AnovaError::Groups(1));
    assert_eq!(
        refused(&[&[1.0, 2.0], &[]]),
        AnovaError::Empty("group 1".to_owned())
    );
    assert_eq!(refused(&[&[1.0], &[2.0]]), AnovaError::NoFreedom);
    assert_eq!(
        refused(&[&[0.1, 0.1, 0.1], &[0.1, 0.1]]),
        AnovaError::NoScatter
    );
    assert_eq!(
        refused(&[&[1.0, f64::NAN], &[2.0]]),
        AnovaError::NotFinite("group 0".to_owned())
    );
    let certain = one_way(&groups(&[&[1.0, 1.0], &[2.0, 2.0]])).unwrap();
    assert_eq!((certain.f, certain.p), (f64::INFINITY, 0.0));
}
