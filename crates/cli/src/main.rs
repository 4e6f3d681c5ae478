//! The binary `loci`, and the only place where everything is put together.
//!
//! Owns the command line. Never decides: each command boots what it needs, calls a verb, and shows its outcome.
//! Start at `args` (what can be asked), then `boot` (what is put together), then `commands/<verb>.rs`.

mod agents;
mod args;
mod boot;
mod commands;
mod config;
mod embedder;
mod fault;
mod hooks;
#[cfg(test)]
mod manual;
mod models;
mod now;
mod output;
mod setup;
mod switches;
mod telemetry;

use args::{Cli, Command};
use fault::Failure;
use output::{Format, Output};
use std::process::ExitCode;

/// A daemon lives for months. Under glibc's allocator its memory went from 56 to 130 MB in seven minutes of light load,
/// though nothing was kept: small pieces that outlive large ones (`cargo xtask soak`). Under this one it stays at 80.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// A umask that takes rights from the person themself would lock them out of their own home.
fn private_umask() {
    let own = rustix::fs::Mode::RWXU;
    let asked = rustix::process::umask(own.complement());
    rustix::process::umask(asked.difference(own));
}

fn main() -> ExitCode {
    private_umask();
    let cli = match Cli::read() {
        Ok(cli) => cli,
        // An agent is never told by the exit code that its hook is written wrongly: for some of them 2 is a veto.
        Err(error) if error.use_stderr() && std::env::args_os().nth(1).is_some_and(|word| word == "hook") => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) if error.use_stderr() && std::env::args_os().any(|word| word == "--json") => {
            // The first paragraph is what is wrong; usage and tips follow it.
            let text = error.to_string();
            let wrong: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            let wrong = wrong.join(" ");
            Output { format: Format::Json }.failure(&Failure::usage(wrong.trim_start_matches("error: ")));
            return ExitCode::from(2);
        }
        // Help and version are answers; a reader that went away is no failure.
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => error.exit(),
    };
    let hook = matches!(cli.command, Command::Hook(_));
    let format = match (cli.common.json, cli.common.quiet || hook) {
        (true, _) => Format::Json,
        (false, true) => Format::Quiet,
        (false, false) => Format::Text,
    };
    let output = Output { format };
    telemetry::install(format);
    if let Err(error) = spare_descriptors() {
        output.failure(&error.into());
        return ExitCode::from(u8::from(!hook));
    }
    let mut builder = match cli.command {
        Command::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
        // One thread: a command does one thing after the other, and starting more would cost more than they bring.
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = match builder.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output.failure(&error.into());
            return ExitCode::from(u8::from(!hook));
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

/// Descriptors that the runtime opens before anything else.
const DESCRIPTORS: usize = 8;

/// Says whether there is room for the runtime, which panics where there is none.
fn spare_descriptors() -> std::io::Result<()> {
    let null = std::fs::File::open("/dev/null")?;
    (0..DESCRIPTORS).map(|_| null.try_clone()).collect::<std::io::Result<Vec<_>>>().map(drop)
}
