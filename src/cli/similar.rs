//! `kinfolk similar`: which clips go together well enough to learn from.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::inputs::{Input, expand, for_each_motion};
use super::learn::SettingArgs;
use super::onto::{self, OntoArgs};
use super::progress::{Watched, ticket_for_ctrl_c};
use super::{Common, End, TO_STRING, print, print_json};
use crate::file::variation_model;
use crate::jobs::Ticket;
use crate::motion::metrics::{MOST_FPS, common_fps};
use crate::motion::{ChartSettings, Clip, DofChart};
use crate::retarget::Character;
use crate::variation::similar::{Judged, Selection, Way, WayPart, select};
use crate::variation::{FEWEST_FRAMES, LearnError, Likelihood, Unlikely};

/// How many odd parts are told of a clip.
const TOLD: usize = 3;
/// Each known clip is judged by those that are left when two are taken out.
const FEWEST: usize = 3;

/// Selects clips that go together with known ones
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Clips that are known to go together, three at least
    #[arg(long, required_unless_present = "model", num_args = 1.., value_name = "CLIP")]
    reference: Vec<PathBuf>,
    /// Instead of selecting, says how likely each candidate is under a model that `kinfolk learn` wrote, and where it
    /// is odd
    #[arg(long, value_name = "MODEL.ron", conflicts_with = "reference")]
    model: Option<PathBuf>,
    /// Clips to select from
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP")]
    candidates: Vec<PathBuf>,
    #[command(flatten)]
    onto: OntoArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    if let Some(model) = &args.model {
        return judge(model, &args.candidates, common, &ticket);
    }
    let target = args.onto.character()?;
    let (reference, all_known) =
        read(
            &args.reference,
            target.as_ref(),
            common,
            &ticket,
            |_| Ok(()),
        )?;
    ticket.check()?;
    anyhow::ensure!(
        reference.len() >= FEWEST,
        "at least {FEWEST} clips that are known to go together are needed as --reference, found {}",
        reference.len()
    );
    let chart = DofChart::learn(&clips(&reference), &ChartSettings::default())?;
    let (candidates, all_read) =
        read(&args.candidates, target.as_ref(), common, &ticket, |clip| {
            // Said here, it is one bad input among good ones.
            chart.curves(clip)?;
            anyhow::ensure!(
                clip.n_frames() >= FEWEST_FRAMES,
                "too short: {} of at least {FEWEST_FRAMES} frames",
                clip.n_frames()
            );
            Ok(())
        })?;
    ticket.check()?;
    anyhow::ensure!(!candidates.is_empty(), "none of the candidates can be used");
    let watched = Watched::start("comparing", &ticket, common.quiet);
    let selected = select(
        &clips(&reference),
        &clips(&candidates),
        &args.settings.settings(common),
        &ticket,
    );
    watched.finish();
    let selection = match selected {
        Err(LearnError::Cancelled(_)) => return Ok(End::Cancelled),
        other => other?,
    };
    let found = NamedSelection {
        fps: common_fps(
            reference.iter().chain(&candidates).map(|read| &read.1),
            MOST_FPS,
        ),
        selection,
        reference,
        candidates,
    };
    if common.json {
        print_json(&found.json())?;
    } else {
        print(&found.text())?;
    }
    Ok(if all_known && all_read {
        End::Done
    } else {
        End::SomeFailed
    })
}

/// How likely clips are under a model, and what of them is least likely.
fn judge(
    model: &Path,
    candidates: &[PathBuf],
    common: &Common,
    ticket: &Ticket,
) -> anyhow::Result<End> {
    let model = variation_model::read_file(model)
        .and_then(variation_model::AnyModel::into_clips)
        .with_context(|| model.display().to_string())?;
    let inputs = expand(candidates, common, ticket)?;
    let results = for_each_motion(&inputs, common, ticket, |_, clip| {
        let take = model.take(&clip)?;
        Ok(model.model().likelihood_of(&take.values, None)?)
    });
    let end = results.end();
    let judged = inputs.iter().zip(&results.each);
    let judged: Vec<(&Input, &Likelihood)> = judged
        .filter_map(|(input, result)| Some((input, result.as_ref().ok()?)))
        .collect();
    // The yardstick: how likely each clip of the model is for the others.
    let known = model.model().remake_takes();
    let name = |dof: usize| model.chart().dofs()[dof].name.as_str();
    if common.json {
        let each = judged.iter().map(|(input, found)| {
            let odd = found.unlikely(TOLD).into_iter().map(
                |u| json!({ "dof": name(u.dof), "likelihood": u.mean, "frame": u.worst_frame }),
            );
            json!({
                "file": input.path.display().to_string(), "likelihood": found.mean(),
                "by_frame": found.by_frame(), "why": odd.collect::<Vec<_>>(),
            })
        });
        let known = known.iter();
        let known = known.map(|k| json!({ "clip": k.take, "likelihood": k.log_likelihood }));
        print_json(&json!({
            "fps": model.fps(), "likelihoods": each.collect::<Vec<_>>(),
            "left_out": known.collect::<Vec<_>>(),
        }))?;
        return Ok(end);
    }
    let known = known.iter().map(|k| k.log_likelihood);
    let least = known.clone().fold(f64::INFINITY, f64::min);
    let most = known.fold(f64::NEG_INFINITY, f64::max);
    let mut text = format!(
        "mean log-likelihood of a value; each clip of the model by the others: {least:.3} to {most:.3}\n"
    );
    for (input, found) in judged {
        let odd = found.unlikely(TOLD).into_iter().map(|u| {
            let secs = u.worst_frame as f64 / model.fps();
            format!("{} {:.1} (worst at {secs:.2} s)", name(u.dof), u.mean)
        });
        writeln!(
            text,
            "{:>9.3}  {}: {}",
            found.mean(),
            input.path.display(),
            odd.collect::<Vec<_>>().join(", ")
        )
        .expect(TO_STRING);
    }
    print(&text)?;
    Ok(end)
}

/// Clips with the files they came from, and whether all could be used.
fn read(
    paths: &[PathBuf],
    target: Option<&Character>,
    common: &Common,
    ticket: &Ticket,
    check: impl Fn(&Clip) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<(Vec<(Input, Clip)>, bool)> {
    let inputs = expand(paths, common, ticket)?;
    let results = for_each_motion(&inputs, common, ticket, |_, clip| {
        let clip = onto::bring(&clip, target)?;
        check(&clip)?;
        Ok(clip)
    });
    let n = inputs.len();
    let pairs = inputs.into_iter().zip(results.each);
    let read: Vec<(Input, Clip)> = pairs
        .filter_map(|(input, clip)| Some((input, clip.ok()?)))
        .collect();
    let all = read.len() == n;
    Ok((read, all))
}

fn clips(read: &[(Input, Clip)]) -> Vec<&Clip> {
    read.iter().map(|(_, clip)| clip).collect()
}

/// A selection with the files it is about.
struct NamedSelection {
    selection: Selection,
    reference: Vec<(Input, Clip)>,
    candidates: Vec<(Input, Clip)>,
    /// All clips were compared at this rate.
    fps: f64,
}

impl NamedSelection {
    fn candidate(&self, at: usize) -> String {
        self.candidates[at].0.path.display().to_string()
    }

    fn dof(&self, unlikely: &Unlikely) -> &str {
        let name = self.selection.dofs.get(unlikely.dof);
        name.map_or("", String::as_str)
    }

    /// When a clip is least likely: seconds, and the frame of the clip as it was loaded.
    fn moment(&self, judged: &Judged, unlikely: &Unlikely) -> (f64, usize) {
        let seconds = unlikely.worst_frame as f64 / self.fps;
        let clip = &self.candidates[judged.candidate].1;
        let frame = (seconds * clip.fps()).round() as usize;
        (seconds, frame.min(clip.n_frames() - 1))
    }

    fn json(&self) -> Value {
        let selection = &self.selection;
        let of =
            |j: &Judged| json!({ "file": self.candidate(j.candidate), "likelihood": j.likelihood });
        let why = |judged: &Judged| -> Vec<Value> {
            let all = judged.unlikely.iter();
            all.map(|u| {
                let (seconds, frame) = self.moment(judged, u);
                json!({ "dof": self.dof(u), "likelihood": u.mean, "frame": frame, "seconds": seconds })
            })
            .collect()
        };
        let dropped = selection.dropped.iter().map(|d| {
            json!({
                "file": self.candidate(d.judged.candidate), "round": d.round,
                "likelihood": d.judged.likelihood, "is_near": d.is_near,
                "why": why(&d.judged), "astray": d.astray.as_ref().map(ToString::to_string),
            })
        });
        let rounds = selection.rounds.iter();
        let rounds = rounds.map(|round| round.iter().map(of).collect::<Vec<_>>());
        let known = selection.reference.iter().map(|(at, likelihood)| {
            let file = self.reference[*at].0.path.display().to_string();
            json!({ "file": file, "likelihood": likelihood })
        });
        json!({
            "threshold": selection.threshold, "near": selection.near,
            "kept": selection.kept.iter().map(|&at| self.candidate(at)).collect::<Vec<_>>(),
            "dropped": dropped.collect::<Vec<_>>(),
            "ways": self.ways(),
            "likelihoods": {
                "reference": known.collect::<Vec<_>>(),
                "rounds": rounds.collect::<Vec<_>>(),
            },
        })
    }

    /// Where clips go as a whole, and what clips of the kind would.
    fn ways(&self) -> Value {
        let Some(ways) = &self.selection.ways else {
            return Value::Null;
        };
        let way = |file: &Path, way: &Way| {
            let mut named = json!({ "file": file.display().to_string() });
            for part in WayPart::ALL {
                named[part.key()] = json!(part.number(way[part as usize]));
            }
            named
        };
        let all = |read: &[(Input, Clip)], found: &[Way]| -> Vec<Value> {
            let files = read.iter().map(|(input, _)| &*input.path);
            files.zip(found).map(|(f, w)| way(f, w)).collect()
        };
        let bounds = WayPart::ALL.map(|part| {
            let (least, most) = ways.bounds[part as usize];
            let bounds = [least, most].map(|bound| part.number(bound));
            (part.key().to_owned(), json!(bounds))
        });
        json!({
            "bounds": Value::Object(bounds.into_iter().collect()),
            "reference": all(&self.reference, &ways.known),
            "candidates": all(&self.candidates, &ways.candidates),
        })
    }

    fn text(&self) -> String {
        let selection = &self.selection;
        let threshold = selection.threshold;
        let mut text = format!(
            "mean log-likelihood of a value; below {threshold:.3} a clip is unlike the known ones\n"
        );
        let last = selection.rounds.last().into_iter().flatten();
        for judged in last.filter(|j| selection.kept.contains(&j.candidate)) {
            let file = self.candidate(judged.candidate);
            writeln!(text, "kept    {:>9.3}  {file}", judged.likelihood).expect(TO_STRING);
        }
        for dropped in &selection.dropped {
            let judged = &dropped.judged;
            let odd = judged.unlikely.iter().take(TOLD).map(|u| {
                let (seconds, _) = self.moment(judged, u);
                format!("{} (worst at {seconds:.2} s)", self.dof(u))
            });
            let why = match &dropped.astray {
                Some(astray) => astray.to_string(),
                None => odd.collect::<Vec<_>>().join(", "),
            };
            writeln!(
                text,
                "dropped {:>9.3}  {}, in round {}{}: {why}",
                judged.likelihood,
                self.candidate(judged.candidate),
                dropped.round,
                if dropped.is_near { ", a near miss" } else { "" },
            )
            .expect(TO_STRING);
        }
        text
    }
}
