//! Random numbers that are named, not drawn from a common pot.
//!
//! A [`Stream`] is named by a seed and counters (clip number, variant number). The same name always gives the same
//! numbers, on every machine and in every version of this program, whatever threads did before; so a motion that
//! somebody liked can be made again from its name.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, 2021) of `rand_xoshiro`, which promises value-stable streams,
//! keyed through the `SplitMix64` finaliser (Steele, Lea and Flood, 2014). Uniform and normal variates are worked out
//! here: `rand` keeps the right to change how its distributions use a generator, and logarithm and cosine come from
//! `libm` because the last bit of those of the platforms differs. Good for statistics; not meant for secrets.

use std::convert::Infallible;

use rand::rand_core::TryRng;
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A sequence of random numbers with a name. Any distribution of `rand` can draw from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

/// The odd number nearest to 2^64 divided by the golden ratio: steps of this size spread evenly over all words.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Stream {
    /// The stream of this name. Counters in another order, or one more of them, name an unrelated stream.
    pub fn named(seed: u64, counters: &[u64]) -> Self {
        let mut key = scramble(seed.wrapping_add(GOLDEN));
        for &counter in counters {
            // The multiplication makes the place of a counter matter, the scrambling all of its bits.
            key = scramble(key.wrapping_mul(GOLDEN) ^ scramble(counter.wrapping_add(GOLDEN)));
        }
        let mut state = [0; 32];
        for word in state.chunks_exact_mut(8) {
            key = key.wrapping_add(GOLDEN);
            word.copy_from_slice(&scramble(key).to_le_bytes());
        }
        let generator = Xoshiro256PlusPlus::from_seed(state);
        Self { generator }
    }

    /// All 64 bits equally likely.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// From 0 up to, but never, 1.
    pub fn uniform(&mut self) -> f64 {
        // 53 bits are what a number between 0 and 1 can hold evenly.
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Evenly between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// A whole number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        // The high half of the product is even to within n / 2^64, far below anything that could be counted.
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// The standard normal distribution (Box and Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        // 1 - u is never 0, so the logarithm is finite.
        let radius = (-2.0 * libm::log(1.0 - self.uniform())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    /// The standard normal distribution within `limit` standard deviations; what falls outside is drawn again.
    ///
    /// Limits below 0.1 are taken as 0.1, so that this ends soon.
    pub fn normal_within(&mut self, limit: f64) -> f64 {
        let limit = limit.max(0.1);
        loop {
            let value = self.normal();
            if value.abs() <= limit {
                return value;
            }
        }
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.generator.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.generator.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.generator.try_fill_bytes(bytes)
    }
}

/// Every bit of the input changes about half of the bits of the output; one to one.
const fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_for_ever() {
        // Written down once: if these change, every motion that was kept by its seed changes.
        let mut stream = Stream::named(1, &[2, 3]);
        let first = [stream.bits(), stream.bits()];
        assert_eq!(first, FIRST_OF_1_2_3);
    }

    /// Worked out once by a separate program from the definitions of generator and key.
    const FIRST_OF_1_2_3: [u64; 2] = [12378499244020935472, 8920303531745173747];

    #[test]
    fn a_distribution_of_rand_draws_from_a_stream() {
        use rand::RngExt as _;
        let mut stream = Stream::named(1, &[2, 3]);
        // The high 53 bits of the first number, as `uniform` takes them.
        assert_eq!(stream.clone().random::<f64>(), stream.uniform());
        assert!((1..=6).contains(&stream.random_range(1..=6)), "a die");
    }

    #[test]
    fn other_names_are_other_streams() {
        let names: [(u64, &[u64]); 8] = [
            (0, &[]),
            (0, &[0]),
            (0, &[0, 0]),
            (1, &[]),
            (1, &[0]),
            (0, &[1]),
            (1, &[2]),
            (2, &[1]),
        ];
        let mut seen: Vec<u64> = names
            .iter()
            .map(|(seed, counters)| Stream::named(*seed, counters).bits())
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), names.len());
    }

    #[test]
    fn neighbouring_streams_are_not_alike() {
        // First numbers of neighbouring clips: as independent as numbers of one stream.
        let n = 4000;
        let values: Vec<f64> = (0..n)
            .map(|clip| Stream::named(7, &[clip]).normal())
            .collect();
        let next: f64 = values.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n as f64;
        assert!(next.abs() < 4.0 / (n as f64).sqrt(), "correlation {next}");
    }

    #[test]
    fn numbers_are_spread_as_they_say() {
        let mut stream = Stream::named(3, &[]);
        let n = 20_000;
        let normal: Vec<f64> = (0..n).map(|_| stream.normal()).collect();
        let moment = |k: i32| normal.iter().map(|x| x.powi(k)).sum::<f64>() / f64::from(n);
        // Four standard errors of each moment of a standard normal sample.
        let error = 4.0 / f64::from(n).sqrt();
        assert!(moment(1).abs() < error, "mean {}", moment(1));
        assert!((moment(2) - 1.0).abs() < error * 2.0_f64.sqrt(), "variance");
        assert!((moment(4) - 3.0).abs() < error * 96.0_f64.sqrt(), "tails");
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[stream.below(7)] += 1;
        }
        assert!(counts.iter().all(|c| (880..1120).contains(c)), "{counts:?}");
        assert_eq!(stream.below(0), 0);
        for _ in 0..1000 {
            assert!((2.0..3.0).contains(&stream.between(2.0, 3.0)), "outside");
            assert!(stream.normal_within(1.0).abs() <= 1.0, "outside");
        }
    }
}
