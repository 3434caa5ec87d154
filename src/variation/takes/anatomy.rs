//! Where degrees of freedom sit on the body: which limb, how many joints apart, and which of them carry the body about.
//!
//! The network itself knows only columns of numbers. Edges inside a limb are likelier than edges across the body, the
//! spread of a limb's joints is much alike, and the body's path is the sum of its speeds: that is all it is told.

use crate::motion::DofChart;
use crate::motion::chart::{DofKind, Region};

/// A speed of the body over the ground, or the rate at which it turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Its column; none if it is held at its mean.
    pub dof: Option<usize>,
    /// What a value of 0 stands for, per second.
    pub mean: f64,
    /// What a value of 1 stands for beyond that, per second.
    pub scale: f64,
}

/// Where degrees of freedom sit on the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Anatomy {
    /// By degree of freedom, its limb.
    pub(in crate::variation) limbs: Vec<usize>,
    /// By pair of degrees of freedom, the joints from one to the other.
    hops: Vec<u8>,
    /// Forward, to the left, and turning to the left; none for what has no path, such as strokes.
    pub(in crate::variation) rates: Option<[Rate; 3]>,
}

impl Anatomy {
    /// One limb without a path.
    pub fn plain(n_dofs: usize) -> Self {
        Self {
            limbs: vec![0; n_dofs],
            hops: vec![0; n_dofs * n_dofs],
            rates: None,
        }
    }

    /// The body of a chart. Trunk, head and root count as one limb.
    pub fn of(chart: &DofChart) -> Self {
        let dofs = chart.dofs();
        let skeleton = chart.skeleton();
        let trunk = |region: Region| matches!(region, Region::Root | Region::Spine | Region::Head);
        let mut parts = Vec::new();
        let limbs = dofs
            .iter()
            .map(|dof| {
                let part = (!trunk(dof.part.region)).then_some(dof.part);
                parts.iter().position(|p| *p == part).unwrap_or_else(|| {
                    parts.push(part);
                    parts.len() - 1
                })
            })
            .collect();
        let chains: Vec<Vec<usize>> = dofs
            .iter()
            .map(|dof| skeleton.ancestors(dof.joint).collect())
            .collect();
        let apart = |a: &[usize], b: &[usize]| {
            let shared = a.iter().filter(|joint| b.contains(joint)).count();
            (a.len() + b.len() - 2 * shared).min(usize::from(u8::MAX)) as u8
        };
        let hops = chains
            .iter()
            .flat_map(|a| chains.iter().map(move |b| apart(a, b)))
            .collect();
        let kinds = [
            DofKind::ForwardSpeed,
            DofKind::SidewaysSpeed,
            DofKind::TurnRate,
        ];
        let rates = std::array::from_fn(|at| {
            let found = dofs.iter().position(|dof| dof.kind == kinds[at]);
            Rate {
                dof: found,
                mean: found.map_or(chart.parts().held[at], |dof| dofs[dof].mean),
                scale: found.map_or(1.0, |dof| dofs[dof].scale),
            }
        });
        Self {
            limbs,
            hops,
            rates: Some(rates),
        }
    }

    /// Joints between two degrees of freedom.
    pub(in crate::variation) fn hops(&self, a: usize, b: usize) -> usize {
        usize::from(self.hops[a * self.limbs.len() + b])
    }

    /// Which of the rates a degree of freedom is: 0 forward, 1 to the left, 2 turning.
    pub(in crate::variation) fn rate_of(&self, dof: usize) -> Option<usize> {
        let rates = self.rates.as_ref()?;
        rates.iter().position(|rate| rate.dof == Some(dof))
    }
}
