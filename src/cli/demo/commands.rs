//! The tour runs the program's own commands, so each step can be repeated by hand and tells the same numbers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::cli::Common;
use crate::cli::progress::STOPPED;
use crate::jobs::Cancelled;

/// Commands that are run in one folder.
pub(super) struct Commands<'a> {
    program: PathBuf,
    folder: &'a Path,
    common: &'a Common,
}

impl<'a> Commands<'a> {
    pub(super) fn in_folder(folder: &'a Path, common: &'a Common) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program does not find itself")?;
        Ok(Self {
            program,
            folder,
            common,
        })
    }

    /// What a command tells with `--json`. `line` is what would be typed, without quotes; digits in brackets stand for
    /// several files (`walk_0[1-4].bvh`).
    pub(super) fn run(&self, line: &str) -> anyhow::Result<Value> {
        if !self.common.quiet {
            eprintln!("{line}");
        }
        let mut words = line.split(' ').flat_map(spread);
        let me = words.next();
        debug_assert_eq!(me.as_deref(), Some("kinfolk"), "{line}");
        let mut child = Command::new(&self.program);
        child
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .args(words)
            .args(["--json", "--quiet", "--seed", &self.common.seed.to_string()]);
        if self.common.force {
            child.arg("--force");
        }
        if let Some(threads) = self.common.threads {
            child.args(["--threads", &threads.to_string()]);
        }
        let output = child.output().context("a step cannot be started")?;
        if output.status.success() {
            return serde_json::from_slice(&output.stdout).with_context(|| line.to_owned());
        }
        if output.status.code() == Some(i32::from(STOPPED)) {
            return Err(Cancelled.into());
        }
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("{line}: {}", why.trim().trim_start_matches("error: "));
    }
}

/// The words that a word with digits in brackets stands for, as a shell would have it.
fn spread(word: &str) -> Vec<String> {
    let parts = word.split_once('[').and_then(|(before, rest)| {
        let (digits, after) = rest.split_once(']')?;
        let (from, to) = digits.split_once('-')?;
        let range = from.parse::<u32>().ok()?..=to.parse::<u32>().ok()?;
        Some((before, range, after))
    });
    match parts {
        Some((before, range, after)) => range.map(|n| format!("{before}{n}{after}")).collect(),
        None => vec![word.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_stand_for_digits() {
        assert_eq!(
            spread("walk_0[1-3].bvh"),
            ["walk_01.bvh", "walk_02.bvh", "walk_03.bvh"]
        );
        assert_eq!(spread("--out"), ["--out"]);
        assert_eq!(spread("a[b]"), ["a[b]"]);
    }
}
