//! A task that came to nothing is taken back by its group.

use crate::{document, memory, scopes, text, write};
use loci_domain::change::{Actor, GroupId};
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_domain::secrets::Policy;
use loci_memory::Memory;
use loci_memory::draft::{Draft, Hand};
use loci_memory::forget::{Extent, Forget};
use loci_memory::remember::{ContextMode, Remember};
use loci_store::ram::Ram;
use loci_testkit::hooked::Hooked;
use loci_testkit::ram::scopes_over;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

fn group(name: &str) -> GroupId {
    GroupId(name.to_owned())
}

async fn remember(memory: &Memory, content: &str) {
    let ask = Remember {
        content: content.to_owned(),
        context: ContextMode::Workspace,
        scope: None,
        kind: None,
        secrets: Policy::Redact,
        turns: 6,
        time: Duration::from_secs(10),
    };
    memory.remember(ask).await.unwrap();
}

#[tokio::test]
async fn what_a_group_made_goes_and_nothing_else() {
    let (memory, _) = scopes().await;
    remember(&memory, "I prefer tabs over spaces.").await;
    let before = memory.list(None).await.unwrap().len();
    let task = memory.clone().grouped(group("task"));
    remember(&task, "We decided to ship on Fridays.").await;
    remember(&task, "The latency board is at https://grafana.example.com/d/1.").await;
    assert_eq!(memory.list(None).await.unwrap().len(), before + 2);
    memory.withdraw(&group("task")).await.unwrap();
    assert_eq!(memory.list(None).await.unwrap().len(), before);
    memory.withdraw(&group("task")).await.unwrap();
    memory.withdraw(&group("unknown")).await.unwrap();
    assert_eq!(memory.list(None).await.unwrap().len(), before);
}

#[tokio::test]
async fn what_a_group_forgot_comes_back() {
    let kite = document("Kites", "A hobby", "user", "Flies stunt kites on Sundays.");
    let (memory, ram) = memory(&[("user/kite.md", &kite)]).await;
    let ask = Forget {
        query: "stunt kites sundays".to_owned(),
        scope: None,
        limit: Some(50),
        extent: Extent::Memory,
        hand: Hand::Person,
    };
    let forgotten = memory.clone().grouped(group("task")).forget(ask).await.unwrap();
    assert_eq!(forgotten.removed_entries.len(), 1);
    memory.withdraw(&group("task")).await.unwrap();
    assert_eq!(text(&ram, "user/kite.md").await, Some(kite));
}

fn path(text: &str) -> EntryPath {
    EntryPath::parse(text).unwrap()
}

/// Writes files as one group.
async fn write_grouped(memory: &Memory, files: &[(Scope, &str, &str)]) -> loci_memory::Result<()> {
    let mut draft = Draft::open(&memory.clone().grouped(group("task")), Hand::Machine).await?;
    for (scope, name, text) in files {
        draft.put(*scope, &path(name), (*text).to_owned()).await?;
    }
    draft.commit(Actor::Remember, Policy::Redact).await.map(drop)
}

#[tokio::test]
async fn one_edited_file_does_not_keep_the_others() {
    let (memory, [global, project]) = scopes().await;
    write(&global, "b.md", "before\n").await;
    let files = ["a.md", "b.md", "c.md"].map(|name| (Scope::Global, name, "task\n"));
    write_grouped(&memory, &files).await.unwrap();
    write_grouped(&memory, &[(Scope::Global, "c.md", "more\n"), (Scope::Project, "p.md", "task\n")]).await.unwrap();
    write(&global, "b.md", "a person was here\n").await;
    memory.withdraw(&group("task")).await.unwrap();
    assert_eq!(text(&global, "b.md").await.as_deref(), Some("a person was here\n"));
    let others = [text(&global, "a.md").await, text(&global, "c.md").await, text(&project, "p.md").await];
    assert_eq!(others, [None, None, None]);
}

#[tokio::test]
async fn a_withdraw_that_was_cut_off_goes_on() {
    let (rams, broken) = ([Ram::default(), Ram::default()], Arc::new(AtomicBool::new(false)));
    let stops = Arc::clone(&broken);
    let project = Hooked::new(&rams[1], move |_, _| {
        let stopped = stops.load(Ordering::Relaxed);
        async move { if stopped { Err(loci_store::Error::Io("killed".to_owned())) } else { Ok(()) } }
    });
    let [global, other] = rams.clone();
    let files = [Some((Arc::new(global.clone()) as _, global)), Some((Arc::new(project) as _, other)), None];
    let memory = Memory::new(scopes_over(files, 100));
    write(&rams[0], "a.md", "before\n").await;
    let files = [(Scope::Global, "a.md", "task\n"), (Scope::Project, "p.md", "task\n")];
    write_grouped(&memory, &files).await.unwrap();
    broken.store(true, Ordering::Relaxed);
    memory.withdraw(&group("task")).await.unwrap_err();
    assert_eq!(text(&rams[0], "a.md").await.as_deref(), Some("before\n"));
    // What was taken back once is a person's again, whatever they write there.
    write(&rams[0], "a.md", "task\n").await;
    broken.store(false, Ordering::Relaxed);
    memory.withdraw(&group("task")).await.unwrap();
    assert_eq!(text(&rams[0], "a.md").await.as_deref(), Some("task\n"));
    assert_eq!(text(&rams[1], "p.md").await, None);
}

#[tokio::test]
async fn a_withdraw_waits_for_the_commit_that_its_client_left() {
    let (ram, arrived, go) = (Ram::default(), Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (reached, gate) = (Arc::clone(&arrived), Arc::clone(&go));
    let files = Hooked::new(&ram, move |doing, file| {
        let (reached, gate) = (Arc::clone(&reached), Arc::clone(&gate));
        async move {
            if doing == loci_testkit::hooked::Doing::Write && file == path("a.md") {
                reached.notify_one();
                gate.notified().await;
            }
            Ok(())
        }
    });
    let memory = Memory::new(scopes_over([Some((Arc::new(files), ram.clone())), None, None], 100));
    let asked = memory.clone();
    let client = tokio::spawn(async move { write_grouped(&asked, &[(Scope::Global, "a.md", "task\n")]).await });
    arrived.notified().await;
    client.abort();
    assert!(client.await.unwrap_err().is_cancelled());
    let withdraw = tokio::spawn(async move { memory.withdraw(&group("task")).await });
    tokio::task::yield_now().await;
    go.notify_one();
    withdraw.await.unwrap().unwrap();
    assert_eq!(text(&ram, "a.md").await, None);
}
