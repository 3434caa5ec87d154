//! Jobs that run: how far they are, and how they show themselves.

use crate::jobs::Job;

/// A job that runs, and ends with a delivery.
pub struct Running<D> {
    /// What it is called in the status bar, such as "import 12 files".
    pub name: String,
    pub(super) began_secs: f64,
    /// Small work that would only flicker in the status bar.
    pub(super) is_quiet: bool,
    /// The project it was started for; none if its result belongs to no project.
    pub(super) project_number: Option<u64>,
    pub(super) job: Job<D, anyhow::Error>,
}

impl<D: Send + 'static> Running<D> {
    /// Between 0 and 1.
    pub fn progress(&self) -> f64 {
        self.job.ticket().progress()
    }

    /// Numbers that it came to on its way.
    pub fn told(&self) -> Vec<f64> {
        self.job.ticket().told()
    }

    /// Asks it to stop.
    pub fn cancel(&self) {
        self.job.ticket().cancel();
    }

    /// Whether it was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.job.ticket().check().is_err()
    }

    /// How long it will take, once that can be told.
    pub fn secs_left(&self, now_secs: f64) -> Option<f64> {
        let (done, took) = (self.progress(), now_secs - self.began_secs);
        (done > 0.03 && took > 0.5).then(|| took * (1.0 - done) / done)
    }
}

/// All jobs that run.
pub struct Work<D> {
    pub(super) running: Vec<Running<D>>,
}

impl<D> Default for Work<D> {
    fn default() -> Self {
        let running = Vec::new();
        Self { running }
    }
}

impl<D: Send + 'static> Work<D> {
    /// Those that the animator should see, oldest first.
    pub fn shown(&self) -> impl Iterator<Item = &Running<D>> {
        self.running.iter().filter(|running| !running.is_quiet)
    }

    /// Whether a job of this name runs.
    pub fn is_running(&self, name: &str) -> bool {
        self.running.iter().any(|running| running.name == name)
    }

    /// The job of this name.
    pub fn named(&self, name: &str) -> Option<&Running<D>> {
        self.running.iter().find(|running| running.name == name)
    }

    /// Whether no job runs, seen or not.
    pub fn is_idle(&self) -> bool {
        self.running.is_empty()
    }
}

/// How a job shows itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// In the status bar, with progress and cancel.
    InBar,
    /// Not at all, unless it fails.
    Quietly,
}
