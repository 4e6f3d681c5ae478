//! Whether what was held has grown: the last third of a run beside the middle one; the first is there to warm up.
//!
//! Owns how much may be added. What should stay as it is is judged by its middle value of a third, which one spike does
//! not move; what has reason to grow, by how fast it does.

use anyhow::{Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A run as the example wrote it.
#[derive(Deserialize)]
pub struct Run {
    samples: Vec<BTreeMap<String, f64>>,
    done: BTreeMap<String, u64>,
}

/// What came of it.
pub struct Verdict {
    /// As Markdown.
    pub table: String,
    /// What has grown too much, in words.
    pub grown: Vec<String>,
}

/// How a number is judged.
enum Rule {
    /// It stays: so large a share may be added, or so much, whichever is more.
    Level { share: f64, slack: f64 },
    /// It grows: so large a share may be added to its pace, or so much a minute, whichever is more.
    Pace { share: f64, slack: f64 },
}

struct Measure {
    field: &'static str,
    name: &'static str,
    unit: &'static str,
    /// What a sample is divided by to be told in the unit.
    scale: f64,
    rule: Rule,
}

const MEASURES: &[Measure] = &[
    Measure::level("residentKilobytes", "memory of the daemon", "MB", 1024.0, 0.10, 2.0),
    Measure::level("workerKilobytes", "memory of its worker", "MB", 1024.0, 0.10, 2.0),
    Measure::level("descriptors", "open descriptors", "", 1.0, 0.10, 4.0),
    Measure::level("threads", "threads", "", 1.0, 0.10, 4.0),
    // SQLite begins anew at 4 MB, so anything below says nothing.
    Measure::level("walBytes", "write-ahead log", "MB", 1e6, 0.25, 4.2),
    Measure {
        rule: Rule::Pace { share: 0.50, slack: 0.1 },
        ..Measure::level("ledgerBytes", "ledger", "MB", 1e6, 0.0, 0.0)
    },
    Measure::level("files", "files in the home", "", 1.0, 0.10, 8.0),
];

impl Measure {
    const fn level(
        field: &'static str,
        name: &'static str,
        unit: &'static str,
        scale: f64,
        share: f64,
        slack: f64,
    ) -> Measure {
        Measure { field, name, unit, scale, rule: Rule::Level { share, slack } }
    }
}

/// Judges a run.
pub fn of(run: &Run) -> Result<Verdict> {
    let third = run.samples.len() / 3;
    ensure!(third >= 5, "{} samples are too few to say anything", run.samples.len());
    let thirds: Vec<_> = [0, 1, 2].iter().map(|part| &run.samples[part * third..(part + 1) * third]).collect();
    let done: Vec<String> = run.done.iter().map(|(what, count)| format!("{count} {what}")).collect();
    let mut table = format!(
        "{} samples; {}\n\n| what | first third | middle third | last third | may be at most | |\n|---|---:|---:|---:|---:|---|\n",
        run.samples.len(),
        done.join(", ")
    );
    let mut grown = Vec::new();
    for measure in MEASURES {
        let value = |part: usize| match measure.rule {
            Rule::Level { .. } => middle(thirds[part], measure),
            Rule::Pace { .. } => pace(thirds[part], measure),
        };
        let (Rule::Level { share, slack } | Rule::Pace { share, slack }) = measure.rule;
        let (first, before, last) = (value(0), value(1), value(2));
        let most = before + slack.max(before * share);
        let unit = if matches!(measure.rule, Rule::Pace { .. }) {
            format!("{}/min", measure.unit)
        } else {
            measure.unit.to_owned()
        };
        let word = if last > most { "**grows**" } else { "stays" };
        let told = |value: f64| format!("{value:.1} {unit}").trim_end().to_owned();
        let row = [told(first), told(before), told(last), told(most)].join(" | ");
        let _ = writeln!(table, "| {} | {row} | {word} |", measure.name);
        if last > most {
            grown.push(format!("{} went from {} to {}", measure.name, told(before), told(last)));
        }
    }
    Ok(Verdict { table, grown })
}

fn values<'a>(samples: &'a [BTreeMap<String, f64>], measure: &'a Measure) -> impl Iterator<Item = f64> + 'a {
    samples.iter().map(|sample| sample.get(measure.field).copied().unwrap_or_default() / measure.scale)
}

fn middle(samples: &[BTreeMap<String, f64>], measure: &Measure) -> f64 {
    let mut values: Vec<f64> = values(samples, measure).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// How much is added in a minute.
fn pace(samples: &[BTreeMap<String, f64>], measure: &Measure) -> f64 {
    let seconds = |at: Option<&BTreeMap<String, f64>>| at.and_then(|at| at.get("seconds")).copied().unwrap_or_default();
    let minutes = (seconds(samples.last()) - seconds(samples.first())) / 60.0;
    let mut values = values(samples, measure);
    let first = values.next().unwrap_or_default();
    let last = values.last().unwrap_or(first);
    if minutes > 0.0 { (last - first) / minutes } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thirty samples, one a second, of which one field is as told.
    fn run(field: &str, value: impl Fn(usize) -> f64) -> Run {
        let sample =
            |second: usize| BTreeMap::from([("seconds".to_owned(), second as f64), (field.to_owned(), value(second))]);
        Run { samples: (0..30).map(sample).collect(), done: BTreeMap::from([("rounds".to_owned(), 7)]) }
    }

    fn grown(field: &str, value: impl Fn(usize) -> f64) -> Vec<String> {
        of(&run(field, value)).unwrap().grown
    }

    #[test]
    fn what_warms_up_and_then_stays_is_fine() {
        assert_eq!(grown("residentKilobytes", |second| 1024.0 * (20.0 + second.min(10) as f64)), [""; 0]);
        assert_eq!(grown("residentKilobytes", |second| if second == 25 { 1e9 } else { 20_000.0 }), [""; 0]);
        assert_eq!(grown("descriptors", |second| 30.0 + (second % 4) as f64), [""; 0]);
    }

    #[test]
    fn a_leak_is_named() {
        let leak = grown("residentKilobytes", |second| 1024.0 * (20.0 + second as f64));
        assert_eq!(leak, ["memory of the daemon went from 35.0 MB to 45.0 MB"]);
        assert_eq!(grown("threads", |second| (8 + second) as f64).len(), 1);
    }

    #[test]
    fn a_ledger_may_grow_and_not_faster_and_faster() {
        assert_eq!(grown("ledgerBytes", |second| 1e6 * second as f64), [""; 0]);
        assert_eq!(grown("ledgerBytes", |second| 1e5 * (second * second) as f64).len(), 1);
    }

    #[test]
    fn a_run_that_is_too_short_says_so() {
        let short = Run { samples: Vec::new(), done: BTreeMap::new() };
        assert!(of(&short).is_err());
        assert!(of(&run("files", |_| 3.0)).unwrap().table.starts_with("30 samples; 7 rounds\n"));
    }
}
