//! Takes left out in turn (Eqs. 3 and 4): what a structure is judged by.

use nalgebra::DMatrix;

use crate::variation::network::moments::{Moments, Past, RIDGE, Scratch};

/// With more takes than these, several are left out together.
const MOST_FOLDS: usize = 8;

/// Takes that are learned from and takes that are judged, as sums of products.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Fold {
    learned: Moments,
    judged: Moments,
}

/// All folds of a cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Folds {
    folds: Vec<Fold>,
    n_nodes: usize,
}

impl Folds {
    /// Of residuals that `learn` and `judge` make: takes that are learned from, measured from their own mean, and the takes left
    /// out, measured from that mean as well.
    pub(in crate::variation) fn leaving_out(
        n_takes: usize,
        past: Past,
        split: impl Fn(&[usize], &[usize]) -> (Vec<DMatrix<f64>>, Vec<DMatrix<f64>>),
    ) -> Self {
        let n_folds = n_takes.min(MOST_FOLDS);
        let folds = (0..n_folds)
            .map(|fold| {
                let is_out = |take: &usize| take % n_folds == fold;
                let (out, others): (Vec<usize>, Vec<usize>) = (0..n_takes).partition(is_out);
                let (learned, judged) = split(&others, &out);
                let n = others.len() as f64;
                Fold {
                    learned: Moments::of(&learned, past, (n - 1.0) / n),
                    judged: Moments::of(&judged, past, 1.0),
                }
            })
            .collect::<Vec<Fold>>();
        Self::of(folds)
    }

    /// Two takes differ from their mean in one way only, so none can be left out: the halves of that are judged by each other.
    pub(in crate::variation) fn halves(take: &DMatrix<f64>, past: Past) -> Self {
        let half = take.nrows() / 2;
        let parts = [
            take.rows(0, half).into_owned(),
            take.rows(half, take.nrows() - half).into_owned(),
        ];
        let moments = |part: &DMatrix<f64>| Moments::of(std::slice::from_ref(part), past, 1.0);
        let fold = |a: usize, b: usize| Fold {
            learned: moments(&parts[a]),
            judged: moments(&parts[b]),
        };
        Self::of(vec![fold(0, 1), fold(1, 0)])
    }

    fn of(folds: Vec<Fold>) -> Self {
        let n_nodes = folds.first().map_or(0, |fold| fold.learned.n_nodes());
        Self { folds, n_nodes }
    }

    pub(in crate::variation) fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// Values that are judged of every node.
    pub(in crate::variation) fn count(&self) -> f64 {
        let near = self.folds.iter().map(|fold| fold.judged.ahead[0].count);
        near.sum()
    }

    /// By how much takes left out are further off than parents promise, beyond what they are without parents: what parents that seemed to
    /// help by chance cost. The mean of one
    /// frame ahead and two.
    pub(in crate::variation) fn overfit(
        &self,
        node: usize,
        parents: &[usize],
        ridge: f64,
        scratch: &mut Scratch,
    ) -> f64 {
        let mut off = |parents: &[usize]| {
            let (mut rests, mut counts) = ([0.0; 2], [0.0; 2]);
            for fold in &self.folds {
                let variances = fold.learned.regress(node, parents, ridge, scratch);
                for (far, variance) in variances.into_iter().enumerate() {
                    let judged = &fold.judged.ahead[far];
                    let rest = judged.residual(node, parents, &scratch.solution);
                    rests[far] += rest.max(0.0) / variance;
                    counts[far] += judged.count;
                }
            }
            [0, 1].map(|far| rests[far] / counts[far].max(1.0))
        };
        let (with, without) = (off(parents), off(&[]));
        let [near, far] = [0, 1].map(|far| (with[far] / without[far].max(1e-9)).max(1.0));
        0.5 * (near + far)
    }

    /// Log-likelihood of a node given these parents in takes left out, each with what is learned from the others: the mean of what it
    /// is one frame ahead and two. Edges that hold from one frame to the next only lead astray further on.
    pub(in crate::variation) fn family(
        &self,
        node: usize,
        parents: &[usize],
        scratch: &mut Scratch,
    ) -> f64 {
        let mut sum = 0.0;
        for fold in &self.folds {
            let variances = fold.learned.regress(node, parents, RIDGE, scratch);
            for (judged, variance) in fold.judged.ahead.iter().zip(variances) {
                let rest = judged.residual(node, parents, &scratch.solution);
                let per_value = (std::f64::consts::TAU * variance).ln();
                sum -= 0.5 * (judged.count * per_value + rest / variance);
            }
        }
        sum / 2.0
    }
}
