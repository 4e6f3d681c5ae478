//! A run as a whole: JSON for programs, a table for who ran it.

use super::bars::BARS;
use super::figures::Figures;
use super::peers::{self, Beside};
use super::verdict::{self, Judged, Verdict};
use anyhow::Result;
use serde::Serialize;

/// Everything that came of a run.
#[derive(Serialize)]
pub struct Report {
    /// Whether it measured as much as is published.
    pub full: bool,
    pub bars: Vec<Judged>,
    pub peers: Beside,
    /// Parts of the run that broke, and why.
    pub broken: Vec<String>,
    #[serde(flatten)]
    pub figures: Figures,
}

impl Report {
    /// Judges what was measured.
    pub fn of(full: bool, figures: Figures, peers: Beside, broken: Vec<String>) -> Report {
        Report { full, bars: verdict::judge(BARS, &figures), peers, broken, figures }
    }

    /// The bars that are missed.
    pub fn missed(&self) -> impl Iterator<Item = &Judged> {
        self.bars.iter().filter(|one| one.verdict == Verdict::Missed)
    }

    /// For programs.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// For a terminal: all figures, the bars, the servers beside each other, and what went wrong.
    pub fn text(&self, sizes: &[usize]) -> String {
        let mut text = format!(
            "{}\n\n{}\n{}\n{}",
            self.figures.machine.line(),
            self.figures.table(sizes),
            verdict::table(&self.bars),
            peers::table(&self.peers.rows)
        );
        for broken in &self.broken {
            text += &format!("broken: {broken}\n");
        }
        for one in self.missed() {
            text += &format!("missed: {}\n", one.what);
        }
        text
    }
}
