//! Other programs: is one there, run one, hear one out.

use crate::repo;
use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};

/// A command in the root of the checkout, from words such as `["cargo", "fmt"]`.
pub fn command(words: &[&str]) -> Command {
    let (program, rest) = words.split_first().map_or(("true", &[][..]), |(program, rest)| (*program, rest));
    let mut command = Command::new(program);
    command.args(rest).current_dir(repo::root());
    // Tests look for the public suites there, and go without where they were not fetched.
    let suites = repo::root().join("target/suites");
    if suites.is_dir() {
        command.env("LOCI_SUITES", suites);
    }
    command
}

/// Runs with our own output; anything but success is an error.
pub fn run(words: &[&str]) -> Result<()> {
    let line = words.join(" ");
    println!("$ {line}");
    let status = command(words).stdin(Stdio::null()).status().with_context(|| line.clone())?;
    ensure!(status.success(), "`{line}` ended with {status}");
    Ok(())
}

/// True when it can be started and succeeds, whatever it prints.
pub fn works(words: &[&str]) -> bool {
    let silent = command(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    silent.is_ok_and(|status| status.success())
}

/// What it prints, trimmed; `None` when it does not work.
pub fn said(words: &[&str]) -> Option<String> {
    let output = command(words).stdin(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
