//! Context: parts, budgets, and the same bytes for a session.

use crate::{document, memory};
use loci_memory::context::{Boundary, Context};
use loci_memory::now::Now;
use loci_memory::pin::Pin;
use loci_memory::recall::Recall;

fn ask() -> Context {
    Now::default().context
}

#[tokio::test]
async fn an_empty_memory_has_guidance_and_an_empty_index() {
    let (memory, _ram) = memory(&[]).await;
    let given = memory.context(ask()).await.unwrap();
    let names: Vec<&str> = given.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["guidance", "index"]);
    assert!(given.text.contains("(no memory files yet)"));
}

#[tokio::test]
async fn a_session_sees_the_same_bytes_until_a_boundary() {
    let (memory, _ram) = memory(&[("a.md", &document("A", "first", "user", "Text."))]).await;
    let of = |boundary| Context { session: Some("s".to_owned()), boundary, ..ask() };
    let before = memory.context(of(Boundary::No)).await.unwrap().text;
    memory.pin("global/a.md", Pin::Set).await.unwrap();
    assert_eq!(memory.context(of(Boundary::No)).await.unwrap().text, before);
    let after = memory.context(of(Boundary::Yes)).await.unwrap().text;
    assert!(after.contains("<hot_memories>") && !before.contains("<hot_memories>"));
    assert_eq!(memory.context(of(Boundary::No)).await.unwrap().text, after);
}

#[tokio::test]
async fn the_budget_holds_and_pinned_comes_before_the_index() {
    let texts: Vec<(String, String)> = (0..150)
        .map(|n| {
            (
                format!("n{n:03}.md"),
                document(&format!("N{n}"), "a long description of a note, again", "project", "word ".repeat(50).trim()),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (memory, _ram) = memory(&files).await;
    memory.pin("global/n149.md", Pin::Set).await.unwrap();
    for budget in [900, 2_000, 5_000] {
        let given = memory.context(Context { budget, query: Some("N17 note".to_owned()), ..ask() }).await.unwrap();
        assert!(given.tokens <= budget, "{} of {budget}", given.tokens);
        assert!(given.text.contains("<memory_file path=\"/memories/global/n149.md\">"), "budget {budget}");
        assert_eq!(given.parts[0].name, "guidance");
    }
}

#[tokio::test]
async fn a_full_segment_leaves_room_for_the_turns_recall() {
    let note =
        |n: usize| (format!("n{n:03}.md"), document(&format!("N{n}"), "a note of many, again", "project", "Word."));
    let mut texts: Vec<(String, String)> = (0..150).map(note).collect();
    texts.push(("falcon.md".to_owned(), document("Falcon", "nests on the tower", "project", "Falcons come in May.")));
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (memory, _ram) = memory(&files).await;
    let of = |query: Option<&str>| Context {
        session: Some("s".to_owned()),
        query: query.map(str::to_owned),
        budget: 2_000,
        ..ask()
    };
    let start = memory.context(of(None)).await.unwrap();
    let turn = memory.context(of(Some("falcons"))).await.unwrap();
    assert!(turn.text.starts_with(&start.text) && turn.tokens <= 2_000);
    assert_eq!(turn.parts.last().unwrap().name, "recall");
    assert!(turn.parts.last().unwrap().text.contains("/memories/global/falcon.md"));
}

#[tokio::test]
async fn what_was_shown_before_a_boundary_may_be_shown_again() {
    let text = document("Falcon", "nests on the tower", "project", "Falcons come in May.");
    let (memory, _ram) = memory(&[("falcon.md", text.as_str())]).await;
    let question = Recall { query: "falcons".to_owned(), session: Some("s".to_owned()), ..Now::default().question };
    let hits = async || memory.recall(question.clone()).await.unwrap().hits.len();
    assert_eq!((hits().await, hits().await), (1, 0), "shown once");
    memory.context(Context { session: Some("s".to_owned()), boundary: Boundary::Yes, ..ask() }).await.unwrap();
    assert_eq!(hits().await, 1, "the agent's context is a new one");
}
