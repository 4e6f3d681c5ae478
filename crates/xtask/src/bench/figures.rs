//! What was measured, in the order in which it was, and as Markdown.

use super::machine::Machine;
use super::thousands;
use serde::Serialize;
use std::fmt::Write;

/// All numbers of a run.
#[derive(Serialize)]
pub struct Figures {
    pub machine: Machine,
    figures: Vec<Figure>,
}

#[derive(Serialize)]
struct Figure {
    what: String,
    /// How many documents, or messages, the store held; absent where that says nothing.
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

    /// A number that was added, and its unit.
    pub fn get(&self, what: &str, documents: Option<usize>) -> Option<(f64, &'static str)> {
        let found = self.figures.iter().find(|it| it.what == what && it.documents == documents);
        found.map(|it| (it.value, it.unit))
    }

    /// All of them: what was measured with these numbers of documents side by side, and then the rest.
    pub fn table(&self, sizes: &[usize]) -> String {
        let among = |figure: &&Figure| figure.documents.is_some_and(|size| sizes.contains(&size));
        let mut text = "| |".to_owned();
        for size in sizes {
            let _ = write!(text, " N = {} |", thousands(size));
        }
        text.push_str("\n|---|");
        text.push_str(&"---:|".repeat(sizes.len()));
        let mut rows: Vec<&str> = Vec::new();
        for figure in self.figures.iter().filter(among) {
            if !rows.contains(&figure.what.as_str()) {
                rows.push(&figure.what);
            }
        }
        for what in rows {
            let _ = write!(text, "\n| {what} |");
            for size in sizes {
                let cell = self.get(what, Some(*size)).map(|(value, unit)| show(value, unit));
                let _ = write!(text, " {} |", cell.unwrap_or_default());
            }
        }
        text.push_str("\n\n| | |\n|---|---:|");
        for figure in self.figures.iter().filter(|figure| !among(figure)) {
            let size = figure.documents.map(|size| format!(", N = {}", thousands(&size))).unwrap_or_default();
            let _ = write!(text, "\n| {}{size} | {} |", figure.what, show(figure.value, figure.unit));
        }
        text.push('\n');
        text
    }
}

/// A number as a person reads it.
pub fn show(value: f64, unit: &str) -> String {
    let digits = match unit {
        "" | "/s" => 0,
        "%" => 1,
        "ms" if value < 10.0 => 3,
        _ => 2,
    };
    format!("{value:.digits$} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_number() {
        let mut figures = Figures::new(Machine::default());
        figures.set("view, p50", Some(100), 0.25, "ms");
        figures.set("view, p50", Some(1_000), 0.5, "ms");
        figures.set("lost", None, 0.0, "");
        figures.set("messages", Some(50_000), 99.95, "%");
        let expected = "| | N = 100 | N = 1,000 |\n|---|---:|---:|\n| view, p50 | 0.250 ms | 0.500 ms |\n\n\
            | | |\n|---|---:|\n| lost | 0 |\n| messages, N = 50,000 | 100.0 % |\n";
        assert_eq!(figures.table(&[100, 1_000]), expected);
        assert_eq!(figures.get("view, p50", Some(1_000)), Some((0.5, "ms")));
    }
}
