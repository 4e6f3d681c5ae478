//! Sessions: imported once, redacted, found with their neighbours, and silent when nothing fits.

use crate::memory;
use jiff::Timestamp;
use loci_domain::transcript::Format;
use loci_memory::Memory;
use loci_memory::recall::Strategy;
use loci_memory::recall::sessions::{Reach, RecallSessions};
use loci_memory::sessions::{Imported, Transcript};
use serde_json::json;
use std::io::Cursor;

pub async fn import(memory: &Memory, id: &str, lines: &str) -> Imported {
    let mut source = Cursor::new(lines);
    let changed_at = Timestamp::from_second(1_700_000_000).unwrap();
    let transcript = Transcript { id: id.to_owned(), format: Format::Loci, source: &mut source, changed_at };
    memory.import_session(transcript).await.unwrap()
}

fn lines(messages: &[(&str, &str)]) -> String {
    let line = |(at, (role, content)): (usize, &(&str, &str))| {
        format!("{}\n", json!({"id": format!("m{at}"), "role": role, "content": content}))
    };
    messages.iter().enumerate().map(line).collect()
}

async fn found(memory: &Memory, query: &str) -> Vec<String> {
    let ask = RecallSessions { query: query.to_owned(), limit: 5, reach: Reach::Here };
    let recalled = memory.recall_sessions(ask).await.unwrap();
    assert_eq!(recalled.strategy == Strategy::None, recalled.hits.is_empty());
    recalled.hits.into_iter().map(|hit| format!("{}/{}", hit.session, hit.message)).collect()
}

const TALK: [(&str, &str); 6] = [
    ("user", "Morning! How was the weekend?"),
    ("assistant", "Quiet, thanks. We baked bread."),
    ("user", "Which database does the billing service use?"),
    ("assistant", "Postgres sixteen behind pgbouncer."),
    ("user", "请把部署脚本放到仓库里。"),
    ("assistant", "Done."),
];

#[tokio::test]
async fn an_import_is_taken_once_and_grows() {
    let (memory, _ram) = memory(&[]).await;
    let imported = |imported, messages, skipped_lines| Imported { imported, messages, skipped_lines };
    let all = lines(&TALK);
    let broken = format!("{{broken\n\n{}", lines(&TALK[..3]));
    assert_eq!(import(&memory, "s", &broken).await, imported(1, 3, 1));
    assert_eq!(import(&memory, "s", &lines(&TALK[..3])).await, imported(0, 0, 0));
    assert_eq!(import(&memory, "s", &all).await, imported(1, 3, 0));
    let changed = all.replace("pgbouncer", "haproxy");
    assert_eq!(import(&memory, "s", &changed).await, imported(1, 3, 0));
    let shown = memory.show_session("s").await.unwrap();
    assert_eq!((shown.messages.len(), shown.at.as_second()), (6, 1_700_000_000));
    assert!(shown.messages[3].content.contains("haproxy"));
    assert!(found(&memory, "pgbouncer").await.is_empty());
    assert_eq!(import(&memory, "s", &lines(&TALK[..2])).await, imported(1, 0, 0));
    assert_eq!(memory.show_session("s").await.unwrap().messages.len(), 2);
    assert_eq!(import(&memory, "s", "{\n[\n").await, imported(0, 0, 2));
    assert_eq!(import(&memory, "none", "no\n").await, imported(0, 0, 1));
    assert_eq!(memory.sessions().await.unwrap().len(), 1);
}

/// A title is the agent's, else what the person said first; a new one alone is no reason to read the session again.
#[tokio::test]
async fn a_session_has_a_title() {
    let (memory, _ram) = memory(&[]).await;
    let said = json!({"type": "user", "uuid": "u1", "cwd": "/p", "sessionId": "c",
        "message": {"role": "user", "content": "Where  do\nherons sleep? glpat-aB3dE5fG7hJ9kL1mN3pQ"}});
    let titled = |title: &str| format!("{said}\n{}\n", json!({"type": "ai-title", "aiTitle": title}));
    let take = async |lines: String| {
        let mut source = Cursor::new(lines);
        let changed_at = Timestamp::from_second(1_700_000_000).unwrap();
        let transcript = Transcript { id: "c".to_owned(), format: Format::ClaudeCode, source: &mut source, changed_at };
        let imported = memory.import_session(transcript).await.unwrap();
        let row = memory.sessions().await.unwrap().remove(0);
        (imported.imported, row.title, row.imported_at)
    };
    let (imported, first, at) = take(format!("{said}\n")).await;
    assert_eq!(imported, 1);
    assert!(first.starts_with("Where do herons sleep? ") && !first.contains("glpat-aB3"), "{first}");
    assert_eq!(take(titled("Birds")).await, (0, "Birds".to_owned(), at));
    assert_eq!(take(titled("Herons")).await, (0, "Herons".to_owned(), at));
}

#[tokio::test]
async fn a_long_session_is_imported_in_steps() {
    let (memory, _ram) = memory(&[]).await;
    let texts: Vec<String> = (0..1000).map(|n| format!("zebra{n} crossing")).collect();
    let messages: Vec<(&str, &str)> = texts.iter().map(|text| ("user", text.as_str())).collect();
    assert_eq!(import(&memory, "s", &lines(&messages)).await.messages, 1000);
    assert_eq!(found(&memory, "zebra777").await.first().map(String::as_str), Some("s/m777"));
    assert_eq!(import(&memory, "s", &lines(&messages)).await.messages, 0);
}

/// Whoever renews a claim on the same thread: reading never waits, nor does a ledger in a file.
#[tokio::test]
async fn a_long_import_lets_others_have_their_turn() {
    let (memory, _ram) = memory(&[]).await;
    let text = "zebra crossing ".repeat(2_000);
    let all = lines(&[("user", text.as_str()); 100]);
    for import_of in ["all that is new", "all that is known"] {
        let turns = std::cell::Cell::new(0);
        let others = async {
            loop {
                turns.set(turns.get() + 1);
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = import(&memory, "s", &all) => {}
            () = others => {}
        }
        assert!(turns.get() > 5, "{import_of}: {}", turns.get());
    }
}

#[tokio::test]
async fn an_answer_is_found_by_the_question_before_it() {
    let (memory, _ram) = memory(&[]).await;
    import(&memory, "s", &lines(&TALK)).await;
    let hits = found(&memory, "what database is used for billing?").await;
    assert!(hits[..2].contains(&"s/m3".to_owned()), "{hits:?}");
    assert_eq!(found(&memory, "部署脚本").await[0], "s/m4");
    assert_eq!(found(&memory, "pgbouncer").await[0], "s/m3");
}

#[tokio::test]
async fn neighbours_are_of_the_same_session() {
    let (memory, _ram) = memory(&[]).await;
    import(&memory, "a", &lines(&[("user", "Where is the heron spreadsheet?")])).await;
    import(&memory, "b", &lines(&[("assistant", "Nothing to see.")])).await;
    assert_eq!(found(&memory, "heron spreadsheet").await, ["a/m0"]);
}

#[tokio::test]
async fn what_nobody_said_gets_nothing() {
    let (memory, _ram) = memory(&[]).await;
    assert!(found(&memory, "database").await.is_empty());
    import(&memory, "s", &lines(&TALK)).await;
    for query in
        ["volcanic eruptions on Jupiter's moon Io", "medieval Icelandic poetry metre", "xqzvw jkrpl", "", "the of"]
    {
        assert!(found(&memory, query).await.is_empty(), "{query}");
    }
}

#[tokio::test]
async fn secrets_are_redacted_on_import() {
    let (memory, _ram) = memory(&[]).await;
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let line = json!({"id": "m", "role": "assistant", "content": format!("Use {token} now."),
        "toolCalls": [{"name": "bash", "arguments": {"env": [token], "password": "kQ72pw-Zx9!hunter"}}]});
    import(&memory, "s", &format!("{line}\n")).await;
    let shown = serde_json::to_string(&memory.show_session("s").await.unwrap()).unwrap();
    assert!(!shown.contains(&token) && !shown.contains("kQ72pw"), "{shown}");
    assert!(shown.contains("[REDACTED:"), "{shown}");
}

#[tokio::test]
async fn a_removed_session_is_not_found_and_others_are() {
    let (memory, _ram) = memory(&[]).await;
    import(&memory, "a", &lines(&TALK)).await;
    import(&memory, "b", &lines(&[("user", "We moved from pgbouncer to odyssey.")])).await;
    assert_eq!(found(&memory, "pgbouncer").await.len(), found(&memory, "pgbouncer").await.len());
    memory.drop_session("a").await.unwrap();
    assert_eq!(found(&memory, "pgbouncer").await, ["b/m0"]);
    assert!(memory.drop_session("a").await.is_err() && memory.show_session("a").await.is_err());
}

#[tokio::test]
async fn a_receipt_says_why() {
    let (memory, _ram) = memory(&[]).await;
    import(&memory, "s", &lines(&TALK)).await;
    let ask = RecallSessions { query: "pgbouncer".to_owned(), limit: 1, reach: Reach::Everywhere };
    let recalled = memory.recall_sessions(ask).await.unwrap();
    let receipt = memory.why(&recalled.receipt).await.unwrap();
    assert_eq!(receipt.shown[0].path, "session:s#m3");
    assert_eq!(receipt.shown[0].why.terms["pgbouncer"], ["message"]);
    assert!(!receipt.cut.is_empty());
}

#[tokio::test]
async fn ones_own_memory_in_numbers() {
    let same = crate::document("Tabs", "Indentation of Go code", "user", "Use tabs in all Go code here.");
    let (memory, _ram) = memory(&[("a.md", &same), ("b.md", &same), ("big.md", &"x".repeat(200_000))]).await;
    let health = memory.eval_self().await.unwrap();
    assert_eq!((health.documents, health.entries, health.duplicates, health.oversized), (2, 2, 1, 1));
    assert_eq!((health.known_item, health.stale, health.secrets), (1.0, 0, 0));
    assert!(memory.list(None).await.unwrap().iter().all(|file| file.uses == 0));
}
