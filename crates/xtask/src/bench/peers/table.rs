//! Servers beside each other, as Markdown.

use super::Row;
use crate::bench::thousands;
use std::fmt::Write;

/// A table for each number of documents.
pub fn table(rows: &[Row]) -> String {
    let mut sizes: Vec<usize> = rows.iter().map(|row| row.documents).collect();
    sizes.dedup();
    let mut text = String::new();
    for size in sizes {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.documents == size).collect();
        // Only the first size has it.
        let together = rows.iter().any(|row| row.appended.is_some());
        let _ = write!(
            text,
            "| N = {} | start → first question answered | write, CPU | question, CPU | hit@5 phrase | keywords | description | resident |",
            thousands(&size)
        );
        text.push_str(if together { " 8 processes × 25 lines into one memory |\n" } else { "\n" });
        text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|");
        text.push_str(if together { "---|\n" } else { "\n" });
        for row in rows {
            let hit = |kind: &str| row.hits.get(kind).map_or("–".to_owned(), |share| format!("{share:.1} %"));
            let _ = write!(
                text,
                "| {} | {:.1} ms | {:.2} ms | {:.2} ms | {} | {} | {} | {:.0} MB |",
                row.name,
                row.start,
                row.write,
                row.search,
                hit("phrase"),
                hit("keywords"),
                hit("description"),
                row.resident
            );
            if together {
                let cell = row.appended.as_ref().map_or("–".to_owned(), |told| {
                    format!("{} of {} acknowledged lost, {} calls failed", told.lost, told.acknowledged, told.failed)
                });
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::peers::together::Appended;
    use std::collections::BTreeMap;

    #[test]
    fn each_size_has_its_table() {
        let row = |documents, appended| Row {
            name: "Loci",
            documents,
            start: 9.0,
            write: 0.5,
            search: 0.25,
            hits: BTreeMap::from([("phrase".to_owned(), 100.0)]),
            resident: 20.0,
            appended,
        };
        let many = Appended { acknowledged: 200, lost: 1, failed: 0 };
        let told = table(&[row(1_000, Some(many)), row(10_000, None)]);
        assert!(told.contains("| Loci | 9.0 ms | 0.50 ms | 0.25 ms | 100.0 % | – | – | 20 MB | 1 of 200 acknowledged lost, 0 calls failed |\n"));
        assert!(told.contains("| Loci | 9.0 ms | 0.50 ms | 0.25 ms | 100.0 % | – | – | 20 MB |\n"), "{told}");
        assert!(told.contains("| N = 10,000 |"));
    }
}
