//! Applies operations to clips.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::clips::operations::Operation;
use crate::app::shell::context::Delivery;
use crate::app::shell::jobs::Worked;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command};
use crate::jobs::Ticket;
use crate::motion::Clip;

struct Edited {
    changed: Vec<(ClipId, Arc<Clip>, Arc<Clip>)>,
    n_same: usize,
    failed: Vec<String>,
}

impl Shell {
    /// Does something to all selected clips, as a job and one step.
    pub fn operate(&mut self, operation: Operation) {
        let clips = self.selected_clips();
        if clips.is_empty() {
            return;
        }
        let name = format!("{} {}", operation.verb(), counted(clips.len(), "clip"));
        self.start(name, Shown::InBar, move |ticket| {
            work(&clips, operation, ticket)
        });
    }

    fn take_edited(&mut self, operation: Operation, edited: Edited) {
        let mut n_moved_on = 0;
        let mut clips = Vec::new();
        for (id, before, after) in edited.changed {
            match self.document().clip(id) {
                Some(now) if Arc::ptr_eq(now, &before) => clips.push((id, after)),
                _ => n_moved_on += 1,
            }
        }
        let n_changed = clips.len();
        let what = operation.verb().to_owned();
        if n_changed > 0 {
            self.edit(Command::ReplaceClips { what, clips });
        }
        let mut words = vec![format!(
            "{}: {} changed",
            operation.verb(),
            counted(n_changed, "clip")
        )];
        if edited.n_same > 0 {
            words.push(format!("{} needed no change", edited.n_same));
        }
        if n_moved_on > 0 {
            words.push(format!(
                "{n_moved_on} left alone because they changed meanwhile"
            ));
        }
        self.say(Severity::Done, words.join(", "));
        for failure in edited.failed {
            self.say(Severity::Error, failure);
        }
    }
}

fn work(clips: &[(ClipId, Arc<Clip>)], operation: Operation, ticket: &Ticket) -> Worked {
    let results = ticket.each(clips, |(_, clip)| operation.apply(clip))?;
    let mut edited = Edited {
        changed: Vec::new(),
        n_same: 0,
        failed: Vec::new(),
    };
    for ((id, before), result) in clips.iter().zip(results) {
        match result {
            Ok(after) if after.same_motion(before) && after.info == before.info => {
                edited.n_same += 1;
            }
            Ok(after) => edited
                .changed
                .push((*id, Arc::clone(before), Arc::new(after))),
            Err(error) => {
                let name = &before.info.name;
                edited
                    .failed
                    .push(format!("{} {name}: {error}", operation.verb()));
            }
        }
    }
    let delivery: Delivery = Box::new(move |shell| shell.take_edited(operation, edited));
    Ok(delivery)
}
