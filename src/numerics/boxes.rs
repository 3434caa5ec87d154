//! Boxes about points, each halved at the median of its widest coordinate until few are left, as in a k-d tree: what
//! [`super::box_tree`] and [`super::metric_tree`] search.

use std::ops::{Range, Sub};

/// Points of a leaf; with 8 or 16 there are more boxes to look at, which takes longer on poses.
const LEAF: usize = 32;

/// A coordinate of a point.
pub(super) trait Coordinate: Copy + Default + PartialOrd + Sub<Output = Self> {}
impl Coordinate for f32 {}
impl Coordinate for u16 {}

/// A point on cache lines of its own.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct PackedPoint<T, const N: usize>(pub(super) [T; N]);

/// A box and the slots of the points in it.
#[derive(Debug, Clone)]
pub(super) struct BoxNode<T, const N: usize> {
    pub(super) low: PackedPoint<T, N>,
    pub(super) high: PackedPoint<T, N>,
    start: u32,
    end: u32,
    /// The second child; 0 in a leaf. The first follows its parent.
    second: u32,
}

/// A tree of boxes.
#[derive(Debug, Clone)]
pub(super) struct Boxes<T, const N: usize> {
    nodes: Vec<BoxNode<T, N>>,
}

/// What is looked for in a tree of boxes.
pub(super) trait BoxSearch<T, const N: usize> {
    /// How far away a box is, in a measure in which nothing in it is nearer.
    fn apart(&self, node: &BoxNode<T, N>) -> T;

    /// Whether what is so far away may still matter.
    fn matters(&self, apart: T) -> bool;

    /// Looks at the points in these slots.
    fn scan(&mut self, slots: Range<usize>);
}

impl<T, const N: usize> Default for Boxes<T, N> {
    fn default() -> Self {
        let nodes = Vec::new();
        Self { nodes }
    }
}

impl<T: Coordinate, const N: usize> Boxes<T, N> {
    /// Puts these of the points into boxes, and the list of them into the order of the boxes: slots are places in it.
    /// No coordinate may be NaN.
    pub(super) fn build(points: &[PackedPoint<T, N>], order: &mut [u32]) -> Self {
        let mut boxes = Self::default();
        boxes.split(points, order, 0);
        boxes
    }

    /// Makes the node of some points, the first of which will be in the slot `start`, and those below it.
    fn split(&mut self, points: &[PackedPoint<T, N>], order: &mut [u32], start: u32) {
        let Some(&first) = order.first() else {
            return;
        };
        let mut low = points[first as usize];
        let mut high = low;
        for &point in &*order {
            for (k, &value) in points[point as usize].0.iter().enumerate() {
                if value < low.0[k] {
                    low.0[k] = value;
                }
                if value > high.0[k] {
                    high.0[k] = value;
                }
            }
        }
        let at = self.nodes.len();
        self.nodes.push(BoxNode {
            low,
            high,
            start,
            end: start + order.len() as u32,
            second: 0,
        });
        let width = |k: usize| high.0[k] - low.0[k];
        let wider = |a: usize, b: usize| if width(b) >= width(a) { b } else { a };
        let widest = (0..N).reduce(wider);
        let Some(k) = widest.filter(|&k| order.len() > LEAF && high.0[k] > low.0[k]) else {
            return;
        };
        let middle = order.len() / 2;
        let place = |point: &u32| (points[*point as usize].0[k], *point);
        order.select_nth_unstable_by(middle, |a, b| {
            let (a, b) = (place(a), place(b));
            a.partial_cmp(&b).unwrap_or_else(|| a.1.cmp(&b.1))
        });
        let (near, far) = order.split_at_mut(middle);
        self.split(points, near, start);
        self.nodes[at].second = self.nodes.len() as u32;
        self.split(points, far, start + middle as u32);
    }

    /// Shows a search all leaves that matter to it. The nearer of two children is looked at first.
    pub(super) fn search(&self, search: &mut impl BoxSearch<T, N>) {
        // Boxes that wait, with how far away they are.
        let mut waiting: Vec<(T, u32)> = Vec::with_capacity(64);
        if !self.nodes.is_empty() {
            waiting.push((T::default(), 0));
        }
        while let Some((apart, at)) = waiting.pop() {
            if !search.matters(apart) {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.second == 0 {
                search.scan(node.start as usize..node.end as usize);
                continue;
            }
            let child = |at: u32| (search.apart(&self.nodes[at as usize]), at);
            let (first, second) = (child(at + 1), child(node.second));
            if first.0 <= second.0 {
                waiting.extend([second, first]);
            } else {
                waiting.extend([first, second]);
            }
        }
    }
}
