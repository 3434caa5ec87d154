//! Brings clips onto another skeleton, as one step.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::Delivery;
use crate::app::shell::jobs::Worked;
use crate::app::shell::messages::Severity;
use crate::app::shell::retarget::bring::Order;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command};
use crate::jobs::Ticket;
use crate::motion::Clip;

/// What came of it.
struct Brought {
    changed: Vec<(ClipId, Arc<Clip>, Arc<Clip>)>,
    n_same: usize,
    failed: Vec<String>,
}

impl Shell {
    /// Brings clips onto another skeleton, as a job and one step.
    pub fn retarget_clips(&mut self, order: Order) {
        let of = |id: &ClipId| Some((*id, Arc::clone(self.document().clip(*id)?)));
        let clips: Vec<(ClipId, Arc<Clip>)> = order.clips.iter().filter_map(of).collect();
        if clips.is_empty() {
            return;
        }
        let name = format!("retarget {}", counted(clips.len(), "clip"));
        self.start(name, Shown::InBar, move |ticket| {
            work(&clips, &order, ticket)
        });
    }

    fn take_brought(&mut self, order: &Order, brought: Brought) {
        let n_found = brought.changed.len();
        let changed = brought.changed.into_iter();
        let still: Vec<(ClipId, Arc<Clip>)> = changed
            .filter(|(id, before, _)| {
                let now = self.document().clip(*id);
                order.keeps_originals || now.is_some_and(|now| Arc::ptr_eq(now, before))
            })
            .map(|(id, _, after)| (id, after))
            .collect();
        let n = still.len();
        let onto = &order.bringer.target.name;
        if n > 0 && order.keeps_originals {
            self.add_brought(onto, still.into_iter().map(|(_, clip)| clip).collect());
        } else if n > 0 {
            self.edit(Command::ReplaceClips {
                what: "retarget".to_owned(),
                clips: still,
            });
        }
        let mut words = vec![format!(
            "{} brought onto the skeleton of {onto}",
            counted(n, "clip")
        )];
        if brought.n_same > 0 {
            words.push(format!("{} had it already", brought.n_same));
        }
        if n < n_found {
            words.push(format!(
                "{} left alone because they changed meanwhile",
                n_found - n
            ));
        }
        self.say(Severity::Done, words.join(", "));
        for failure in brought.failed {
            self.say(Severity::Error, failure);
        }
    }

    /// New clips, which are then shown.
    fn add_brought(&mut self, onto: &str, clips: Vec<Arc<Clip>>) {
        let named = |clip: Arc<Clip>| {
            let mut clip = Arc::unwrap_or_clone(clip);
            clip.info.name = format!("{} on {onto}", clip.info.name);
            Arc::new(clip)
        };
        let clips = clips.into_iter().map(named).collect();
        if let Some(added) = self.edit(Command::AddClips(clips)) {
            self.session.select(added);
            self.show_from_start();
        }
    }
}

fn work(clips: &[(ClipId, Arc<Clip>)], order: &Order, ticket: &Ticket) -> Worked {
    let results = ticket.each(clips, |(_, clip)| order.bringer.bring(clip))?;
    let mut brought = Brought {
        changed: Vec::new(),
        n_same: 0,
        failed: Vec::new(),
    };
    for ((id, before), result) in clips.iter().zip(results) {
        match result {
            Ok(made) if made.clip == **before => brought.n_same += 1,
            Ok(made) => {
                let after = Arc::new(made.clip);
                brought.changed.push((*id, Arc::clone(before), after));
            }
            Err(error) => {
                let name = &before.info.name;
                brought
                    .failed
                    .push(format!("not retargeted: {name}: {error}"));
            }
        }
    }
    let order = order.clone();
    let delivery: Delivery = Box::new(move |shell: &mut Shell| shell.take_brought(&order, brought));
    Ok(delivery)
}
