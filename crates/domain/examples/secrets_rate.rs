//! How much of a corpus of secrets the scanner finds, and how much it alarms at that is none.
//!
//! Owns the arithmetic; the corpora are other people's and stay outside the repository.
//! Never prints a value: a miss or a false alarm is a line of the corpus and the name of a rule.
//!
//! A line of the form `{"text": …, "secret": true}` is one sample, with the name of what it is in `rule` if the corpus
//! has names. Any other file is ordinary text that holds no secret, read as a whole, and each of its lines is a chance
//! for a false alarm.

use loci_domain::secrets::scan;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::process::ExitCode;

#[derive(Deserialize)]
struct Sample {
    text: String,
    secret: bool,
    #[serde(default)]
    rule: String,
}

/// What one file came to.
#[derive(Default)]
struct Rate {
    secrets: usize,
    found: usize,
    clean: usize,
    alarms: usize,
    /// Lines of the corpus that were missed, by the name that the corpus gives them.
    missed: BTreeMap<String, Vec<usize>>,
    /// Lines that were false alarms, by the rule of ours that gave them.
    alarmed: BTreeMap<&'static str, Vec<usize>>,
}

impl Rate {
    fn of(text: &str) -> Rate {
        let mut rate = Rate::default();
        match text.lines().map(serde_json::from_str).collect::<Result<Vec<Sample>, _>>() {
            Ok(samples) => samples.into_iter().enumerate().for_each(|(at, sample)| rate.sample(at + 1, sample)),
            Err(_) => rate.ordinary(text),
        }
        rate
    }

    fn sample(&mut self, line: usize, sample: Sample) {
        let found = scan(&sample.text);
        if sample.secret {
            self.secrets += 1;
            if found.is_empty() {
                self.missed.entry(sample.rule).or_default().push(line);
            } else {
                self.found += 1;
            }
        } else {
            self.clean += 1;
            self.alarms += usize::from(!found.is_empty());
            found.iter().for_each(|it| self.alarmed.entry(it.rule).or_default().push(line));
        }
    }

    fn ordinary(&mut self, text: &str) {
        self.clean += text.lines().count();
        let found = scan(text);
        self.alarms += found.len();
        found.iter().for_each(|it| self.alarmed.entry(it.rule).or_default().push(it.line));
    }
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: secrets_rate CORPUS…");
        return ExitCode::from(2);
    }
    for file in files {
        match std::fs::read(&file) {
            Ok(bytes) => print(&file, &Rate::of(&String::from_utf8_lossy(&bytes))),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn print(file: &str, rate: &Rate) {
    println!(
        "{file}: found {} of {} ({}); false alarms {} of {} ({})",
        rate.found,
        rate.secrets,
        percent(rate.found, rate.secrets),
        rate.alarms,
        rate.clean,
        percent(rate.alarms, rate.clean),
    );
    rate.missed.iter().for_each(|(rule, lines)| println!("  missed {rule}: {lines:?}"));
    rate.alarmed.iter().for_each(|(rule, lines)| println!("  false alarm {rule}: {lines:?}"));
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "none".into() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}
