//! `loci completions`: for the person's shell.

use super::Outcome;
use crate::args::Cli;
use crate::output::print;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

pub fn run(shell: Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "loci", &mut script);
    print(&String::from_utf8_lossy(&script));
    Ok(ExitCode::SUCCESS)
}
