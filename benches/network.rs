//! What the learned network is worth, on real clips that it never saw: the tables of `resources/variation.md`.
//!
//! For every folder of the development set with at least six fitting clips: log-likelihood of the other clips with
//! learned, no, random and all edges; and sixty variants with feet locked beside affine blending of the takes and the
//! paper's recipe. Three choices of four takes were looked at while the program was made; three more, drawn by a seed,
//! were not, and are what counts.
//!
//! `cargo bench --bench network` prints everything as rows of tables; a word after `--` only what begins with it. It
//! needs `../shared/data`.

#![expect(
    clippy::print_stdout,
    reason = "a bench that prints tables instead of times"
)]

use std::path::{Path, PathBuf};

use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::alignment::{AlignSettings, align_set, warp_clip};
use kinfolk::motion::metrics::{MeasureSettings, Report, measure};
use kinfolk::motion::{Body, Clip, WorldPose, edit};
use kinfolk::numerics::random::Stream;
use kinfolk::variation::baseline::{self, Baseline, Octaves};
use kinfolk::variation::{
    ClipModel, Hold, LearnSettings, Length, Method, SampleSettings, StructureKind, Track,
};
use rayon::prelude::*;

/// Folders; settings (knots, ridge, prices of edges, memory, smoothing) were chosen on the first five.
const FOLDERS: [(&str, &str); 10] = [
    ("walk s35", "walk_cycles/s35"),
    ("jump", "jump/s118"),
    ("kick", "gesture/front_kick_s144"),
    ("cheer", "bandai_nc/cheer"),
    ("swim 3", "swim/breaststroke_126_03"),
    ("walk s16", "walk_cycles/s16"),
    ("golf", "gesture/golf_swing_s64"),
    ("jack", "gesture/jumping_jack_s14"),
    ("throw", "throw/football_s34"),
    ("swim 4", "swim/breaststroke_126_04"),
];
const TUNED_ON: usize = 5;
const VARIANTS: u64 = 40;
/// Names the choices of takes that nobody looked at.
const FRESH_SEED: u64 = 20_261_118;
const FRESH: usize = 3;

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    // Cargo says so where it means a measurement; `cargo test --benches` does not.
    let is_meant = std::env::args().any(|arg| arg == "--bench");
    let Some(data) = Some(data).filter(|data| is_meant && data.is_dir()) else {
        say("nothing measured: run by cargo bench --bench network, beside ../shared/data");
        return;
    };
    let mut tallies: [[Tally; 2]; 2] = Default::default();
    for (at, (name, folder)) in FOLDERS.iter().enumerate() {
        if !wanted.is_empty() && !wanted.iter().any(|w| name.starts_with(w.as_str())) {
            continue;
        }
        let clips = fitting(&data.join(folder));
        let known = known_choices(clips.len());
        let n_known = known.len();
        let fresh = fresh_choices(clips.len(), &known, at as u64);
        for (set, takes) in known.into_iter().chain(fresh).enumerate() {
            let is_fresh = set >= n_known;
            let title = format!(
                "{name}, {}{}",
                set + 1,
                if is_fresh { " fresh" } else { "" }
            );
            let tally = &mut tallies[usize::from(at >= TUNED_ON)][usize::from(is_fresh)];
            Kind::new(&clips, &takes, title).report(set == n_known, tally);
        }
    }
    for (half, of_half) in ["chosen on", "reported"].into_iter().zip(&tallies) {
        for (choice, tally) in ["looked at", "fresh"].into_iter().zip(of_half) {
            tally.say(&format!("folders {half}, choices {choice}"));
        }
    }
}

/// How many choices keep to each bound.
#[derive(Debug, Default)]
struct Tally {
    sets: usize,
    /// In the order of `WANTED`.
    within: [usize; 11],
    /// Sums of log-likelihoods, one knot and 15 frames ahead: learned, none, random, full.
    likely: [[f64; 2]; 4],
    told: f64,
    told_blended: f64,
    told_real: f64,
}

/// What is counted.
const WANTED: [&str; 11] = [
    "learned best one knot ahead",
    "learned best 15 frames ahead",
    "nearest 0.7 to 1.3",
    "jerk 0.85 to 1.2",
    "diversity 0.85 to 1.15",
    "jerk in space 0.85 to 1.2",
    "net turn 0.7 to 1.4",
    "too fast at most 0.1",
    "knees at most 1 degree",
    "pops at most 1.05 of real",
    "slide at most 1.05 of the takes'",
];

impl Tally {
    fn count(&mut self, which: usize, holds: bool) {
        self.within[which] += usize::from(holds);
    }

    fn say(&self, what: &str) {
        if self.sets == 0 {
            return;
        }
        say(&format!("{what}: {}", self.sets));
        for (wanted, n) in WANTED.iter().zip(self.within) {
            say(&format!("  {wanted}: {n} of {}", self.sets));
        }
        let per = 1.0 / self.sets as f64;
        for (kind, sum) in ["learned", "none", "random", "full"]
            .iter()
            .zip(self.likely)
        {
            say(&format!(
                "  {kind}: {:.3} / {:.3} nats a value",
                sum[0] * per,
                sum[1] * per
            ));
        }
        say(&format!(
            "  told from real on average: variants {:.2}, blending {:.2}, real from real {:.2}",
            self.told * per,
            self.told_blended * per,
            self.told_real * per
        ));
    }
}

fn say(words: &str) {
    println!("{words}");
}

/// Clips of a folder that its labels call fitting.
fn fitting(folder: &Path) -> Vec<Clip> {
    let labels = std::fs::read_to_string(folder.join("labels.csv")).expect("the folder has labels");
    let head = labels.lines().next().unwrap_or_default();
    let column = head.split(',').position(|name| name.starts_with("fits"));
    let column = column.expect("labels say what fits");
    let mut files: Vec<PathBuf> = labels
        .lines()
        .skip(1)
        .filter_map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let fits = cells.get(column)?.starts_with("yes");
            fits.then(|| folder.join(cells[0]))
        })
        .collect();
    files.sort();
    files
        .par_iter()
        .map(|file| read_clip(file).expect("clips of the set can be read"))
        .collect()
}

/// Three choices of four takes, spread over the folder.
fn known_choices(n: usize) -> Vec<Vec<usize>> {
    let at = |shares: [f64; 4]| -> Vec<usize> {
        let last = (n - 1) as f64;
        shares
            .iter()
            .map(|share| (share * last).round() as usize)
            .collect()
    };
    vec![
        at([0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]),
        at([0.1, 0.4, 0.55, 0.85]),
        at([0.2, 0.45, 0.75, 0.95]),
    ]
}

/// Further choices, drawn by a seed; none that is known.
fn fresh_choices(n: usize, known: &[Vec<usize>], folder: u64) -> Vec<Vec<usize>> {
    let mut stream = Stream::named(FRESH_SEED, &[folder]);
    let mut made: Vec<Vec<usize>> = Vec::new();
    for _ in 0..1000 {
        let mut all: Vec<usize> = (0..n).collect();
        for at in 0..4 {
            let other = at + stream.below(n - at);
            all.swap(at, other);
        }
        let mut takes = all[..4].to_vec();
        takes.sort_unstable();
        if !known.contains(&takes) && !made.contains(&takes) {
            made.push(takes);
        }
        if made.len() == FRESH {
            break;
        }
    }
    made
}

struct Kind<'a> {
    title: String,
    inputs: Vec<&'a Clip>,
    unseen: Vec<&'a Clip>,
}

impl<'a> Kind<'a> {
    fn new(clips: &'a [Clip], takes: &[usize], title: String) -> Self {
        let of = |is_take: bool| {
            let all = clips.iter().enumerate();
            let some = all.filter(|(at, _)| takes.contains(at) == is_take);
            some.map(|(_, clip)| clip).collect()
        };
        Self {
            title,
            inputs: of(true),
            unseen: of(false),
        }
    }

    fn learn(&self, structure: StructureKind, method: Method) -> ClipModel {
        let settings = LearnSettings {
            structure,
            method,
            ..LearnSettings::default()
        };
        ClipModel::learn(&self.inputs, &settings, &Ticket::default()).expect("takes of one kind")
    }

    fn report(&self, is_whole: bool, tally: &mut Tally) {
        tally.sets += 1;
        let mut cells = Vec::new();
        let mut found = Vec::new();
        for kind in [
            StructureKind::Learned,
            StructureKind::None,
            StructureKind::Random,
            StructureKind::Full,
        ] {
            let model = self.learn(kind, Method::Network);
            let network = model.model().network().expect("a network");
            let ahead = [self.likelihood(&model, 1), self.likelihood(&model, 2)];
            if kind == StructureKind::Learned {
                cells.push(network.structure().n_edges().to_string());
            }
            cells.push(format!("{:.3} / {:.3}", ahead[0], ahead[1]));
            found.push(ahead);
        }
        for (sum, of_kind) in tally.likely.iter_mut().zip(&found) {
            (sum[0], sum[1]) = (sum[0] + of_kind[0], sum[1] + of_kind[1]);
        }
        say(&format!("LL | {} | {} |", self.title, cells.join(" | ")));
        for far in [0, 1] {
            tally.count(
                far,
                found[1..].iter().all(|other| found[0][far] > other[far]),
            );
        }
        let learned = self.learn(StructureKind::Learned, Method::Network);
        let made = variants(&learned, Hold::Feet);
        tally.told += self.measured("learned", &made, Some(tally));
        tally.told_blended += self.measured("blending", &self.blended(), None);
        let half = self.all().len() / 2;
        let (a, b) = (self.all()[..half].to_vec(), self.all()[half..].to_vec());
        let real = forest::told_apart(&a, &b);
        tally.told_real += real;
        say(&format!(
            "REAL | {} | told from each other {real:.2} |",
            self.title
        ));
        if is_whole {
            let none = self.learn(StructureKind::None, Method::Network);
            self.measured("none", &variants(&none, Hold::Feet), None);
            let paper = self.learn(StructureKind::Learned, Method::Paper);
            self.measured("paper", &variants(&paper, Hold::Feet), None);
            let made: Vec<&Clip> = made.iter().collect();
            for (name, noise) in [
                ("noise", Baseline::SmoothedNoise),
                ("Perlin", Baseline::Perlin(Octaves::default())),
                ("cycles", Baseline::CycleAnimation),
            ] {
                let count = usize::try_from(VARIANTS).expect("few");
                let clips = baseline::make(noise, &self.inputs, &made, count, 9);
                self.measured(name, &clips.expect("takes of one kind"), None);
            }
            let removed = self.fix(&learned);
            say(&format!(
                "FIX | {} | the left leg removes {removed:.2} of the right leg's error |",
                self.title
            ));
        }
    }

    /// Mean log-likelihood of a value of the clips never seen.
    fn likelihood(&self, model: &ClipModel, knots: usize) -> f64 {
        let of = |clip: &&&Clip| {
            let take = model.take(clip).expect("the same skeleton");
            let inner = model.model();
            inner
                .log_likelihood_ahead(&take.values, knots, &|_| true)
                .expect("a network")
        };
        self.unseen.iter().map(|clip| of(&clip)).sum::<f64>() / self.unseen.len() as f64
    }

    /// Prints a row; says how well variants are told from real clips.
    fn measured(&self, name: &str, made: &[Clip], tally: Option<&mut Tally>) -> f64 {
        let refs: Vec<&Clip> = made.iter().collect();
        let settings = MeasureSettings::default();
        let report = measure(&self.inputs, &refs, &self.unseen, &settings).expect("they fit");
        let (bend, pops) = knees(&refs);
        let (bend_real, pops_real) = knees(&self.inputs);
        let (bend, pops) = (bend - bend_real, pops / pops_real.max(LEAST_POPS));
        let told = forest::told_apart(&self.all(), &refs);
        let slides =
            [report.foot_slide, report.foot_slide_inputs].map(|s| 100.0 * s.unwrap_or(0.0));
        say(&format!(
            "VAR | {} | {name} | {} | {bend:+.1} | {pops:.1} | {:.1} ({:.1}) | {told:.2} |",
            self.title,
            numbers(&report),
            slides[0],
            slides[1],
        ));
        if let Some(tally) = tally {
            let within =
                |x: Option<f64>, low: f64, high: f64| x.is_some_and(|x| (low..=high).contains(&x));
            tally.count(2, within(report.nn_ratio, 0.7, 1.3));
            tally.count(3, within(Some(report.jerk_ratio), 0.85, 1.2));
            tally.count(4, within(report.diversity_ratio, 0.85, 1.15));
            tally.count(5, within(report.space_jerk_ratio, 0.85, 1.2));
            tally.count(6, within(report.net_turn_ratio, 0.7, 1.4));
            tally.count(7, within(report.faster_share, 0.0, 0.1));
            tally.count(8, bend <= 1.0);
            tally.count(9, pops <= 1.05);
            tally.count(10, slides[0] <= 1.05 * slides[1]);
        }
        told
    }

    fn all(&self) -> Vec<&Clip> {
        // In turns, so that both halves of them come from all of the session.
        let mut all: Vec<&Clip> = self.inputs.iter().chain(&self.unseen).copied().collect();
        all.sort_by(|a, b| a.info.name.cmp(&b.info.name));
        let (even, odd): (Vec<_>, Vec<_>) =
            all.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
        even.into_iter().chain(odd).map(|(_, clip)| clip).collect()
    }

    /// Plain affine blending: the takes in step, mixed by random weights that add up to one and may be negative, spread
    /// so that blends scatter as takes do.
    fn blended(&self) -> Vec<Clip> {
        let even: Vec<Clip> = self
            .inputs
            .iter()
            .map(|clip| edit::resample(clip, clip.fps().min(60.0)).expect("a lower rate"))
            .collect();
        let refs: Vec<&Clip> = even.iter().collect();
        let aligned = align_set(&refs, &AlignSettings::default()).expect("takes of one kind");
        let frame_secs = even[0].frame_secs();
        (0..VARIANTS)
            .map(|variant| {
                let mut stream = Stream::named(9, &[variant]);
                let n = refs.len() as f64;
                let drawn: Vec<f64> = refs.iter().map(|_| stream.normal_within(2.5)).collect();
                let mean = drawn.iter().sum::<f64>() / n;
                let per = (n - 1.0).sqrt().recip();
                let weights: Vec<f64> = drawn.iter().map(|z| 1.0 / n + (z - mean) * per).collect();
                blend(&refs, &aligned.warps, &weights, frame_secs)
            })
            .collect()
    }

    /// The share of the right leg's distance from the mean that is foretold by the left leg.
    fn fix(&self, model: &ClipModel) -> f64 {
        let body = Body::of(model.chart().skeleton());
        let dofs = |leg: usize| -> Vec<usize> {
            let limb = &body.legs[leg];
            let joints = [limb.upper, limb.middle, limb.end];
            let all = model.chart().dofs().iter().enumerate();
            all.filter(|(_, d)| joints.contains(&d.joint))
                .map(|(at, _)| at)
                .collect()
        };
        let (given, asked) = (dofs(0), dofs(1));
        let n = model.chart().n_dofs();
        let (mut with, mut without) = (0.0, 0.0);
        for clip in &self.unseen {
            let take = model.take(clip).expect("the same skeleton");
            let track = |dof: &usize| Track {
                dof: *dof,
                values: take.values.iter().skip(*dof).step_by(n).copied().collect(),
            };
            let fixed: Vec<Track> = given.iter().map(track).collect();
            let neutral: Vec<Track> = Vec::new();
            for (sum, fixed) in [(&mut with, fixed), (&mut without, neutral)] {
                let settings = SampleSettings {
                    amount: 0.0,
                    fixed,
                    ..SampleSettings::default()
                };
                let mut sampler = model.model().sampler(&settings, 0).expect("it fits");
                let frames = take.values.len() / n;
                let mut rows = Vec::new();
                loop {
                    rows.extend_from_slice(sampler.next_row());
                    if sampler.is_over() {
                        break;
                    }
                }
                let made = rows.len() / n;
                for frame in 0..frames {
                    let at = (frame * (made - 1) / (frames - 1).max(1)).min(made - 1);
                    for &dof in &asked {
                        *sum += (take.values[frame * n + dof] - rows[at * n + dof]).powi(2);
                    }
                }
            }
        }
        1.0 - with / f64::max(without, 1e-12)
    }
}

fn variants(model: &ClipModel, hold: Hold) -> Vec<Clip> {
    let settings = SampleSettings::default();
    (0..VARIANTS)
        .into_par_iter()
        .map(|variant| {
            let made = model.vary(&settings, variant, Length::Once, hold);
            made.expect("a variant").clip
        })
        .collect()
}

fn numbers(report: &Report) -> String {
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}"));
    format!(
        "{} | {:.2} | {} | {} | {} | {} | {}, {}",
        number(report.nn_ratio),
        report.jerk_ratio,
        number(report.diversity_ratio),
        number(report.space_jerk_ratio),
        number(report.net_turn_ratio),
        number(report.faster_share),
        number(report.correlation_inside),
        number(report.correlation_between),
    )
}

/// Takes at equal phase, mixed pose by pose.
fn blend(clips: &[&Clip], warps: &[Vec<f64>], weights: &[f64], frame_secs: f64) -> Clip {
    let warped: Vec<Clip> = clips
        .iter()
        .zip(warps)
        .map(|(clip, warp)| warp_clip(clip, warp, frame_secs).expect("moments of the clip"))
        .collect();
    let mut motion = warped[0].motion().clone();
    let n = motion.rotations.len();
    for at in 0..n {
        let first = warped[0].motion().rotations[at];
        let sum = warped
            .iter()
            .zip(weights)
            .fold(nalgebra::Vector4::zeros(), |sum, (clip, w)| {
                let q = clip.motion().rotations[at];
                sum + q.coords * (w * q.coords.dot(&first.coords).signum())
            });
        motion.rotations[at] =
            nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::from(sum));
    }
    for at in 0..motion.translations.len() {
        let places = warped.iter().zip(weights).map(|(clip, w)| {
            // Where a take was shot does not matter.
            let slots = clip.skeleton().translating().len();
            let moved = clip.motion().translations[at] - clip.motion().translations[at % slots];
            moved * *w
        });
        let slots = warped[0].skeleton().translating().len();
        let start = warped[0].motion().translations[at % slots];
        motion.translations[at] = start + places.sum::<kinfolk::motion::Vec3>();
    }
    let skeleton = std::sync::Arc::clone(warped[0].skeleton());
    Clip::new(warped[0].info.clone(), skeleton, motion).expect("a blend of clips")
}

/// Takes without a pop are counted as if they had one in twenty seconds.
const LEAST_POPS: f64 = 0.05;

/// Mean bend of knees in degrees, and how often they jolt, a second.
fn knees(clips: &[&Clip]) -> (f64, f64) {
    const JOLT_DEG: f64 = 2.5;
    let (mut sum, mut count, mut jolts, mut secs) = (0.0, 0.0, 0.0, 0.0);
    for clip in clips {
        let clip = edit::resample(clip, 60.0).expect("a rate");
        let body = Body::of(clip.skeleton());
        let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
        for leg in &body.legs {
            let bends: Vec<f64> = clip
                .frames()
                .map(|pose| {
                    world.update(clip.skeleton(), pose);
                    let [hip, knee, foot] =
                        [leg.upper, leg.middle, leg.end].map(|j| world.positions[j]);
                    180.0 - (hip - knee).angle(&(foot - knee)).to_degrees()
                })
                .collect();
            sum += bends.iter().sum::<f64>();
            count += bends.len() as f64;
            secs += bends.len() as f64 / 60.0;
            let jolt = |w: &[f64]| (w[2] - 2.0 * w[1] + w[0]).abs() > JOLT_DEG;
            jolts += bends.windows(3).filter(|w| jolt(w)).count() as f64;
        }
    }
    (sum / f64::max(count, 1.0), jolts / f64::max(secs, 1e-9))
}

/// A random forest that tries to tell variants from real clips by windows of twelve frames.
mod forest {
    use super::{Clip, Stream, WorldPose, edit};
    use kinfolk::motion::body;

    const WINDOW: usize = 12;
    const TREES: u64 = 60;
    const DEPTH: usize = 6;

    struct Sample {
        features: Vec<f64>,
        is_made: bool,
    }

    enum Tree {
        Leaf(f64),
        Split(usize, f64, Box<[Self; 2]>),
    }

    /// Area under the curve on clips that were not trained on: 0.5 is chance, 1 tells every window.
    pub(super) fn told_apart(real: &[&Clip], made: &[&Clip]) -> f64 {
        let half = |clips: &[&Clip], first: bool| -> Vec<Vec<f64>> {
            let (a, b) = clips.split_at(clips.len() / 2);
            let half = if first { a } else { b };
            half.iter().flat_map(|clip| windows(clip)).collect()
        };
        let set = |first: bool| -> Vec<Sample> {
            let (real, mut made) = (half(real, first), half(made, first));
            // As many of both.
            let stride = (made.len() / real.len().max(1)).max(1);
            made = made.into_iter().step_by(stride).collect();
            let sample = |features: Vec<f64>, is_made: bool| Sample { features, is_made };
            let real = real.into_iter().map(|f| sample(f, false));
            real.chain(made.into_iter().map(|f| sample(f, true)))
                .collect()
        };
        let (learned, judged) = (set(true), set(false));
        let trees: Vec<Tree> = (0..TREES)
            .map(|tree| {
                let mut stream = Stream::named(77, &[tree]);
                let n = learned.len();
                let drawn: Vec<&Sample> = (0..n).map(|_| &learned[stream.below(n)]).collect();
                grow(&drawn, DEPTH, &mut stream)
            })
            .collect();
        let score = |s: &Sample| {
            trees
                .iter()
                .map(|tree| vote(tree, &s.features))
                .sum::<f64>()
        };
        area(
            &judged
                .iter()
                .map(|s| (score(s), s.is_made))
                .collect::<Vec<_>>(),
        )
    }

    fn windows(clip: &Clip) -> Vec<Vec<f64>> {
        let clip = edit::resample(clip, 30.0_f64.min(clip.fps())).expect("a rate");
        let height = body::height(&clip);
        let root = body::Body::of(clip.skeleton());
        let ends: Vec<usize> = root.arms.iter().chain(&root.legs).map(|l| l.end).collect();
        let rows: Vec<Vec<f64>> = clip
            .frames()
            .map(|pose| {
                let world = WorldPose::of(clip.skeleton(), pose);
                let hips = world.positions[0];
                let turn = world.rotations[0].inverse();
                let places = ends.iter().chain(&root.head).flat_map(|&joint| {
                    let seen = turn * (world.positions[joint] - hips) / height;
                    [seen.x, seen.y, seen.z]
                });
                places.collect()
            })
            .collect();
        let describe = |w: &[Vec<f64>]| -> Vec<f64> {
            let n = w[0].len();
            let mean = (0..n).map(|i| w.iter().map(|r| r[i]).sum::<f64>() / WINDOW as f64);
            let speed =
                (0..n).map(|i| w.windows(2).map(|p| (p[1][i] - p[0][i]).abs()).sum::<f64>());
            let jolt = (0..n).map(|i| {
                let steps = w
                    .windows(3)
                    .map(|p| (p[2][i] - 2.0 * p[1][i] + p[0][i]).abs());
                steps.sum::<f64>()
            });
            mean.chain(speed).chain(jolt).collect()
        };
        rows.windows(WINDOW).step_by(4).map(describe).collect()
    }

    fn grow(samples: &[&Sample], depth: usize, stream: &mut Stream) -> Tree {
        let made = samples.iter().filter(|s| s.is_made).count() as f64;
        let share = made / samples.len().max(1) as f64;
        if depth == 0 || samples.len() < 8 || share == 0.0 || share == 1.0 {
            return Tree::Leaf(share);
        }
        let n = samples[0].features.len();
        let impurity = |side: &[&Sample]| {
            let p = side.iter().filter(|s| s.is_made).count() as f64 / side.len().max(1) as f64;
            side.len() as f64 * p * (1.0 - p)
        };
        let mut best: Option<(f64, usize, f64)> = None;
        for _ in 0..(n as f64).sqrt().ceil() as usize {
            let feature = stream.below(n);
            let at = samples[stream.below(samples.len())].features[feature];
            let (a, b): (Vec<&Sample>, Vec<&Sample>) =
                samples.iter().partition(|s| s.features[feature] < at);
            let cost = impurity(&a) + impurity(&b);
            if !a.is_empty() && !b.is_empty() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, feature, at));
            }
        }
        let Some((_, feature, at)) = best else {
            return Tree::Leaf(share);
        };
        let (a, b): (Vec<&Sample>, Vec<&Sample>) =
            samples.iter().partition(|s| s.features[feature] < at);
        let sides = [grow(&a, depth - 1, stream), grow(&b, depth - 1, stream)];
        Tree::Split(feature, at, Box::new(sides))
    }

    fn vote(tree: &Tree, features: &[f64]) -> f64 {
        match tree {
            Tree::Leaf(share) => *share,
            Tree::Split(feature, at, sides) => {
                vote(&sides[usize::from(features[*feature] >= *at)], features)
            }
        }
    }

    /// How often a made window has a higher score than a real one.
    fn area(scores: &[(f64, bool)]) -> f64 {
        let (mut wins, mut pairs) = (0.0, 0.0);
        for (a, _) in scores.iter().filter(|s| s.1) {
            for (b, _) in scores.iter().filter(|s| !s.1) {
                pairs += 1.0;
                wins += if a > b {
                    1.0
                } else {
                    f64::from(u8::from(a == b)) * 0.5
                };
            }
        }
        wins / f64::max(pairs, 1.0)
    }
}
