//! Context: parts, budgets, and the same bytes for a session.

use crate::{document, memory};
use loci_memory::context::{Boundary, Context};
use loci_memory::now::Now;
use loci_memory::pin::Pin;

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
