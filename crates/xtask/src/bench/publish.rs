//! `docs/benchmarks.md` and its pictures, made of one full run.
//!
//! Owns the words around the tables. They hold whatever the numbers are: what a number says is left to its verdict.

use super::report::Report;
use super::{peers, plot, verdict};
use crate::repo;
use anyhow::{Context, Result, ensure};
use std::fmt::Write;

const INTRO: &str = "# Benchmarks

One command makes this page: `cargo xtask bench --publish`.
It measures Loci beside the floors of the machine and beside other memory servers, all in the same run, and fails when a number misses what it must be.
Machines differ and are noisy, so a time is told as a ratio to a floor of the same run, or as CPU time an operation.
";

const BARS: &str = "## Loci beside its bars

An empty process is a hello-world of the same compiler; the bare durable write is write, fsync, rename and fsync of the folder.
Documents have 714 bytes; those that are asked for are real text, the documentation of the crates that the build has unpacked.
No model is asked, and nothing is downloaded.

![Each cost as a share of what is allowed](images/benchmarks-bars.svg)

";

const NOTES: &str = "
LoCoMo's text may not be passed on, so it is measured only where its file lies beside the checkout; its limits are those of the half that was never looked at.
The corpora are those of `crates/memory/eval`; precision of \"nothing relevant\" leaves paraphrases out, which have a limit of their own.
The second corpus is harder on purpose (whole questions without a shared word, near misses), so only its lexical part has a limit; all of its numbers are below.
A scan for secrets is measured by a `create` that is refused for it, so the number holds the reading of the request, too.
The time of a clean build is not part of the run: `cargo build --release --timings` in a fresh checkout tells it.
What keeps its limit and misses its aim is explained in [where the time goes](costs.md).
";

const PEERS: &str = "## Beside other memory servers

Each is installed from its registry, started on pipes, given the same documents and asked the same questions over MCP.
Loci flushes every write to the disk, journals it, scans it for secrets and indexes it before it answers.

![Loci beside other memory servers](images/benchmarks-peers.svg)

";

const ABSENT: &str = "Two more were tried and are left out.
basic-memory needs Python 3.12, and where it ran (November 2026) its first answer took 37 s.
mcp-memory-service downloads its embedding model when it is first used; without a network it falls back to hashes, which says nothing about what its authors made.
";

const FIGURES: &str = "## All figures

";

/// Writes the page and its pictures.
pub fn write(report: &Report, sizes: &[usize]) -> Result<()> {
    ensure!(report.full, "a run that was cut short is not published");
    ensure!(report.broken.is_empty(), "a run of which parts broke is not published: {}", report.broken.join("; "));
    let file = |path: &str, text: String| {
        let path = repo::root().join("docs").join(path);
        std::fs::create_dir_all(path.parent().context("no folder")?)?;
        std::fs::write(&path, text).with_context(|| path.display().to_string())
    };
    file("images/benchmarks-bars.svg", plot::bars(&report.bars))?;
    file("images/benchmarks-peers.svg", plot::peers(&report.peers.rows))?;
    file("benchmarks.md", page(report, sizes))
}

fn page(report: &Report, sizes: &[usize]) -> String {
    let mut text = INTRO.to_owned();
    let _ = write!(text, "\nMeasured on {}.\n", report.figures.machine.line());
    let _ = write!(text, "\n{BARS}{}{NOTES}", verdict::table(&report.bars));
    let _ = write!(text, "\n{PEERS}{}", peers::table(&report.peers.rows));
    for missing in &report.peers.missing {
        let _ = writeln!(text, "{missing}");
    }
    let _ = write!(text, "{ABSENT}\n{FIGURES}{}", report.figures.table(sizes));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::figures::Figures;
    use crate::bench::machine::Machine;
    use crate::bench::peers::Beside;

    fn report(full: bool, broken: &[&str]) -> Report {
        let machine =
            Machine { date: "2026-11-18 08:00 UTC".into(), cores: 2, cpu: "a chip".into(), ..Machine::default() };
        let mut figures = Figures::new(machine);
        figures.set("binary, stripped", None, 20.0, "MB");
        Report::of(full, figures, Beside::default(), broken.iter().map(|&it| it.to_owned()).collect())
    }

    #[test]
    fn a_page_says_when_and_on_what() {
        let page = page(&report(true, &[]), &[1_000]);
        assert!(page.contains("\nMeasured on 2026-11-18 08:00 UTC, 2 × a chip"), "{page}");
        assert!(
            page.contains("| release binary, stripped |  | 20.00 MB | ≤ 45 MB | ≤ 30 MB | aim reached |"),
            "{page}"
        );
        assert!(!page.contains("\n\n\n"), "{page}");
        // One sentence a line.
        assert!(page.lines().filter(|line| !line.starts_with('|')).all(|line| !line.contains(". ")), "{page}");
    }

    #[test]
    fn what_was_cut_short_is_not_published() {
        assert!(write(&report(false, &[]), &[]).is_err());
        assert!(write(&report(true, &["kill -9"]), &[]).is_err());
    }
}
