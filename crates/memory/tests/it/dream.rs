//! Dream: gates, lock, rails, proposals; the mechanical rules themselves are tested in `domain::tidy`.

use crate::scripted::{Scripted, Turn as Plays};
use crate::{document, memory, scopes, text, write};
use loci_domain::change::Identity;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_llm::provider::Error as ModelError;
use loci_memory::dream::{Doing, Dream, Dreamt, Settings, Skip, Status};
use loci_memory::pin::Pin;
use loci_memory::upkeep::Trigger;
use loci_memory::{Error, Memory};
use loci_store::owner::Owner;
use loci_store::ram::Ram;
use loci_store::record::{Cursor, Log};
use loci_testkit::hooked::Hooked;
use loci_testkit::ram::scopes_over;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn settings() -> Settings {
    Settings {
        enabled: true,
        min_hours: 24,
        min_sessions: 2,
        scan_minutes: 10,
        lock_minutes: 60,
        max_loss: 0.2,
        turns: 6,
        time: Duration::from_secs(300),
    }
}

fn by_hand() -> Dream {
    Dream { trigger: Trigger::Manual, session: None, doing: Doing::Apply, settings: settings() }
}

fn auto(session: &str) -> Dream {
    Dream { trigger: Trigger::Auto, session: Some(session.to_owned()), ..by_hand() }
}

async fn dream(memory: &Memory, ask: Dream) -> Dreamt {
    memory.dream(ask).await.unwrap()
}

fn facts(count: usize) -> String {
    let words = ["amber", "bronze", "coral", "denim", "ebony", "fuchsia", "gold", "hazel", "ivory", "jade"];
    let lines: String = words
        .iter()
        .take(count)
        .enumerate()
        .map(|(n, word)| format!("- Distinct fact number {n}: the {word} team owns it.\n"))
        .collect();
    document("Facts", "f", "project", lines.trim_end())
}

fn messy() -> String {
    document("A", "a", "feedback", "- Use pnpm for installs.\n- use PNPM for   installs")
}

fn writes(path: &str, content: &str) -> Plays {
    Plays::Do(vec![("write_file", json!({"path": path, "content": content}))])
}

fn edits(path: &str, old: &str, new: &str) -> Plays {
    Plays::Do(vec![("edit", json!({"path": path, "old_string": old, "new_string": new}))])
}

const FACTS: &str = "/memories/global/project/facts.md";

#[tokio::test]
async fn scopes_are_tidied_each_by_itself_as_one_group() {
    let (memory, [global, project]) = scopes().await;
    for ram in [&global, &project] {
        write(ram, "feedback/a.md", &messy()).await;
        write(ram, "feedback/b.md", &messy()).await;
    }
    let dreamt = dream(&memory, by_hand()).await;
    assert_eq!((dreamt.status, dreamt.deduped_entries), (Status::Updated, 6));
    assert_eq!(dreamt.touched_scopes, [Scope::Global, Scope::Project]);
    for ram in [&global, &project] {
        assert_eq!(text(ram, "feedback/b.md").await, None);
        assert!(text(ram, "feedback/a.md").await.unwrap().ends_with("---\n- Use pnpm for installs.\n"));
    }
    assert_eq!(dream(&memory, by_hand()).await.status, Status::Noop);
    assert_eq!(memory.undo(None).await.unwrap().len(), 4);
    for ram in [&global, &project] {
        assert_eq!(text(ram, "feedback/a.md").await, Some(messy()));
        assert_eq!(text(ram, "feedback/b.md").await, Some(messy()));
    }
}

#[tokio::test]
async fn a_preview_leaves_no_trace() {
    let (memory, ram) = memory(&[("feedback/a.md", &messy())]).await;
    let dreamt = dream(&memory, Dream { doing: Doing::Preview, ..by_hand() }).await;
    assert_eq!((dreamt.status, dreamt.deduped_entries), (Status::Updated, 1));
    assert!(dreamt.diff.contains("-- use PNPM"), "{}", dreamt.diff);
    assert_eq!(text(&ram, "feedback/a.md").await, Some(messy()));
    let [_, last] = memory.last_upkeep().await.unwrap();
    assert_eq!(last, None);
}

#[tokio::test]
async fn gates_close_in_their_order() {
    let (memory, _ram) = memory(&[("feedback/a.md", &messy())]).await;
    let record = memory.store().record().unwrap();
    let skipped = async |ask: Dream| dream(&memory, ask).await.skipped_reason;
    let off = Settings { enabled: false, ..settings() };
    assert_eq!(skipped(Dream { settings: off, ..auto("s1") }).await, Some(Skip::Disabled));
    assert_eq!(skipped(auto("s1")).await, Some(Skip::MinSessions));
    assert_eq!(skipped(auto("s1")).await, Some(Skip::ScanThrottled));
    let at_once = || Settings { scan_minutes: 0, ..settings() };
    // The session that asks is not new to itself.
    for session in ["s1", "s2", "s3"] {
        assert_eq!(skipped(Dream { settings: at_once(), ..auto("s1") }).await, Some(Skip::MinSessions), "{session}");
        let cursor = Cursor { session: session.to_owned(), processed: 1, updated_at: memory.store().now() };
        record.set_cursor(&Identity("global".to_owned()), &cursor).await.unwrap();
    }
    let elsewhere = record.take_lease("dream:global", "somebody", Duration::from_secs(60), None).await.unwrap();
    assert_eq!(skipped(Dream { settings: at_once(), ..auto("s1") }).await, Some(Skip::Locked));
    // By hand no gate holds, but the lock does.
    assert_eq!(skipped(by_hand()).await, Some(Skip::Locked));
    let loci_store::record::Taken::Mine(lease) = elsewhere else { panic!("taken") };
    record.release_lease(&lease).await.unwrap();
    assert_eq!(dream(&memory, Dream { settings: at_once(), ..auto("s1") }).await.status, Status::Updated);
    assert_eq!(skipped(auto("s1")).await, Some(Skip::SameSession));
    assert_eq!(skipped(auto("s9")).await, Some(Skip::MinHours));
    let soon = Settings { min_hours: 0, scan_minutes: 0, ..settings() };
    assert_eq!(skipped(Dream { settings: soon, ..auto("s9") }).await, Some(Skip::MinSessions));
    let [_, last] = memory.last_upkeep().await.unwrap();
    assert_eq!(last.unwrap().skipped_reason.as_deref(), Some("min_sessions"));
}

#[tokio::test]
async fn a_dead_owners_lock_is_taken_at_once_and_our_own_is_running() {
    let (memory, _ram) = memory(&[("feedback/a.md", &messy())]).await;
    let record = memory.store().record().unwrap();
    let this = Owner::this().to_string();
    assert!(!memory.is_dreaming().await.unwrap());
    record.take_lease("dream:global", &this, Duration::from_secs(3600), None).await.unwrap();
    assert!(memory.is_dreaming().await.unwrap());
    assert_eq!(dream(&memory, by_hand()).await.skipped_reason, Some(Skip::Running));
    let lease = record.lease("dream:global").await.unwrap().unwrap();
    record.release_lease(&lease).await.unwrap();
    // The same number of a process that started at another time: it is gone.
    let dead = this.replacen("started=", "started=9", 1);
    record.take_lease("dream:global", &dead, Duration::from_secs(3600), None).await.unwrap();
    assert!(!memory.is_dreaming().await.unwrap());
    assert_eq!(dream(&memory, by_hand()).await.status, Status::Updated);
    assert_eq!(record.lease("dream:global").await.unwrap(), None);
}

#[tokio::test]
async fn a_run_that_lost_its_lease_changes_nothing() {
    let (memory, ram) = memory(&[("feedback/a.md", &messy())]).await;
    let over = Settings { lock_minutes: 0, ..settings() };
    assert!(matches!(memory.dream(Dream { settings: over, ..by_hand() }).await, Err(Error::LeaseLost)));
    assert_eq!(text(&ram, "feedback/a.md").await, Some(messy()));
    let [_, last] = memory.last_upkeep().await.unwrap();
    assert_eq!(last.unwrap().status, "failed");
}

#[tokio::test]
async fn a_cancelled_dream_keeps_nobody_from_dreaming() {
    let (memory, _ram) = memory(&[("feedback/a.md", &messy())]).await;
    let model = Scripted::new([Plays::Hang]);
    let asked = memory.clone().with_models(model.models());
    tokio::select! {
        biased;
        _ = asked.dream(by_hand()) => unreachable!("its model never answers"),
        () = model.is_asked() => {}
    }
    // The name is given back on a task of its own.
    tokio::task::yield_now().await;
    assert!(!memory.is_dreaming().await.unwrap());
    assert_eq!(dream(&memory, by_hand()).await.status, Status::Updated);
}

#[tokio::test]
async fn half_a_dream_that_cannot_be_taken_back_is_known_to_the_next() {
    let (rams, broken) = ([Ram::default(), Ram::default()], Arc::new(AtomicBool::new(true)));
    // The second file cannot be written, and then the first one cannot be put back.
    let (first, second) = (Arc::clone(&broken), Arc::clone(&broken));
    let writes = AtomicUsize::new(0);
    let is_document = |file: &EntryPath| file.as_str() == "feedback/a.md";
    let refuse = |refused: bool| async move { if refused { Err(loci_store::Error::Full) } else { Ok(()) } };
    let global = Hooked::new(&rams[0], move |_, file| {
        let again = is_document(&file) && writes.fetch_add(1, Ordering::Relaxed) > 0;
        refuse(again && first.load(Ordering::Relaxed))
    });
    let project = Hooked::new(&rams[1], move |_, file| refuse(is_document(&file) && second.load(Ordering::Relaxed)));
    let [one, other] = rams.clone();
    let memory = Memory::new(scopes_over(
        [Some((Arc::new(global) as _, one)), Some((Arc::new(project) as _, other)), None],
        100,
    ));
    for ram in &rams {
        write(ram, "feedback/a.md", &messy()).await;
    }
    memory.dream(by_hand()).await.unwrap_err();
    assert_ne!(text(&rams[0], "feedback/a.md").await, Some(messy()));
    let record = memory.store().record().unwrap();
    let place = memory.store().root(Some(Scope::Global)).unwrap().key.place.clone();
    let log = Log { places: vec![place], path: None, limit: 1 };
    let half = record.changes(&log).await.unwrap()[0].group.clone();
    assert_eq!(record.standing(&half).await.unwrap().len(), 1);
    broken.store(false, Ordering::Relaxed);
    assert_eq!(dream(&memory, by_hand()).await.status, Status::Updated);
    assert!(record.standing(&half).await.unwrap().is_empty());
    memory.undo(None).await.unwrap();
    for ram in &rams {
        assert_eq!(text(ram, "feedback/a.md").await, Some(messy()));
    }
}

#[tokio::test]
async fn dream_never_touches_pinned() {
    let twice = document("P", "p", "feedback", "- Name things well.\n- Name things well.");
    for plays in [
        vec![],
        vec![
            edits("/memories/global/feedback/p.md", "Name", "Call"),
            writes("/memories/global/feedback/p.md", "gone\n"),
        ],
    ] {
        let (memory, ram) = memory(&[("feedback/p.md", &twice), ("feedback/a.md", &messy())]).await;
        memory.pin("global/feedback/p.md", Pin::Set).await.unwrap();
        let memory = if plays.is_empty() { memory } else { memory.with_models(Scripted::new(plays).models()) };
        // What the agent was denied changes nothing, so the mechanical way is taken.
        assert_eq!(dream(&memory, by_hand()).await.deduped_entries, 1);
        assert_eq!(text(&ram, "feedback/p.md").await, Some(twice.clone()));
    }
}

#[tokio::test]
async fn small_changes_of_an_agent_are_made_as_one_group() {
    let (memory, ram) = memory(&[("project/facts.md", &facts(10)), ("feedback/a.md", &messy())]).await;
    let model = Scripted::new([
        edits(FACTS, "amber", "crimson"),
        edits(FACTS, "- Distinct fact number 9: the jade team owns it.\n", ""),
    ]);
    let memory = memory.with_models(model.models());
    let dreamt = dream(&memory, by_hand()).await;
    assert_eq!((dreamt.status, dreamt.touched_topics.len()), (Status::Updated, 1));
    assert!(text(&ram, "project/facts.md").await.unwrap().contains("crimson"));
    // The agent's run is the whole run.
    assert_eq!(text(&ram, "feedback/a.md").await, Some(messy()));
    memory.undo(None).await.unwrap();
    assert_eq!(text(&ram, "project/facts.md").await, Some(facts(10)));
}

#[tokio::test]
async fn what_moves_elsewhere_is_not_lost() {
    let (memory, ram) = memory(&[("project/facts.md", &facts(10))]).await;
    let moved = facts(10).replace("name: Facts", "name: Moved");
    let model = Scripted::new([writes("/memories/global/project/moved.md", &moved), writes(FACTS, &facts(0))]);
    let memory = memory.with_models(model.models());
    assert_eq!(dream(&memory, by_hand()).await.status, Status::Updated);
    assert_eq!(text(&ram, "project/facts.md").await, None);
    assert_eq!(text(&ram, "project/moved.md").await, Some(moved));
}

#[tokio::test]
async fn an_agent_that_fails_or_is_cut_off_leaves_nothing_behind() {
    let added = messy() + "- Added.\n";
    let endless = || (0..10).map(|_| edits(FACTS, "amber", "amber")).collect::<Vec<_>>();
    for mut plays in [vec![Plays::Fail(ModelError::Unreachable)], endless(), vec![Plays::Hang]] {
        plays.insert(0, writes("/memories/global/feedback/a.md", &added));
        let (memory, ram) = memory(&[("project/facts.md", &facts(10)), ("feedback/a.md", &messy())]).await;
        let memory = memory.with_models(Scripted::new(plays).models());
        let brief = Settings { time: Duration::from_millis(300), ..settings() };
        let dreamt = dream(&memory, Dream { settings: brief, ..by_hand() }).await;
        assert_eq!((dreamt.status, dreamt.deduped_entries), (Status::Updated, 1));
        assert!(text(&ram, "feedback/a.md").await.unwrap().ends_with("---\n- Use pnpm for installs.\n"));
    }
}

/// Memory whose model would lose nine facts of ten.
async fn lossy() -> (Memory, loci_store::ram::Ram) {
    let (memory, ram) = memory(&[("project/facts.md", &facts(10))]).await;
    (memory.with_models(Scripted::new([writes(FACTS, &facts(1))]).models()), ram)
}

#[tokio::test]
async fn a_run_that_loses_too_much_is_proposed() {
    let (memory, ram) = lossy().await;
    let dreamt = dream(&memory, by_hand()).await;
    assert_eq!(dreamt.status, Status::Proposed);
    assert_eq!(text(&ram, "project/facts.md").await, Some(facts(10)));
    let review = memory.proposals().await.unwrap();
    assert_eq!(review.proposals.len(), 1);
    assert_eq!(review.proposals[0].paths, [FACTS]);
    assert!(review.proposals[0].diff.contains("-- Distinct fact number 9"));
    let id = dreamt.proposal.unwrap();
    assert_eq!(memory.apply_proposal(&id).await.unwrap().status, Status::Updated);
    assert_eq!(text(&ram, "project/facts.md").await, Some(facts(1)));
    assert!(memory.proposals().await.unwrap().proposals.is_empty());
    memory.undo(None).await.unwrap();
    assert_eq!(text(&ram, "project/facts.md").await, Some(facts(10)));
}

#[tokio::test]
async fn a_proposal_for_files_that_changed_is_a_conflict() {
    let (memory, ram) = lossy().await;
    let id = dream(&memory, by_hand()).await.proposal.unwrap();
    let now = facts(10) + "- One more.\n";
    write(&ram, "project/facts.md", &now).await;
    assert!(matches!(memory.apply_proposal(&id).await, Err(Error::Changed { .. })));
    assert_eq!(text(&ram, "project/facts.md").await, Some(now));
    assert_eq!(memory.discard_proposal(&id).await.unwrap().status, Status::Noop);
    assert!(matches!(memory.discard_proposal(&id).await, Err(Error::NoSuchProposal(_))));
    assert!(matches!(memory.apply_proposal(&id).await, Err(Error::NoSuchProposal(_))));
}
