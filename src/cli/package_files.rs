//! `kinfolk package-files`, hidden: manual pages and shell completions, for those who make packages.
//!
//! They come from the same definitions as `--help`, so they cannot say anything else.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, Common, End, print, write_file};

/// Writes the manual pages and shell completions that packages install
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder for man/ and completions/
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let mut command = Cli::command();
    command.build();
    let mut files = Vec::new();
    for (name, page) in pages(&command)? {
        files.push(write_file(&args.out.join("man").join(name), &page, common)?);
    }
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command, "kinfolk", &mut text);
        let name = match shell {
            Shell::Bash => "kinfolk.bash",
            Shell::Zsh => "_kinfolk",
            _ => "kinfolk.fish",
        };
        let path = args.out.join("completions").join(name);
        files.push(write_file(&path, &text, common)?);
    }
    if !common.quiet {
        print(&format!("{} files\n", files.len()))?;
    }
    Ok(End::Done)
}

/// A page for the program and one for each subcommand that is listed, also for those below another.
fn pages(command: &clap::Command) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = Vec::new();
    let mut open = vec![("kinfolk".to_owned(), command.clone())];
    while let Some((name, command)) = open.pop() {
        for below in command.get_subcommands() {
            if !below.is_hide_set() && below.get_name() != "help" {
                open.push((format!("{name}-{}", below.get_name()), below.clone()));
            }
        }
        let mut page = Vec::new();
        // The page is called as the file is, not with a blank as the command is.
        let title: &'static str = name.clone().leak();
        let man = clap_mangen::Man::new(command.name(title));
        man.render(&mut page).context("a manual page")?;
        pages.push((format!("{name}.1"), page));
    }
    Ok(pages)
}
