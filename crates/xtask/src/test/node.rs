//! Commands of a folder with its own `package.json`, against the binary that was just built.

use super::Done;
use crate::{repo, shell};
use anyhow::{Context, Result, bail};
use std::process::Stdio;

/// Runs them one after the other; the first that fails ends it.
pub fn run(folder: &str, commands: &[&[&str]]) -> Result<Done> {
    for words in commands {
        println!("$ {} (in {folder})", words.join(" "));
        let mut command = shell::command(words);
        command.current_dir(repo::root().join(folder)).env("LOCI_BIN", repo::root().join("target/release/loci"));
        let status = command.stdin(Stdio::null()).status().with_context(|| words.join(" "))?;
        if !status.success() {
            bail!("{} ended with {status}", words.join(" "));
        }
    }
    Ok(Done::Passed)
}
