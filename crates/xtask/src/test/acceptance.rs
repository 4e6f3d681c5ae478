//! The black-box suites that lie beside the checkout, where they do.
//!
//! Owns which suites are run and which of their cases belong to later issues. A case outside that list must pass; one
//! in it that passes is told, so that the list can shrink.
//! Start at [`SUITES`]; [`judge`] reads what a suite printed.

use super::Done;
use crate::{repo, shell};
use anyhow::{Context, Result, bail};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

const FOLDER: &str = "../shared/acceptance";
const BINARY: &str = "target/release/loci";

/// Suites that run side by side: they wait more than they work.
const AT_ONCE: usize = 3;

struct Suite {
    name: &'static str,
    /// Cases that need a surface which is not there yet.
    later: &'static [&'static str],
}

const SUITES: &[Suite] = &[
    // The longest first: the others fill the time beside it.
    Suite { name: "scale", later: &[] },
    Suite { name: "memory_tool", later: &[] },
    Suite { name: "documents", later: &[] },
    Suite { name: "recall", later: &[] },
    Suite { name: "lifecycle", later: &[] },
    Suite { name: "daemon", later: &[] },
    Suite { name: "qwen_client", later: &[] },
    Suite { name: "mcp", later: &[] },
    Suite { name: "curation", later: &[] },
    Suite { name: "pipeline", later: &[] },
    Suite { name: "workspaces", later: &[] },
    Suite { name: "sessions", later: &[] },
];

pub fn run() -> Result<Done> {
    let root = repo::root();
    if !root.join(FOLDER).is_dir() {
        return Ok(Done::Skipped(format!("there is no {FOLDER}")));
    }
    if !root.join(BINARY).is_file() {
        bail!("there is no {BINARY}");
    }
    let (next, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            while let Some(suite) = SUITES.get(next.fetch_add(1, Ordering::Relaxed)) {
                wrong.fetch_add(judged(suite)?, Ordering::Relaxed);
            }
            Ok(())
        };
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("a suite could not be run")))
    })?;
    match wrong.into_inner() {
        0 => Ok(Done::Passed),
        wrong => bail!("{wrong} cases are not as expected"),
    }
}

/// Runs one suite, tells its verdict, and says how many of its cases are wrong.
fn judged(suite: &Suite) -> Result<usize> {
    let script = format!("{FOLDER}/{}.py", suite.name);
    let words = ["python3", &script, "--loci", BINARY];
    println!("$ {}", words.join(" "));
    let output = shell::command(&words).stdin(Stdio::null()).stderr(Stdio::inherit()).output().context(script)?;
    let verdict = judge(&String::from_utf8_lossy(&output.stdout), suite.later);
    for line in &verdict.told {
        println!("{}: {line}", suite.name);
    }
    Ok(verdict.wrong)
}

struct Verdict {
    wrong: usize,
    told: Vec<String>,
}

fn judge(printed: &str, later: &[&str]) -> Verdict {
    let (mut wrong, mut passed, mut awaited) = (0, 0, 0);
    let mut told = Vec::new();
    let mut seen = Vec::new();
    for (outcome, rest) in printed.lines().filter_map(|line| line.split_once(' ')) {
        let name = rest.trim_start().split(':').next().unwrap_or_default();
        match outcome {
            "ok" if later.contains(&name) => told.push(format!("{name} passes now; take it out of the list")),
            "ok" => {}
            "FAIL" if later.contains(&name) => awaited += 1,
            "FAIL" => {
                wrong += 1;
                told.push(format!("FAIL {}", rest.trim_start()));
            }
            "skip" => told.push(format!("skip {}", rest.trim_start())),
            _ => continue,
        }
        passed += usize::from(outcome == "ok");
        seen.push(name);
    }
    for name in later.iter().filter(|name| !seen.contains(name)) {
        wrong += 1;
        told.push(format!("there is no case {name}; take it out of the list"));
    }
    // The closing line proves that the suite came to its end.
    if !printed.lines().any(|line| line.contains(" passed, ") && line.contains(" failed, ")) {
        wrong += 1;
        told.push("the suite did not come to its end".to_owned());
    }
    told.push(format!("{passed} passed, {wrong} wrong, {awaited} belong to later issues"));
    Verdict { wrong, told }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "ok   a_case\nFAIL later_case: AssertionError: exit 2: no such command\nskip odd_case: no tool\n1 passed, 1 failed, 1 skipped\n";

    #[test]
    fn failures_of_later_issues_are_expected() {
        let verdict = judge(PRINTED, &["later_case"]);
        assert_eq!(verdict.wrong, 0);
        assert_eq!(verdict.told, ["skip odd_case: no tool", "1 passed, 0 wrong, 1 belong to later issues"]);
    }

    #[test]
    fn other_failures_are_wrong() {
        let verdict = judge(PRINTED, &[]);
        assert_eq!(verdict.wrong, 1);
        assert!(verdict.told[0].starts_with("FAIL later_case: AssertionError"), "{:?}", verdict.told);
    }

    #[test]
    fn a_list_that_is_too_long_is_told() {
        let verdict = judge(PRINTED, &["a_case", "later_case"]);
        assert_eq!((verdict.wrong, verdict.told[0].as_str()), (0, "a_case passes now; take it out of the list"));
        assert_eq!(judge(PRINTED, &["later_case", "gone_case"]).wrong, 1);
    }

    #[test]
    fn a_suite_that_breaks_off_is_wrong() {
        assert_eq!(judge("ok   a_case\n", &[]).wrong, 1);
    }
}
