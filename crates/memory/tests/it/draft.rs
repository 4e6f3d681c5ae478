//! Drafts: all or nothing, one group, and nobody's words overwritten.

use crate::{scopes, text, write};
use loci_domain::change::Actor;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_domain::secrets::Policy;
use loci_memory::draft::{Draft, Hand};
use loci_memory::pin::Pin;
use loci_memory::{Error, Memory};
use loci_store::Lock;
use loci_store::ram::Ram;
use loci_testkit::hooked::{Doing, Hooked};
use loci_testkit::ram::{ram_scopes, scopes_over};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

fn path(text: &str) -> EntryPath {
    EntryPath::parse(text).unwrap()
}

#[tokio::test]
async fn reads_see_what_is_staged_and_files_do_not() {
    let (memory, [global, _]) = scopes().await;
    write(&global, "a.md", "one\n").await;
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    draft.put(Scope::Global, &path("a.md"), "two\n".to_owned()).await.unwrap();
    draft.put(Scope::Global, &path("new/b.md"), "b\n".to_owned()).await.unwrap();
    assert_eq!(draft.read(Scope::Global, &path("a.md")).await.unwrap().as_deref(), Some("two\n"));
    assert_eq!(draft.paths(Scope::Global), [path("a.md"), path("new/b.md")]);
    draft.remove(Scope::Global, &path("a.md")).await.unwrap();
    assert_eq!(draft.paths(Scope::Global), [path("new/b.md")]);
    assert_eq!(draft.read(Scope::Global, &path("a.md")).await.unwrap(), None);
    assert!(
        draft.diff().contains("--- /memories/global/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"),
        "{}",
        draft.diff()
    );
    drop(draft);
    assert_eq!(text(&global, "a.md").await.as_deref(), Some("one\n"));
    assert_eq!(text(&global, "new/b.md").await, None);
}

#[tokio::test]
async fn one_undo_takes_all_scopes_back() {
    let (memory, [global, project]) = scopes().await;
    write(&global, "a.md", "one\n").await;
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    draft.put(Scope::Global, &path("a.md"), "two\n".to_owned()).await.unwrap();
    draft.put(Scope::Project, &path("p.md"), "p\n".to_owned()).await.unwrap();
    let committed = draft.commit(Actor::Dream, Policy::Redact).await.unwrap();
    assert_eq!(committed.changes.len(), 2);
    assert!(committed.changes.iter().all(|change| change.group == committed.group && change.actor == Actor::Dream));
    assert_eq!(text(&project, "p.md").await.as_deref(), Some("p\n"));
    memory.undo(None).await.unwrap();
    assert_eq!((text(&global, "a.md").await.as_deref(), text(&project, "p.md").await), (Some("one\n"), None));
}

#[tokio::test]
async fn draft_is_all_or_nothing() {
    let (memory, [global, project]) = scopes().await;
    write(&project, "p.md", "p\n").await;
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    draft.put(Scope::Global, &path("a.md"), "a\n".to_owned()).await.unwrap();
    draft.put(Scope::Project, &path("p.md"), "changed\n".to_owned()).await.unwrap();
    write(&project, "p.md", "a person was here\n").await;
    let error = draft.commit(Actor::Dream, Policy::Redact).await.unwrap_err();
    assert!(matches!(&error, Error::Changed { path } if path == "/memories/project/p.md"), "{error}");
    assert_eq!(text(&global, "a.md").await, None);
    assert_eq!(text(&project, "p.md").await.as_deref(), Some("a person was here\n"));
}

#[tokio::test]
async fn a_later_scope_that_fails_takes_the_earlier_back() {
    let (store, [global, project]) = ram_scopes(2);
    let memory = Memory::new(store);
    for name in ["x.md", "y.md"] {
        write(&project, name, "full\n").await;
    }
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    draft.put(Scope::Global, &path("a.md"), "a\n".to_owned()).await.unwrap();
    draft.put(Scope::Project, &path("z.md"), "z\n".to_owned()).await.unwrap();
    draft.commit(Actor::Dream, Policy::Redact).await.unwrap_err();
    assert_eq!((text(&global, "a.md").await, text(&project, "z.md").await), (None, None));
}

#[tokio::test]
async fn later_scopes_are_free_while_an_earlier_one_is_taken_back() {
    let (rams, was_free) = ([Ram::default(), Ram::default(), Ram::default()], Arc::new(AtomicBool::new(false)));
    let (last, seen) = (rams[2].clone(), Arc::clone(&was_free));
    let global = Hooked::new(&rams[0], move |doing, _| {
        let (last, seen) = (last.clone(), Arc::clone(&seen));
        async move {
            if doing == Doing::Remove {
                seen.fetch_or(last.try_hold().await?.is_some(), Ordering::Relaxed);
            }
            Ok(())
        }
    });
    let project = Hooked::new(&rams[1], |_, _| async { Err(loci_store::Error::Full) });
    let [first, second, third] = rams.clone();
    let files = [
        Some((Arc::new(global) as _, first)),
        Some((Arc::new(project) as _, second)),
        Some((Arc::new(third.clone()) as _, third)),
    ];
    let memory = Memory::new(scopes_over(files, 100));
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    for scope in Scope::ALL {
        draft.put(scope, &path("a.md"), "a\n".to_owned()).await.unwrap();
    }
    draft.commit(Actor::Dream, Policy::Redact).await.unwrap_err();
    assert!(was_free.load(Ordering::Relaxed));
    for ram in &rams {
        assert_eq!(text(ram, "a.md").await, None);
    }
}

#[tokio::test]
async fn a_draft_whose_client_left_is_all_or_nothing() {
    let (rams, arrived, go) = ([Ram::default(), Ram::default()], Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (reached, gate) = (Arc::clone(&arrived), Arc::clone(&go));
    let global = Hooked::new(&rams[0], move |_, file| {
        let (reached, gate) = (Arc::clone(&reached), Arc::clone(&gate));
        async move {
            if file == path("a.md") {
                reached.notify_one();
                gate.notified().await;
            }
            Ok(())
        }
    });
    let [first, second] = rams.clone();
    let files = [Some((Arc::new(global) as _, first)), Some((Arc::new(second.clone()) as _, second)), None];
    let memory = Memory::new(scopes_over(files, 100));
    let client = tokio::spawn(async move {
        let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
        for scope in [Scope::Global, Scope::Project] {
            draft.put(scope, &path("a.md"), "a\n".to_owned()).await.unwrap();
        }
        draft.commit(Actor::Remember, Policy::Redact).await.map(drop)
    });
    arrived.notified().await;
    client.abort();
    assert!(client.await.unwrap_err().is_cancelled());
    go.notify_one();
    for ram in &rams {
        ram.hold().await.unwrap().release().await;
        assert_eq!(text(ram, "a.md").await.as_deref(), Some("a\n"));
    }
}

#[tokio::test]
async fn a_machine_never_touches_what_is_pinned() {
    let (memory, [global, _]) = scopes().await;
    for name in ["a.md", "b.md"] {
        write(&global, name, "mine\n").await;
    }
    memory.list(None).await.unwrap();
    memory.pin("/memories/global/a.md", Pin::Set).await.unwrap();
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    assert!(draft.is_pinned(Scope::Global, &path("a.md")) && !draft.is_pinned(Scope::Global, &path("b.md")));
    assert!(matches!(draft.put(Scope::Global, &path("a.md"), "x".to_owned()).await, Err(Error::Pinned(_))));
    assert!(matches!(draft.remove(Scope::Global, &path("a.md")).await, Err(Error::Pinned(_))));
    draft.put(Scope::Global, &path("b.md"), "x".to_owned()).await.unwrap();
    // Pinned while the run was thinking.
    memory.pin("/memories/global/b.md", Pin::Set).await.unwrap();
    assert!(matches!(draft.commit(Actor::Dream, Policy::Redact).await, Err(Error::Pinned(_))));
    let mut own = Draft::open(&memory, Hand::Person).await.unwrap();
    own.remove(Scope::Global, &path("a.md")).await.unwrap();
    own.commit(Actor::Forget, Policy::Allow).await.unwrap();
    assert_eq!((text(&global, "a.md").await, text(&global, "b.md").await.as_deref()), (None, Some("mine\n")));
}

#[tokio::test]
async fn what_cannot_be_a_file_is_told_at_once() {
    let (memory, [global, _]) = scopes().await;
    write(&global, "a/b.md", "b\n").await;
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    for (name, content) in [("a", "x"), ("a/b.md/c.md", "x"), ("MEMORY.md", "x"), ("nul.md", "\0")] {
        assert!(draft.put(Scope::Global, &path(name), content.to_owned()).await.is_err(), "{name}");
    }
    assert!(draft.put(Scope::Global, &path("big.md"), "x".repeat(102_401)).await.is_err());
    assert!(draft.put(Scope::Workspace, &path("w.md"), "x".to_owned()).await.is_err());
    draft.put(Scope::Global, &path("n.md"), "n".to_owned()).await.unwrap();
    assert!(draft.put(Scope::Global, &path("n.md/deeper.md"), "x".to_owned()).await.is_err());
    assert_eq!(draft.edits().len(), 1);
}

#[tokio::test]
async fn a_file_may_make_way_for_a_folder() {
    let (memory, [global, _]) = scopes().await;
    write(&global, "topic", "old\n").await;
    let mut draft = Draft::open(&memory, Hand::Machine).await.unwrap();
    draft.remove(Scope::Global, &path("topic")).await.unwrap();
    draft.put(Scope::Global, &path("topic/a.md"), "new\n".to_owned()).await.unwrap();
    draft.commit(Actor::Dream, Policy::Redact).await.unwrap();
    assert_eq!(text(&global, "topic/a.md").await.as_deref(), Some("new\n"));
}
