//! Frames into clusters, in two passes (Peng 2007, section 4.1).
//!
//! In the first pass a frame joins the nearest centre if that is nearer than the threshold T, becomes a new centre if
//! it is farther than 2 T from all, and is left open else; in the second pass open frames join the nearest centre.
//! Centres are thus more than 2 T apart, so a centre within T of a frame is its nearest, and the cluster of the frame
//! before, tried first, settles most frames with one distance. For the others all centres are looked at, or of many a
//! tree of sketches.

use crate::motion::PoseRows;
use crate::motion::pose_metric::sketch::{ROUNDING, SIZE, Sketcher};
use crate::numerics::box_tree::BoxTree;

/// No cluster: the frame is left out of the graph.
pub(super) const NONE: u32 = u32::MAX;

/// With fewer centres, looking at all of them is quicker than a tree.
const FEW: usize = 192;
/// The projection of sketches is learned again when there are so many times as many centres.
const GROWN: usize = 4;

/// Cluster centres, which can be searched and grow.
#[derive(Debug, Clone)]
pub(super) struct Centres {
    pub(super) rows: PoseRows,
    /// Centres that were taken out of the search, in order.
    removed: Vec<u32>,
    /// Search tree over sketches; only for many centres.
    index: Option<CentreIndex>,
}

/// What makes a search among many centres quick: they are told apart by their sketches.
#[derive(Debug, Clone)]
struct CentreIndex {
    tree: BoxTree<SIZE>,
    sketcher: Sketcher,
    /// How many centres there were when the projection was learned.
    n_at_choice: usize,
}

impl CentreIndex {
    fn of(rows: &PoseRows, removed: &[u32]) -> Self {
        let sketcher = Sketcher::learn(rows);
        let sketches = (0..rows.len()).map(|at| sketcher.sketch(rows, rows.row(at)));
        let mut tree = BoxTree::build(sketches);
        for &gone in removed {
            tree.remove(gone);
        }
        Self {
            tree,
            sketcher,
            n_at_choice: rows.len(),
        }
    }

    fn insert_last(&mut self, rows: &PoseRows, removed: &[u32]) {
        let last = rows.len() - 1;
        if rows.len() < GROWN * self.n_at_choice {
            let sketch = self.sketcher.sketch(rows, rows.row(last));
            self.tree.insert(last as u32, sketch);
        } else {
            *self = Self::of(rows, removed);
        }
    }

    fn nearest(&self, rows: &PoseRows, row: &[f32], guess: Option<u32>) -> Option<(u32, f32)> {
        let sketch = self.sketcher.sketch(rows, row);
        self.tree.nearest(&sketch, guess, ROUNDING, |c, bound| {
            rows.distance_within(rows.row(c as usize), row, bound)
        })
    }
}

impl Centres {
    pub(super) fn new(empty: PoseRows) -> Self {
        Self {
            rows: empty,
            removed: Vec::new(),
            index: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn push(&mut self, row: &[f32]) -> u32 {
        self.rows.push_row(row);
        let n = self.rows.len();
        match &mut self.index {
            Some(index) => index.insert_last(&self.rows, &self.removed),
            None if n > FEW => self.index = Some(CentreIndex::of(&self.rows, &self.removed)),
            None => {}
        }
        n as u32 - 1
    }

    /// Takes a centre out of the search; its number stays.
    pub(super) fn remove(&mut self, cluster: u32) {
        if let Err(at) = self.removed.binary_search(&cluster) {
            self.removed.insert(at, cluster);
        }
        if let Some(index) = &mut self.index {
            index.tree.remove(cluster);
        }
    }

    fn is_removed(&self, cluster: u32) -> bool {
        self.removed.binary_search(&cluster).is_ok()
    }

    /// The nearest centre. A guess that is near makes it quick.
    pub(super) fn nearest(&self, row: &[f32], guess: Option<u32>) -> Option<(u32, f32)> {
        let rows = &self.rows;
        let guess = guess.filter(|&c| !self.is_removed(c));
        if let Some(index) = &self.index {
            return index.nearest(rows, row, guess);
        }
        let within = |c: u32, bound: f32| rows.distance_within(rows.row(c as usize), row, bound);
        let mut best: Option<(u32, f32)> = None;
        let others = (0..rows.len() as u32).filter(|&c| !self.is_removed(c));
        for c in guess.into_iter().chain(others) {
            let bound = best.map_or(f32::INFINITY, |b| b.1);
            let distance = within(c, bound);
            if distance < bound {
                best = Some((c, distance));
            }
        }
        best
    }
}

/// Assigns frames to clusters, and makes new ones for frames that are far from all. `None` rows are left out; labels
/// come back in the same order.
pub(super) fn assign(
    centres: &mut Centres,
    frames: &[Option<&[f32]>],
    threshold: f32,
) -> (Vec<u32>, Vec<usize>) {
    let mut labels = vec![NONE; frames.len()];
    let mut open = Vec::new();
    let mut founders = Vec::new();
    let mut guess: Option<u32> = None;
    for (at, frame) in frames.iter().enumerate() {
        let Some(row) = frame else { continue };
        if let Some(c) = guess
            && centres.rows.distance_of(centres.rows.row(c as usize), row) < threshold
        {
            labels[at] = c;
            continue;
        }
        match centres.nearest(row, guess) {
            Some((c, d)) if d < threshold => {
                labels[at] = c;
                guess = Some(c);
            }
            Some((c, d)) if d <= 2.0 * threshold => {
                open.push((at, row));
                guess = Some(c);
            }
            _ => {
                let new = centres.push(row);
                founders.push(at);
                labels[at] = new;
                guess = Some(new);
            }
        }
    }
    let mut guess: Option<u32> = None;
    for (at, row) in open {
        if let Some((c, _)) = centres.nearest(row, guess) {
            labels[at] = c;
            guess = Some(c);
        }
    }
    (labels, founders)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::{
        Channels, Clip, ClipInfo, Joint, Motion, Pose, PoseMetric, Quat, RotationOrder, Skeleton,
        Vec3,
    };

    /// A chain of bones that swings; each take with its own rhythm.
    fn swinging(take: u32) -> Clip {
        let joints = (0..6).map(|at: usize| Joint {
            name: format!("bone{at}"),
            parent: at.checked_sub(1),
            offset: Vec3::y(),
            channels: match at {
                0 => Channels::position_and_rotation(RotationOrder::ZXY),
                _ => Channels::rotation(RotationOrder::ZXY),
            },
        });
        let skeleton = Arc::new(Skeleton::new(joints.collect(), vec![]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 90);
        for frame in 0..90 {
            let mut pose = Pose::rest(&skeleton);
            for (j, q) in pose.rotations.iter_mut().enumerate() {
                let t = f64::from(frame) * (0.05 + 0.03 * f64::from(take)) + j as f64;
                *q = Quat::from_scaled_axis(Vec3::new(t.sin(), 0.3 * (2.0 * t).cos(), 0.1));
            }
            motion.push(pose.as_ref());
        }
        Clip::new(ClipInfo::named("swinging"), skeleton, motion).unwrap()
    }

    /// The paper's words, with every distance worked out.
    fn by_the_letter(rows: &PoseRows, frames: &[usize], threshold: f32) -> Vec<u32> {
        let mut centres: Vec<usize> = Vec::new();
        let mut labels = vec![NONE; frames.len()];
        let nearest = |centres: &[usize], frame: usize| {
            let each = centres.iter().enumerate();
            each.map(|(c, &at)| (c as u32, rows.distance(at, frame)))
                .min_by(|a, b| a.1.total_cmp(&b.1))
        };
        for (at, &frame) in frames.iter().enumerate() {
            match nearest(&centres, frame) {
                Some((c, d)) if d < threshold => labels[at] = c,
                Some((_, d)) if d <= 2.0 * threshold => {}
                _ => {
                    labels[at] = centres.len() as u32;
                    centres.push(frame);
                }
            }
        }
        for (at, &frame) in frames.iter().enumerate() {
            if labels[at] == NONE {
                labels[at] = nearest(&centres, frame).unwrap().0;
            }
        }
        labels
    }

    #[test]
    fn the_nearest_of_many_centres_is_that_of_measuring_all() {
        let clips: Vec<Clip> = (0..9).map(swinging).collect();
        let refs: Vec<_> = clips.iter().collect();
        let metric = PoseMetric::learn(&refs, &Default::default()).unwrap();
        let mut centres = Centres::new(PoseRows::with_capacity(&metric, 0));
        for clip in &clips[1..] {
            let rows = metric.rows(clip);
            for at in 0..rows.len() {
                centres.push(rows.row(at));
            }
        }
        for gone in (0..centres.len() as u32).step_by(7) {
            centres.remove(gone);
        }
        assert!(centres.index.is_some(), "few are looked at one by one");
        let queries = metric.rows(&clips[0]);
        let mut guess = None;
        for at in 0..queries.len() {
            let row = queries.row(at);
            let left = (0..centres.len()).filter(|c| c % 7 != 0);
            let all = left.map(|c| (c as u32, queries.distance_of(centres.rows.row(c), row)));
            let nearest = all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            let found = centres.nearest(row, guess).unwrap();
            // Both ways of adding up round differently.
            assert!(
                (found.1 - nearest.1).abs() < 1e-4,
                "{found:?} of {nearest:?}"
            );
            guess = Some(found.0);
        }
    }

    #[test]
    fn clusters_are_those_of_the_paper() {
        let clips: Vec<Clip> = (0..4).map(swinging).collect();
        let refs: Vec<_> = clips.iter().collect();
        let metric = PoseMetric::learn(&refs, &Default::default()).unwrap();
        let mut rows = PoseRows::with_capacity(&metric, 0);
        for clip in &clips {
            rows.extend(&metric.rows(clip));
        }
        let frames: Vec<usize> = (0..rows.len()).collect();
        for threshold in [0.3, 0.6, 1.2] {
            let mut centres = Centres::new(PoseRows::with_capacity(&metric, 0));
            let given: Vec<Option<&[f32]>> = frames.iter().map(|&f| Some(rows.row(f))).collect();
            let (labels, founders) = assign(&mut centres, &given, threshold);
            assert_eq!(
                labels,
                by_the_letter(&rows, &frames, threshold),
                "T {threshold}"
            );
            assert_eq!(founders.len(), centres.len());
            assert!(centres.len() > 2, "{} clusters", centres.len());
        }
    }
}
