//! `loci completions`: for the person's shell.

use super::Outcome;
use crate::args::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

pub fn run(shell: Shell) -> Outcome {
    clap_complete::generate(shell, &mut Cli::command(), "loci", &mut std::io::stdout());
    Ok(ExitCode::SUCCESS)
}
