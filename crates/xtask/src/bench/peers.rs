//! Other memory servers beside Loci, asked the same questions about the same documents over MCP on stdio.
//!
//! Owns which peers there are and how each is installed (below `target/peers`, from its registry) and started.
//! A peer that cannot be installed has no rows, and the run says what is missing.
//! They all speak the tools of MCP's reference server: `create_entities` and `search_nodes`.

use super::figures::Figures;
use super::server::Server;
use super::{recall, timed};
use crate::scratch::Scratch;
use crate::{repo, shell};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Documents; the reference server reads and writes all of them with each call, so ten times as many would take hours.
const SIZE: usize = 1_000;
/// Documents that are written with one call.
const AT_ONCE: usize = 100;

/// Another memory server.
struct Peer {
    name: &'static str,
    /// Below `target/peers`.
    install: &'static [&'static str],
    start: &'static [&'static str],
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "server-memory (node)",
        install: &["npm", "install", "--silent", "--prefix", "target/peers", "@modelcontextprotocol/server-memory"],
        start: &["node", "target/peers/node_modules/@modelcontextprotocol/server-memory/dist/index.js"],
    },
    Peer {
        name: "memory-mcp-rs",
        install: &["cargo", "install", "--quiet", "--locked", "--root", "target/peers", "memory-mcp-rs"],
        start: &["target/peers/bin/memory-mcp-rs"],
    },
];

/// Measures each peer that can be had.
pub fn measure(figures: &mut Figures) -> Result<()> {
    let Some(dataset) = recall::dataset(SIZE) else {
        println!("peers: there is not enough real text here, they are not measured");
        return Ok(());
    };
    std::fs::create_dir_all(repo::root().join("target/peers"))?;
    for peer in &PEERS {
        println!("peers: {}", peer.name);
        match ready(peer) {
            Ok(()) => peer.measure(&dataset, figures).with_context(|| peer.name.to_owned())?,
            Err(missing) => println!("peers: {} is not measured: {missing:#}", peer.name),
        }
    }
    Ok(())
}

/// Installs a peer that is not there yet.
fn ready(peer: &Peer) -> Result<()> {
    let main = peer.start.last().map(|last| repo::root().join(last)).context("nothing to start")?;
    if !main.exists() {
        let [program, ..] = peer.install else { bail!("nothing installs it") };
        ensure!(shell::works(&[program, "--version"]), "{program} is not installed");
        shell::run(peer.install)?;
        ensure!(main.exists(), "{} is not there after the install", main.display());
    }
    Ok(())
}

impl Peer {
    fn measure(&self, dataset: &Value, figures: &mut Figures) -> Result<()> {
        let scratch = Scratch::new("peer")?;
        let (mut server, took) = timed(|| started(self, scratch.path()))?;
        let documents: Vec<&Value> = dataset["documents"].as_array().context("no documents")?.iter().collect();
        for some in documents.chunks(AT_ONCE) {
            let entity = |document: &&Value| json!({"name": document["path"], "entityType": "note", "observations": [document["content"]]});
            let entities: Vec<Value> = some.iter().map(entity).collect();
            server.call("create_entities", json!({"entities": entities}))?;
        }
        let questions = dataset["questions"].as_array().context("no questions")?;
        let before = server.cpu()?;
        let mut found = std::collections::BTreeMap::<&str, (usize, usize)>::new();
        for question in questions {
            let query = question["query"].as_str().context("no query")?;
            let told = server.call("search_nodes", json!({"query": query}))?;
            let gold = question["gold"][0].as_str().and_then(|path| path.rsplit('/').next()).context("no gold")?;
            let slice = found.entry(question["slice"].as_str().unwrap_or_default()).or_default();
            *slice = (slice.0 + usize::from(first_five(&told).iter().any(|name| name == gold)), slice.1 + 1);
        }
        let after = server.cpu()?;
        let spent = (after.user + after.kernel).saturating_sub(before.user + before.kernel);
        let row = |what: &str| format!("{}: {what}", self.name);
        figures.set(&row("start → first answer"), Some(SIZE), took.as_secs_f64() * 1e3, "ms");
        figures.set(
            &row("search, CPU a question"),
            Some(SIZE),
            spent.as_secs_f64() * 1e3 / questions.len() as f64,
            "ms",
        );
        for (slice, (hits, all)) in found {
            figures.set(
                &row(&format!("known item by {slice}, hit@5")),
                Some(SIZE),
                100.0 * hits as f64 / all as f64,
                "%",
            );
        }
        // Not every server ends with its input; dropping it ends it.
        drop(server);
        Ok(())
    }
}

/// The names of the first five entities of an answer, which is a graph as text.
fn first_five(told: &Value) -> Vec<String> {
    let text = told["content"][0]["text"].as_str().unwrap_or_default();
    let graph: Value = serde_json::from_str(text).unwrap_or_default();
    let entities = graph["entities"].as_array().into_iter().flatten().take(5);
    entities.filter_map(|entity| entity["name"].as_str().map(str::to_owned)).collect()
}

/// Starts a peer; it has answered once.
fn started(peer: &Peer, folder: &Path) -> Result<Server> {
    let (program, rest) = peer.start.split_first().context("nothing to start")?;
    let mut command = Command::new(program);
    command.args(rest).current_dir(repo::root()).env("MEMORY_FILE_PATH", folder.join("memory.db"));
    command.stderr(std::process::Stdio::null());
    let mut server = Server::start(command)?;
    server.call("search_nodes", json!({"query": "nothing"}))?;
    Ok(server)
}
