//! The exact nearest neighbour in any metric space: to which cluster a pose belongs, among many.
//!
//! Elements are known by index only; the caller measures distances. Some elements are *pivots* (Micó, Oncina and Vidal
//! 1994): the distances of all elements to them are kept, and since `|d(q, p) - d(x, p)| <= d(q, x)` an element that a
//! query `q` and a pivot `p` tell apart by more than the nearest so far needs no look. Those distances are the
//! coordinates of a point, and the points are held by a tree of boxes, so that most elements are not even scanned.
//!
//! - Pivots are chosen for telling near pairs apart (after Bustos, Navarro and Chávez 2003), not for being far from
//!   each other: among 6 400 poses, 16 of the first kind leave as many elements (350) as 64 of the second (338).
//! - Coordinates are whole numbers of 16 bits: 32 of them fill one cache line and are compared in a few vector
//!   operations. What rounding and saturation could hide is far below a bound's room (`ROOM`), so the result is exact
//!   but for pairs whose distances differ by less than the caller's own rounding.
//! - The caller's function is told how near an element must be to matter, so that it may stop early.
//! - New elements go to a tail that is scanned, and into the tree when the tail grows long. That asks for no more
//!   distances, since the coordinates stay the same; pivots are chosen anew each time the number of elements has grown
//!   four times.
//!
//! Measured on poses (ten joints as geodesic angles with their velocities, 70 numbers; a million frames, 39 716
//! captured ones and smooth perturbations of them; centres at least 0.7 apart, so 48 263 of them), with the frame
//! before as hint: 592 distances a query (1.2 %), 0.13 to 0.14 ms. Measuring all takes 3.6 ms, a vantage-point tree 5
//! 847 distances and over 1.1 ms. Where poses have sketches, [`super::box_tree`] is quicker.
//!
//! What it assumes: distances are not negative, symmetric and keep the triangle inequality up to rounding.

use std::ops::Range;

use super::boxes::{BoxNode, BoxSearch, Boxes, PackedPoint};

/// As many as fill a cache line; 16 are a little slower on poses, since more elements are left to be measured.
const N_PIVOTS: usize = 32;
/// Fewer elements than this are scanned without pivots.
const MIN_PIVOTED: usize = 64;
/// Among how many elements pivots are looked for.
const SAMPLE: usize = 256;
/// How many neighbours in the sample each of its elements is paired with to judge pivots.
const NEIGHBOURS: usize = 4;
/// The largest known distance to a pivot in units of coordinates; half of the range, as elements still to come may be
/// farther. Beyond the range coordinates saturate, which keeps every bound valid.
const LARGEST: f32 = 32768.0;
/// Added to bounds, in units of coordinates: one because coordinates are cut off to whole numbers, one for the
/// rounding of distances. A unit is some 3e-5 of the largest distance, hundreds of times what `f32` loses.
const ROOM: f32 = 2.0;

const NONE: u32 = u32::MAX;

type Coords = PackedPoint<u16, N_PIVOTS>;

/// Finds nearest elements by few measured distances.
#[derive(Debug, Clone, Default)]
pub struct MetricTree {
    /// Elements, which may have been removed since; none while there are few elements.
    pivots: Vec<u32>,
    /// From distances to coordinates.
    scale: f32,
    /// The elements by slot; [`NONE`] where one was removed.
    elements: Vec<u32>,
    /// Their distances to the pivots, by slot.
    coords: Vec<Coords>,
    /// The slot of each element, [`NONE`] if it is not there.
    slots: Vec<u32>,
    boxes: Boxes<u16, N_PIVOTS>,
    /// Slots from here on are not in the tree yet.
    n_in_tree: usize,
    n_removed: usize,
    /// How many elements there were when the pivots were chosen.
    n_at_choice: usize,
}

impl MetricTree {
    /// A tree of the elements `0..n` under this metric.
    pub fn build(n: u32, distance: impl Fn(u32, u32) -> f32) -> Self {
        let mut tree = Self {
            elements: (0..n).collect(),
            coords: vec![PackedPoint([0; N_PIVOTS]); n as usize],
            ..Self::default()
        };
        tree.choose_pivots(&distance);
        tree.sort();
        tree
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len() - self.n_removed
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the tree holds an element.
    pub fn contains(&self, index: u32) -> bool {
        self.slot(index).is_some()
    }

    fn slot(&self, index: u32) -> Option<usize> {
        let slot = *self.slots.get(index as usize)?;
        (slot != NONE).then_some(slot as usize)
    }

    /// Adds an element. One that is there already, or was, is taken to have changed.
    ///
    /// Memory grows with the largest index. A pivot that changes costs as much as building anew.
    pub fn insert(&mut self, index: u32, distance: impl Fn(u32, u32) -> f32) {
        self.remove(index);
        self.elements.push(index);
        let coords = self.coords_of(|pivot| distance(index, pivot));
        self.coords.push(coords);
        if self.slots.len() <= index as usize {
            self.slots.resize(index as usize + 1, NONE);
        }
        self.slots[index as usize] = self.elements.len() as u32 - 1;
        let n = self.elements.len();
        if n >= (4 * self.n_at_choice).max(MIN_PIVOTED) || self.pivots.contains(&index) {
            self.sort();
            self.choose_pivots(&distance);
            self.sort();
        } else if n - self.n_in_tree > (n / 32).max(128) {
            self.sort();
        }
    }

    /// Takes an element out; `false` if it was not there.
    ///
    /// Queries may still ask for the distance to it, if it is a pivot.
    pub fn remove(&mut self, index: u32) -> bool {
        let Some(slot) = self.slot(index) else {
            return false;
        };
        self.elements[slot] = NONE;
        self.slots[index as usize] = NONE;
        self.n_removed += 1;
        if self.n_removed > MIN_PIVOTED.max(self.len()) {
            self.sort();
        }
        true
    }

    /// The nearest element and its distance; of several, the one of the lowest index.
    ///
    /// `distance` is asked for the distance from the query to an element and told a bound; where the distance is
    /// larger than that, it may return anything that is larger, too. The bound is infinite where the distance itself
    /// is needed.
    pub fn nearest(&self, distance: impl FnMut(u32, f32) -> f32) -> Option<(u32, f32)> {
        self.nearest_from(None, distance)
    }

    /// As [`Self::nearest`], with an element that is probably near, as the nearest one to the frame before is.
    pub fn nearest_from(
        &self,
        hint: Option<u32>,
        distance: impl FnMut(u32, f32) -> f32,
    ) -> Option<(u32, f32)> {
        self.nearest_within(f32::INFINITY, hint, distance)
    }

    /// As [`Self::nearest_from`], if it is not farther than `radius`.
    pub fn nearest_within(
        &self,
        radius: f32,
        hint: Option<u32>,
        mut distance: impl FnMut(u32, f32) -> f32,
    ) -> Option<(u32, f32)> {
        let mut best = Best {
            element: NONE,
            distance: radius,
        };
        if let Some(hint) = hint.filter(|&hint| self.contains(hint)) {
            best.offer(hint, distance(hint, radius));
        }
        self.search(&mut best, &mut distance);
        (best.element != NONE).then_some((best.element, best.distance))
    }

    fn search(&self, best: &mut Best, distance: &mut impl FnMut(u32, f32) -> f32) {
        let query = self.coords_of(|pivot| {
            let to_pivot = distance(pivot, f32::INFINITY);
            if self.contains(pivot) {
                best.offer(pivot, to_pivot);
            }
            to_pivot
        });
        let mut search = NearestSearch {
            tree: self,
            query,
            best,
            distance,
        };
        self.boxes.search(&mut search);
        search.scan(self.n_in_tree..self.elements.len());
    }

    /// Coordinates that differ by more than this belong to elements that are farther apart than `bound`.
    fn limit(&self, bound: f32) -> u16 {
        // The conversion saturates: nothing differs by more than the largest number. Before there are pivots the scale
        // is zero, and so are all coordinates and their differences: any limit is right.
        (bound * self.scale + ROOM) as u16
    }

    fn coords_of(&self, mut distance: impl FnMut(u32) -> f32) -> Coords {
        let mut coords = [0; N_PIVOTS];
        for (coord, &pivot) in coords.iter_mut().zip(&self.pivots) {
            *coord = (distance(pivot) * self.scale) as u16;
        }
        PackedPoint(coords)
    }

    /// Chooses pivots and gives all elements their coordinates. No element is marked as removed.
    fn choose_pivots(&mut self, distance: &impl Fn(u32, u32) -> f32) {
        let n = self.elements.len();
        self.pivots.clear();
        self.n_at_choice = n;
        if n < MIN_PIVOTED {
            self.n_at_choice = 0;
            self.coords.fill(PackedPoint([0; N_PIVOTS]));
            return;
        }
        let size = n.min(SAMPLE);
        let sample: Vec<u32> = (0..size).map(|i| self.elements[i * n / size]).collect();
        self.pivots = best_pivots(&sample, distance);
        let pivots = &self.pivots;
        let all: Vec<[f32; N_PIVOTS]> = self
            .elements
            .iter()
            .map(|&element| std::array::from_fn(|k| distance(element, pivots[k])))
            .collect();
        let largest = all.iter().flatten().fold(0.0_f32, |max, &d| max.max(d));
        self.scale = if largest > 0.0 && largest.is_finite() {
            LARGEST / largest
        } else {
            1.0
        };
        let scale = self.scale;
        let cut_off =
            |distances: &[f32; N_PIVOTS]| PackedPoint(distances.map(|d| (d * scale) as u16));
        self.coords = all.iter().map(cut_off).collect();
    }

    /// Brings all elements into the tree and forgets those that were removed.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.elements.len() as u32)
            .filter(|&slot| self.elements[slot as usize] != NONE)
            .collect();
        self.boxes = Boxes::build(&self.coords, &mut order);
        self.elements = order.iter().map(|&s| self.elements[s as usize]).collect();
        self.coords = order.iter().map(|&s| self.coords[s as usize]).collect();
        self.n_in_tree = self.elements.len();
        self.n_removed = 0;
        let n_slots = self.elements.iter().max().map_or(0, |&last| last + 1);
        self.slots.clear();
        self.slots.resize(n_slots as usize, NONE);
        for (slot, &element) in self.elements.iter().enumerate() {
            self.slots[element as usize] = slot as u32;
        }
    }
}

/// The state of one search: the query and the best so far.
struct NearestSearch<'a, F> {
    tree: &'a MetricTree,
    query: Coords,
    best: &'a mut Best,
    distance: &'a mut F,
}

impl<F: FnMut(u32, f32) -> f32> BoxSearch<u16, N_PIVOTS> for NearestSearch<'_, F> {
    /// By how much the query is outside of the box, in the coordinate where that is most.
    fn apart(&self, node: &BoxNode<u16, N_PIVOTS>) -> u16 {
        let mut most = 0;
        for k in 0..N_PIVOTS {
            // One of the two is zero.
            let below = node.low.0[k].saturating_sub(self.query.0[k]);
            let above = self.query.0[k].saturating_sub(node.high.0[k]);
            most = most.max(below | above);
        }
        most
    }

    fn matters(&self, apart: u16) -> bool {
        apart <= self.tree.limit(self.best.bound())
    }

    fn scan(&mut self, slots: Range<usize>) {
        let tree = self.tree;
        let mut limit = tree.limit(self.best.bound());
        let elements = tree.elements[slots.clone()].iter();
        for (&element, coords) in elements.zip(&tree.coords[slots]) {
            if !is_apart(coords, &self.query, limit) && element != NONE {
                let bound = self.best.bound();
                self.best.offer(element, (self.distance)(element, bound));
                limit = tree.limit(self.best.bound());
            }
        }
    }
}

/// Whether some coordinate differs by more than the limit. Without a branch for each: that is what lets it be
/// vectorised.
fn is_apart(a: &Coords, b: &Coords, limit: u16) -> bool {
    let mut over = 0;
    for k in 0..N_PIVOTS {
        over |= a.0[k].abs_diff(b.0[k]).saturating_sub(limit);
    }
    over != 0
}

/// Those of the sample that together tell its near pairs apart best, one after the other.
fn best_pivots(sample: &[u32], distance: &impl Fn(u32, u32) -> f32) -> Vec<u32> {
    let n = sample.len();
    let mut apart = vec![0.0_f32; n * n];
    for i in 0..n {
        for j in 0..i {
            let d = distance(sample[i], sample[j]);
            apart[i * n + j] = d;
            apart[j * n + i] = d;
        }
    }
    let mut pairs = Vec::new();
    for i in 0..n {
        let mut others: Vec<usize> = (0..n).filter(|&j| apart[i * n + j] > 0.0).collect();
        others.sort_unstable_by(|&a, &b| apart[i * n + a].total_cmp(&apart[i * n + b]));
        pairs.extend(others.into_iter().take(NEIGHBOURS).map(|j| (i, j)));
    }
    // Which share of each pair's distance each pivot would see. An element sees all of a pair of its own, which proves
    // nothing.
    let share = |pivot: usize, &(i, j): &(usize, usize)| {
        let seen = (apart[pivot * n + i] - apart[pivot * n + j]).abs() / apart[i * n + j];
        if pivot == i || pivot == j { 0.0 } else { seen }
    };
    let shares: Vec<Vec<f32>> = (0..n)
        .map(|pivot| pairs.iter().map(|pair| share(pivot, pair)).collect())
        .collect();
    let mut seen = vec![0.0_f32; pairs.len()];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < N_PIVOTS {
        let gain = |pivot: usize| -> f32 {
            let gains = shares[pivot].iter().zip(&seen);
            gains.map(|(share, seen)| (share - seen).max(0.0)).sum()
        };
        let gains = (0..n).filter(|i| !chosen.contains(i)).map(|i| (i, gain(i)));
        let Some((best, _)) = gains.max_by(|a, b| a.1.total_cmp(&b.1)) else {
            break;
        };
        for (seen, &share) in seen.iter_mut().zip(&shares[best]) {
            *seen = seen.max(share);
        }
        chosen.push(best);
    }
    chosen.into_iter().map(|i| sample[i]).collect()
}

/// The nearest element that a search has found.
struct Best {
    element: u32,
    distance: f32,
}

impl Best {
    /// Elements that are farther than this do not matter.
    fn bound(&self) -> f32 {
        self.distance
    }

    /// An element that was measured, perhaps not for the first time.
    fn offer(&mut self, element: u32, distance: f32) {
        if is_before((element, distance), (self.element, self.distance)) {
            *self = Self { element, distance };
        }
    }
}

/// Nearer, or as near and of a lower index.
fn is_before(a: (u32, f32), b: (u32, f32)) -> bool {
    a.1 < b.1 || (a.1 == b.1 && a.0 < b.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;
    use std::cell::Cell;

    type Point = [f32; 4];

    fn apart(a: &Point, b: &Point) -> f32 {
        let squares = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y));
        squares.sum::<f32>().sqrt()
    }

    /// Points of some clusters; every tenth is one that was there before.
    fn points(seed: u64, n: usize) -> Vec<Point> {
        let mut stream = Stream::named(seed, &[]);
        let mut points: Vec<Point> = Vec::new();
        for i in 0..n {
            let place = 3.0 * stream.below(5) as f32;
            let old = stream.below(i.max(1));
            let point = std::array::from_fn(|_| place + stream.normal() as f32);
            points.push(if i % 10 == 9 { points[old] } else { point });
        }
        points
    }

    fn tree_of(points: &[Point]) -> MetricTree {
        MetricTree::build(points.len() as u32, |a, b| {
            apart(&points[a as usize], &points[b as usize])
        })
    }

    /// All that are there, nearest first.
    fn by_hand(points: &[Point], is_there: impl Fn(u32) -> bool, q: &Point) -> Vec<(u32, f32)> {
        let indices = (0..points.len() as u32).filter(|&i| is_there(i));
        let mut all: Vec<(u32, f32)> = indices
            .map(|i| (i, apart(&points[i as usize], q)))
            .collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        all
    }

    /// All kinds of queries against measuring all distances.
    fn check(tree: &MetricTree, points: &[Point], is_there: impl Fn(u32) -> bool, what: &str) {
        let mut queries = points_off(points);
        queries.extend_from_slice(&points[..points.len().min(20)]);
        let mut hint = None;
        for q in &queries {
            let all = by_hand(points, &is_there, q);
            assert_eq!(tree.len(), all.len(), "{what}");
            // A caller that stops early: all it says about what is too far is that it is.
            let measure = |i: u32, bound: f32| {
                let d = apart(&points[i as usize], q);
                if d > bound { bound.next_up() } else { d }
            };
            let nearest = all.first().copied();
            assert_eq!(tree.nearest(measure), nearest, "{what}");
            assert_eq!(tree.nearest_from(hint, measure), nearest, "{what}");
            for radius in [0.0, 0.5, 2.0] {
                let within = nearest.filter(|n| n.1 <= radius);
                assert_eq!(tree.nearest_within(radius, hint, measure), within, "{what}");
            }
            hint = nearest.map(|n| n.0);
        }
    }

    /// Queries between, beside and far from the points.
    fn points_off(points: &[Point]) -> Vec<Point> {
        let mut stream = Stream::named(99, &[points.len() as u64]);
        let spread = |stream: &mut Stream| 12.0 * stream.normal() as f32;
        let mut all: Vec<Point> = (0..20)
            .map(|_| std::array::from_fn(|_| spread(&mut stream)))
            .collect();
        all.push([1e5; 4]);
        all
    }

    #[test]
    fn the_nearest_are_those_of_measuring_all() {
        for n in [0, 1, 2, 31, 63, 64, 65, 300, 1200] {
            let points = points(n as u64, n);
            check(&tree_of(&points), &points, |_| true, &format!("{n} points"));
        }
        let same = vec![[1.0; 4]; 200];
        check(&tree_of(&same), &same, |_| true, "all the same");
    }

    #[test]
    fn growing_and_shrinking_keep_the_answers_exact() {
        let points = points(1, 700);
        let distance = |a: u32, b: u32| apart(&points[a as usize], &points[b as usize]);
        let mut stream = Stream::named(2, &[]);
        let mut tree = MetricTree::default();
        let mut there = vec![false; points.len()];
        assert!(tree.is_empty() && !tree.remove(3), "nothing yet");
        for step in 0..1600_u32 {
            let index = stream.below(points.len()) as u32;
            // It grows first and shrinks at the end.
            if stream.uniform() < f64::from(step) / 1600.0 {
                assert_eq!(tree.remove(index), there[index as usize]);
                there[index as usize] = false;
            } else {
                tree.insert(index, distance);
                there[index as usize] = true;
            }
            assert_eq!(tree.contains(index), there[index as usize]);
            if step % 400 == 399 || [10, 63, 64, 65, 255, 256].contains(&step) {
                check(
                    &tree,
                    &points,
                    |i| there[i as usize],
                    &format!("step {step}"),
                );
            }
        }
        for index in 0..points.len() as u32 {
            tree.remove(index);
        }
        check(&tree, &points, |_| false, "all removed");
    }

    #[test]
    fn elements_may_change_and_go_beyond_all_others() {
        let mut points = points(4, 400);
        let mut tree = tree_of(&points);
        // Every element in turn becomes another, so pivots do, too; some lie outside of the range of coordinates.
        for i in (0..400).step_by(3) {
            points[i] = [if i % 2 == 0 { 50.0 } else { -1.0 } + i as f32; 4];
            tree.insert(i as u32, |a, b| {
                apart(&points[a as usize], &points[b as usize])
            });
        }
        check(&tree, &points, |_| true, "changed");
        // So few are left that there are no pivots any more once one of them changes.
        for i in 40..400 {
            tree.remove(i);
        }
        for i in 0..40 {
            points[i] = [i as f32; 4];
            tree.insert(i as u32, |a, b| {
                apart(&points[a as usize], &points[b as usize])
            });
            check(&tree, &points, |i| i < 40, "few are left");
        }
    }

    #[test]
    fn few_distances_are_measured() {
        let points = points(6, 20_000);
        let tree = tree_of(&points);
        let n_measured = Cell::new(0);
        let queries = &points[..100];
        for q in queries {
            tree.nearest(|i, _| {
                n_measured.set(n_measured.get() + 1);
                apart(&points[i as usize], q)
            });
        }
        let mean = n_measured.get() / queries.len();
        assert!(mean < 3 * N_PIVOTS, "{mean} distances a query");
    }
}
