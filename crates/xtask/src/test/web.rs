//! The web page: it type-checks, and does in a real browser what it promises, served by the daemon that was just built.

use super::{Done, node};
use crate::shell;
use anyhow::Result;

const FOLDER: &str = "web";

pub fn run() -> Result<Done> {
    if !shell::works(&["chromium", "--version"]) && std::env::var_os("LOCI_CHROMIUM").is_none() {
        return Ok(Done::Skipped("chromium is not installed".to_owned()));
    }
    node::run(FOLDER, &[&["npm", "ci", "--no-audit", "--no-fund"], &["npm", "run", "check"], &["npm", "test"]])
}
