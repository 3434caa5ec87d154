//! All numbers of all sets, found in the background, and the way from a number to the frame it is about.

mod plot_ui;
pub(in crate::app) mod ui;
mod view;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::app::study::sets::Member;
use crate::app::study::state::StudyWorkspace;
use crate::jobs::Ticket;
use crate::study::baselines::{self, BaselineSet};
use crate::study::measures::{ClipSet, Role, compare};
use crate::variation::ClipModel;

pub(in crate::app::study) use view::refs;
pub use view::{MeasureView, Measured, MeasuredSet};

/// The job, as the status bar names it.
pub const MEASURE: &str = "measure sets";

/// What is to be measured.
struct MeasureOrder {
    inputs: Vec<Member>,
    real: Vec<Member>,
    asked: Vec<MeasuredSet>,
    baselines: BTreeSet<BaselineSet>,
    seed: u64,
    model: Option<Arc<ClipModel>>,
}

impl StudyWorkspace {
    /// Measures the chosen sets in the background.
    pub fn measure_sets(&mut self, cx: &mut UiContext) {
        let document = cx.document();
        let asked = self.sets.sets.iter().filter(|set| set.role == Role::Asked);
        let order = MeasureOrder {
            inputs: self.sets.members_of(document, Role::Inputs),
            real: self.sets.members_of(document, Role::Real),
            asked: asked
                .map(|set| MeasuredSet {
                    name: set.name.clone(),
                    members: set.members(document),
                })
                .collect(),
            baselines: self.measure.baselines.clone(),
            seed: self.measure.seed,
            model: self.measure.model.clone(),
        };
        self.inbox.start(cx, MEASURE, Shown::InBar, move |ticket| {
            let found = measured(order, ticket)?;
            let delivery: DeliveryTo<Self> = Box::new(move |study, shell| {
                study.take_measured(shell, found);
            });
            Ok(delivery)
        });
    }

    fn take_measured(&mut self, shell: &mut Shell, found: Measured) {
        let n = found.comparison.measures().count();
        let sets = counted(found.sets.len(), "set");
        shell.say(Severity::Done, format!("{sets} measured, {n} measures"));
        self.measure.found = Some(Arc::new(found));
    }
}

fn measured(order: MeasureOrder, ticket: &Ticket) -> anyhow::Result<Measured> {
    let MeasureOrder {
        inputs,
        real,
        mut asked,
        baselines,
        seed,
        model,
    } = order;
    let given = refs(&inputs);
    // Noise is as strong as what is judged first is changed.
    let like = asked.first().map(|set| set.members.clone());
    for kind in baselines {
        if let Some(like) = &like
            && kind.is_possible(given.len())
        {
            let made = baselines::make(kind, &given, &refs(like), seed, ticket)?;
            let member = |clip| Member {
                id: None,
                clip: Arc::new(clip),
            };
            asked.push(MeasuredSet {
                name: kind.name().to_owned(),
                members: made.into_iter().map(member).collect(),
            });
        }
    }
    let sets: Vec<ClipSet<'_>> = asked.iter().map(MeasuredSet::as_clip_set).collect();
    let comparison = compare(&given, &refs(&real), &sets, model.as_deref(), ticket)?;
    // In the order of the comparison, which leaves out what has nothing to be compared with.
    let mut others = asked.into_iter();
    let sets = comparison.sets.iter().map(|set| MeasuredSet {
        name: set.name.clone(),
        members: match set.role {
            Role::Inputs => inputs.clone(),
            Role::Real => real.clone(),
            Role::Asked => others.next().map(|set| set.members).unwrap_or_default(),
        },
    });
    let sets = sets.collect();
    Ok(Measured { comparison, sets })
}
