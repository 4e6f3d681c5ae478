//! How well recall finds what it should: on LoCoMo where its file lies beside the checkout, and on the project's corpora.
//!
//! Both go through `loci eval recall`, which never touches a home. LoCoMo's text may not be passed on, so it is no part of
//! the checkout; the corpora are in `crates/memory/eval`.

use super::figures::Figures;
use super::home::Home;
use crate::repo;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

/// The half that is for development.
const LOCOMO: &str = "../shared/data/locomo-dev.json";
const CORPORA: [(&str, &str); 2] =
    [("own corpus", "crates/memory/eval/corpus.json"), ("second corpus", "crates/memory/eval/second/corpus.json")];
/// How many documents a hook shows.
const SHOWN: usize = 5;

pub fn measure(figures: &mut Figures) -> Result<()> {
    let home = Home::new()?;
    let locomo = repo::root().join(LOCOMO);
    if locomo.exists() {
        let report = eval(&home, &locomo, &["--format", "locomo"])?;
        for depth in [5, 10, 25] {
            let found = report[format!("recall@{depth}")].as_f64().context("no recall")?;
            figures.set(&format!("LoCoMo, development half, R@{depth}"), None, found * 100.0, "%");
        }
    } else {
        println!("LoCoMo is not beside the checkout, recall is not measured on it");
    }
    for (name, corpus) in CORPORA {
        for split in ["held", "tune"] {
            let rankings = home.beside().join("rankings.jsonl");
            let out = rankings.display().to_string();
            eval(&home, &repo::root().join(corpus), &["--split", split, "--rankings", &out])?;
            let asked = std::fs::read_to_string(&rankings)?;
            let asked: Vec<Asked> = asked.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
            for (what, share) in measures(&asked) {
                figures.set(&format!("{name}, {split} half: {what}"), None, share * 100.0, "%");
            }
        }
    }
    Ok(())
}

fn eval(home: &Home, dataset: &Path, more: &[&str]) -> Result<Value> {
    let dataset = dataset.display().to_string();
    let words = [&["eval", "recall", "--json", "--dataset", &dataset], more].concat();
    let output = home.loci(&words).stdin(Stdio::null()).output()?;
    ensure!(output.status.success(), "loci eval: {}", String::from_utf8_lossy(&output.stderr).trim());
    serde_json::from_slice(&output.stdout).context("loci eval --json")
}

/// A question, what should be found and what was.
#[derive(Deserialize)]
struct Asked {
    slice: String,
    gold: Vec<String>,
    hits: Vec<Hit>,
}

#[derive(Deserialize)]
struct Hit {
    path: String,
}

impl Asked {
    /// The share of the gold that is among the first few.
    fn recall(&self) -> f64 {
        let shown = |gold: &&String| self.hits.iter().take(SHOWN).any(|hit| hit.path == **gold);
        self.gold.iter().filter(shown).count() as f64 / self.gold.len() as f64
    }

    fn is_first(&self) -> f64 {
        f64::from(u8::from(self.hits.first().is_some_and(|hit| self.gold.contains(&hit.path))))
    }
}

/// The shares that have a bar.
///
/// Precision of silence is over questions that share a word with their answer and those that have none: a paraphrase that
/// is not found is counted by its own measure.
fn measures(asked: &[Asked]) -> [(&'static str, f64); 5] {
    let of = |slice: &'static str| asked.iter().filter(move |one| one.slice == slice);
    let lexical = || asked.iter().filter(|one| !["paraphrase", "nothing"].contains(&one.slice.as_str()));
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let silent = |one: &&Asked| one.hits.is_empty();
    let rightly = of("nothing").filter(silent).count() as f64;
    let wrongly = lexical().filter(silent).count() as f64;
    [
        ("lexical, recall@5", mean(lexical().map(Asked::recall).collect())),
        ("lexical, first hit", mean(lexical().map(Asked::is_first).collect())),
        ("paraphrase, recall@5", mean(of("paraphrase").map(Asked::recall).collect())),
        ("nothing relevant, precision", rightly / (rightly + wrongly)),
        ("nothing relevant, recall", rightly / of("nothing").count() as f64),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_right_only_where_nothing_answers() {
        let asked = |slice: &str, gold: &[&str], hits: &[&str]| Asked {
            slice: slice.to_owned(),
            gold: gold.iter().map(|&path| path.to_owned()).collect(),
            hits: hits.iter().map(|&path| Hit { path: path.to_owned() }).collect(),
        };
        let told = measures(&[
            asked("keywords", &["a", "b"], &["a", "c"]),
            asked("zh", &["a"], &[]),
            asked("paraphrase", &["a"], &["c", "a"]),
            asked("paraphrase", &["a"], &[]),
            asked("nothing", &[], &[]),
            asked("nothing", &[], &["c"]),
        ]);
        assert_eq!(told.map(|(_, share)| share), [0.25, 0.5, 0.5, 0.5, 0.5]);
    }
}
