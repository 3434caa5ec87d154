//! All numbers of all sets, found in the background, and the way from a number to the frame it is about.

mod plot_ui;
pub(in crate::app) mod ui;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{DeliveryTo, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::study::sets::Member;
use crate::app::study::state::StudyWorkspace;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::study::baselines::{self, BaselineSet};
use crate::study::measures::{ClipSet, Comparison, Measure, Reading, Role, compare};
use crate::variation::ClipModel;

/// The job, as the status bar names it.
pub const MEASURE: &str = "measure sets";

/// What the panel remembers.
#[derive(Debug)]
pub struct MeasureView {
    /// What is made from the inputs and measured beside the judged sets.
    pub baselines: BTreeSet<BaselineSet>,
    /// Names the random numbers of what is made.
    pub seed: u64,
    /// The model that likelihoods are measured with.
    pub model: Option<Arc<ClipModel>>,
    /// The last result.
    pub found: Option<Arc<Measured>>,
    /// The measure that is plotted.
    pub plotted: Measure,
}

impl Default for MeasureView {
    fn default() -> Self {
        Self {
            baselines: BTreeSet::new(),
            seed: 1,
            model: None,
            found: None,
            plotted: Measure::NearestPose,
        }
    }
}

/// The motions behind one line of the comparison.
#[derive(Debug, Clone)]
pub struct MeasuredSet {
    /// As the comparison calls it.
    pub name: String,
    /// In the order of its readings.
    pub members: Vec<Member>,
}

impl MeasuredSet {
    fn as_clip_set(&self) -> ClipSet<'_> {
        ClipSet {
            name: self.name.clone(),
            clips: refs(&self.members),
        }
    }
}

/// A comparison with the motions that it is about.
#[derive(Debug)]
pub struct Measured {
    /// The numbers.
    pub comparison: Comparison,
    /// In the order of the comparison's sets.
    pub sets: Vec<MeasuredSet>,
}

impl Measured {
    /// The motion of a set that is furthest from what real clips have, and its reading.
    pub fn worst(&self, set: usize, measure: Measure) -> Option<(&Member, Reading)> {
        let readings = self.comparison.sets.get(set)?;
        let (at, reading) = readings.worst(measure, self.comparison.range(measure))?;
        Some((self.sets.get(set)?.members.get(at)?, reading))
    }

    /// The sets with their motions, as reports want them.
    pub(in crate::app::study) fn clip_sets(&self) -> Vec<ClipSet<'_>> {
        self.sets.iter().map(MeasuredSet::as_clip_set).collect()
    }
}

pub(in crate::app::study) fn refs(members: &[Member]) -> Vec<&Clip> {
    members.iter().map(|member| &*member.clip).collect()
}

/// What is to be measured.
struct Order {
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
        let order = Order {
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

fn measured(order: Order, ticket: &Ticket) -> anyhow::Result<Measured> {
    let Order {
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
