//! Work in the background: what runs, how far it is, and what happens with the results.
//!
//! Every job ends with a delivery: what to do with the result in the window's own thread, usually one undoable step.
//! Nothing here waits.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::work::{Running, Shown};
use crate::app::shell::context::{Delivery, Shell, UiContext};
use crate::app::shell::messages::Severity;
use crate::jobs::{Cancelled, Job, Outcome, Ticket};

/// The same for the result of a workspace.
pub type DeliveryTo<W> = Box<dyn FnOnce(&mut W, &mut Shell) + Send>;

/// What work may end with: an error, or having been cancelled.
pub type Worked<D = Delivery> = anyhow::Result<D>;

/// Whether work ended because somebody stopped it, however deep inside.
pub(super) fn is_cancelled(error: &anyhow::Error) -> bool {
    let mut causes = error.chain();
    causes.any(<dyn std::error::Error>::is::<Cancelled>)
}

/// Why looking at something brought nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Unseen {
    /// The animator stopped it.
    Cancelled,
    /// The work panicked: a bug.
    Crashed,
}

/// Looks, and tells work that was cancelled from work that panicked.
fn seen<T>(look: impl FnOnce() -> Result<T, Cancelled>) -> Result<T, Unseen> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(look)) {
        Ok(Ok(seen)) => Ok(seen),
        Ok(Err(Cancelled)) => Err(Unseen::Cancelled),
        Err(_) => Err(Unseen::Crashed),
    }
}

/// Results of the jobs of a workspace, until the workspace takes them: the shell, which runs all jobs, knows none.
pub struct Inbox<W> {
    sender: Sender<Finished<W>>,
    receiver: Receiver<Finished<W>>,
}

struct Finished<W> {
    name: String,
    /// The project that the job was started for, as in [`Running`].
    project_number: Option<u64>,
    delivery: DeliveryTo<W>,
}

impl<W> Default for Inbox<W> {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver }
    }
}

impl<W> std::fmt::Debug for Inbox<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inbox").finish_non_exhaustive()
    }
}

impl<W: 'static> Inbox<W> {
    /// Runs `work` for the open project, as [`UiContext::start`] does.
    pub fn start(
        &self,
        cx: &mut UiContext,
        name: impl Into<String>,
        shown: Shown,
        work: impl FnOnce(&Ticket) -> Worked<DeliveryTo<W>> + Send + 'static,
    ) {
        let name = name.into();
        let post = self.post(name.clone(), Some(cx.projects.number()));
        cx.start(name, shown, move |ticket| Ok(post(work(ticket)?)));
    }

    /// Finds something out for a cache of the workspace, as [`UiContext::look`] does.
    pub(in crate::app) fn look<T: Send + 'static>(
        &self,
        cx: &mut UiContext,
        name: impl Into<String>,
        shown: Shown,
        work: impl FnOnce(&Ticket) -> Result<T, Cancelled> + Send + 'static,
        answer: impl FnOnce(&mut W, &mut Shell, Result<T, Unseen>) + Send + 'static,
    ) -> bool {
        let name = name.into();
        let post = self.post(name.clone(), None);
        cx.start_apart(name, shown, move |ticket| {
            let seen = seen(|| work(ticket));
            Ok(post(Box::new(move |workspace, shell| {
                answer(workspace, shell, seen);
            })))
        })
    }

    /// The next result that is there; those that were made for another project are not used.
    pub(in crate::app) fn next(&self, cx: &mut UiContext) -> Option<DeliveryTo<W>> {
        loop {
            let finished = self.receiver.try_recv().ok()?;
            let number = cx.projects.number();
            if finished.project_number.is_none_or(|of| of == number) {
                return Some(finished.delivery);
            }
            cx.say_late(&finished.name);
        }
    }

    fn post(
        &self,
        name: String,
        project_number: Option<u64>,
    ) -> impl FnOnce(DeliveryTo<W>) -> Delivery + Send + 'static {
        let sender = self.sender.clone();
        move |delivery| {
            Box::new(move |_| {
                let finished = Finished {
                    name,
                    project_number,
                    delivery,
                };
                // A workspace that began anew has another inbox, and wants nothing of before.
                sender.send(finished).ok();
            })
        }
    }
}

impl UiContext {
    /// Runs `work` for the open project in the background. Before anything large, what is not saved yet is autosaved:
    /// it may take the machine down. A result that comes when another project is open is not used.
    pub fn start(
        &mut self,
        name: impl Into<String>,
        shown: Shown,
        work: impl FnOnce(&Ticket) -> Worked + Send + 'static,
    ) {
        self.wants_autosave |= shown == Shown::InBar;
        let project_number = Some(self.projects.number());
        self.spawn(name.into(), shown, project_number, work);
    }

    /// Runs what belongs to no project or brings another one: opening, saving, looking. Whether it began.
    pub(in crate::app) fn start_apart(
        &mut self,
        name: impl Into<String>,
        shown: Shown,
        work: impl FnOnce(&Ticket) -> Worked + Send + 'static,
    ) -> bool {
        self.spawn(name.into(), shown, None, work)
    }

    /// Finds something out for a cache. The answer always comes, also after a panic or a cancel, so that the cache
    /// knows that nobody looks any more. Whether it began.
    pub(in crate::app) fn look<T: Send + 'static>(
        &mut self,
        name: impl Into<String>,
        shown: Shown,
        work: impl FnOnce(&Ticket) -> Result<T, Cancelled> + Send + 'static,
        answer: impl FnOnce(&mut Shell, Result<T, Unseen>) + Send + 'static,
    ) -> bool {
        self.start_apart(name, shown, move |ticket| {
            let seen = seen(|| work(ticket));
            let delivery: Delivery = Box::new(move |shell| answer(shell, seen));
            Ok(delivery)
        })
    }

    fn say_late(&mut self, name: &str) {
        self.say(
            Severity::Warning,
            format!("{name} ended when another project was open already"),
        );
    }

    fn spawn(
        &mut self,
        name: String,
        shown: Shown,
        project_number: Option<u64>,
        work: impl FnOnce(&Ticket) -> Worked + Send + 'static,
    ) -> bool {
        let wake = self.wake();
        let job = Job::spawn(&name, wake, |ticket| match work(ticket) {
            Ok(delivery) => Outcome::Done(delivery),
            Err(error) if is_cancelled(&error) => Outcome::Cancelled,
            Err(error) => Outcome::Failed(error),
        });
        match job {
            Ok(job) => {
                self.work.running.push(Running {
                    name,
                    began_secs: self.now_secs,
                    is_quiet: shown == Shown::Quietly,
                    project_number,
                    job,
                });
                true
            }
            Err(error) => {
                self.say(Severity::Error, format!("{name} could not start: {error}"));
                false
            }
        }
    }
}

impl Shell {
    /// Takes what has ended.
    pub fn poll_work(&mut self) {
        let mut ended = Vec::new();
        self.work.running.retain(|running| {
            let outcome = running.job.poll();
            let runs_on = outcome.is_none();
            let ended_now =
                outcome.map(|outcome| (running.name.clone(), running.project_number, outcome));
            ended.extend(ended_now);
            runs_on
        });
        for (name, project_number, outcome) in ended {
            // Asked for each: one of them may have opened another project.
            let is_late = project_number.is_some_and(|number| number != self.projects.number());
            match outcome {
                Outcome::Done(_) if is_late => self.say_late(&name),
                Outcome::Done(delivery) => delivery(self),
                Outcome::Failed(error) => {
                    self.say(Severity::Error, format!("{name}: {error:#}"));
                }
                Outcome::Cancelled => self.say(Severity::Info, format!("{name}: cancelled")),
                Outcome::Crashed(why) => self.say(
                    Severity::Error,
                    format!("{name} crashed, nothing was changed; please report this: {why}"),
                ),
            }
        }
    }
}
