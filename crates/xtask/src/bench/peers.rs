//! Other memory servers beside Loci, asked the same questions about the same documents over MCP on stdio.
//!
//! Owns which there are and how each is installed (below `target/peers`, from its registry).
//! A peer that cannot be installed has no row, and the table says what is missing.
//! Start at [`measure`]; `measure.rs` says what is measured, `subject.rs` how each is asked.

mod measure;
mod subject;
mod table;
mod together;

pub use measure::Row;
pub use table::table;

use super::recall;
use crate::{repo, shell};
use anyhow::{Context, Result, bail, ensure};
use measure::Together;
use serde::Serialize;
use subject::Subject;

/// A memory server of a certain version.
pub struct Peer {
    name: &'static str,
    /// Into a folder that is named by the version, so that the name below is true.
    install: &'static [&'static str],
    subject: Subject,
}

/// All that are asked; Loci is one of them.
const PEERS: [Peer; 3] = [
    Peer { name: "Loci", install: &[], subject: Subject::Loci },
    Peer {
        name: "server-memory 2026.8.31 (Node)",
        install: &[
            "npm",
            "install",
            "--silent",
            "--prefix",
            "target/peers/server-memory-2026.8.31",
            "@modelcontextprotocol/server-memory@2026.8.31",
        ],
        subject: Subject::Graph(&[
            "node",
            "target/peers/server-memory-2026.8.31/node_modules/@modelcontextprotocol/server-memory/dist/index.js",
        ]),
    },
    Peer {
        name: "memory-mcp-rs 0.1.2 (Rust)",
        install: &[
            "cargo",
            "install",
            "--quiet",
            "--locked",
            "--root",
            "target/peers/memory-mcp-rs-0.1.2",
            "memory-mcp-rs@0.1.2",
        ],
        subject: Subject::Graph(&["target/peers/memory-mcp-rs-0.1.2/bin/memory-mcp-rs"]),
    },
];

/// What was measured, and who was not.
#[derive(Default, Serialize)]
pub struct Beside {
    pub rows: Vec<Row>,
    /// Whole sentences.
    pub missing: Vec<String>,
}

/// Measures each that can be had, with so many documents.
pub fn measure(sizes: &[usize], beside: &mut Beside) -> Result<()> {
    let mut together = Together::Asked;
    for &size in sizes {
        let Some(dataset) = recall::dataset(size) else {
            beside.missing.push(format!("There is not enough real text on this machine for {size} documents."));
            continue;
        };
        for peer in &PEERS {
            println!("peers, N = {size}: {}", peer.name);
            let ask = || measure::measure(peer, &dataset, together).context("it does not answer as it should");
            let told = ready(peer).and_then(|()| ask());
            match told {
                Ok(row) => beside.rows.push(row),
                // Loci is not a peer that may be missing.
                Err(error) if matches!(peer.subject, Subject::Loci) => return Err(error),
                Err(error) => {
                    println!("peers: {} is not measured: {error:#}", peer.name);
                    // Only the outermost words: what a server says of itself may name a path of this machine.
                    beside.missing.push(format!("{} is not measured with {size} documents: {error}.", peer.name));
                }
            }
        }
        together = Together::NotAsked;
    }
    Ok(())
}

/// Installs a peer that is not there yet.
fn ready(peer: &Peer) -> Result<()> {
    let Subject::Graph(words) = peer.subject else { return Ok(()) };
    let main = words.last().map(|last| repo::root().join(last)).context("nothing to start")?;
    if !main.exists() {
        let [program, ..] = peer.install else { bail!("nothing installs it") };
        ensure!(shell::works(&[program, "--version"]), "{program} is not installed");
        std::fs::create_dir_all(repo::root().join("target/peers"))?;
        shell::run(peer.install).context("it cannot be installed")?;
        // Without the path: it is of this machine, and this may be published.
        ensure!(main.exists(), "it is not there after the install");
    }
    Ok(())
}
