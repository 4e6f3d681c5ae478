//! The TypeScript SDK: its types are those of the routes, it compiles, and it works with the daemon that was just built.

use super::Done;
use crate::{repo, shell};
use anyhow::{Context, Result, bail};
use std::process::Stdio;

const FOLDER: &str = "sdk/typescript";

pub fn run() -> Result<Done> {
    for words in [&["npm", "ci", "--no-audit", "--no-fund"][..], &["npm", "run", "check"], &["npm", "test"]] {
        println!("$ {} (in {FOLDER})", words.join(" "));
        let mut command = shell::command(words);
        command.current_dir(repo::root().join(FOLDER)).env("LOCI_BIN", repo::root().join("target/release/loci"));
        let status = command.stdin(Stdio::null()).status().with_context(|| words.join(" "))?;
        if !status.success() {
            bail!("{} ended with {status}", words.join(" "));
        }
    }
    Ok(Done::Passed)
}
