//! The binary `loci`, and the only place where everything is put together.
//!
//! Owns the command line. Never decides: each command boots what it needs, calls a verb, and shows its outcome.
//! Start at `args` (what can be asked), then `boot` (what is put together), then `commands/<verb>.rs`.

mod args;
mod boot;
mod commands;
mod config;
mod fault;
mod output;
mod telemetry;

use args::Cli;
use clap::Parser;
use output::{Format, Output};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let format = match (cli.common.json, cli.common.quiet) {
        (true, _) => Format::Json,
        (false, true) => Format::Quiet,
        (false, false) => Format::Text,
    };
    let output = Output { format };
    telemetry::install();
    // One thread: a command does one thing after the other, and starting more would cost more than they bring.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_time().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output.failure(&error.into());
            return ExitCode::from(1);
        }
    };
    match runtime.block_on(commands::run(cli, output)) {
        Ok(exit) => exit,
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(failure.exit)
        }
    }
}
