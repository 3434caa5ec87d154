//! What variants are better than: noise and cycle animation of the same takes, made and measured as a job (section 8).
//!
//! Noise is scaled so that it changes its clip by as much as the variants differ from the takes, which makes the
//! comparison fair. Nothing of it is kept: it lives in the session, beside the variants.

pub(in crate::app) mod ui;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{DeliveryTo, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::previews::Kind;
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::ranges;
use crate::file::csv::field;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::metrics::{MeasureSettings, Report, measure};
use crate::variation::ClipModel;
use crate::variation::baseline::{self, Baseline, Octaves};

/// The job, as the status bar names it.
pub const COMPARE: &str = "compare with noise";
/// More of each tell nothing new.
const MOST_MADE: usize = 30;

const fn baseline(kind: Kind, octaves: Octaves) -> Baseline {
    match kind {
        Kind::SmoothedNoise => Baseline::SmoothedNoise,
        Kind::Perlin => Baseline::Perlin(octaves),
        Kind::CycleAnimation => Baseline::CycleAnimation,
    }
}

/// Numbers of a set of motions, all against the takes.
#[derive(Debug, Clone, PartialEq)]
pub struct SetNumbers {
    /// Distance of poses to the nearest pose of the takes, against that of the takes among each other.
    pub nearest: Option<f64>,
    /// Jerk against that of the takes.
    pub jerk: f64,
    /// How different they are from each other, against the takes.
    pub diversity: Option<f64>,
    /// Speed of feet that stand, body heights per second.
    pub slide: Option<f64>,
    /// The same in the takes.
    pub slide_takes: Option<f64>,
}

impl SetNumbers {
    fn of(report: &Report) -> Self {
        Self {
            nearest: report.nn_ratio,
            jerk: report.jerk_ratio,
            diversity: report.diversity_ratio,
            slide: report.foot_slide,
            slide_takes: report.foot_slide_inputs,
        }
    }

    /// The takes against themselves: what everything else is measured by.
    fn of_takes(report: &Report) -> Self {
        Self {
            nearest: report.nn_ratio.map(|_| 1.0),
            jerk: 1.0,
            diversity: report.diversity_real.map(|_| 1.0),
            slide: report.foot_slide_inputs,
            slide_takes: report.foot_slide_inputs,
        }
    }

    /// What speaks against each: nearest pose, jerk, diversity, slide.
    pub fn oddities(&self) -> [Option<String>; 4] {
        let far = |ratio| ranges::nearness(ratio).or_else(|| ranges::copies(ratio));
        let slides = self.slide.zip(self.slide_takes);
        [
            self.nearest.and_then(far),
            ranges::set_jerk(self.jerk),
            self.diversity.and_then(ranges::diversity),
            slides.and_then(|(found, takes)| ranges::slide(found, takes)),
        ]
    }
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Line {
    /// "Variants".
    pub name: &'static str,
    /// How many motions.
    pub count: usize,
    /// Or why there are none.
    pub numbers: Result<SetNumbers, String>,
}

/// What was made and measured.
#[derive(Debug)]
pub struct Comparison {
    model: Arc<ClipModel>,
    variants: Vec<Arc<Clip>>,
    octaves: Octaves,
    /// By kind.
    pub clips: Vec<(Kind, Vec<Arc<Clip>>)>,
    /// Takes, variants, then the kinds.
    pub lines: Vec<Line>,
}

impl Comparison {
    /// Whether it is about this model.
    pub fn is_of_model(&self, model: &Arc<ClipModel>) -> bool {
        Arc::ptr_eq(&self.model, model)
    }

    /// Whether nothing has changed since.
    pub fn is_of(&self, model: &Arc<ClipModel>, variants: &[Arc<Clip>], octaves: Octaves) -> bool {
        self.is_of_model(model)
            && self.octaves == octaves
            && self.variants.len() == variants.len()
            && self
                .variants
                .iter()
                .zip(variants)
                .all(|(a, b)| Arc::ptr_eq(a, b))
    }

    fn make(
        model: Arc<ClipModel>,
        takes: &[Arc<Clip>],
        variants: Vec<Arc<Clip>>,
        (octaves, seed): (Octaves, u64),
        ticket: &Ticket,
    ) -> anyhow::Result<Self> {
        let inputs: Vec<&Clip> = takes.iter().map(|take| &**take).collect();
        let made: Vec<&Clip> = variants.iter().map(|variant| &**variant).collect();
        let settings = MeasureSettings::default();
        let count = made.len().min(MOST_MADE);
        let n_steps = 1 + Kind::ALL.len();
        ticket.step(0.0)?;
        let report = measure(&inputs, &made, &[], &settings).map_err(|error| error.to_string());
        let line = |name, count, numbers| Line {
            name,
            count,
            numbers,
        };
        let of_takes = report.as_ref().map(SetNumbers::of_takes);
        let of_variants = report.as_ref().map(SetNumbers::of);
        let mut lines = vec![
            line("Takes", takes.len(), of_takes.map_err(Clone::clone)),
            line("Variants", made.len(), of_variants.map_err(Clone::clone)),
        ];
        let mut clips = Vec::new();
        for (step, kind) in Kind::ALL.into_iter().enumerate() {
            ticket.step((step + 1) as f64 / n_steps as f64)?;
            let others = baseline::make(baseline(kind, octaves), &inputs, &made, count, seed)?;
            ticket.check()?;
            let refs: Vec<&Clip> = others.iter().collect();
            let report = measure(&inputs, &refs, &[], &settings);
            let numbers = report.as_ref().map(SetNumbers::of);
            let numbers = numbers.map_err(ToString::to_string);
            lines.push(line(kind.name(), count, numbers));
            clips.push((kind, others.into_iter().map(Arc::new).collect()));
        }
        Ok(Self {
            model,
            variants,
            octaves,
            clips,
            lines,
        })
    }

    /// The table for other programs. Slide is in body heights per second; what cannot be told is empty.
    pub fn csv(&self) -> String {
        let mut text =
            "motions,count,nearest_pose,jerk,diversity,foot_slide,out_of_range\n".to_owned();
        for line in &self.lines {
            write!(text, "{},{}", line.name, line.count).ok();
            match &line.numbers {
                Ok(numbers) => {
                    let cells = [
                        numbers.nearest,
                        Some(numbers.jerk),
                        numbers.diversity,
                        numbers.slide,
                    ];
                    for cell in cells {
                        text.push(',');
                        if let Some(value) = cell {
                            write!(text, "{value:.6}").ok();
                        }
                    }
                    let odd: Vec<String> = numbers.oddities().into_iter().flatten().collect();
                    writeln!(text, ",{}", field(odd.join("; "))).ok();
                }
                Err(why) => {
                    writeln!(text, ",,,,,{}", field(why.clone())).ok();
                }
            }
        }
        text
    }
}

/// What the panel remembers.
#[derive(Debug)]
pub struct CompareView {
    /// The bands of Perlin noise.
    pub octaves: Octaves,
    /// Which are in the 3D view.
    pub shown: BTreeSet<Kind>,
    /// How many of each.
    pub n_shown: usize,
    /// What was found.
    pub found: Option<Arc<Comparison>>,
    /// Set by the panel in every frame in which it is drawn: elsewhere noise would only be in the way.
    pub is_open: bool,
}

impl Default for CompareView {
    fn default() -> Self {
        Self {
            octaves: Octaves::default(),
            shown: BTreeSet::from(Kind::ALL),
            n_shown: 4,
            found: None,
            is_open: false,
        }
    }
}

impl CompareView {
    /// With more in the view the variants would have no room.
    pub const MOST_SHOWN: usize = 8;

    /// What the 3D view shows beside the variants of a model.
    pub(in crate::app::variation) fn on_stage(
        &self,
        model: &Arc<ClipModel>,
    ) -> Vec<(Kind, Arc<Clip>)> {
        let found = self.found.as_ref().filter(|found| found.is_of_model(model));
        let clips = found.into_iter().flat_map(|found| &found.clips);
        clips
            .filter(|(kind, _)| self.shown.contains(kind))
            .flat_map(|(kind, clips)| {
                let few = clips.iter().take(self.n_shown.min(Self::MOST_SHOWN));
                few.map(|clip| (*kind, Arc::clone(clip)))
            })
            .collect()
    }
}

impl VariationWorkspace {
    /// The variants of the chosen model.
    pub fn variant_clips(&self, cx: &UiContext) -> Vec<Arc<Clip>> {
        let batch = self
            .chosen_model(cx)
            .and_then(|(id, _)| self.batches.get(&id));
        let made = batch.into_iter().flat_map(|batch| &batch.made);
        made.map(|made| Arc::clone(&made.clip)).collect()
    }

    /// Makes noise and cycle animation of the takes and measures all.
    pub fn compare_variants(&mut self, cx: &mut UiContext) {
        let Some((_, model)) = self.chosen_model(cx) else {
            return;
        };
        let variants = self.variant_clips(cx);
        if variants.is_empty() {
            return;
        }
        let how = (self.compare.octaves, self.recipe.seed);
        self.inbox.start(cx, COMPARE, Shown::InBar, move |ticket| {
            let takes = crate::app::variation::models::known::takes_as_clips(&model)?;
            let found = Comparison::make(model, &takes, variants, how, ticket)?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |variation: &mut Self, shell: &mut Shell| {
                    variation.compare.found = Some(Arc::new(found));
                    shell.session.framing = Some(crate::app::shell::session::Framing::All);
                    shell.say(
                        Severity::Done,
                        "compared with noise and cycle animation".to_owned(),
                    );
                });
            Ok(delivery)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::models::known::takes_as_clips;
    use crate::app::variation::quick_jumps;
    use crate::variation::{Hold, Length, SampleSettings};

    #[test]
    fn noise_trembles_cycle_animation_copies_and_variants_do_neither() {
        let model = quick_jumps();
        let takes = takes_as_clips(&model).unwrap();
        let vary = |number| {
            let made = model.vary(&SampleSettings::default(), number, Length::Once, Hold::None);
            Arc::new(made.unwrap().clip)
        };
        let variants: Vec<Arc<Clip>> = (0..4).map(vary).collect();
        let how = (Octaves::default(), 1);
        let ticket = Ticket::default();
        let found =
            Comparison::make(Arc::clone(&model), &takes, variants.clone(), how, &ticket).unwrap();
        let numbers = |at: usize| found.lines[at].numbers.clone().unwrap();
        let (made, noise, again) = (numbers(1), numbers(2), numbers(4));
        assert!(
            noise.jerk > 1.5 * made.jerk,
            "noise {noise:?}, variants {made:?}"
        );
        assert!(noise.oddities()[1].is_some(), "marked: {noise:?}");
        assert!(again.nearest.unwrap() < 1e-6, "{again:?}");
        assert!(again.oddities()[0].is_some(), "copies are marked");
        assert_eq!(numbers(0).oddities(), [None, None, None, None]);
        assert!(found.is_of(&model, &variants, how.0), "nothing changed");
        let more = Octaves { count: 5, ..how.0 };
        assert!(!found.is_of(&model, &variants, more), "other noise");
        assert!(!found.is_of(&model, &variants[1..], how.0), "fewer");
        let csv = found.csv();
        assert_eq!(csv.lines().count(), 6, "{csv}");
        assert!(csv.lines().all(|l| l.split(',').count() >= 7), "{csv}");
        let view = CompareView {
            n_shown: 2,
            found: Some(Arc::new(found)),
            ..CompareView::default()
        };
        assert_eq!(view.on_stage(&model).len(), 6, "two of each");
    }

    #[test]
    fn a_cancelled_comparison_ends_at_once() {
        let model = quick_jumps();
        let takes = takes_as_clips(&model).unwrap();
        let ticket = Ticket::default();
        ticket.cancel();
        let variants = takes.clone();
        let how = (Octaves::default(), 1);
        let made = Comparison::make(model, &takes, variants, how, &ticket);
        assert!(made.unwrap_err().is::<crate::jobs::Cancelled>(), "stopped");
    }
}
