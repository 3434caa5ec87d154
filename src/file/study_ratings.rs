//! Ratings as a table: what window and browser page save after every answer, and what is analysed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::SyntaxError;
use super::csv::field;
use super::table::{Columns, Row, Table};
use crate::study::session::{Experiment, HIGHEST, LOWEST, Plan, Rating};

const COLUMNS: Columns<'_> = Columns {
    names: &[
        &["study"],
        &["experiment"],
        &["rater"],
        &["trial"],
        &["stimulus"],
        &["score"],
        &["condition"],
        &["seconds"],
    ],
    // The others may be missing: a page that raters see does not know conditions.
    n_needed: 6,
    needs_header: true,
};

/// A line for every rating.
pub fn write(ratings: &[Rating]) -> Vec<u8> {
    // A table is read line by line.
    let word = |text: &str| field(text.replace(['\n', '\r'], " "));
    let names: Vec<&str> = COLUMNS.names.iter().map(|names| names[0]).collect();
    let mut text = format!("{}\n", names.join(","));
    for rating in ratings {
        writeln!(
            text,
            "{},{},{},{},{},{},{},{:.2}",
            word(&rating.study),
            rating.experiment.id(),
            word(&rating.rater),
            rating.trial,
            word(&rating.stimulus),
            rating.score,
            word(&rating.condition),
            rating.seconds
        )
        .expect("writing to a string does not fail");
    }
    text.into_bytes()
}

/// Reads a table of ratings; columns come in any order, and others may stand between them.
pub fn parse(bytes: &[u8]) -> Result<Vec<Rating>, SyntaxError> {
    let table = Table::parse(bytes, &COLUMNS)?;
    table.rows.iter().map(rating).collect()
}

fn rating(row: &Row) -> Result<Rating, SyntaxError> {
    let words: Vec<&str> = Experiment::ALL.iter().map(|e| e.id()).collect();
    let experiment = Experiment::by_id(row.text(1));
    let whole = |column: usize, low: f64, high: f64, expected: &str| {
        let value = row.number(column, expected)?;
        if value.fract() == 0.0 && (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(row.wrong(column, expected))
        }
    };
    let seconds = match row.text(7) {
        "" => 0.0,
        _ => row.number(7, "seconds")?,
    };
    Ok(Rating {
        study: row.text(0).to_owned(),
        experiment: experiment.ok_or_else(|| row.wrong(1, &words.join(" or ")))?,
        rater: row.word(2, "the name of a rater")?.to_owned(),
        trial: whole(3, 1.0, 1e6, "a number counted from 1")? as usize,
        stimulus: row.word(4, "what was rated, such as m01")?.to_owned(),
        condition: row.text(6).to_owned(),
        score: whole(
            5,
            f64::from(LOWEST),
            f64::from(HIGHEST),
            "a score from 1 to 9",
        )? as u8,
        seconds,
    })
}

/// Ratings do not go with a study.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The study shows no such thing.
    #[error("\"{rater}\" rated {stimulus}, which the study \"{study}\" does not show")]
    Unknown {
        /// The rater, by the name in the table.
        rater: String,
        /// The stimulus that was rated, by its blind name.
        stimulus: String,
        /// Which study was asked.
        study: String,
    },
    /// Nobody says what was shown.
    #[error("the ratings do not say what was shown: give the folder of the study with --study")]
    NoKey,
}

/// Says what was shown where ratings do not, by the plans of their studies.
pub fn resolve(ratings: &mut [Rating], plans: &[Plan]) -> Result<(), KeyError> {
    for rating in ratings.iter_mut().filter(|r| r.condition.is_empty()) {
        let fits =
            |plan: &&Plan| plan.title() == rating.study && plan.experiment() == rating.experiment;
        let plan = plans.iter().find(fits).ok_or(KeyError::NoKey)?;
        let shown = plan.stimuli().iter().find(|s| s.id == rating.stimulus);
        let shown = shown.ok_or_else(|| KeyError::Unknown {
            rater: rating.rater.clone(),
            stimulus: rating.stimulus.clone(),
            study: plan.title().to_owned(),
        })?;
        rating.condition.clone_from(&shown.condition);
    }
    Ok(())
}

/// A file as it is; of a folder every table in it, sorted, but the key of a study.
pub fn tables_in(path: &Path) -> Vec<PathBuf> {
    let is_table = |path: &PathBuf| {
        let is_key = path.file_name().is_some_and(|name| name == "key.csv");
        let ending = path.extension();
        !is_key && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
    };
    let entries = std::fs::read_dir(path).into_iter().flatten();
    let entries = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut tables: Vec<PathBuf> = entries.filter(is_table).collect();
    tables.sort();
    if tables.is_empty() {
        // Whoever reads it says what is wrong with it.
        tables.push(path.to_owned());
    }
    tables
}

/// Leaves out ratings that are there already, and says how many those were.
pub fn without_copies(ratings: &mut Vec<Rating>) -> usize {
    let before = ratings.len();
    let mut seen = BTreeSet::new();
    ratings.retain(|r| {
        seen.insert((
            r.study.clone(),
            r.experiment,
            r.rater.clone(),
            r.trial,
            r.stimulus.clone(),
            r.score,
        ))
    });
    before - ratings.len()
}
