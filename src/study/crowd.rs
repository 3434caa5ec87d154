//! A crowd: who plays which clip from when on.
//!
//! Everybody plays clips one after the other for ever, each from a moment of its own. With variants nobody plays what
//! another one plays, as long as there are enough ([`varied_orders`]); in cycle animation everybody draws from the same
//! few ([`cycle_orders`]), which is what gives a crowd away (McDonnell et al. 2008). One clip goes over into the next
//! while both play.

use super::sequences::{cycle_orders, varied_orders};
use crate::numerics::random::Stream;

/// The fewest that make a crowd.
pub const FEWEST: usize = 20;
/// The most that are shown.
pub const MOST: usize = 500;
/// Clips that somebody plays before they come again.
const PLAYLIST: usize = 8;
/// So long one clip goes over into the next, if they last long enough.
const OVERLAP_SECS: f64 = 0.25;
/// No more than this share of a clip goes over into another on either side.
const OVERLAP_SHARE: f64 = 0.3;

/// How clips are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Casting {
    /// No clip twice before all have been played.
    Varied,
    /// Each drawn from all, whatever others play.
    Cycled,
}

/// What somebody plays at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playing {
    /// Index of the clip.
    pub clip: usize,
    /// The time since its start.
    pub secs: f64,
    /// The one it goes over into, its seconds, and how much of it is seen.
    pub next: Option<(usize, f64, f64)>,
}

/// The clips of one member of a crowd, again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Playlist {
    /// Clips with the moments at which they begin; rising.
    entries: Vec<(usize, f64)>,
    /// How long it goes over from each into the next.
    overlaps: Vec<f64>,
    /// From the beginning of the first to where it begins again.
    secs: f64,
    /// Where it stands when the crowd begins.
    phase_secs: f64,
}

impl Playlist {
    /// Of clips in this order that last so long; at least one, all over zero.
    fn new(order: &[usize], clip_secs: &[f64], phase: f64) -> Self {
        let n = order.len();
        let of = |at: usize| clip_secs[order[at % n]];
        let overlap = |at: usize| OVERLAP_SECS.min(OVERLAP_SHARE * of(at).min(of(at + 1)));
        let overlaps: Vec<f64> = (0..n).map(overlap).collect();
        let mut entries = Vec::with_capacity(n);
        let mut from = 0.0;
        for (at, &clip) in order.iter().enumerate() {
            entries.push((clip, from));
            from += of(at) - overlaps[at];
        }
        Self {
            entries,
            overlaps,
            secs: from,
            phase_secs: phase * from,
        }
    }

    /// The same over a list of clips in which those of this one begin at a later number.
    #[must_use]
    pub fn numbered_from(mut self, first: usize) -> Self {
        for (clip, _) in &mut self.entries {
            *clip += first;
        }
        self
    }

    /// What is played so many seconds after the crowd began; time may also run backwards.
    pub fn at(&self, secs: f64) -> Playing {
        let now = (secs + self.phase_secs).rem_euclid(self.secs);
        let after = self.entries.partition_point(|(_, from)| *from <= now);
        let at = after.max(1) - 1;
        let (clip, from) = self.entries[at];
        let next_from = self.entries.get(at + 1).map_or(self.secs, |next| next.1);
        // The last part of what came before is still seen.
        let before = (at + self.entries.len() - 1) % self.entries.len();
        let (since, overlap) = (now - from, self.overlaps[before]);
        if since < overlap {
            let (old, old_from) = self.entries[before];
            let old_end = if at == 0 { self.secs } else { from };
            let share = since / overlap;
            return Playing {
                clip: old,
                secs: old_end - old_from + since,
                next: Some((clip, since, share * share * (3.0 - 2.0 * share))),
            };
        }
        debug_assert!(now <= next_from, "within the entry");
        Playing {
            clip,
            secs: since,
            next: None,
        }
    }

    /// The clip that is seen most of at a moment.
    pub fn clip_at(&self, secs: f64) -> usize {
        match self.at(secs) {
            Playing {
                next: Some((next, _, share)),
                ..
            } if share >= 0.5 => next,
            playing => playing.clip,
        }
    }
}

/// The playlists of a crowd over clips that last so long; none if there are no clips.
pub fn playlists(casting: Casting, clip_secs: &[f64], members: usize, seed: u64) -> Vec<Playlist> {
    if clip_secs.is_empty() || clip_secs.iter().any(|secs| secs.is_nan() || *secs <= 0.0) {
        return Vec::new();
    }
    let n = clip_secs.len();
    let orders = match casting {
        // Column by column: at any time others play other clips.
        Casting::Varied => {
            let columns = varied_orders(n, members, PLAYLIST, seed);
            let row = |member: usize| columns.iter().map(|column| column[member]).collect();
            (0..members).map(row).collect()
        }
        Casting::Cycled => cycle_orders(n, PLAYLIST, members, seed),
    };
    let mut stream = Stream::named(seed, &[0xC20D]);
    let orders = orders.iter();
    orders
        .map(|order: &Vec<usize>| Playlist::new(order, clip_secs, stream.uniform()))
        .collect()
}

/// For each member whether somebody else plays the same: `clips` are what each plays, and equal numbers are the same
/// motion to the eye.
pub fn repeated(clips: &[usize]) -> Vec<bool> {
    let n = clips.iter().max().map_or(0, |most| most + 1);
    let mut counts = vec![0_u32; n];
    for &clip in clips {
        counts[clip] += 1;
    }
    clips.iter().map(|&clip| counts[clip] > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_plays_what_another_plays_while_there_are_enough_variants() {
        let secs: Vec<f64> = (0..200).map(|i| 1.0 + 0.002 * f64::from(i)).collect();
        let varied = playlists(Casting::Varied, &secs, 100, 7);
        let cycled = playlists(Casting::Cycled, &secs[..4], 100, 7);
        assert_eq!((varied.len(), cycled.len()), (100, 100));
        // Phases differ by whole playlists, so what two begin with may meet later; entries of one column never do.
        for column in 0..PLAYLIST {
            let clips: Vec<usize> = varied.iter().map(|p| p.entries[column].0).collect();
            assert!(!repeated(&clips).contains(&true), "column {column}");
        }
        let now: Vec<usize> = cycled.iter().map(|p| p.clip_at(3.0)).collect();
        assert!(!repeated(&now).contains(&false), "four clips for a hundred");
        assert_eq!(
            playlists(Casting::Varied, &secs, 100, 7),
            varied,
            "same seed"
        );
        assert_ne!(playlists(Casting::Varied, &secs, 100, 8), varied, "another");
        assert!(playlists(Casting::Cycled, &[], 9, 1).is_empty(), "no clips");
        assert!(
            playlists(Casting::Cycled, &[0.0], 9, 1).is_empty(),
            "no time"
        );
    }

    #[test]
    fn clips_go_over_into_each_other_without_a_gap() {
        let secs = [1.0, 0.4, 2.5];
        for playlist in playlists(Casting::Cycled, &secs, 30, 3) {
            let mut last: Option<Playing> = None;
            for step in -200..2000 {
                let now = playlist.at(0.01 * f64::from(step));
                assert!((0.0..=secs[now.clip] + 1e-9).contains(&now.secs), "{now:?}");
                if let Some((next, at, share)) = now.next {
                    assert!((0.0..=1.0).contains(&share), "{now:?}");
                    assert!((0.0..=secs[next]).contains(&at), "{now:?}");
                }
                // What is seen most goes on by one step, or another clip begins while both are seen.
                if let Some(last) = last.replace(now)
                    && last.next.is_none()
                    && now.next.is_none()
                {
                    assert_eq!(now.clip, last.clip, "{last:?} to {now:?}");
                    assert!((now.secs - last.secs - 0.01).abs() < 1e-9, "{now:?}");
                }
            }
        }
    }
}
