//! The tour runs the program's own commands, so each step can be repeated by hand and tells the same numbers.

use std::fs::File;
use std::io::Seek as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::cli::Common;
use crate::cli::progress::{STOPPED, ticket_for_ctrl_c};
use crate::jobs::{Cancelled, Ticket};

/// Commands that are run in one folder.
pub(super) struct Commands<'a> {
    program: PathBuf,
    folder: &'a Path,
    common: &'a Common,
    ticket: Ticket,
}

impl<'a> Commands<'a> {
    pub(super) fn in_folder(folder: &'a Path, common: &'a Common) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program does not find itself")?;
        Ok(Self {
            program,
            folder,
            common,
            ticket: ticket_for_ctrl_c()?,
        })
    }

    /// What a command tells with `--json`. `line` is what would be typed, without quotes; digits in brackets stand for
    /// several files (`walk_0[1-4].bvh`).
    pub(super) fn run(&self, line: &str) -> anyhow::Result<Value> {
        if !self.common.quiet {
            tell!("{line}");
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
        let output = self.finish(child)?;
        if output.status.success() {
            return serde_json::from_slice(&output.stdout).with_context(|| line.to_owned());
        }
        if output.status.code() == Some(i32::from(STOPPED)) {
            return Err(Cancelled.into());
        }
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("{line}: {}", why.trim().trim_start_matches("error: "));
    }

    /// Waits for a step; one that is stopped takes its step with it.
    fn finish(&self, mut step: Command) -> anyhow::Result<Output> {
        const LOOK_EVERY: Duration = Duration::from_millis(20);
        // Less than what Kinfolk has to end in after a signal. On a terminal the step hears Ctrl-C, too.
        const GRACE: Duration = Duration::from_millis(300);
        // Files, not pipes: a step that tells more than a pipe holds would wait until somebody reads.
        let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
        step.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
        let mut step = step.spawn().context("a step cannot be started")?;
        let mut stop_at = None;
        let status = loop {
            if let Some(status) = step.try_wait().context("a step is lost")? {
                break status;
            }
            if self.ticket.check().is_err() {
                let stop_at = *stop_at.get_or_insert_with(|| Instant::now() + GRACE);
                if Instant::now() >= stop_at {
                    step.kill().context("a step cannot be stopped")?;
                }
            }
            std::thread::sleep(LOOK_EVERY);
        };
        self.ticket.check()?;
        Ok(Output {
            status,
            stdout: read_all(stdout)?,
            stderr: read_all(stderr)?,
        })
    }
}

fn read_all(mut file: File) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    std::io::copy(&mut file, &mut bytes)?;
    Ok(bytes)
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
