//! A network fitted to takes: one [`Conditional`] for every node.

use nalgebra::DMatrix;

use super::conditional::{Conditional, log_density};
use super::moments::{Moments, Past, RIDGE, Scratch};
use super::structure::Structure;
use crate::numerics::random::Stream;
use crate::variation::search::Folds;

/// The correlations of a node's own past are known as if this many frames more had shown those of all nodes: takes of few seconds
/// tell little about them.
const MEMORY_FRAMES: f64 = 20.0;
/// What is one number for each take stays for about this many takes when a motion goes on.
const LEVEL_TAKES: f64 = 3.0;

/// Coefficients of a full network are held back by as many observations: without that it is worse than none.
const FULL_RIDGE: f64 = 30.0;
/// From so many parents on a node is held back like that.
const MANY_PARENTS: usize = 12;

/// What a network is fitted to: takes in units of their spread, rows are frames, columns are nodes.
#[derive(Debug, Clone, Copy)]
pub(in crate::variation) struct Observed<'a> {
    pub(in crate::variation) takes: &'a [DMatrix<f64>],
    /// By node, whether it is one number for each take.
    pub(in crate::variation) is_level: &'a [bool],
}

impl Observed<'_> {
    /// The correlation of frames so far apart, over all nodes that are curves.
    fn correlation(&self, lag: usize) -> f64 {
        let (mut products, mut squares) = (0.0, 0.0);
        for take in self.takes {
            for (node, column) in column_slices(take).enumerate() {
                if self.is_level[node] {
                    continue;
                }
                let pairs = column.iter().zip(column.iter().skip(lag));
                let share = column.len() as f64 / (column.len() - lag).max(1) as f64;
                products += share * pairs.map(|(a, b)| a * b).sum::<f64>();
                squares += column.iter().map(|x| x * x).sum::<f64>();
            }
        }
        if squares > 0.0 {
            products / squares
        } else {
            0.0
        }
    }

    /// The correlations one and two frames apart.
    pub(in crate::variation) fn correlations(&self) -> [f64; 2] {
        [self.correlation(1), self.correlation(2)]
    }

    /// The share of an observation that is left when the mean of so many takes is known.
    pub(in crate::variation) fn share(&self) -> f64 {
        let n = self.takes.len() as f64;
        ((n - 1.0) / n).max(0.5)
    }
}

fn column_slices(take: &DMatrix<f64>) -> impl Iterator<Item = &[f64]> {
    take.as_slice().chunks_exact(take.nrows().max(1))
}

/// A dynamic Bayesian network over some nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    structure: Structure,
    nodes: Vec<Conditional>,
    /// The nodes, parents before children.
    order: Vec<usize>,
}

impl Network {
    /// Of conditionals that are known.
    pub fn new(nodes: Vec<Conditional>) -> Result<Self, crate::variation::LearnError> {
        let parents = nodes.iter().map(|node| node.parents.clone()).collect();
        let structure = Structure::from_parents(parents)?;
        Ok(Self {
            order: structure.order(),
            structure,
            nodes,
        })
    }

    /// Of nodes without parents.
    pub(in crate::variation) fn unlinked(nodes: Vec<Conditional>) -> Self {
        let structure = Structure::none(nodes.len());
        Self {
            order: structure.order(),
            structure,
            nodes,
        }
    }

    /// Fits all nodes to takes; takes left out say how far parents can be trusted.
    pub(in crate::variation) fn fit(
        observed: Observed<'_>,
        structure: &Structure,
        folds: &Folds,
    ) -> Self {
        let pooled = observed.correlations();
        let moments = Moments::of(observed.takes, Past::new(pooled), observed.share());
        let mut scratch = Scratch::default();
        let nodes = (0..structure.n_nodes())
            .map(|node| {
                let parents = structure.parents(node);
                let ridge = if parents.len() > MANY_PARENTS {
                    FULL_RIDGE
                } else {
                    RIDGE
                };
                let overfit = folds.overfit(node, parents, ridge, &mut scratch);
                let left = moments.regress(node, parents, ridge, &mut scratch);
                let coefficients = &scratch.solution;
                let u = residuals(observed.takes, node, parents, coefficients);
                let seen = |far: usize| {
                    let sums = &moments.ahead[far];
                    sums.residual(node, parents, coefficients) / sums.count + 1e-6
                };
                fit_node(
                    (parents, coefficients),
                    &u,
                    overfit * 0.5 * (left[0] / seen(0) + left[1] / seen(1)),
                    pooled,
                    observed.is_level[node],
                )
            })
            .collect();
        Self {
            order: structure.order(),
            structure: structure.clone(),
            nodes,
        }
    }

    /// Who depends on whom.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The conditional distribution of one node.
    pub fn node(&self, node: usize) -> &Conditional {
        &self.nodes[node]
    }

    /// The conditional distributions of all nodes.
    pub fn nodes(&self) -> &[Conditional] {
        &self.nodes
    }

    /// The order of sampling: parents before children.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// What is left of a row when parents have told what they tell: `u` from `s`.
    pub fn own_parts(&self, row: &[f64]) -> Vec<f64> {
        let nodes = self.nodes.iter().zip(row);
        nodes
            .map(|(node, s)| s - node.told_by_parents(row))
            .collect()
    }

    /// A row put together again: `s` from `u`.
    pub fn assemble(&self, own_parts: &[f64], row: &mut [f64]) {
        for &node in &self.order {
            row[node] = own_parts[node] + self.nodes[node].told_by_parents(row);
        }
    }

    /// The next `u` of every node after the rows before, the last one first; and the prior network, if there are fewer than two.
    pub fn draw(&self, past: &[&[f64]], stream: &mut Stream) -> Vec<f64> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .map(|(node, conditional)| {
                let own: Vec<f64> = past.iter().take(2).map(|row| row[node]).collect();
                conditional.draw(&own, stream)
            })
            .collect()
    }

    /// Log-density of every value of a motion, each given the frames up to `ahead` frames before it; with 0 given nothing of
    /// before. Rows are frames; the first ones, which have no such past, are judged without it.
    pub fn log_likelihood(&self, motion: &DMatrix<f64>, ahead: usize) -> DMatrix<f64> {
        let mut own = DMatrix::zeros(motion.nrows(), motion.ncols());
        for frame in 0..motion.nrows() {
            let row: Vec<f64> = motion.row(frame).iter().copied().collect();
            for (node, u) in self.own_parts(&row).into_iter().enumerate() {
                own[(frame, node)] = u;
            }
        }
        DMatrix::from_fn(motion.nrows(), motion.ncols(), |frame, node| {
            let conditional = &self.nodes[node];
            let u = own[(frame, node)];
            let known = frame.checked_sub(ahead).filter(|_| ahead > 0);
            let (mean, variance) = match known {
                Some(last) if last > 0 => {
                    conditional.ahead([own[(last, node)], own[(last - 1, node)]], ahead)
                }
                Some(last) if ahead == 1 => conditional.given(&[own[(last, node)]]),
                _ => conditional.given(&[]),
            };
            log_density(u - mean, variance)
        })
    }

    /// The mean log-density that values drawn from this network have, given the frame before.
    pub fn expected_log_likelihood(&self) -> f64 {
        let each = self.nodes.iter().map(|node| {
            -0.5 * (std::f64::consts::TAU * std::f64::consts::E * node.innovation).ln()
        });
        each.sum::<f64>() / self.nodes.len().max(1) as f64
    }

    /// The correlation of a node with a parent when all its other parents are known: what an edge stands for.
    pub fn partial_correlation(&self, from: usize, to: usize) -> f64 {
        let node = &self.nodes[to];
        let at = node.parents.iter().position(|&p| p == from);
        let coefficient = at.map_or(0.0, |at| node.coefficients[at]);
        let others: Vec<usize> = node
            .parents
            .iter()
            .copied()
            .filter(|&p| p != from)
            .collect();
        let spread = self.variance_given(from, &others);
        let told = coefficient * coefficient * spread;
        coefficient.signum() * (told / (told + node.variance)).sqrt()
    }

    /// Variance of a node within a frame.
    fn variance_given(&self, node: usize, known: &[usize]) -> f64 {
        let covariance = self.covariance();
        let mut rest = covariance[(node, node)];
        if !known.is_empty() {
            let among = DMatrix::from_fn(known.len(), known.len(), |a, b| {
                covariance[(known[a], known[b])] + if a == b { 1e-9 } else { 0.0 }
            });
            let with = DMatrix::from_fn(known.len(), 1, |a, _| covariance[(known[a], node)]);
            if let Some(factor) = among.cholesky() {
                rest -= (with.transpose() * factor.solve(&with))[(0, 0)];
            }
        }
        rest.max(1e-9)
    }

    /// Covariance of all nodes within a frame.
    pub fn covariance(&self) -> DMatrix<f64> {
        let n = self.nodes.len();
        // Row by row what a unit of each `u` adds to `s`.
        let mut mixing = DMatrix::<f64>::zeros(n, n);
        for &node in &self.order {
            mixing[(node, node)] = 1.0;
            let conditional = &self.nodes[node];
            for (&parent, c) in conditional.parents.iter().zip(&conditional.coefficients) {
                let told = mixing.row(parent) * *c;
                let mut row = mixing.row_mut(node);
                row += told;
            }
        }
        let mut scaled = mixing.clone();
        for (node, mut column) in scaled.column_iter_mut().enumerate() {
            column *= self.nodes[node].variance;
        }
        scaled * mixing.transpose()
    }
}

/// `u` of a node in every take.
fn residuals(
    takes: &[DMatrix<f64>],
    node: usize,
    parents: &[usize],
    coefficients: &[f64],
) -> Vec<Vec<f64>> {
    takes
        .iter()
        .map(|take| {
            let mut u: Vec<f64> = take.column(node).iter().copied().collect();
            for (&parent, c) in parents.iter().zip(coefficients) {
                for (u, x) in u.iter_mut().zip(take.column(parent).iter()) {
                    *u -= c * x;
                }
            }
            u
        })
        .collect()
}

/// `lost` is how much larger the variance is than what is seen, for the observations that parents used up.
fn fit_node(
    (parents, coefficients): (&[usize], &[f64]),
    u: &[Vec<f64>],
    lost: f64,
    pooled: [f64; 2],
    is_level: bool,
) -> Conditional {
    let n: usize = u.iter().map(Vec::len).sum();
    let moment = |lag: usize| {
        let products = u.iter().flat_map(|u| u.iter().zip(&u[lag.min(u.len())..]));
        let n_pairs: usize = u.iter().map(|u| u.len().saturating_sub(lag)).sum();
        products.map(|(a, b)| a * b).sum::<f64>() / n_pairs.max(1) as f64
    };
    let variance = moment(0) + 1e-6;
    let (parents, coefficients) = (parents.to_vec(), coefficients.to_vec());
    if is_level {
        let frames = n as f64 / u.len().max(1) as f64;
        let stays = |lag: f64| (-lag / (LEVEL_TAKES * frames)).exp();
        return Conditional::new(parents, coefficients, variance, [stays(1.0), stays(2.0)]);
    }
    let shrunk = |lag: usize| {
        let own = moment(lag) / variance;
        (n as f64 * own + MEMORY_FRAMES * pooled[lag - 1]) / (n as f64 + MEMORY_FRAMES)
    };
    let correlations = [shrunk(1), shrunk(2)];
    Conditional::new(parents, coefficients, variance * lost, correlations)
}
