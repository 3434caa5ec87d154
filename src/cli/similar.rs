//! `kinfolk similar`: which clips go together well enough to learn from.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::inputs::{Input, expand, for_each_clip};
use super::learn::SettingArgs;
use super::progress::{Watched, ticket_for_ctrl_c};
use super::{Common, End, TO_STRING, print, print_json};
use crate::file::variation_model;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::variation::similar::{Judged, Selection, select};
use crate::variation::{LearnError, Likelihood};

/// How many odd parts are told of a clip.
const TOLD: usize = 3;

/// Selects clips that go together with known ones
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Clips that are known to go together, three at least
    #[arg(long, required_unless_present = "model", num_args = 1.., value_name = "CLIP")]
    reference: Vec<PathBuf>,
    /// Instead of selecting, says how likely each candidate is under a model that `kinfolk learn` wrote, and where it is odd
    #[arg(long, value_name = "MODEL.ron", conflicts_with = "reference")]
    model: Option<PathBuf>,
    /// Clips to select from
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP")]
    candidates: Vec<PathBuf>,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    if let Some(model) = &args.model {
        return judge(model, &args.candidates, common, &ticket);
    }
    let (reference, all_known) = read(&args.reference, common, &ticket);
    let (candidates, all_read) = read(&args.candidates, common, &ticket);
    if ticket.check().is_err() {
        return Ok(End::Cancelled);
    }
    let clips = |set: &[(Input, Clip)]| -> Vec<Clip> { set.iter().map(|s| s.1.clone()).collect() };
    let (known, unknown) = (clips(&reference), clips(&candidates));
    let watched = Watched::start("comparing", &ticket, common.quiet);
    let selected = select(
        &known.iter().collect::<Vec<_>>(),
        &unknown.iter().collect::<Vec<_>>(),
        &args.settings.settings(common),
        &ticket,
    );
    watched.finish();
    let selection = match selected {
        Err(LearnError::Cancelled(_)) => return Ok(End::Cancelled),
        other => other?,
    };
    let file = |set: &[(Input, Clip)], at: usize| set[at].0.path.display().to_string();
    let of_reference = |at: usize| file(&reference, at);
    let of_candidate = |at: usize| file(&candidates, at);
    if common.json {
        print_json(&as_json(&selection, &of_reference, &of_candidate))?;
    } else {
        print(&as_text(&selection, &of_candidate))?;
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
    let inputs = expand(candidates);
    let results = for_each_clip(&inputs, common, ticket, |_, clip| {
        let take = model.take(&clip)?;
        Ok(model.model().likelihood_of(&take.values, None)?)
    });
    let end = results.end();
    let judged = inputs.iter().zip(&results.each);
    let judged: Vec<(&Input, &Likelihood)> = judged
        .filter_map(|(input, result)| Some((input, result.as_ref().ok()?)))
        .collect();
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
        print_json(&json!({ "fps": model.fps(), "likelihoods": each.collect::<Vec<_>>() }))?;
        return Ok(end);
    }
    let mut text = String::new();
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

/// Clips with the files they came from, and whether all could be read.
fn read(paths: &[PathBuf], common: &Common, ticket: &Ticket) -> (Vec<(Input, Clip)>, bool) {
    let inputs = expand(paths);
    let results = for_each_clip(&inputs, common, ticket, |_, clip| Ok(clip));
    let n = inputs.len();
    let pairs = inputs.into_iter().zip(results.each);
    let read: Vec<(Input, Clip)> = pairs
        .filter_map(|(input, clip)| Some((input, clip.ok()?)))
        .collect();
    let all = read.len() == n;
    (read, all)
}

fn why(selection: &Selection, judged: &Judged) -> Vec<Value> {
    let name = |dof: usize| selection.dofs.get(dof);
    judged
        .unlikely
        .iter()
        .map(|u| json!({ "dof": name(u.dof), "likelihood": u.mean, "frame": u.worst_frame }))
        .collect()
}

fn as_json(
    selection: &Selection,
    reference: &dyn Fn(usize) -> String,
    candidate: &dyn Fn(usize) -> String,
) -> Value {
    let dropped: Vec<Value> = selection
        .dropped
        .iter()
        .map(|d| {
            json!({
                "file": candidate(d.judged.candidate), "round": d.round,
                "likelihood": d.judged.likelihood, "why": why(selection, &d.judged),
            })
        })
        .collect();
    let rounds: Vec<Vec<Value>> = selection
        .rounds
        .iter()
        .map(|round| {
            let of =
                |j: &Judged| json!({ "file": candidate(j.candidate), "likelihood": j.likelihood });
            round.iter().map(of).collect()
        })
        .collect();
    let known: Vec<Value> = selection
        .reference
        .iter()
        .map(|(at, likelihood)| json!({ "file": reference(*at), "likelihood": likelihood }))
        .collect();
    json!({
        "threshold": selection.threshold,
        "kept": selection.kept.iter().map(|&at| candidate(at)).collect::<Vec<_>>(),
        "dropped": dropped,
        "likelihoods": { "reference": known, "rounds": rounds },
    })
}

fn as_text(selection: &Selection, candidate: &dyn Fn(usize) -> String) -> String {
    let mut text = format!("threshold {:.3}\n", selection.threshold);
    if let Some(last) = selection.rounds.last() {
        for judged in last
            .iter()
            .filter(|j| selection.kept.contains(&j.candidate))
        {
            let file = candidate(judged.candidate);
            writeln!(text, "kept    {:>9.3}  {file}", judged.likelihood).expect(TO_STRING);
        }
    }
    for dropped in &selection.dropped {
        let judged = &dropped.judged;
        let parts = judged.unlikely.iter().take(3);
        let names: Vec<&str> = parts
            .filter_map(|u| selection.dofs.get(u.dof).map(String::as_str))
            .collect();
        writeln!(
            text,
            "dropped {:>9.3}  {}  in round {}: {}",
            judged.likelihood,
            candidate(judged.candidate),
            dropped.round,
            names.join(", ")
        )
        .expect(TO_STRING);
    }
    text
}
