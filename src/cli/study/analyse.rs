//! `kinfolk study analyse`: what ratings come to.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::super::{Common, End, TO_STRING, check_file, print, print_json, reason, write_file};
use crate::file::study_ratings::{self, tables_in};
use crate::file::{bytes_of, study_plan, study_report};
use crate::study::anova::{Summary, summarise};
use crate::study::session::{Analysis, Plan, Rating, analyse};

/// Analyses ratings: one-way analysis of variance, means with confidence intervals, box plots
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Tables of ratings, as the page and the window save them; folders are searched for .csv
    #[arg(value_name = "RATINGS.csv", required = true)]
    ratings: Vec<PathBuf>,
    /// Folder of the study, which knows what was shown [default: looked for beside the ratings]
    #[arg(long, value_name = "DIR")]
    study: Vec<PathBuf>,
    /// Write a page with plots
    #[arg(long, value_name = "REPORT.html")]
    out: Option<PathBuf>,
    /// Write the numbers as a table
    #[arg(long, value_name = "TABLE.csv")]
    csv: Option<PathBuf>,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    for file in args.out.iter().chain(&args.csv) {
        check_file(file, common)?;
    }
    let files: Vec<PathBuf> = args
        .ratings
        .iter()
        .flat_map(|path| tables_in(path))
        .collect();
    let mut plans = Vec::new();
    for folder in &args.study {
        let path = folder.join("study.ron");
        plans.push(study_plan::read(&path).with_context(|| path.display().to_string())?);
    }
    let mut ratings: Vec<Rating> = Vec::new();
    let mut end = End::Done;
    for file in &files {
        let mut near: Vec<Plan> = plans.clone();
        near.extend(plans_near(file));
        match read(file, &near) {
            Ok(found) => ratings.extend(found),
            Err(error) => {
                tell!("error: {}: {}", file.display(), reason(&error));
                end = End::SomeFailed;
            }
        }
    }
    let n_twice = study_ratings::without_copies(&mut ratings);
    if n_twice > 0 && !common.quiet {
        tell!("note: {n_twice} ratings came twice and count once");
    }
    anyhow::ensure!(!ratings.is_empty(), "there are no ratings to analyse");
    let analyses = analyse(&ratings);
    if let Some(path) = &args.out {
        let page = study_report::analysis_page("What raters said", &analyses);
        write_file(path, page.as_bytes(), common)?;
    }
    if let Some(path) = &args.csv {
        write_file(
            path,
            study_report::analysis_csv(&analyses).as_bytes(),
            common,
        )?;
    }
    if common.json {
        print_json(&as_json(&analyses))?;
    } else {
        print(&as_text(&analyses))?;
    }
    Ok(end)
}

fn read(file: &Path, plans: &[Plan]) -> anyhow::Result<Vec<Rating>> {
    let bytes = bytes_of(file)?;
    let mut ratings = study_ratings::parse(&bytes)?;
    study_ratings::resolve(&mut ratings, plans)?;
    Ok(ratings)
}

/// Studies in the folder of a file and in the one above.
fn plans_near(file: &Path) -> Vec<Plan> {
    let folders = file.ancestors().skip(1).take(2);
    folders
        .filter_map(|folder| study_plan::read(&folder.join("study.ron")).ok())
        .collect()
}

fn as_json(analyses: &[Analysis]) -> Value {
    let studies: Vec<Value> = analyses.iter().map(one_json).collect();
    // What COMMAND-LINE.md promises is of the first study; all are in `studies`.
    let mut json = studies.first().cloned().unwrap_or_else(|| json!({}));
    json["studies"] = Value::Array(studies);
    json
}

fn one_json(analysis: &Analysis) -> Value {
    let mut means = serde_json::Map::new();
    let mut groups = Vec::new();
    for group in analysis.groups.iter().map(summarise) {
        means.insert(group.name.clone(), json!(group.mean));
        groups.push(group_json(&group));
    }
    let anova = analysis.anova.as_ref();
    let why = anova.err().map(ToString::to_string);
    let anova = anova.ok();
    json!({
        "study": analysis.study, "experiment": analysis.experiment.id(),
        "raters": analysis.n_raters, "ratings": analysis.n_ratings,
        "f": anova.map(|a| a.f), "p": anova.map(|a| a.p),
        "df_between": anova.map(|a| a.freedom.0), "df_within": anova.map(|a| a.freedom.1),
        "explained": anova.map(crate::study::anova::Anova::explained),
        "error": why, "means": means, "conditions": groups,
    })
}

fn group_json(group: &Summary) -> Value {
    let b = &group.box_plot;
    json!({
        "name": group.name, "n": group.n, "mean": group.mean, "deviation": group.deviation,
        "interval": group.interval, "median": b.median, "quartiles": b.quartiles,
        "whiskers": b.whiskers, "notch": b.notch, "outliers": b.outliers,
    })
}

fn as_text(analyses: &[Analysis]) -> String {
    let mut text = String::new();
    for analysis in analyses {
        writeln!(
            text,
            "{}: {}\n{} ratings of {} raters",
            analysis.study,
            analysis.experiment.question(),
            analysis.n_ratings,
            analysis.n_raters
        )
        .expect(TO_STRING);
        match &analysis.anova {
            Ok(a) => writeln!(
                text,
                "F({}, {}) = {}, p = {}",
                a.freedom.0,
                a.freedom.1,
                study_report::number(a.f),
                study_report::number(a.p)
            ),
            Err(why) => writeln!(text, "no comparison: {why}"),
        }
        .expect(TO_STRING);
        text.push_str("\n     n   mean  interval       median  quartiles    condition\n");
        for group in analysis.groups.iter().map(summarise) {
            let b = &group.box_plot;
            let interval = group
                .interval
                .map_or_else(|| "-".to_owned(), |(l, h)| format!("{l:.2} to {h:.2}"));
            writeln!(
                text,
                "{:>6} {:>6.2}  {interval:<13} {:>7.1}  {:.1} to {:.1}   {}",
                group.n, group.mean, b.median, b.quartiles.0, b.quartiles.1, group.name
            )
            .expect(TO_STRING);
        }
        text.push('\n');
    }
    text
}
