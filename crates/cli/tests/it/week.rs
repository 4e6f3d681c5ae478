//! A week of work on a project that does not exist: what was said for good is remembered, once, and can be found.

use crate::support::{assert_healthy, home};
use loci_testkit::home::{Home, documents, write};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// What the week should leave behind: words of the fact, and a question that it answers.
const FACTS: [(&str, &str); 13] = [
    ("every first Monday of the month", "when does the harbour office change the timetable?"),
    ("new to TypeScript", "how experienced is the user with TypeScript?"),
    ("round once per booking", "how are fares rounded?"),
    ("migrations during the night sailing", "when may migrations run?"),
    ("grafana.example.com/d/tidewater-deploys", "where is the deploy dashboard?"),
    ("one topic each", "how large should pull requests be?"),
    ("capped at 60", "connection pool limit of the hosting contract"),
    ("Linear project HARBOUR", "where are bugs from the harbour office tracked?"),
    ("Yara owns the payment integration", "who owns the payment integration?"),
    ("freeze the clock", "clock in tests that touch sailings"),
    ("27 March 2026", "release deadline for the summer timetable"),
    ("Portuguese and English", "which language for release notes?"),
    ("Tomás owns the timetable import", "who owns the timetable import?"),
];

/// What was said and must not be kept.
const CHATTER: [&str; 9] = [
    "return early",
    "abort",
    "trust the client",
    "for now",
    "raise it",
    "snapshot",
    "Thursdays",
    "nice weekend",
    "drop the old",
];

/// A written session as a transcript.
fn transcript(home: &Home, file: &Path) -> (String, String) {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let mut messages: Vec<(String, String)> = Vec::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        match line.split_once("> ").filter(|(role, _)| ["user", "assistant"].contains(role)) {
            Some((role, text)) => messages.push((role.to_owned(), text.to_owned())),
            None => {
                let (_, last) = messages.last_mut().unwrap();
                last.push('\n');
                last.push_str(line);
            }
        }
    }
    let lines: String = messages
        .iter()
        .enumerate()
        .map(|(n, (role, text))| format!("{}\n", json!({"id": format!("m{n}"), "role": role, "content": text})))
        .collect();
    let path = write(&home.dir().join(format!("{name}.jsonl")), &lines);
    (name, path.display().to_string())
}

/// All documents of both scopes, by scope and path.
fn all(home: &Home) -> BTreeMap<String, String> {
    let scopes = [("global", home.global()), ("project", home.project_memory())];
    let named = |(scope, folder): (&str, std::path::PathBuf)| {
        documents(&folder).into_iter().map(move |(path, text)| (format!("{scope}/{path}"), text)).collect::<Vec<_>>()
    };
    scopes.into_iter().flat_map(named).collect()
}

/// How many documents say something, by the body alone.
fn saying(documents: &BTreeMap<String, String>, words: &str) -> usize {
    let body = |text: &str| text.splitn(3, "---\n").nth(2).unwrap_or(text).to_owned();
    documents.values().map(|text| body(text).matches(words).count()).sum()
}

#[test]
fn a_week_leaves_each_fact_once_and_one_undo_takes_the_dream_back() {
    let home = home();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/week");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 10);
    for file in &files {
        let (session, path) = transcript(&home, file);
        let told: Value = home.json(&["extract", &path, "--session", &session]);
        assert!(told["status"] == "updated" || told["status"] == "noop", "{session}: {told}");
        // The same transcript again has nothing new.
        assert_eq!(home.json(&["extract", &path, "--session", &session])["patches"], json!([]), "{session}");
        // Agents look into memory while they work, so their notes repeat what was extracted.
        if session.starts_with("07") {
            home.create(
                "/memories/project/project/people.md",
                "---\nname: People\ndescription: Who owns what\ntype: project\n---\n- Marek runs the ticket desk.\n- Yara owns the payment integration and Tomás owns the timetable import.\n",
            );
            home.create(
                "/memories/global/feedback/house-rules.md",
                "---\nname: House rules\ndescription: How we work\ntype: feedback\n---\n- Write release notes in plain words.\n- never run migrations during the night sailing, the check-in desks are offline then\n- Write release notes in plain words\n",
            );
        }
    }
    let before = all(&home);
    for (words, _) in FACTS {
        assert!(saying(&before, words) >= 1, "{words} is not remembered: {before:#?}");
    }
    for words in CHATTER {
        assert_eq!(saying(&before, words), 0, "{words} was kept: {before:#?}");
    }

    let dreamt = home.json(&["dream"]);
    assert_eq!((&dreamt["status"], &dreamt["dedupedEntries"]), (&json!("updated"), &json!(3)), "{dreamt}");
    let after = all(&home);
    for (words, _) in FACTS {
        assert_eq!(saying(&after, words), 1, "{words}: {after:#?}");
    }
    assert_eq!(saying(&after, "plain words"), 1);
    assert_eq!(home.json(&["dream"])["status"], "noop");

    for (words, question) in FACTS {
        let recalled = home.json(&["recall", question, "--no-model"]);
        let found = |hit: &Value| {
            let path = hit["path"].as_str().unwrap().trim_start_matches("/memories/");
            after.get(path).is_some_and(|text| text.contains(words))
        };
        let hits = recalled["hits"].as_array().unwrap();
        assert!(hits.iter().any(found), "{question}: {:?}", hits.iter().map(|hit| &hit["path"]).collect::<Vec<_>>());
    }

    let status = home.json(&["status"]);
    assert_eq!((&status["dream"]["status"], &status["extract"]["session"]), (&json!("noop"), &json!("10-friday-wrap")));
    home.ok(&["undo"]);
    assert_eq!(all(&home), before);
    assert_healthy(&home);
}

#[test]
fn a_fact_tells_the_session_that_it_came_from() {
    let home = home();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/week/07-thursday-people.txt");
    let (session, path) = transcript(&home, &file);
    let told = home.json(&["extract", &path, "--session", &session]);
    let stored = told["patches"].as_array().unwrap();
    let yara = stored.iter().find(|patch| patch["summary"].as_str().unwrap().contains("Yara")).unwrap();
    let why = home.json(&["show", "--why", yara["path"].as_str().unwrap()]);
    assert_eq!(why["entries"][0]["sources"][0]["session"], "07-thursday-people", "{why}");
    assert_eq!(why["entries"][0]["sources"][0]["message"], "m0", "{why}");
}
