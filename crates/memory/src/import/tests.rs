//! What each tool's files become.

use super::*;

fn source(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: Ok(text.to_owned()) }
}

fn becomes(format: Format, sources: &[Source]) -> Vec<(String, String)> {
    format.pieces(sources).into_iter().map(|piece| (piece.to, piece.text.unwrap())).collect()
}

const TYPED: &str = "---\nname: Tabs\ndescription: Uses tabs\ntype: feedback\n---\nTabs, not spaces.\n";

#[test]
fn a_folder_is_known_by_what_it_holds() {
    let note = "---\ntitle: Coffee\ntype: note\npermalink: coffee\n---\n- [method] Pour over #brew\n";
    let table: Vec<(&str, Vec<Source>)> = vec![
        ("loci", vec![source(MANIFEST, r#"{"loci":1,"scope":"global","files":{}}"#), source("a.md", TYPED)]),
        ("claude-code", vec![source("MEMORY.md", "- [Tabs](tabs.md) — Uses tabs\n"), source("tabs.md", TYPED)]),
        ("codex", vec![source("MEMORY.md", "# Handbook\nDo x.\n"), source("memory_summary.md", "x\n")]),
        ("qwen", vec![source("QWEN.md", "## Qwen Added Memories\n- likes tea\n")]),
        ("basic-memory", vec![source("drinks/coffee.md", note)]),
        ("markdown", vec![source("a/b.md", "hello\n"), source("c.png", "x")]),
    ];
    for (word, sources) in table {
        assert_eq!(Format::of("/x", &sources).map(Format::word), Ok(word));
    }
    assert_eq!(Format::of("/x", &[source("x.txt", "x")]), Err(vec![]));
    let both = [source("QWEN.md", "x"), source("n.md", note)];
    assert_eq!(Format::of("/x", &both), Err(vec![Format::Qwen, Format::BasicMemory]));
}

#[test]
fn a_document_in_good_order_keeps_its_bytes() {
    assert_eq!(becomes(Format::Markdown, &[source("d/tabs.md", TYPED)]), [("d/tabs.md".into(), TYPED.into())]);
    let malformed = "---\nname: [\n---\nx\n";
    assert_eq!(becomes(Format::Markdown, &[source("m.md", malformed)])[0].1, malformed);
}

#[test]
fn a_document_without_a_face_gets_one() {
    let got = becomes(Format::Markdown, &[source("user/tea.md", "# Tea\n\nGreen, no sugar.\n")]);
    assert_eq!(got[0].1, "---\nname: Tea\ndescription: Green, no sugar.\ntype: user\n---\n# Tea\n\nGreen, no sugar.\n");
    let part = becomes(Format::Markdown, &[source("a.md", "---\r\nname: A\r\ntags: [x]\r\n---\r\nWords here.\r\n")]);
    assert_eq!(
        part[0].1,
        "---\r\ndescription: Words here.\r\ntype: project\r\nname: A\r\ntags: [x]\r\n---\r\nWords here.\r\n"
    );
}

#[test]
fn a_note_of_basic_memory_keeps_everything() {
    let note = "---\ntitle: Coffee\ntype: note\npermalink: coffee\n---\n- [method] Pour over #brew\n- pairs [[Tea]]\n";
    let got = becomes(Format::BasicMemory, &[source("drinks/coffee.md", note)]);
    assert_eq!(
        got[0].1,
        "---\nname: Coffee\ndescription: [method] Pour over #brew\ntype: reference\ntitle: Coffee\nsource_type: note\n\
         permalink: coffee\n---\n- [method] Pour over #brew\n- pairs [[Tea]]\n"
            .replace("description: [method] Pour over #brew", "description: \"[method] Pour over #brew\"")
    );
    let path = EntryPath::parse("drinks/coffee.md").unwrap();
    assert!(loci_domain::document::read(&path, &got[0].1).complaints.is_empty());
}

#[test]
fn of_qwen_md_only_the_memories_come_in() {
    let text =
        "# My rules\nAlways be brief.\n\n## Qwen Added Memories\n- likes tea\n- lives in Ulm\n\n## Other\n- no\n";
    let got = becomes(Format::Qwen, &[source("QWEN.md", text)]);
    assert_eq!(got.len(), 1);
    assert_eq!(got[0].0, "qwen/memories.md");
    assert!(got[0].1.ends_with("---\n- likes tea\n- lives in Ulm\n"), "{}", got[0].1);
    assert!(becomes(Format::Qwen, &[source("QWEN.md", "# My rules\n")]).is_empty());
}

#[test]
fn codex_and_indexes_get_names_of_their_own() {
    let files =
        [source("MEMORY.md", "Do x.\n"), source("raw_memories.md", "r\n"), source("rollout_summaries/a.md", "s\n")];
    let names: Vec<String> = becomes(Format::Codex, &files).into_iter().map(|(to, _)| to).collect();
    assert_eq!(names, ["codex/handbook.md", "codex/sessions/a.md"]);
    let index = [source("MEMORY.md", "# Index\n- [A](a.md)\n"), source("a.md", TYPED)];
    assert_eq!(becomes(Format::ClaudeCode, &index).len(), 1, "an index says nothing of its own");
    let notes = becomes(Format::Anthropic, &[source("MEMORY.md", "We use tabs.\n"), source("todo.txt", "Ship.\n")]);
    assert_eq!(notes.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(), ["memory-notes.md", "todo.txt.md"]);
}

#[test]
fn no_path_leads_out() {
    let hostile = ["../evil.md", "/etc/evil.md", "a/../../evil.md", "a\\b.md", ".hidden/x.md", "a//b.md", "~/x.md"];
    for path in hostile {
        let piece = Piece::new(&source(path, "x"), path, Ok("x".to_owned()));
        assert!(place(&piece, Policy::Redact).is_err(), "{path}");
    }
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let named = Piece::new(&source("k", "x"), format!("{key}.md"), Ok("x".to_owned()));
    assert!(place(&named, Policy::Redact).is_err());
    let inside = Piece::new(&source("k", "x"), "k.md", Ok(format!("token {key}\n")));
    assert!(!place(&inside, Policy::Redact).unwrap().1.contains(&key));
    assert!(place(&inside, Policy::Allow).unwrap().1.contains(&key));
}

#[test]
fn no_name_is_made_of_a_secret() {
    // Encoded, and longer than a name: what is left of it after the cut is no secret by any rule.
    let key = "dG9rZW49Z2hwX3g5S3EyTG1aN3ZSdDRXY1k4bkJkMUhzRjZnSnAzVHpRNWFFdQ==";
    let sources = [source("a.md", &format!("x: {key}\n"))];
    let screened = screened(&sources, Policy::Redact);
    let (_, text) = becomes(Format::Markdown, &screened).remove(0);
    assert!(text.contains("[REDACTED:") && !text.contains(&key[..20]), "{text}");
}

#[test]
fn a_memory_folder_is_known_by_its_place() {
    let plain = [source("MEMORY.md", "Uses tabs.\n"), source("a.md", "Untyped.\n")];
    let of = |place: &str| Format::of(place, &plain).map(Format::word);
    assert_eq!(of("/u/.claude/projects/-x-y/memory"), Ok("claude-code"));
    for elsewhere in ["/u/.claude/projects/memory", "/u/projects/x/memory/sub", "/projects/x/memories"] {
        assert_eq!(of(elsewhere), Ok("markdown"), "{elsewhere}");
    }
    assert_eq!(Format::of("/p/projects/x/memory", &[source("x.txt", "x")]), Err(vec![]));
}

#[test]
fn a_type_below_metadata_is_a_type() {
    let text = "---\nname: Tabs\ndescription: d\nmetadata:\n  node_type: memory\n  type: feedback\n---\nTabs.\n";
    let got = becomes(Format::ClaudeCode, &[source("tabs.md", text)]);
    assert_eq!(got[0].1, text.replacen("name: Tabs", "type: feedback\nname: Tabs", 1));
    let other =
        becomes(Format::ClaudeCode, &[source("t.md", "---\nmetadata:\n  a: b\nx:\n  type: user\n---\nTabs.\n")]);
    assert!(other[0].1.contains("\ntype: project\n"), "{}", other[0].1);
}

#[test]
fn a_title_is_a_name_and_other_texts_are_told() {
    let sources = [
        source("a.md", "---\ntitle: Green tea\n---\nBrewed at 70 degrees.\n"),
        source("b.txt", "x"),
        source("c.png", "x"),
    ];
    let pieces = Format::Markdown.pieces(&sources);
    assert!(pieces[0].text.as_ref().unwrap().starts_with("---\nname: Green tea\n"), "{:?}", pieces[0].text);
    assert_eq!((pieces.len(), pieces[1].from.as_str(), pieces[1].text.is_err()), (2, "b.txt", true));
}

#[test]
fn a_session_of_codex_is_named_by_what_it_tells() {
    let rollout = "thread_id: 019a\nupdated_at: 2026-01-02T00:00:00Z\nrollout_path: /r.jsonl\ncwd: /w\n\n# Fixed the build\n\nIt was the cache.\n";
    let sources = [
        source("memories/memory_summary.md", "x\n"),
        source("memories/rollout_summaries/r.md", rollout),
        source("prompts/own.md", "No memory.\n"),
    ];
    assert_eq!(Format::of("/u/.codex", &sources).map(Format::word), Ok("codex"));
    let got = becomes(Format::Codex, &sources);
    let paths: Vec<&str> = got.iter().map(|(to, _)| to.as_str()).collect();
    assert_eq!(paths, ["codex/summary.md", "codex/sessions/r.md"]);
    let face = "---\nname: Fixed the build\ndescription: It was the cache.\ntype: project\n---\n";
    assert_eq!(got[1].1, format!("{face}{rollout}"));
}
