//! What a network says when some nodes are given at all times: exact inference.
//!
//! All conditionals are linear and Gaussian, so the nodes that are not given are jointly Gaussian, too. Their precision matrix has
//! entries only between frames that are at most two apart, so factor and draw cost time in proportion to the frames.

use nalgebra::DMatrix;

use super::fit::Network;
use crate::numerics::banded::{Banded, BandedFactor};
use crate::numerics::cholesky::NotPositive;
use crate::numerics::random::Stream;

/// One residual of the joint density, `(sum of weight * s - constant)^2`: times back, node, weight.
struct Term {
    back: usize,
    node: usize,
    weight: f64,
}

/// A network with some nodes given, over a number of frames. Factored once, then any values may be given.
#[derive(Debug, Clone)]
pub(in crate::variation) struct Given {
    network: Network,
    is_given: Vec<bool>,
    /// By node its place among those that are drawn.
    places: Vec<Option<usize>>,
    n_free: usize,
    n_frames: usize,
    has_past: bool,
    factor: BandedFactor,
}

/// The last two `u` of every node before the first frame, the later one first.
pub(in crate::variation) type Past<'a> = [&'a [f64]; 2];

impl Given {
    /// With a past the first frame follows two known ones; without, it is drawn as the prior network says.
    pub(in crate::variation) fn new(
        network: &Network,
        is_given: &[bool],
        n_frames: usize,
        has_past: bool,
    ) -> Result<Self, NotPositive> {
        let mut n_free = 0;
        let places: Vec<Option<usize>> = is_given
            .iter()
            .map(|given| {
                (!given).then(|| {
                    n_free += 1;
                    n_free - 1
                })
            })
            .collect();
        let mut precision = Banded::zeros(n_frames * n_free, (3 * n_free).saturating_sub(1));
        for frame in 0..n_frames {
            for node in 0..network.nodes().len() {
                let terms = terms(network, node, frame, has_past);
                let free = |term: &Term| {
                    let place = places[term.node]?;
                    Some((
                        (frame.checked_sub(term.back)?) * n_free + place,
                        term.weight,
                    ))
                };
                let free: Vec<(usize, f64)> = terms.iter().filter_map(free).collect();
                for (i, (row, a)) in free.iter().enumerate() {
                    for (column, b) in &free[..=i] {
                        precision.add(*row, *column, a * b);
                    }
                }
            }
        }
        Ok(Self {
            network: network.clone(),
            is_given: is_given.to_vec(),
            places,
            n_free,
            n_frames,
            has_past,
            factor: precision.factor()?,
        })
    }

    /// Frames that are drawn together.
    pub(in crate::variation) fn n_frames(&self) -> usize {
        self.n_frames
    }

    /// Whether it follows frames that are known.
    pub(in crate::variation) fn has_past(&self) -> bool {
        self.has_past
    }

    /// Values of all nodes, where the columns of those that are given are known: their mean, or a draw.
    pub(in crate::variation) fn draw(
        &self,
        values: &DMatrix<f64>,
        past: Option<Past<'_>>,
        stream: Option<&mut Stream>,
    ) -> DMatrix<f64> {
        let mut right = vec![0.0; self.n_frames * self.n_free];
        for frame in 0..self.n_frames {
            for node in 0..self.is_given.len() {
                let terms = terms(&self.network, node, frame, self.has_past);
                let mut known = self.told_by_past(node, frame, past, &terms);
                for term in &terms {
                    if let (true, Some(at)) =
                        (self.is_given[term.node], frame.checked_sub(term.back))
                    {
                        known += term.weight * values[(at, term.node)];
                    }
                }
                for term in &terms {
                    if let (Some(place), Some(at)) =
                        (self.places[term.node], frame.checked_sub(term.back))
                    {
                        right[at * self.n_free + place] -= term.weight * known;
                    }
                }
            }
        }
        self.factor.solve_lower(&mut right);
        if let Some(stream) = stream {
            for x in &mut right {
                *x += stream.normal();
            }
        }
        self.factor.solve_upper(&mut right);
        let mut made = values.clone();
        for (node, place) in self.places.iter().enumerate() {
            if let Some(place) = place {
                for frame in 0..self.n_frames {
                    made[(frame, node)] = right[frame * self.n_free + place];
                }
            }
        }
        made
    }

    /// What frames before the first add to a residual.
    fn told_by_past(
        &self,
        node: usize,
        frame: usize,
        past: Option<Past<'_>>,
        terms: &[Term],
    ) -> f64 {
        let Some(past) = past.filter(|_| self.has_past) else {
            return 0.0;
        };
        // Of the node itself, weights by times back are those of `u`.
        let own = terms.iter().filter(|term| term.node == node);
        own.filter(|term| term.back > frame)
            .map(|term| term.weight * past[term.back - frame - 1][node])
            .sum()
    }
}

/// The residual of one node at one frame in units of its noise.
fn terms(network: &Network, node: usize, frame: usize, has_past: bool) -> Vec<Term> {
    let conditional = network.node(node);
    let [a, b] = conditional.memory;
    let weights: [f64; 3] = match frame {
        0 if !has_past => [conditional.variance.sqrt().recip(), 0.0, 0.0],
        1 if !has_past => {
            let r1 = conditional.first_correlation();
            let per = (conditional.variance * (1.0 - r1 * r1)).sqrt().recip();
            [per, -r1 * per, 0.0]
        }
        _ => {
            let per = conditional.innovation.sqrt().recip();
            [per, -a * per, -b * per]
        }
    };
    let mut terms = Vec::new();
    for (back, weight) in weights.into_iter().enumerate() {
        if weight == 0.0 || (!has_past && back > frame) {
            continue;
        }
        terms.push(Term { back, node, weight });
        // Before the first frame `u` itself is known.
        if back > frame {
            continue;
        }
        for (&parent, c) in conditional.parents.iter().zip(&conditional.coefficients) {
            terms.push(Term {
                back,
                node: parent,
                weight: -c * weight,
            });
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::super::conditional::Conditional;
    use super::*;

    /// A chain of three nodes with memory.
    fn chain() -> Network {
        let node = |parents: Vec<usize>, c: Vec<f64>| Conditional::new(parents, c, 1.0, [0.6, 0.3]);
        Network::new(vec![
            node(vec![], vec![]),
            node(vec![0], vec![0.8]),
            node(vec![1], vec![-0.5]),
        ])
        .unwrap()
    }

    #[test]
    fn given_a_child_the_parent_is_what_bayes_says() {
        // With memory alike, parent and child are correlated at equal times only: E[s0 | s1] = 0.8 / 1.64 s1.
        let network = chain();
        let given = Given::new(&network, &[false, true, false], 8, false).unwrap();
        let values = DMatrix::from_fn(8, 3, |t, n| if n == 1 { (t as f64).cos() } else { 0.0 });
        let mean = given.draw(&values, None, None);
        for t in 0..8 {
            let told = values[(t, 1)];
            assert!((mean[(t, 0)] - 0.8 / 1.64 * told).abs() < 1e-9, "parent");
            assert!((mean[(t, 2)] + 0.5 * told).abs() < 1e-9, "child");
            assert_eq!(mean[(t, 1)], told, "what is given stays");
        }
    }

    #[test]
    fn draws_scatter_about_the_mean_as_they_should() {
        let network = chain();
        let given = Given::new(&network, &[false, true, false], 5, false).unwrap();
        let values = DMatrix::from_element(5, 3, 0.5);
        let mean = given.draw(&values, None, None);
        let mut stream = Stream::named(5, &[]);
        let n = 4000;
        let (mut off, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let drawn = given.draw(&values, None, Some(&mut stream));
            let d = drawn[(3, 0)] - mean[(3, 0)];
            off += d / f64::from(n);
            squares += d * d / f64::from(n);
        }
        // Var[s0 | s1] = 1 - 0.8^2 / 1.64.
        let meant = 1.0 - 0.64 / 1.64;
        assert!(off.abs() < 0.05, "{off}");
        assert!((squares - meant).abs() < 0.05, "{squares} for {meant}");
    }

    #[test]
    fn frames_follow_a_past_that_is_known() {
        let network = chain();
        let given = Given::new(&network, &[false, false, true], 3, true).unwrap();
        let values = DMatrix::zeros(3, 3);
        let (last, before) = ([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        let mean = given.draw(&values, Some([&last, &before]), None);
        let [a, b] = network.node(0).memory;
        let free = Given::new(&network, &[false; 3], 3, true).unwrap();
        let alone = free.draw(&values, Some([&last, &before]), None);
        assert!((alone[(0, 0)] - (2.0 * a + b)).abs() < 1e-9, "goes on");
        assert!(mean[(0, 0)].abs() < alone[(0, 0)].abs(), "and is held back");
    }
}
