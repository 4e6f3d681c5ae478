//! What was measured, as a Markdown table and as JSON.

use super::machine::Machine;
use anyhow::Result;
use serde::Serialize;
use std::fmt::Write;

/// All numbers of a run, in the order in which they were first measured.
#[derive(Serialize)]
pub struct Figures {
    machine: Machine,
    figures: Vec<Figure>,
}

#[derive(Serialize)]
struct Figure {
    what: String,
    /// How many documents the store held; absent where that says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<usize>,
    value: f64,
    unit: &'static str,
}

impl Figures {
    /// None yet.
    pub fn new(machine: Machine) -> Figures {
        Figures { machine, figures: Vec::new() }
    }

    /// Adds a number.
    pub fn set(&mut self, what: &str, documents: Option<usize>, value: f64, unit: &'static str) {
        self.figures.push(Figure { what: what.to_owned(), documents, value, unit });
    }

    /// A number that was added.
    pub fn get(&self, what: &str, documents: Option<usize>) -> Option<f64> {
        self.figures.iter().find(|it| it.what == what && it.documents == documents).map(|it| it.value)
    }

    /// The whole run as JSON.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The whole run as Markdown: what depends on the number of documents, and then the rest.
    pub fn table(&self, sizes: &[usize]) -> String {
        let Machine { date, cpu, cores, kernel, commit } = &self.machine;
        let mut text = format!("{date}, {cores} × {cpu}, {kernel}, commit {commit}\n\n| |");
        for size in sizes {
            let _ = write!(text, " N = {size} |");
        }
        text.push_str("\n| --- |");
        text.push_str(&" ---: |".repeat(sizes.len()));
        let mut rows: Vec<&str> = Vec::new();
        for figure in self.figures.iter().filter(|figure| figure.documents.is_some()) {
            if !rows.contains(&figure.what.as_str()) {
                rows.push(&figure.what);
            }
        }
        for what in rows {
            let _ = write!(text, "\n| {what} |");
            for size in sizes {
                let cell = self.figures.iter().find(|it| it.what == what && it.documents == Some(*size));
                let _ = write!(text, " {} |", cell.map(Figure::show).unwrap_or_default());
            }
        }
        text.push_str("\n\n| | |\n| --- | ---: |");
        for figure in self.figures.iter().filter(|figure| figure.documents.is_none()) {
            let _ = write!(text, "\n| {} | {} |", figure.what, figure.show());
        }
        text.push('\n');
        text
    }
}

impl Figure {
    fn show(&self) -> String {
        let digits = match self.unit {
            "" | "/s" => 0,
            "ms" if self.value < 10.0 => 3,
            _ => 2,
        };
        format!("{:.digits$} {}", self.value, self.unit).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_number() {
        let machine = Machine {
            date: "today".into(),
            cpu: "a chip".into(),
            cores: 2,
            kernel: "Linux 6".into(),
            commit: "abc".into(),
        };
        let mut figures = Figures::new(machine);
        figures.set("view, p50", Some(100), 0.25, "ms");
        figures.set("view, p50", Some(1_000), 0.5, "ms");
        figures.set("lost", None, 0.0, "");
        let expected = "today, 2 × a chip, Linux 6, commit abc\n\n| | N = 100 | N = 1000 |\n| --- | ---: | ---: |\n\
            | view, p50 | 0.250 ms | 0.500 ms |\n\n| | |\n| --- | ---: |\n| lost | 0 |\n";
        assert_eq!(figures.table(&[100, 1_000]), expected);
        assert_eq!(figures.get("view, p50", Some(1_000)), Some(0.5));
    }
}
