//! Recall over real text: whether a known document is found again, what a question costs, and a whole cold process.
//!
//! The text is what other people wrote: the Markdown and the documentation comments of the crates that this build has
//! unpacked. Without enough of it there is no row.

use super::corpus::{BYTES, Luck};
use super::figures::Figures;
use super::home::Home;
use super::{p50, timed};
use crate::repo;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Questions of each kind.
const QUESTIONS: usize = 200;

pub fn measure(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    cold(home, size, rounds, figures)?;
    let Some(questions) = dataset(size) else {
        println!("N = {size}: there is not enough real text here, recall is not measured");
        return Ok(());
    };
    let dataset = home.beside().join("recall.json");
    std::fs::write(&dataset, questions.to_string())?;
    let report = example(&["recall_cost", "--json"], Some(&dataset))?;
    for kind in ["phrase", "keywords", "description"] {
        let hit = report["hit@5"][kind].as_f64().context("no hit@5")?;
        figures.set(&format!("recall, known item by {kind}, hit@5"), Some(size), hit * 100.0, "%");
    }
    let time = report["cpuMs"].as_f64().context("no cpuMs")?;
    figures.set("recall in a running process, CPU a question", Some(size), time, "ms");
    Ok(())
}

/// Recall over as many session messages.
pub fn sessions(messages: usize, figures: &mut Figures) -> Result<()> {
    let report = example(&["sessions_cost", "--json", &messages.to_string()], None)?;
    let time = report["p50"].as_f64().context("no p50")?;
    figures.set("recall over session messages, p50", Some(messages), time, "ms");
    Ok(())
}

/// What an example of `memory` measures inside one process.
fn example(words: &[&str], file: Option<&Path>) -> Result<Value> {
    let mut command = Command::new(repo::root().join("target/release/examples").join(words[0]));
    command.args(&words[1..]).args(file).current_dir(repo::root()).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output()?;
    ensure!(output.status.success(), "{} ended with {}", words[0], output.status);
    serde_json::from_slice(&output.stdout).with_context(|| words[0].to_owned())
}

/// A process that starts, asks once and ends, over the seeded home.
fn cold(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..=rounds {
        let words = ["recall", "when does the cache expire", "--no-model", "--json"];
        let (output, took) = timed(|| Ok(home.loci(&words).stdin(Stdio::null()).output()?))?;
        ensure!(output.status.success(), "loci recall ended with {}", output.status);
        times.push(took);
    }
    // The first one makes the vectors.
    times.remove(0);
    figures.set("loci recall, the whole process, p50", Some(size), p50(&mut times), "ms");
    Ok(())
}

/// So many documents of real text, and for some of them three questions each; `None` where there is not so much text.
pub fn dataset(size: usize) -> Option<Value> {
    let pieces = pieces(size);
    (pieces.len() == size).then(|| dataset_of(&pieces))
}

fn dataset_of(pieces: &[String]) -> Value {
    let mut frequency: HashMap<String, usize> = HashMap::new();
    // Words as people type them: what stands between letters and digits is no end of one.
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '/' | '.' | ':');
    let whole = |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let known = |text: &str| -> Vec<String> {
        let words = text.split(|c| !inside(c)).map(|word| word.trim_end_matches(['.', ':', '\'', '-']));
        words.filter(whole).map(str::to_lowercase).collect()
    };
    for piece in pieces {
        let mut words = known(piece);
        words.sort_unstable();
        words.dedup();
        words.into_iter().for_each(|word| *frequency.entry(word).or_default() += 1);
    }
    let (mut documents, mut questions, mut luck) = (Vec::new(), Vec::new(), Luck::new(11));
    for (number, piece) in pieces.iter().enumerate() {
        let all: Vec<&str> = piece.split_whitespace().collect();
        let description = all[..all.len().min(10)].join(" ").replace(['"', '\\', ':', '#'], " ");
        let content =
            format!("---\nname: Note {number}\ndescription: \"{description}\"\ntype: reference\n---\n{piece}\n");
        documents.push(json!({"path": format!("n{number}.md"), "scope": "global", "content": content}));
        if number % (pieces.len() / QUESTIONS).max(1) != 0 {
            continue;
        }
        let mut rare = known(piece);
        rare.sort_by_key(|word| (frequency[word], word.clone()));
        rare.dedup();
        let rare = &rare[..rare.len().min(4)];
        let first = luck.below(all.len().saturating_sub(8));
        // Boilerplate stands in many documents, and then none of them is the known one.
        let one = |fits: &dyn Fn(&str) -> bool| pieces.iter().filter(|piece| fits(piece)).take(2).count() == 1;
        let phrases = (0..all.len()).map(|more| (first + more) % all.len());
        let mut phrases = phrases.map(|start| all[start..(start + 8).min(all.len())].join(" "));
        let phrase = phrases.find(|phrase| one(&|piece| piece.contains(phrase.as_str())));
        let named = |piece: &str| {
            let words = known(piece);
            rare.iter().all(|word| words.contains(word))
        };
        let keywords = Some(rare.join(" ")).filter(|_| one(&named));
        let gold = [format!("/memories/global/n{number}.md")];
        let asked = [("phrase", phrase), ("keywords", keywords), ("description", Some(description))];
        for (slice, query) in asked.into_iter().filter_map(|(slice, query)| Some((slice, query?))) {
            questions.push(json!({"id": format!("{slice}-{number}"), "slice": slice, "query": query, "gold": gold}));
        }
    }
    json!({"documents": documents, "questions": questions})
}

/// Pieces of prose of about [`BYTES`] bytes, no two alike, in the order of their files.
fn pieces(most: usize) -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let sources = std::fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    let mut files = Vec::new();
    for (source, name) in sources.flat_map(|source| crates().into_iter().map(move |name| (source.path(), name))) {
        written(&source.join(name), 0, &mut files);
    }
    files.sort();
    let (mut pieces, mut seen) = (Vec::new(), std::collections::HashSet::new());
    for file in files {
        let mut text = std::fs::read_to_string(&file).unwrap_or_default();
        if is(&file, "rs") {
            text = documentation(&text);
        }
        let mut piece = String::new();
        for paragraph in text.split("\n\n").filter(|text| text.contains(' ') && !text.contains("```")) {
            piece.push_str(&paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
            piece.push(' ');
            if piece.len() >= BYTES {
                let end = (BYTES..piece.len()).find(|at| piece.is_char_boundary(*at)).unwrap_or(piece.len());
                piece.truncate(end);
                // Licences are in every crate: the same beginning is the same text.
                if seen.insert(piece.chars().take(60).collect::<String>()) {
                    pieces.push(std::mem::take(&mut piece));
                }
                piece.clear();
            }
            if pieces.len() == most {
                return pieces;
            }
        }
    }
    pieces
}

/// The folders of the crates that this checkout is built of. A machine has unpacked others as well, and every machine others:
/// the text is to be the same everywhere.
fn crates() -> Vec<String> {
    let lock = std::fs::read_to_string(repo::root().join("Cargo.lock")).unwrap_or_default();
    let of = |line: &str, key: &str| Some(line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned());
    let lines: Vec<&str> = lock.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| Some((of(pair[0], "name")?, of(pair[1], "version")?)));
    pairs.map(|(name, version)| format!("{name}-{version}")).collect()
}

/// The documentation comments of a source file, with an empty line between one and the next.
fn documentation(source: &str) -> String {
    let comment = |line: &str| line.trim().strip_prefix("///").or(line.trim().strip_prefix("//!")).map(str::to_owned);
    source.lines().map(|line| comment(line).unwrap_or_default() + "\n").collect()
}

fn is(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|found| found == ending)
}

fn written(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if depth < 3 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            written(&path, depth + 1, files);
        } else if is(&path, "md") || is(&path, "rs") {
            files.push(path);
        }
    }
}
