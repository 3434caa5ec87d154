//! Broken and malicious files of every format that is read: thousands of mutations of good ones, and some giants.
//!
//! Whatever the bytes, the reader must come back with a value or an error: no panic, no long wait, no memory out of
//! proportion; and what it accepts must be of use without a panic. A binary of its own, because it counts every
//! allocation. The usual run breaks 75 000 files of 21 formats, which takes 40 s unoptimised on a busy machine;
//! `KINFOLK_HOSTILE_CASES` sets the number of cases for each format. A failure names its case and keeps the file, and
//! `KINFOLK_HOSTILE_FIRST` starts there. Files that once broke a reader lie in `tests/data/hostile` and are always read
//! first.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and says what it measured"
)]

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

#[path = "hostile/bvh.rs"]
mod bvh;
#[path = "hostile/dice.rs"]
mod dice;
#[path = "hostile/fbx.rs"]
mod fbx;
mod fbx_text;
#[path = "hostile/format.rs"]
mod format;
#[path = "hostile/formats.rs"]
mod formats;
#[path = "hostile/giants.rs"]
mod giants;
#[path = "hostile/streams.rs"]
mod streams;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Memory is counted for the whole process, so tests take turns.
fn one_at_a_time() -> std::sync::MutexGuard<'static, ()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    TURN.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// How long this thread works on something: time of the processor where the system tells it, so that a busy machine
/// does not make a quick reader slow; else by the clock.
struct Stopwatch {
    clock: Instant,
    worked: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Self {
            clock: Instant::now(),
            worked: worked(),
        }
    }

    fn elapsed(&self) -> Duration {
        let worked = self.worked.zip(worked());
        worked.map_or_else(
            || self.clock.elapsed(),
            |(before, now)| now.saturating_sub(before),
        )
    }
}

/// What this thread had of the processor (Linux).
fn worked() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = told.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

fn number_from(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable);
    text.map_or(otherwise, |text| text.parse().expect("a number of cases"))
}
