//! The TypeScript SDK: its types are those of the routes, it compiles, and it works with the daemon that was just built.

use super::{Done, node};
use anyhow::Result;

const FOLDER: &str = "sdk/typescript";

pub fn run() -> Result<Done> {
    node::run(FOLDER, &[&["npm", "ci", "--no-audit", "--no-fund"], &["npm", "run", "check"], &["npm", "test"]])
}
