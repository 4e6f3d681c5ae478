//! Single forms by tables, and thirty written conversations: fifteen to tune on, fifteen to check.

mod literal;

use super::filter::{Dropped, check};
use super::*;
use std::path::Path;

fn said(message: &str) -> Vec<String> {
    statements(message).into_iter().map(|statement| statement.summary).collect()
}

#[test]
fn explicit_statements_are_taken() {
    for (message, summary) in [
        (
            "Remember that our staging cluster lives in the Frankfurt region.",
            "Our staging cluster lives in the Frankfurt region",
        ),
        (
            "I prefer pull requests with fewer than 300 changed lines.",
            "I prefer pull requests with fewer than 300 changed lines",
        ),
        ("We decided to use SQLite for the ledger.", "We decided to use SQLite for the ledger"),
        (
            "The dashboard is at https://grafana.example.com/d/abc",
            "The dashboard is at https://grafana.example.com/d/abc",
        ),
        ("Never deploy on the last Friday of a quarter.", "Never deploy on the last Friday of a quarter"),
        ("ok, please always run the formatter first!", "Always run the formatter first"),
        ("Use pnpm for all installs from now on", "Use pnpm for all installs"),
        ("When you write SQL, always use bind parameters.", "When you write SQL, always use bind parameters"),
        ("Remember to run the linter before every commit", "Run the linter before every commit"),
    ] {
        assert_eq!(said(message), [summary], "{message}");
    }
}

#[test]
fn what_is_not_for_good_is_left_alone() {
    for message in [
        "Remember that x.",
        "Remember that we should use yarn or pnpm, which one is better?",
        "Remember that I am currently debugging the login page right now.",
        "Remember that today the temporary branch is called wip-7.",
        "Always return early in this function",
        "Never gets called, weird",
        "never mind",
        "> Always use tabs",
        "```\nAlways use tabs in code\n```",
        "\"Always use tabs for indentation\" is what the linter says",
        "Always use tabs for indentation. Scratch that.",
        "If we decided to use Postgres, what then",
        "I never know which flag it is",
        "sure, never test anything, what could go wrong",
        "<system-reminder>\nAlways use the todo tool for planning.\n</system-reminder>",
    ] {
        assert_eq!(said(message), [""; 0], "{message}");
    }
}

#[test]
fn reasons_and_uses_come_along() {
    let found = statements(
        "Never mock the database, because mocked tests passed and the migration failed.\nHow to apply: integration tests.",
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].summary, "Never mock the database");
    assert_eq!(found[0].why.as_deref(), Some("mocked tests passed and the migration failed"));
    assert_eq!(found[0].how.as_deref(), Some("integration tests"));
    assert_eq!(
        statements("Always squash before merging. Why: history stays readable.")[0].why.as_deref(),
        Some("history stays readable")
    );
    let place = &statements("The dashboard is at https://grafana.example.com/d/abc, check it before you deploy.")[0];
    assert_eq!(place.summary, "The dashboard is at https://grafana.example.com/d/abc");
    assert_eq!(place.how.as_deref(), Some("Check it before you deploy"));
    assert_eq!(said("Never skip a test just because it is slow to run"), [""; 0]);
}

#[test]
fn injected_text_never_counts() {
    for text in [
        "<hot_memories>\nx\n<memory_file path=\"/memories/global/a.md\">\nAlways use pnpm for installs.\n</memory_file>\n</hot_memories>\nplease go on",
        "## Relevant memory\n\nUse only what is relevant to the task at hand.\n\n<relevant_memory>\n### A\n\nAlways use pnpm for installs.\n</relevant_memory>\n",
        "<HOT_MEMORIES >\nAlways use pnpm for installs.\n< / hot_memories>",
        "<relevant_memory>\nAlways use pnpm for installs (cut off",
        "- [Never deploy on Fridays](project/a.md) — Never deploy on the last Friday",
        "- /memories/global/a.md — \"Always use pnpm for installs\"",
    ] {
        assert_eq!(said(text), [""; 0], "{text}");
    }
}

#[test]
fn reasons_for_dropping_are_named() {
    let github = ["ghp_", "x9Kq2LmZ7vRt4WcY8nBd1HsF6gJp3TzQ5aEu"].concat();
    assert_eq!(check("too short"), Err(Dropped::Short));
    assert_eq!(check("eleven char"), Err(Dropped::Short));
    assert_eq!(check("twelve chars"), Ok(()));
    assert_eq!(check("which one do we use?"), Err(Dropped::Question));
    assert_eq!(check("the tests are broken right now"), Err(Dropped::Moment));
    assert_eq!(check("from now on the tests run twice"), Ok(()));
    assert_eq!(check("what we know is enough"), Ok(()));
    for retold in [
        "The user asked for help fixing a flaky test",
        "The assistant decided to use PostgreSQL",
        "User requested a refactoring",
    ] {
        assert_eq!(check(retold), Err(Dropped::Talk), "{retold}");
    }
    for fact in [
        "The user prefers tabs",
        "The model registry is at models.example",
        "Agent tests run nightly",
        "The session store is Redis",
    ] {
        assert_eq!(check(fact), Ok(()), "{fact}");
    }
    assert_eq!(check(&format!("token {github}")), Err(Dropped::Secret));
    assert_eq!(check(&format!("the deploy robot logs in with {github} on release")), Ok(()));
}

/// What a conversation should leave behind, by kind and a fragment of its words.
struct Written {
    name: String,
    messages: Vec<String>,
    keep: Vec<String>,
}

fn written(set: &str) -> Vec<Written> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/statement/transcripts").join(set);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| read_written(file)).collect()
}

fn read_written(file: &Path) -> Written {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let mut written = Written { name, messages: Vec::new(), keep: Vec::new() };
    let mut of_person = false;
    for line in std::fs::read_to_string(file).unwrap().lines() {
        if let Some(text) = line.strip_prefix("user> ") {
            written.messages.push(text.to_owned());
            of_person = true;
        } else if let Some(keep) = line.strip_prefix("keep> ") {
            written.keep.push(keep.split_once(" | ").unwrap().1.to_owned());
            of_person = false;
        } else if line.starts_with("assistant> ") {
            of_person = false;
        } else if of_person {
            let last = written.messages.last_mut().unwrap();
            last.push('\n');
            last.push_str(line);
        }
    }
    written
}

/// Precision and recall over a set; what is wrong is printed.
fn measure(set: &str) -> (f64, f64) {
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    for written in written(set) {
        let mut left = written.keep.clone();
        for statement in written.messages.iter().flat_map(|message| statements(message)) {
            match left.iter().position(|fragment| statement.summary.to_lowercase().contains(&fragment.to_lowercase())) {
                Some(at) => {
                    left.remove(at);
                    right += 1;
                }
                None => {
                    println!("{}: should not be kept: {statement:?}", written.name);
                    wrong += 1;
                }
            }
        }
        missed += left.len();
        left.iter().for_each(|fragment| println!("{}: missed {fragment:?}", written.name));
    }
    println!("{set}: {right} right, {wrong} wrong, {missed} missed");
    (f64::from(right) / f64::from(right + wrong), f64::from(right) / (right as usize + missed) as f64)
}

#[test]
fn ordinary_chatter_leaves_nothing_behind() {
    for written in written("tune").into_iter().chain(written("check")).filter(|written| written.keep.is_empty()) {
        let found: Vec<_> = written.messages.iter().flat_map(|message| statements(message)).collect();
        assert!(found.is_empty(), "{}: {found:?}", written.name);
    }
}

#[test]
fn written_conversations_are_read_with_precision() {
    for set in ["tune", "check"] {
        let (precision, recall) = measure(set);
        assert!(precision >= 0.9 && recall >= 0.75, "{set}: precision {precision:.2}, recall {recall:.2}");
    }
}
