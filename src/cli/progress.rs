//! How far the work is, and stopping it: a bar on terminals, plain lines elsewhere, Ctrl-C and SIGTERM.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::file::parts;
use crate::jobs::Ticket;

/// Without a terminal a line this often is enough to see that work goes on.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// The exit code of a program that was stopped: what shells say of the signal behind Ctrl-C.
pub(super) const STOPPED: u8 = 130;

/// Work that looks at its ticket has so long to end by itself.
const GRACE: Duration = Duration::from_millis(700);

/// A ticket that Ctrl-C and SIGTERM cancel. Work that does not look at it is left where it is soon after, or at once
/// when Ctrl-C is pressed again; what is being written is finished in any case. There is one for the whole process.
pub(super) fn ticket_for_ctrl_c() -> anyhow::Result<Ticket> {
    static LISTENING: Mutex<Option<Ticket>> = Mutex::new(None);
    let mut listening = LISTENING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ticket) = &*listening {
        return Ok(ticket.clone());
    }
    let ticket = Ticket::default();
    let (on_key, on_signal) = (ticket.clone(), ticket.clone());
    ctrlc::set_handler(move || stop(&on_key)).context("cannot listen for Ctrl-C")?;
    on_sigterm(move || stop(&on_signal)).context("cannot listen for SIGTERM")?;
    *listening = Some(ticket.clone());
    Ok(ticket)
}

fn stop(ticket: &Ticket) {
    if ticket.check().is_err() {
        leave();
    }
    ticket.cancel();
    let wait = || {
        std::thread::sleep(GRACE);
        leave();
    };
    let waiter = std::thread::Builder::new().name("stop".to_owned());
    if waiter.spawn(wait).is_err() {
        leave();
    }
}

#[expect(clippy::exit, reason = "work that looks at no ticket must end, too")]
fn leave() -> ! {
    let _nothing_is_half_written = parts::hold_writing();
    tell!("stopped");
    std::process::exit(i32::from(STOPPED))
}

/// Schedulers end their jobs with this signal. SIGHUP is left alone: `nohup` ignores it, and that must last.
#[cfg(unix)]
fn on_sigterm(stop: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::SIGTERM;
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM])?;
    let listen = move || signals.forever().for_each(|_| stop());
    let listener = std::thread::Builder::new().name("sigterm".to_owned());
    listener.spawn(listen).map(drop)
}

#[cfg(not(unix))]
fn on_sigterm(_stop: impl Fn() + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

/// Counts steps of a known number.
pub(super) struct Progress {
    what: &'static str,
    bar: ProgressBar,
    /// When the next plain line is due; `None` on terminals and when quiet.
    next_line: Option<Mutex<Instant>>,
}

impl Progress {
    /// `what` stands before the count: "reading".
    pub(super) fn start(what: &'static str, total: usize, quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if quiet || !is_terminal {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {eta}");
        bar.set_style(style.expect("the template is well-formed"));
        bar.set_prefix(what);
        Self {
            what,
            bar,
            next_line: (!quiet && !is_terminal).then(|| Mutex::new(Instant::now() + LINE_EVERY)),
        }
    }

    /// One more is done.
    pub(super) fn tick(&self) {
        self.bar.inc(1);
        let Some(next) = &self.next_line else { return };
        // A thread that finds the lock taken leaves the line to the one that holds it.
        let Ok(mut next) = next.try_lock() else {
            return;
        };
        let now = Instant::now();
        if now >= *next {
            *next = now + LINE_EVERY;
            let total = self.bar.length().unwrap_or(0);
            tell!("{} {}/{total}", self.what, self.bar.position());
        }
    }

    /// Takes the bar off the screen.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how far a job is that reports to a ticket.
pub(super) struct Watched {
    is_done: std::sync::Arc<std::sync::atomic::AtomicBool>,
    watcher: Option<std::thread::JoinHandle<()>>,
}

impl Watched {
    /// `what` stands before the bar: "learning".
    pub(super) fn start(what: &'static str, ticket: &Ticket, quiet: bool) -> Self {
        const STEPS: usize = 100;
        const LOOK_EVERY: Duration = Duration::from_millis(50);
        let is_done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (seen, ticket) = (std::sync::Arc::clone(&is_done), ticket.clone());
        let watch = move || {
            let progress = Progress::start(what, STEPS, quiet);
            let mut shown = 0;
            while !seen.load(std::sync::atomic::Ordering::Relaxed) {
                let done = (ticket.progress() * STEPS as f64) as usize;
                while shown < done {
                    progress.tick();
                    shown += 1;
                }
                std::thread::park_timeout(LOOK_EVERY);
            }
            progress.finish();
        };
        // Without a watcher the work goes on all the same.
        let watcher = std::thread::Builder::new().name("progress".to_owned());
        Self {
            is_done,
            watcher: watcher.spawn(watch).ok(),
        }
    }

    /// Takes the bar off the screen.
    pub(super) fn finish(mut self) {
        self.is_done
            .store(true, std::sync::atomic::Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            // A watcher that panicked has nothing left to show.
            watcher.join().ok();
        }
    }
}
