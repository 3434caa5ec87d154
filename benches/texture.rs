//! The tables of `resources/texture.md`: prediction of clips that were held back, every label played, paths and orders.
//!
//! `cargo bench --bench texture`, or `-- paths` for the tables with that word. Needs the motion capture that the
//! tests use beside the project, and says so where it is not there.
#![expect(clippy::print_stdout, reason = "prints tables")]

#[path = "texture/labels.rs"]
mod labels;
#[path = "texture/paths.rs"]
mod paths;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::join::report::{JoinReport, OVERSHOOT_DEG, SLIDE_TIMES};
use kinfolk::motion::join::{Joined, Strip};
use kinfolk::texture::search::LabelRoutes;
use kinfolk::texture::{
    FrameId, LabelledClip, Ordered, Performance, PlaySettings, PlayedJoin, Source, Steer, Texture,
    TextureSettings, evaluation, likelihood,
};

/// Plays of each label.
const PLAYS: u64 = 10;
/// How long a label is played.
const PLAY_SECS: f64 = 10.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|a| a == "--bench") {
        println!("nothing measured: run by cargo bench --bench texture");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/locomotion");
    if !folder.exists() {
        println!("{} is not here", folder.display());
        return;
    }
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|w| name.contains(w.as_str()));
    let clips = labelled(&folder);
    if wanted("prediction") {
        predictions(&clips);
    }
    let started = Instant::now();
    let texture = learn(&clips);
    let secs = started.elapsed().as_secs_f64();
    println!(
        "\nlearned in {secs:.1} s: {} systems",
        texture.systems().len()
    );
    println!("{:#?}", texture.summary());
    println!("{} transitions", texture.graph().transitions().len());
    reachable(&texture);
    if wanted("likelihood") {
        likelihoods(&texture);
    }
    if wanted("labels") {
        labels::labels(&texture);
    }
    if wanted("halves") {
        labels::halves(&clips);
    }
    if wanted("paths") {
        paths::paths(&texture);
    }
    if wanted("thirds") {
        paths::thirds(&texture);
    }
    if wanted("orders") {
        orders(&texture);
        steering(&texture);
        paths::upper(&texture);
    }
}

fn learn(clips: &[LabelledClip]) -> Texture {
    let settings = TextureSettings::default();
    Texture::learn(clips, &settings, &Ticket::default()).expect("clips of one skeleton")
}

fn labelled(folder: &Path) -> Vec<LabelledClip> {
    let text = std::fs::read_to_string(folder.join("labels.csv")).expect("the labels");
    let mut all = Vec::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split(',');
        let file = PathBuf::from(columns.next().unwrap_or_default());
        let mut clip = read_clip(&folder.join(&file)).expect("a clip of the development set");
        clip.info.name = file.display().to_string();
        all.push(LabelledClip {
            clip: Arc::new(clip),
            label: columns.next().unwrap_or_default().to_owned(),
        });
    }
    all
}

/// Every fifth clip is held back; settings were chosen on others (every fifth from another start).
fn predictions(clips: &[LabelledClip]) {
    let part = |held: bool| -> Vec<LabelledClip> {
        let all = clips.iter().enumerate();
        all.filter(|(n, _)| (n % 5 == 4) == held)
            .map(|(_, c)| c.clone())
            .collect()
    };
    let texture = learn(&part(false));
    let rows = evaluation::predictions(&texture, &part(true), 7, &Ticket::default());
    println!("| prediction, degrees | 1 frame | 5 | 15 |\n|---|---|---|---|");
    for row in rows.expect("clips of one skeleton") {
        let [one, five, fifteen] = row.error_deg;
        println!("| {} | {one:.2} | {five:.2} | {fifteen:.2} |", row.name);
    }
}

/// Weights of the prior can be chosen on the even clips and read off the odd ones.
fn likelihoods(texture: &Texture) {
    println!("| systems, nats a number more than the corpus' | even clips | odd |\n|---|---|---|");
    let weights = [5.0, 10.0, 20.0, 40.0, 80.0];
    let [even, odd] = [0, 1].map(|rest| {
        let is_judged = |clip: usize| clip % 2 == rest;
        likelihood::likelihoods(texture, is_judged, &weights, &Ticket::default())
            .expect("systems that were fitted")
    });
    for (even, odd) in even.iter().zip(&odd) {
        println!("| {} | {:.3} | {:.3} |", even.name, even.gain, odd.gain);
    }
}

fn reachable(texture: &Texture) {
    let corpus = texture.search();
    let commands = texture.commands();
    let (mut reached, mut pairs) = (0, 0);
    for to in &commands {
        let routes = LabelRoutes::to(&corpus, &to.marks);
        for from in commands.iter().filter(|from| from.name != to.name) {
            let leads = corpus.tracks.iter().enumerate().any(|(clip, track)| {
                (0..track.n_frames()).any(|frame| {
                    from.marks.contains(&track.labels[frame])
                        && routes.secs(FrameId { clip, frame }).is_finite()
                })
            });
            reached += usize::from(leads);
            pairs += 1;
        }
    }
    println!("{reached} of {pairs} ordered pairs of labels can be reached");
}

fn play(texture: &Texture, action: &str, source: Source, seed: u64) -> Performance {
    let order = [Ordered {
        action: action.to_owned(),
        secs: PLAY_SECS,
    }];
    let settings = PlaySettings {
        source,
        seed,
        ..PlaySettings::default()
    };
    let made = texture.perform_order(&order, &settings, &Ticket::default());
    made.expect("a label that is performed")
}

/// Joins within the bounds, and those beyond that are no rougher than the clips are where they join them.
fn within_bounds(texture: &Texture, made: &Performance) -> [usize; 2] {
    let norms = &texture.corpus().norms;
    let joins = made.joins.iter();
    let (within, beyond): (Vec<_>, Vec<_>) = joins.partition(|j| j.report.excess(norms) == 0.0);
    let as_captured = beyond.iter().filter(|join| is_as_captured(texture, join));
    [within.len(), as_captured.count()]
}

/// Whether the frames of the two clips around a join are as rough by themselves.
fn is_as_captured(texture: &Texture, join: &PlayedJoin) -> bool {
    const AROUND: usize = 8;
    let corpus = texture.corpus();
    let norms = &corpus.norms;
    let captured = |at: FrameId| {
        let clip = &corpus.clips[at.clip].join;
        let frames =
            at.frame.saturating_sub(AROUND)..(at.frame + join.frames + AROUND).min(clip.n_frames());
        let joined = Joined {
            at: (at.frame - frames.start).max(1),
            frames: join.frames.min((frames.end - at.frame).saturating_sub(2)),
            clip: 0..frames.len(),
        };
        let strip = Strip::of(&corpus.rig, clip, frames);
        norms.report(&strip, &joined)
    };
    let own = [join.from, join.to].map(captured);
    let most = |of: fn(&JoinReport) -> f64, limit: f64| own.iter().map(of).fold(limit, f64::max);
    let made = &join.report;
    made.jerk_ratio <= most(|r| r.jerk_ratio, 1.0)
        && made.space_jerk_ratio <= most(|r| r.space_jerk_ratio, 1.0)
        && made.pose_jump_deg <= most(|r| r.pose_jump_deg, norms.step_deg)
        && made.velocity_jump_deg <= most(|r| r.velocity_jump_deg, norms.velocity_step_deg)
        && made.overshoot_deg <= OVERSHOOT_DEG
        && made.foot_slide <= most(|r| r.foot_slide, SLIDE_TIMES * norms.foot_slide)
}

fn ordered(actions: &[&str]) -> Vec<Ordered> {
    let part = |action: &&str| Ordered {
        action: (*action).to_owned(),
        secs: 4.0,
    };
    actions.iter().map(part).collect()
}

fn orders(texture: &Texture) {
    let all: [&[&str]; 4] = [
        &["walk", "run", "kick"],
        &["sneak", "jog", "hop"],
        &["walk_slow", "march", "crouch"],
        &["jump", "limp", "backward"],
    ];
    println!(
        "| order, ten seeds | frames from | joins | within bounds | as captured | beyond the threshold | not reached | others shown, s | ms a frame |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for actions in all {
        for source in [Source::Systems, Source::Replay] {
            order_row(texture, actions, source);
        }
    }
}

fn order_row(texture: &Texture, actions: &[&str], source: Source) {
    let order = ordered(actions);
    let [
        mut joins,
        mut bounds,
        mut captured,
        mut unreached,
        mut fallbacks,
        mut frames,
    ] = [0; 6];
    let mut detours = 0.0;
    let started = Instant::now();
    for seed in 1..=10 {
        let settings = PlaySettings {
            source,
            seed,
            ..PlaySettings::default()
        };
        let made = texture.perform_order(&order, &settings, &Ticket::default());
        let made = made.expect("actions that are performed");
        joins += made.joins.len();
        let [within, as_rough] = within_bounds(texture, &made);
        bounds += within;
        captured += as_rough;
        unreached += made.unreached.len();
        fallbacks += made.joins.iter().filter(|j| j.is_fallback).count();
        detours += made.detours.iter().map(|d| d.1).sum::<f64>();
        frames += made.clip.n_frames();
    }
    let ms = started.elapsed().as_secs_f64() * 1000.0 / frames as f64;
    println!(
        "| {} | {source:?} | {joins} | {bounds} | {captured} | {fallbacks} | {unreached} | {detours:.0} | {ms:.2} |",
        actions.join(", ")
    );
}

/// Every label, steered to and fro between it and others for 14 s.
fn steering(texture: &Texture) {
    let others = ["walk", "run", "kick", "jog", "hop", "sneak"];
    let [
        mut joins,
        mut bounds,
        mut captured,
        mut fallbacks,
        mut frames,
    ] = [0; 5];
    let started = Instant::now();
    for (seed, label) in texture.corpus().labels.iter().enumerate() {
        let at = |step: usize| Steer {
            secs: 2.0 * step as f64,
            heading_rad: 1.2 * step as f64,
            speed: None,
            action: Some(match step % 2 {
                0 => label.clone(),
                _ => others[(seed + step) % others.len()].to_owned(),
            }),
        };
        let steers: Vec<Steer> = (0..6).map(at).collect();
        let settings = PlaySettings {
            seed: seed as u64 + 1,
            ..PlaySettings::default()
        };
        let made = texture.perform_steering(&steers, 14.0, &settings, &Ticket::default());
        let made = made.expect("steering goes on wherever it leads");
        joins += made.joins.len();
        let [within, as_rough] = within_bounds(texture, &made);
        bounds += within;
        captured += as_rough;
        fallbacks += made.joins.iter().filter(|j| j.is_fallback).count();
        frames += made.clip.n_frames();
    }
    let ms = started.elapsed().as_secs_f64() * 1000.0 / frames as f64;
    println!(
        "steering, {} plays of 14 s: {joins} joins, {bounds} within bounds, {captured} as captured, {fallbacks} beyond the threshold, {ms:.2} ms a frame",
        texture.corpus().labels.len()
    );
}
