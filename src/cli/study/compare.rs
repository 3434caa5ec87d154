//! The whole table of `kinfolk measure`: any sets, all measures, as text, CSV, JSON and a page.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::super::inputs::{LoadedClips, load_all};
use super::super::progress::Watched;
use super::super::{Common, TO_STRING, check_file, write_file};
use crate::file::{study_report, variation_model};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::study::baselines::{self, BaselineSet};
use crate::study::measures::{ClipSet, Comparison, Measure, Reading, SetReadings, compare};

/// What is asked of `kinfolk measure` beyond the first numbers.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(in crate::cli) struct Args {
    /// Measure everything: the table of all sets and measures, with what real clips have
    #[arg(long)]
    all: bool,
    /// A further set to put beside the variants, such as another tool's output; may be given several times
    #[arg(long, value_name = "NAME=DIR", value_parser = named)]
    set: Vec<(String, PathBuf)>,
    /// What `kinfolk learn` wrote: the likelihood of every clip is measured, too
    #[arg(long, value_name = "MODEL.ron")]
    model: Option<PathBuf>,
    /// Write every reading as a table
    #[arg(long, value_name = "TABLE.csv")]
    csv: Option<PathBuf>,
    /// Write a page with plots and the moments to look at
    #[arg(long, value_name = "REPORT.html")]
    html: Option<PathBuf>,
}

fn named(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(path)))
        }
        _ => Err("expected a name and a clip or folder, such as blends=blends/".to_owned()),
    }
}

/// The sets that are there already.
pub(in crate::cli) struct Given<'a> {
    pub(in crate::cli) inputs: &'a LoadedClips,
    pub(in crate::cli) variants: &'a LoadedClips,
    pub(in crate::cli) real: &'a LoadedClips,
    pub(in crate::cli) baselines: bool,
}

/// What came of it.
pub(in crate::cli) struct Compared {
    pub(in crate::cli) json: Value,
    pub(in crate::cli) text: String,
    pub(in crate::cli) all_read: bool,
}

impl Args {
    /// Whether any of it is asked for; refuses files that could not be written.
    pub(in crate::cli) fn check(&self, common: &Common) -> anyhow::Result<bool> {
        for file in self.csv.iter().chain(&self.html) {
            check_file(file, common)?;
        }
        let is_written = self.csv.is_some() || self.html.is_some();
        Ok(self.all || is_written || self.model.is_some() || !self.set.is_empty())
    }

    /// Compares all sets and writes what was asked for.
    pub(in crate::cli) fn run(
        &self,
        given: &Given<'_>,
        common: &Common,
        ticket: &Ticket,
    ) -> anyhow::Result<Compared> {
        let model = self.model.as_ref().map(|path| {
            let read = variation_model::read_file(path);
            read.and_then(variation_model::AnyModel::into_clips)
                .with_context(|| path.display().to_string())
        });
        let model = model.transpose()?;
        let mut made: Vec<(String, Vec<Clip>)> = Vec::new();
        let mut all_read = true;
        for (name, path) in &self.set {
            let set = load_all(std::slice::from_ref(path), common, ticket)?;
            all_read &= set.all_read;
            made.push((name.clone(), set.clips));
        }
        if given.baselines {
            made.extend(baseline_sets(given, common.seed, ticket)?);
        }
        let own = ClipSet {
            name: "variants".to_owned(),
            clips: given.variants.refs(),
        };
        let others = made.iter().map(|(name, clips)| ClipSet {
            name: name.clone(),
            clips: clips.iter().collect(),
        });
        let sets: Vec<ClipSet<'_>> = std::iter::once(own).chain(others).collect();
        let watched = Watched::start("measuring", ticket, common.quiet);
        let found = compare(
            &given.inputs.refs(),
            &given.real.refs(),
            &sets,
            model.as_ref(),
            ticket,
        );
        watched.finish();
        let found = found.map_err(|error| super::plainly(error.into()))?;
        if let Some(path) = &self.csv {
            write_file(
                path,
                study_report::comparison_csv(&found).as_bytes(),
                common,
            )?;
        }
        if let Some(path) = &self.html {
            let page = study_report::comparison_page("Sets of clips compared", &found, &sets);
            write_file(path, page.as_bytes(), common)?;
        }
        Ok(Compared {
            json: as_json(&found),
            text: as_text(&found),
            all_read,
        })
    }
}

/// What variation is not: as many clips as there are variants, of each kind.
fn baseline_sets(
    given: &Given<'_>,
    seed: u64,
    ticket: &Ticket,
) -> anyhow::Result<Vec<(String, Vec<Clip>)>> {
    let (inputs, variants) = (given.inputs.refs(), given.variants.refs());
    let mut made = Vec::new();
    for kind in BaselineSet::ALL {
        if kind.is_possible(inputs.len()) {
            let clips = baselines::make(kind, &inputs, &variants, seed, ticket)?;
            made.push((kind.name().to_owned(), clips));
        }
    }
    Ok(made)
}

fn as_json(found: &Comparison) -> Value {
    let measures: Vec<Value> = found
        .measures()
        .map(|measure| {
            let range = found.range(measure);
            json!({
                "id": measure.id(), "name": measure.name(), "unit": measure.unit(),
                "sentence": measure.sentence(),
                "real": range.map(|r| json!({ "low": r.low, "high": r.high, "n": r.n })),
            })
        })
        .collect();
    let sets: Vec<Value> = found.sets.iter().map(|set| set_json(found, set)).collect();
    json!({ "measures": measures, "sets": sets })
}

fn set_json(found: &Comparison, set: &SetReadings) -> Value {
    let (mut values, mut usual) = (serde_json::Map::new(), serde_json::Map::new());
    for measure in found.measures() {
        values.insert(measure.id().to_owned(), json!(set.get(measure)));
        usual.insert(measure.id().to_owned(), json!(found.is_usual(set, measure)));
    }
    let clips: Vec<Value> = set
        .clips
        .iter()
        .map(|clip| {
            let reading = |measure: Measure| clip.get(measure).map(|r| reading_json(&r));
            let readings: serde_json::Map<String, Value> = found
                .measures()
                .filter_map(|measure| Some((measure.id().to_owned(), reading(measure)?)))
                .collect();
            json!({ "name": clip.name, "readings": readings })
        })
        .collect();
    json!({ "name": set.name, "values": values, "usual": usual, "clips": clips })
}

fn reading_json(reading: &Reading) -> Value {
    json!({ "value": reading.value, "frame": reading.frame })
}

/// The table; a star marks what is outside of what real clips have.
fn as_text(found: &Comparison) -> String {
    let mut text = format!("\n{:<30}{:>22}", "", "real clips");
    for set in &found.sets {
        write!(text, " {:>16}", set.name).expect(TO_STRING);
    }
    text.push('\n');
    for measure in found.measures() {
        let range = found.range(measure);
        let range = range.map_or_else(
            || "-".to_owned(),
            |r| format!("{:.4} to {:.4}", r.low, r.high),
        );
        write!(text, "{:<30}{range:>22}", measure.name()).expect(TO_STRING);
        for set in &found.sets {
            let mark = match found.is_usual(set, measure) {
                Some(false) => '*',
                _ => ' ',
            };
            let value = set
                .get(measure)
                .map_or_else(|| "-".to_owned(), |v| format!("{v:.4}"));
            write!(text, " {value:>15}{mark}").expect(TO_STRING);
        }
        text.push('\n');
    }
    text.push_str(
        "* outside of what real clips have (inputs among themselves, and those held back)\n",
    );
    text
}
