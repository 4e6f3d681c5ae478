//! Numbers beside their bars: which are met, which are missed, which nobody measured.

use super::bars::{Bar, Limit};
use super::figures::{Figures, show};
use super::thousands;
use serde::Serialize;
use std::fmt::Write;

/// What came of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As good as it should be.
    Aim,
    /// As good as it must be.
    Met,
    /// Not what it should be, where nothing must be.
    Short,
    Missed,
    Unmeasured,
}

/// A bar with its number.
#[derive(Serialize)]
pub struct Judged {
    pub what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<usize>,
    pub value: Option<f64>,
    pub unit: &'static str,
    #[serde(serialize_with = "number")]
    pub must: Option<Limit>,
    #[serde(serialize_with = "number")]
    pub aim: Option<Limit>,
    pub verdict: Verdict,
}

/// Holds the figures to the bars.
pub fn judge(bars: &[Bar], figures: &Figures) -> Vec<Judged> {
    let judged = |bar: &Bar| {
        let (value, unit) = figures.get(bar.figure, bar.documents).unzip();
        let Bar { what, documents, must, aim, .. } = *bar;
        Judged { what, documents, value, unit: unit.unwrap_or_default(), must, aim, verdict: verdict(bar, value) }
    };
    bars.iter().map(judged).collect()
}

fn verdict(bar: &Bar, value: Option<f64>) -> Verdict {
    let Some(value) = value else { return Verdict::Unmeasured };
    match (bar.must, bar.aim) {
        (Some(must), _) if !must.holds(value) => Verdict::Missed,
        (_, Some(aim)) if aim.holds(value) => Verdict::Aim,
        (None, Some(_)) => Verdict::Short,
        // Where there is nothing more to aim at, what must be is all there is.
        _ => Verdict::Met,
    }
}

impl Limit {
    /// Whether a number keeps to it; what is no number keeps to nothing.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Limit::AtMost(most) => value <= most,
            Limit::AtLeast(least) => value >= least,
        }
    }

    /// The number.
    pub fn number(self) -> f64 {
        match self {
            Limit::AtMost(number) | Limit::AtLeast(number) => number,
        }
    }

    fn show(self, unit: &str) -> String {
        match self {
            Limit::AtMost(0.0) => "0".to_owned(),
            Limit::AtMost(most) => format!("≤ {most} {unit}").trim_end().to_owned(),
            Limit::AtLeast(least) => format!("≥ {least} {unit}").trim_end().to_owned(),
        }
    }
}

/// `what | N | Loci | must | aim | verdict`, as Markdown.
pub fn table(judged: &[Judged]) -> String {
    let mut text = "| what | N | Loci | must | aim | verdict |\n|---|---:|---:|---:|---:|---|\n".to_owned();
    for Judged { what, documents, value, unit, must, aim, verdict } in judged {
        let size = documents.as_ref().map(thousands).unwrap_or_default();
        let value = value.map_or("–".to_owned(), |value| show(value, unit));
        let limit = |limit: &Option<Limit>| limit.map(|limit| limit.show(unit)).unwrap_or_default();
        let verdict = match verdict {
            Verdict::Aim => "aim reached",
            Verdict::Met => "met",
            Verdict::Short => "below the aim",
            Verdict::Missed => "**missed**",
            Verdict::Unmeasured => "not measured",
        };
        let _ = writeln!(text, "| {what} | {size} | {value} | {} | {} | {verdict} |", limit(must), limit(aim));
    }
    text
}

fn number<S: serde::Serializer>(limit: &Option<Limit>, out: S) -> Result<S::Ok, S::Error> {
    limit.map(Limit::number).serialize(out)
}

#[cfg(test)]
mod tests;
