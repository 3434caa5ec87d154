//! Variants beside noise and cycle animation, in numbers.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::app::shell::previews::ComparedKind;
use crate::app::variation::variants::ranges;
use crate::file::csv::field;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::metrics::{MeasureSettings, Report, measure};
use crate::variation::ClipModel;
use crate::variation::baseline::{self, Baseline, Octaves};

const fn baseline(kind: ComparedKind, octaves: Octaves) -> Baseline {
    match kind {
        ComparedKind::SmoothedNoise => Baseline::SmoothedNoise,
        ComparedKind::Perlin => Baseline::Perlin(octaves),
        ComparedKind::CycleAnimation => Baseline::CycleAnimation,
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
    pub(super) fn of(report: &Report) -> Self {
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
    /// What the motions are, such as "Variants".
    pub name: &'static str,
    /// How many motions were measured.
    pub count: usize,
    /// Or why there are none.
    pub numbers: Result<SetNumbers, String>,
}

/// What was made and measured.
#[derive(Debug)]
pub struct Comparison {
    pub(super) model: Arc<ClipModel>,
    pub(super) variants: Vec<Arc<Clip>>,
    pub(super) octaves: Octaves,
    /// Clips of each kind of baseline.
    pub clips: Vec<(ComparedKind, Vec<Arc<Clip>>)>,
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

    pub(super) fn make(
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
        let n_steps = 1 + ComparedKind::ALL.len();
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
        for (step, kind) in ComparedKind::ALL.into_iter().enumerate() {
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

/// More of each tell nothing new.
const MOST_MADE: usize = 30;
