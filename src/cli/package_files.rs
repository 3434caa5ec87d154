//! `kinfolk package-files`, hidden: manual pages, shell completions and the reference of all commands, for those who
//! make packages and for the guide.
//!
//! They come from the same definitions as `--help`, so they cannot say anything else.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap_complete::Shell;

use super::{Common, End, TO_STRING, print, write_file};

/// Writes the manual pages, shell completions and command reference that packages install
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder for man/, completions/ and commands.md
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, common: &Common, mut command: clap::Command) -> anyhow::Result<End> {
    let page = reference(command.clone());
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
    files.push(write_file(
        &args.out.join("commands.md"),
        page.as_bytes(),
        common,
    )?);
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

/// The help of all commands as one page of Markdown.
fn reference(command: clap::Command) -> String {
    /// As wide as the page's code may be.
    const WIDTH: usize = 100;
    let mut page = "# Command reference\n\nWhat `kinfolk COMMAND --help` says, for every command. Written by the program; \
                    see the [guide](guide.md) for what to do with them.\n"
        .to_owned();
    let mut root = command.term_width(WIDTH);
    root.build();
    let mut open = vec![("kinfolk".to_owned(), root)];
    while let Some((name, mut command)) = open.pop() {
        let help = command.render_long_help().to_string();
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let help = lines.join("\n");
        write!(page, "\n## {name}\n\n```text\n{}\n```\n", help.trim()).expect(TO_STRING);
        let below = command.get_subcommands();
        let listed = below.filter(|c| !c.is_hide_set() && c.get_name() != "help");
        let mut named: Vec<(String, clap::Command)> = listed
            .map(|c| {
                (
                    format!("{name} {}", c.get_name()),
                    c.clone().term_width(WIDTH),
                )
            })
            .collect();
        named.reverse();
        open.extend(named);
    }
    page
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    /// The page that the guide links to and the window shows.
    #[test]
    fn the_command_reference_is_current() {
        let kept = include_str!("../../resources/commands.md");
        let now = super::reference(crate::cli::Cli::command());
        let differing = kept.lines().zip(now.lines()).find(|(a, b)| a != b);
        assert!(
            kept == now,
            "resources/commands.md is out of date at {differing:?}: renew it with `cargo run -- package-files --out target/package \
             --force && cp target/package/commands.md resources/`"
        );
    }
}
