//! What is said to an agent all day is met with silence; short questions still find.
//!
//! The documents have the words of small talk on purpose: work, start, stop, show, back, second, change.

use crate::{document, memory};
use loci_memory::Memory;
use loci_memory::recall::Recall;

/// A prompt a line.
const TALK: &str = include_str!("small_talk.txt");

/// Path, name, description, kind, body.
const DOCUMENTS: [[&str; 5]; 16] = [
    ["hours.md", "Hours", "Works from nine, stops at five", "user", "Starts with the mail and takes Friday off."],
    ["talks.md", "Talks", "Shows slides at the meetup", "user", "Speaks slowly, likes questions at the end."],
    [
        "server.md",
        "Local server",
        "How to start the server",
        "reference",
        "`just serve` starts it; run it twice after a change.",
    ],
    [
        "queue.md",
        "Backlog of mails",
        "What to do when mails back up",
        "reference",
        "Check the sender first, then try again.",
    ],
    [
        "storage.md",
        "Key storage",
        "Security wants hashed keys",
        "project",
        "KeyVault keeps hashes; nobody is sure about rotation.",
    ],
    [
        "runner.md",
        "Slow runner",
        "A suite that fails now and then",
        "project",
        "The second run works; the error is a time-out.",
    ],
    ["answers.md", "Short answers", "No long explanations", "feedback", "Say what changed, then stop."],
    ["commits.md", "Commit style", "Imperative subject, no full stop", "feedback", "The body says why, line by line."],
    ["words.md", "Stop words", "The stop words list lives in search", "reference", "Twelve languages, one file each."],
    [
        "grammar.md",
        "Grammar",
        "Hand-written, climbs through the tree",
        "project",
        "Precedence is a number for each operator.",
    ],
    [
        "board.md",
        "Metrics board",
        "Graphs that the night shift watches",
        "reference",
        "Shows the slowest routes of the last hour.",
    ],
    ["food.md", "Meals", "No meat, no nuts", "user", "Pick places that need no booking."],
    ["van.md", "Delivery van", "Who may take the automobile", "reference", "Keys hang beside the door."],
    [
        "release.md",
        "Deploy",
        "Two people look at every deploy",
        "project",
        "Deploys go out before noon, never on Friday.",
    ],
    ["例会.md", "会议安排", "每周一上午开会", "user", "会议开始之前先看一次测试结果。"],
    ["定例.md", "定例会議", "会議は火曜日の午後", "project", "次の会議で質問と問題を説明する。"],
];

async fn store() -> Memory {
    let files = DOCUMENTS.map(|[path, name, about, kind, body]| (path, document(name, about, kind, body)));
    memory(&files.each_ref().map(|(path, text)| (*path, text.as_str()))).await.0
}

async fn found(memory: &Memory, query: &str) -> Vec<String> {
    let ask = Recall { query: query.to_owned(), scope: None, limit: 5, doc_chars: 100, session: None, model: None };
    let hits = memory.recall(ask).await.unwrap().hits;
    hits.into_iter().map(|hit| hit.path.replacen("/memories/global/", "", 1)).collect()
}

#[tokio::test]
async fn small_talk_is_met_with_silence() {
    let memory = store().await;
    let mut answered = Vec::new();
    for prompt in TALK.lines() {
        let hits = found(&memory, prompt).await;
        answered.extend((!hits.is_empty()).then(|| format!("{prompt}: {hits:?}")));
    }
    assert!(TALK.lines().count() > 250 && answered.is_empty(), "{answered:#?}");
}

#[tokio::test]
async fn short_questions_still_find() {
    let memory = store().await;
    for (query, wanted) in [
        ("deploy?", "release.md"),
        ("yes, deploy it", "release.md"),
        ("how do I start the server", "server.md"),
        ("commit style", "commits.md"),
        ("stop words list", "words.md"),
        ("grammar", "grammar.md"),
        ("working hours", "hours.md"),
        ("KeyVault", "storage.md"),
        ("who may use the car?", "van.md"),
        ("会议时间", "例会.md"),
        ("开会时间", "例会.md"),
        ("会議の時間", "定例.md"),
    ] {
        let hits = found(&memory, query).await;
        assert_eq!(hits.first().map(String::as_str), Some(wanted), "{query}: {hits:?}");
    }
}

#[tokio::test]
async fn one_word_with_another_meaning_is_no_answer() {
    let memory = store().await;
    let mut answered = Vec::new();
    for query in ["mountain", "glacier", "football", "poem", "robot", "kidney", "novel", "funeral", "judge"] {
        let hits = found(&memory, query).await;
        answered.extend((!hits.is_empty()).then(|| format!("{query}: {hits:?}")));
    }
    assert!(answered.is_empty(), "{answered:#?}");
}
