//! Pictures of a run, as SVG written by hand: Loci beside its bars, and beside other servers.
//!
//! Owns what is drawn; `svg.rs` knows how.

mod svg;

use super::bars::Limit;
use super::peers::Row;
use super::thousands;
use super::verdict::{Judged, Verdict};
use svg::{Paint, Picture};

const LABEL: f64 = 480.0;
const ROOM: f64 = 300.0;
const ROW: f64 = 22.0;
/// The most that is drawn, as a share of what must be; a longer bar ends there.
const MOST: f64 = 1.25;

/// What each cost is of what it may be, longest allowed at the line.
///
/// Counts that must be zero and shares in percent have no place on such a scale; the table has them.
pub fn bars(judged: &[Judged]) -> String {
    let rows: Vec<(&Judged, f64, Option<f64>)> = judged.iter().filter_map(scaled).collect();
    let mut picture = Picture::new(LABEL + ROOM + 120.0, 50.0 + ROW * rows.len() as f64);
    let at = |share: f64| LABEL + ROOM * share.min(MOST) / MOST;
    picture.text(LABEL, 20.0, "start", "share of what is allowed; the line is the limit, the tick is the aim");
    for (number, (one, share, aim)) in rows.iter().enumerate() {
        let top = 34.0 + ROW * number as f64;
        let name = one.what.replace('`', "");
        let name = one.documents.map_or(name.clone(), |size| format!("{name}, N = {}", thousands(&size)));
        picture.text(LABEL - 8.0, top + 12.0, "end", &name);
        let paint = match one.verdict {
            Verdict::Missed => Paint::Bad,
            Verdict::Aim => Paint::Good,
            Verdict::Met if one.aim.is_none() => Paint::Good,
            _ => Paint::Fair,
        };
        picture.bar(LABEL, top, at(*share) - LABEL, ROW - 8.0, paint);
        if let Some(aim) = aim {
            picture.line(at(*aim), top - 2.0, top + ROW - 6.0);
        }
        picture.text(LABEL + ROOM + 8.0, top + 12.0, "start", &format!("{:.0} %", share * 100.0));
    }
    picture.line(at(1.0), 28.0, 34.0 + ROW * rows.len() as f64);
    picture.done("Loci beside its bars")
}

/// A bar that has a scale: its number and its aim as shares of what must be.
fn scaled(one: &Judged) -> Option<(&Judged, f64, Option<f64>)> {
    let value = one.value?;
    match (one.must?, one.unit) {
        (Limit::AtMost(must), _) if must > 0.0 => Some((one, value / must, one.aim.map(|aim| aim.number() / must))),
        // Twice as fast as it must be is half of what is allowed.
        (Limit::AtLeast(must), "/s") => Some((one, must / value, one.aim.map(|aim| must / aim.number()))),
        _ => None,
    }
}

/// A panel: its title, its unit, whether each step is ten times the one before, and the number of a row.
type Panel = (&'static str, &'static str, Scale, fn(&Row) -> Option<f64>);

#[derive(Clone, Copy)]
enum Scale {
    Even,
    Tenfold,
}

const PANELS: [Panel; 6] = [
    ("start → first question answered", "ms", Scale::Tenfold, |row| Some(row.start)),
    ("write, CPU", "ms", Scale::Tenfold, |row| Some(row.write)),
    ("question, CPU", "ms", Scale::Tenfold, |row| Some(row.search)),
    ("resident memory", "MB", Scale::Tenfold, |row| Some(row.resident)),
    ("hit@5, mean of three kinds (more is better)", "%", Scale::Even, |row| {
        Some(row.hits.values().sum::<f64>() / row.hits.len() as f64)
    }),
    ("8 processes: lines lost or failed, of 200", "", Scale::Even, |row| {
        row.appended.as_ref().map(|told| (told.lost + told.failed) as f64)
    }),
];

/// Servers beside each other, with the fewest documents that were measured.
pub fn peers(rows: &[Row]) -> String {
    let size = rows.iter().map(|row| row.documents).min().unwrap_or_default();
    let rows: Vec<&Row> = rows.iter().filter(|row| row.documents == size).collect();
    let (label, room, wide) = (220.0, 160.0, 500.0);
    let tall = 40.0 + ROW * rows.len() as f64;
    let mut picture = Picture::new(2.0 * wide, 3.0 * tall + 24.0);
    for (number, (title, unit, scale, value)) in PANELS.iter().enumerate() {
        let (left, top) = (wide * (number % 2) as f64 + label, tall * (number / 2) as f64);
        picture.text(left, top + 20.0, "start", title);
        let values: Vec<Option<f64>> = rows.iter().map(|row| value(row)).collect();
        for (place, (row, value)) in rows.iter().zip(&values).enumerate() {
            let top = top + 28.0 + ROW * place as f64;
            picture.text(left - 8.0, top + 12.0, "end", row.name);
            let Some(value) = value else { continue };
            let paint = if row.name == "Loci" { Paint::Good } else { Paint::Other };
            let long = room * length(*scale, *value, &values);
            picture.bar(left, top, long, ROW - 8.0, paint);
            picture.text(left + long + 6.0, top + 12.0, "start", short(*value, unit).trim_end());
        }
    }
    let note = format!("N = {}; times and memory are on a logarithmic scale", thousands(&size));
    picture.text(label, 3.0 * tall + 12.0, "start", &note);
    picture.done("Loci beside other memory servers")
}

/// How long a bar is, of 1. On a tenfold scale the smallest is a tenth, so that it can be seen.
fn length(scale: Scale, value: f64, all: &[Option<f64>]) -> f64 {
    let most = all.iter().flatten().copied().fold(f64::MIN, f64::max);
    let least = all.iter().flatten().copied().filter(|value| *value > 0.0).fold(f64::MAX, f64::min);
    match scale {
        Scale::Even if most > 0.0 => value / most,
        Scale::Tenfold if most > least && value > 0.0 => 0.1 + 0.9 * (value / least).ln() / (most / least).ln(),
        Scale::Tenfold if value > 0.0 => 1.0,
        _ => 0.0,
    }
}

fn short(value: f64, unit: &str) -> String {
    let digits = if unit.is_empty() || value == 0.0 || value >= 100.0 { 0 } else { 1 + usize::from(value < 1.0) };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests;
