//! The second algorithm of appendix B: much quicker on many poses, but tied to where it starts.
//!
//! Kernel and latent points take turns: the kernel is learned from the active poses alone, every other pose then looks
//! for its own latent point given those, and the active set is chosen anew in between.

use rayon::prelude::*;

use super::active::most_uncertain;
use super::fit::LatentFit;
use crate::jobs::Ticket;
use crate::style::StyleError;
use crate::style::gplvm::{Gplvm, GplvmParts, LatentTerms};

/// Rounds of taking turns; more change little.
const ROUNDS: usize = 6;

impl LatentFit {
    /// Takes turns between the kernel of the active poses and the latent points of all others.
    pub(super) fn take_turns(
        &mut self,
        n_active: usize,
        ticket: &Ticket,
    ) -> Result<(), StyleError> {
        for round in 0..ROUNDS {
            let picks = most_uncertain(self, n_active);
            let mut active = self.only(&picks);
            active.optimise_kernel(30)?;
            self.kernel = active.kernel;
            self.scales.clone_from(&active.scales);
            let picks = most_uncertain(self, n_active);
            self.place_others(&picks, ticket)?;
            self.normalise();
            ticket.step((round + 1) as f64 / ROUNDS as f64)?;
        }
        let picks = most_uncertain(self, n_active);
        let mut active = self.only(&picks);
        active.optimise_kernel(30)?;
        self.kernel = active.kernel;
        self.scales = active.scales;
        Ok(())
    }

    /// Every pose that is not active moves to its likeliest latent point given those that are (Eq. 3 over x).
    fn place_others(&mut self, picks: &[usize], ticket: &Ticket) -> Result<(), StyleError> {
        let model = self.only(picks).model(self.kernel)?;
        let (d, q) = (self.n_features(), self.n_latent);
        let rows = &self.rows;
        self.latent
            .par_chunks_mut(q)
            .enumerate()
            .filter(|(i, _)| !picks.contains(i))
            .try_for_each_init(LatentTerms::default, |terms, (i, x)| {
                ticket.check()?;
                let found = model.project_from(&rows[i * d..][..d], x, terms);
                x.copy_from_slice(&found.x);
                Ok::<(), StyleError>(())
            })
    }

    /// The model whose active poses are these.
    pub(super) fn model(self, smooth: crate::style::gplvm::Kernel) -> Result<Gplvm, StyleError> {
        Gplvm::from_parts(GplvmParts {
            n_latent: self.n_latent,
            latent: self.latent,
            features: self.rows,
            mean: self.mean,
            scales: self.scales,
            sharp: self.kernel,
            smooth,
        })
    }
}
