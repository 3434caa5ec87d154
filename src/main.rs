//! Kinfolk: window or command line, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    kinfolk::cli::main(std::env::args_os())
}
