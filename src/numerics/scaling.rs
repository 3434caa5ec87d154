//! Points of a metric space laid out on a plane, so that what is alike lies close together.
//!
//! Classical scaling of some landmarks, every other point by its distances from them (de Silva and Tenenbaum 2004,
//! "Sparse multidimensional scaling using landmark points"), then stress majorisation against the landmarks: with
//! two dimensions for a space of many, the classical solution crowds what differs in the others. The cost is points
//! times landmarks. Everything is deterministic.

use nalgebra::{DMatrix, SymmetricEigen};

/// Beyond these, more landmarks change nothing that can be seen.
const LANDMARKS: usize = 64;
/// Rounds of majorisation: the stress has come to rest by then.
const ROUNDS: usize = 40;
/// Rounds in which overlapping circles are moved apart.
const SPREADING: usize = 60;

/// A place on the plane.
pub type Place = [f64; 2];

/// Lays out `n` points with these distances; units are those of the distance.
pub fn laid_out(n: usize, distance: impl Fn(usize, usize) -> f64) -> Vec<Place> {
    if n == 0 {
        return Vec::new();
    }
    let (landmarks, rows) = landmarks(n, &distance);
    let mut places = classical(&landmarks, &rows, n);
    majorised(&mut places, &landmarks, &rows);
    places
}

/// Points that are far from each other, and the distances of all points from each of them.
fn landmarks(n: usize, distance: &impl Fn(usize, usize) -> f64) -> (Vec<usize>, Vec<Vec<f64>>) {
    let sound = |d: f64| if d.is_finite() { d.max(0.0) } else { 0.0 };
    let mut chosen = vec![0];
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut nearest = vec![f64::INFINITY; n];
    loop {
        let last = chosen[chosen.len() - 1];
        let row: Vec<f64> = (0..n).map(|i| sound(distance(last, i))).collect();
        for (near, d) in nearest.iter_mut().zip(&row) {
            *near = near.min(*d);
        }
        rows.push(row);
        let farthest = (0..n).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]).then(b.cmp(&a)));
        match farthest {
            Some(next) if nearest[next] > 0.0 && chosen.len() < LANDMARKS => chosen.push(next),
            _ => return (chosen, rows),
        }
    }
}

/// Landmarks by the two largest eigenvectors of their doubly centred squared distances, all points by triangulation.
fn classical(landmarks: &[usize], rows: &[Vec<f64>], n: usize) -> Vec<Place> {
    let l = landmarks.len();
    let squared = DMatrix::from_fn(l, l, |a, b| rows[a][landmarks[b]].powi(2));
    let means: Vec<f64> = (0..l).map(|a| squared.row(a).mean()).collect();
    let mean = means.iter().sum::<f64>() / l as f64;
    let centred = DMatrix::from_fn(l, l, |a, b| {
        -0.5 * (squared[(a, b)] - means[a] - means[b] + mean)
    });
    // Distances that are not quite symmetric would make eigenvectors that depend on rounding.
    let centred = (&centred + centred.transpose()) * 0.5;
    let eigen = SymmetricEigen::new(centred);
    let mut order: Vec<usize> = (0..l).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let mut places = vec![[0.0; 2]; n];
    for (axis, &of) in order.iter().take(2).enumerate() {
        let value = eigen.eigenvalues[of];
        if value <= 1e-12 {
            continue;
        }
        let vector = eigen.eigenvectors.column(of);
        // Either sign will do; it must not depend on how the decomposition went.
        let largest = (0..l).max_by(|&a, &b| vector[a].abs().total_cmp(&vector[b].abs()));
        let sign = largest.map_or(1.0, |at| vector[at].signum());
        for (point, place) in places.iter_mut().enumerate() {
            let sum = (0..l).map(|a| vector[a] * (means[a] - rows[a][point].powi(2)));
            place[axis] = 0.5 * sign * sum.sum::<f64>() / value.sqrt();
        }
    }
    places
}

/// Moves all points towards where their distances from the landmarks are right, near ones first (weights 1/d²).
fn majorised(places: &mut [Place], landmarks: &[usize], rows: &[Vec<f64>]) {
    for _ in 0..ROUNDS {
        let before = places.to_vec();
        for (point, place) in places.iter_mut().enumerate() {
            let (mut sum, mut total) = ([0.0; 2], 0.0);
            for (&landmark, row) in landmarks.iter().zip(rows) {
                let wanted = row[point];
                if landmark == point || wanted <= 0.0 {
                    continue;
                }
                let (at, of) = (before[point], before[landmark]);
                let (x, y) = (at[0] - of[0], at[1] - of[1]);
                let apart = x.hypot(y);
                // Points that fell together are moved apart in a direction of their own.
                let (x, y) = if apart > 1e-12 * wanted {
                    (x / apart, y / apart)
                } else {
                    let (sin, cos) = (point as f64 * 2.399_963).sin_cos();
                    (cos, sin)
                };
                let weight = wanted.powi(-2);
                sum[0] += weight * (of[0] + wanted * x);
                sum[1] += weight * (of[1] + wanted * y);
                total += weight;
            }
            if total > 0.0 {
                *place = [sum[0] / total, sum[1] / total];
            }
        }
    }
}

/// Moves circles apart until they hardly overlap, each as little as may be.
///
/// # Panics
/// If there is not one radius for each place.
pub fn spread(places: &mut [Place], radii: &[f64]) {
    assert_eq!(places.len(), radii.len(), "a radius for each");
    let cell = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    if cell <= 0.0 || !cell.is_finite() {
        return;
    }
    for _ in 0..SPREADING {
        let mut grid: std::collections::BTreeMap<(i64, i64), Vec<usize>> =
            std::collections::BTreeMap::new();
        let cell_of = |p: &Place| ((p[0] / cell).floor() as i64, (p[1] / cell).floor() as i64);
        for (at, place) in places.iter().enumerate() {
            grid.entry(cell_of(place)).or_default().push(at);
        }
        let mut moved = vec![[0.0; 2]; places.len()];
        let mut has_overlap = false;
        for (a, place) in places.iter().enumerate() {
            let (cx, cy) = cell_of(place);
            let near = (cx - 1..=cx + 1).flat_map(|x| (cy - 1..=cy + 1).map(move |y| (x, y)));
            for b in near.filter_map(|c| grid.get(&c)).flatten().copied() {
                if a == b {
                    continue;
                }
                let (x, y) = (place[0] - places[b][0], place[1] - places[b][1]);
                let (apart, wanted) = (x.hypot(y), radii[a] + radii[b]);
                if apart >= wanted {
                    continue;
                }
                has_overlap = true;
                let (x, y) = if apart > 1e-9 * wanted {
                    (x / apart, y / apart)
                } else {
                    let (sin, cos) = (a as f64 * 2.399_963).sin_cos();
                    (cos, sin)
                };
                // The smaller one gives way.
                let share = radii[b] / wanted;
                moved[a][0] += share * (wanted - apart) * x;
                moved[a][1] += share * (wanted - apart) * y;
            }
        }
        if !has_overlap {
            return;
        }
        for (place, by) in places.iter_mut().zip(moved) {
            // Pushed from several sides at once, circles would leap.
            let far = by[0].hypot(by[1]);
            let most = 0.5 * cell;
            let slowed = if far > most { most / far } else { 1.0 };
            place[0] += 0.7 * slowed * by[0];
            place[1] += 0.7 * slowed * by[1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    fn apart(a: &Place, b: &Place) -> f64 {
        (a[0] - b[0]).hypot(a[1] - b[1])
    }

    #[test]
    fn points_of_a_plane_keep_their_distances() {
        let mut stream = Stream::named(3, &[]);
        let planted: Vec<Place> = (0..200)
            .map(|_| [4.0 * stream.uniform(), stream.uniform()])
            .collect();
        let found = laid_out(planted.len(), |a, b| apart(&planted[a], &planted[b]));
        for a in 0..planted.len() {
            for b in 0..a {
                let off = apart(&found[a], &found[b]) - apart(&planted[a], &planted[b]);
                assert!(off.abs() < 1e-3, "{a} and {b} are off by {off}");
            }
        }
        let again = laid_out(planted.len(), |a, b| apart(&planted[a], &planted[b]));
        assert_eq!(found, again);
    }

    #[test]
    fn groups_of_a_space_of_many_dimensions_stay_groups() {
        let mut stream = Stream::named(4, &[]);
        let points: Vec<[f64; 6]> = (0..90)
            .map(|at| {
                let mut point = [0.0; 6].map(|_| 0.3 * stream.uniform());
                point[at % 3] += 5.0;
                point
            })
            .collect();
        let distance = |a: usize, b: usize| {
            let pairs = points[a].iter().zip(&points[b]);
            pairs.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
        };
        let found = laid_out(points.len(), distance);
        let mut widest: f64 = 0.0;
        let mut nearest = f64::INFINITY;
        for a in 0..found.len() {
            for b in 0..a {
                let d = apart(&found[a], &found[b]);
                if a % 3 == b % 3 {
                    widest = widest.max(d);
                } else {
                    nearest = nearest.min(d);
                }
            }
        }
        assert!(widest < 0.3 * nearest, "{widest} in, {nearest} between");
    }

    #[test]
    fn odd_distances_do_no_harm() {
        assert!(laid_out(0, |_, _| 1.0).is_empty());
        assert_eq!(laid_out(1, |_, _| 0.0), [[0.0, 0.0]]);
        for odd in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            let places = laid_out(5, |_, _| odd);
            assert!(places.iter().flatten().all(|x| x.is_finite()), "{odd}");
        }
    }

    #[test]
    fn circles_are_moved_apart() {
        let mut places = vec![[0.0, 0.0], [0.0, 0.0], [0.1, 0.0], [9.0, 9.0]];
        let radii = [1.0, 0.5, 0.5, 1.0];
        spread(&mut places, &radii);
        for a in 0..3 {
            for b in 0..a {
                let gap = apart(&places[a], &places[b]) - radii[a] - radii[b];
                assert!(gap > -0.1, "{a} and {b}: {gap}");
            }
        }
        assert_eq!(places[3], [9.0, 9.0], "nobody is near");
    }
}
