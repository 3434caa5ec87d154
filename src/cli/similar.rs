//! `kinfolk similar`: which clips go together well enough to learn from.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::inputs::{Input, expand, for_each_clip};
use super::learn::SettingArgs;
use super::progress::{Watched, ticket_for_ctrl_c};
use super::{Common, End, TO_STRING, print, print_json};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::variation::LearnError;
use crate::variation::similar::{Judged, Selection, select};

/// Selects clips that go together with known ones
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Clips that are known to go together, three at least
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP")]
    reference: Vec<PathBuf>,
    /// Clips to select from
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP")]
    candidates: Vec<PathBuf>,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
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
