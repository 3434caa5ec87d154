//! Kinfolk: window or command line, nothing else.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    if kinfolk::cli::is_for_terminal(args.get(1)) {
        return kinfolk::cli::main(args);
    }
    let open: Vec<PathBuf> = args.into_iter().skip(1).map(PathBuf::from).collect();
    if let Some(missing) = open.iter().find(|path| !path.exists()) {
        let why = "there is no such subcommand, file or folder (see kinfolk --help)";
        return kinfolk::cli::could_not_start(&format!("{why}: {}", missing.display()));
    }
    match kinfolk::app::run(&open, &kinfolk::cli::warn) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => kinfolk::cli::could_not_start(&format!("{error:#}")),
    }
}
