//! What is measured of a memory server, the same for each: start, writes, questions, memory, and many at once.

use super::Peer;
use super::subject::Subject;
use super::together::{self, Appended};
use crate::bench::home::Home;
use crate::bench::server::Server;
use crate::bench::{p50, timed};
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Documents that are written one by one and measured, the last of all.
const WRITES: usize = 300;
/// Whole processes that are started for one number.
const STARTS: usize = 7;

/// A server, and its numbers with so many documents.
#[derive(Serialize)]
pub struct Row {
    pub name: &'static str,
    pub documents: usize,
    /// Milliseconds from nothing to the answer of the first question.
    pub start: f64,
    /// Milliseconds of CPU a document.
    pub write: f64,
    /// Milliseconds of CPU a question.
    pub search: f64,
    /// Percent of questions of each kind whose document is among the first five.
    pub hits: BTreeMap<String, f64>,
    /// Megabytes after all of that.
    pub resident: f64,
    /// Asked once, with no other documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appended: Option<Appended>,
}

/// Whether eight processes append as well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Together {
    Asked,
    NotAsked,
}

/// All numbers of a peer over this dataset.
pub fn measure(peer: &Peer, dataset: &Value, together: Together) -> Result<Row> {
    let home = Home::new()?;
    let subject = peer.subject;
    let documents = dataset["documents"].as_array().context("no documents")?;
    let questions = dataset["questions"].as_array().context("no questions")?;
    let mut server = subject.start(&home)?;
    let write = written(subject, &mut server, documents, &home)?;
    let (search, hits) = asked(subject, &mut server, questions)?;
    let resident = server.resident()?;
    // Not every server ends with its input; dropping it ends it.
    drop(server);
    let query = questions.first().and_then(|question| question["query"].as_str()).context("no query")?;
    let start = started(subject, &home, query)?;
    let appended = if together == Together::Asked { Some(together::append(subject)?) } else { None };
    Ok(Row { name: peer.name, documents: documents.len(), start, write, search, hits, resident, appended })
}

/// Writes all documents; the CPU of each of the last, which went one by one.
fn written(subject: Subject, server: &mut Server, documents: &[Value], home: &Home) -> Result<f64> {
    let (first, last) = documents.split_at(documents.len().saturating_sub(WRITES));
    for some in first.chunks(subject.at_once()) {
        put(subject, server, some, home)?;
    }
    let (before, mut taken) = (server.cpu()?, 0);
    for one in last.chunks(1) {
        taken += usize::from(put(subject, server, one, home)? == Put::Taken);
    }
    // What was refused has cost something, too, so the number is rather too high than too low.
    Ok(server.cpu()?.each_since(before, taken))
}

#[derive(PartialEq, Eq)]
enum Put {
    Taken,
    Refused,
}

/// Writes some documents. Real text holds examples of keys, and Loci refuses those: as files they are there to be found.
fn put(subject: Subject, server: &mut Server, some: &[Value], home: &Home) -> Result<Put> {
    let (tool, arguments) = subject.write(some);
    match (server.call(tool, arguments), subject) {
        (Ok(_), _) => Ok(Put::Taken),
        (Err(error), Subject::Loci) if error.to_string().contains("secret") => {
            home.lay(&json!({"documents": some}))?;
            Ok(Put::Refused)
        }
        (Err(error), _) => Err(error),
    }
}

/// Asks all questions; the CPU of one, and how many of each kind were answered, in percent.
fn asked(subject: Subject, server: &mut Server, questions: &[Value]) -> Result<(f64, BTreeMap<String, f64>)> {
    let mut kinds = BTreeMap::<String, (f64, f64)>::new();
    let before = server.cpu()?;
    for question in questions {
        let (tool, arguments) = subject.search(question["query"].as_str().context("no query")?);
        let told = server.call(tool, arguments)?;
        let gold = question["gold"][0].as_str().and_then(|path| path.rsplit('/').next()).context("no gold")?;
        let hit = subject.found(&told).iter().any(|name| name == gold);
        let kind = kinds.entry(question["slice"].as_str().unwrap_or_default().to_owned()).or_default();
        *kind = (kind.0 + f64::from(u8::from(hit)), kind.1 + 1.0);
    }
    let each = server.cpu()?.each_since(before, questions.len());
    Ok((each, kinds.into_iter().map(|(kind, (hits, all))| (kind, 100.0 * hits / all)).collect()))
}

/// From nothing to the answer of a question, over what was written.
fn started(subject: Subject, home: &Home, query: &str) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let begin = || {
            let mut server = subject.start(home)?;
            let (tool, arguments) = subject.search(query);
            server.call(tool, arguments)?;
            Ok(server)
        };
        let (server, took) = timed(begin)?;
        drop(server);
        times.push(took);
    }
    Ok(p50(&mut times))
}
