//! Forget: what is meant, what goes, and what is left of it.

use crate::scripted::{Scripted, Turn};
use crate::{document, scopes, text, write};
use async_trait::async_trait;
use loci_domain::digest::Digest;
use loci_domain::scope::Scope;
use loci_llm::provider::{Answer, Ask, Error as Unwell, Provider, Spent};
use loci_llm::{Models, Role};
use loci_memory::Memory;
use loci_memory::draft::Hand;
use loci_memory::forget::{Extent, Forget, Forgotten};
use loci_memory::pin::Pin;
use loci_store::ram::Ram;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn ask(query: &str, extent: Extent) -> Forget {
    Forget { query: query.to_owned(), scope: None, limit: Some(5), extent, hand: Hand::Person }
}

fn ids(forgotten: &Forgotten) -> Vec<&str> {
    forgotten.removed_entries.iter().map(|entry| entry.id.as_str()).collect()
}

async fn pets() -> (Memory, [Ram; 2]) {
    let (memory, [global, project]) = scopes().await;
    write(&global, "user/pets.md", &document("Pets", "Animals", "user", "- Keeps ferrets.\n- Keeps bees.")).await;
    write(&project, "project/bees.md", &document("Bees", "The logo", "project", "The logo shows bees.")).await;
    (memory, [global, project])
}

/// Every version that the journal still has.
async fn versions(memory: &Memory) -> Vec<String> {
    let images = memory.store().record().unwrap().images_after(None, 1000).await.unwrap();
    images.into_iter().map(|image| String::from_utf8(image.bytes).unwrap()).collect()
}

#[tokio::test]
async fn a_model_chooses_by_id() {
    let (memory, [global, _]) = pets().await;
    let model =
        Scripted::new([Turn::Say("```json\n{\"selectedCandidateIds\": [\"global:user/pets.md:1\"]}\n```".to_owned())]);
    let memory = memory.with_models(model.models());
    let forgotten = memory.forget(ask("the insects", Extent::Memory)).await.unwrap();
    assert_eq!(ids(&forgotten), ["global:user/pets.md:1"]);
    assert!(text(&global, "user/pets.md").await.unwrap().ends_with("- Keeps ferrets.\n"));
    let asked = &model.asked()[0];
    assert_eq!(asked.temperature, Some(0.0));
    assert!(asked.shape.as_ref().unwrap().schema.to_string().contains("selectedCandidateIds"));
}

#[tokio::test]
async fn a_model_that_passes_over_what_is_named_plainly_is_not_believed() {
    let (memory, [global, _]) = pets().await;
    let wrong = "{\"selectedCandidateIds\": [\"global:user/pets.md:1\", \"project:project/bees.md\"]}";
    let memory = memory.with_models(Scripted::new([Turn::Say(wrong.to_owned())]).models());
    let forgotten = memory.forget(ask("ferrets", Extent::Memory)).await.unwrap();
    assert_eq!(ids(&forgotten), ["global:user/pets.md:0"]);
    assert!(text(&global, "user/pets.md").await.unwrap().ends_with("- Keeps bees.\n"));
}

#[tokio::test]
async fn words_decide_when_the_model_cannot() {
    for turn in [
        Turn::Say("{\"selectedCandidateIds\": [\"global:user/pets.md:0\", \"global:nowhere.md\"]}".to_owned()),
        Turn::Say("all of them".to_owned()),
        Turn::Fail(Unwell::Spent),
    ] {
        let (memory, _rams) = pets().await;
        let memory = memory.with_models(Scripted::new([turn]).models());
        let forgotten = memory.forget(ask("keeps bees", Extent::Memory)).await.unwrap();
        assert_eq!(ids(&forgotten), ["global:user/pets.md:1"]);
    }
    let (memory, _rams) = pets().await;
    let nothing = Turn::Say("{\"selectedCandidateIds\": [], \"reasoning\": \"none fits\"}".to_owned());
    let memory = memory.with_models(Scripted::new([nothing]).models());
    assert!(memory.forget(ask("keeps bees", Extent::Memory)).await.unwrap().removed_entries.is_empty());
}

#[tokio::test]
async fn several_scopes_go_in_one_group() {
    let (memory, [global, project]) = pets().await;
    let before = (text(&global, "user/pets.md").await, text(&project, "project/bees.md").await);
    let forgotten = memory.forget(ask("bees", Extent::Memory)).await.unwrap();
    assert_eq!(ids(&forgotten), ["global:user/pets.md:1", "project:project/bees.md"]);
    assert_eq!(forgotten.touched_scopes, [Scope::Global, Scope::Project]);
    assert_eq!(text(&project, "project/bees.md").await, None);
    memory.undo(None).await.unwrap();
    assert_eq!((text(&global, "user/pets.md").await, text(&project, "project/bees.md").await), before);
}

#[tokio::test]
async fn only_a_person_removes_what_is_pinned() {
    let (memory, [global, _]) = pets().await;
    memory.list(None).await.unwrap();
    memory.pin("global/user/pets.md", Pin::Set).await.unwrap();
    let machine = Forget { hand: Hand::Machine, ..ask("ferrets", Extent::Memory) };
    let kept = memory.forget(machine).await.unwrap();
    assert!(kept.removed_entries.is_empty());
    assert_eq!(kept.summary, "1 match is pinned, and only a person may remove what is pinned.");
    let person = memory.forget(ask("ferrets", Extent::Memory)).await.unwrap();
    assert_eq!((ids(&person), person.pinned), (vec!["global:user/pets.md:0"], 1));
    assert!(text(&global, "user/pets.md").await.unwrap().contains("bees"));
}

#[tokio::test]
async fn what_a_person_saw_is_what_goes() {
    let (memory, [global, _]) = pets().await;
    let (chosen, more) = memory.forget_preview(&ask("keeps", Extent::Memory)).await.unwrap();
    assert_eq!((chosen.len(), more), (2, 0));
    write(&global, "user/pets.md", &document("Pets", "Animals", "user", "- Keeps bees.\n- Keeps ferrets.")).await;
    let error = memory.forget_chosen(ask("keeps", Extent::Memory), chosen, more).await.unwrap_err();
    assert_eq!(error.code(), "conflict");
    assert!(text(&global, "user/pets.md").await.unwrap().contains("ferrets"));
}

#[tokio::test]
async fn a_purge_leaves_no_version_with_it() {
    let (memory, [global, _]) = pets().await;
    memory.list(None).await.unwrap();
    write(&global, "user/pets.md", &document("Pets", "Animals", "user", "- Keeps two old ferrets.\n- Keeps bees."))
        .await;
    memory.list(None).await.unwrap();
    let forgotten = memory.forget(ask("ferrets", Extent::Purge)).await.unwrap();
    assert_eq!(ids(&forgotten), ["global:user/pets.md:0"]);
    let left = versions(&memory).await;
    assert!(!left.is_empty() && left.iter().all(|version| !version.contains("ferrets")), "{left:?}");
    assert!(text(&global, "user/pets.md").await.unwrap().contains("bees"));
    assert_eq!(memory.undo(None).await.unwrap_err().code(), "expired");
}

#[tokio::test]
async fn what_was_forgotten_earlier_can_be_purged_later() {
    let (memory, _rams) = pets().await;
    memory.forget(ask("ferrets", Extent::Memory)).await.unwrap();
    assert!(versions(&memory).await.iter().any(|version| version.contains("ferrets")));
    let purged = memory.forget(ask("ferrets", Extent::Purge)).await.unwrap();
    assert!(purged.removed_entries.is_empty() && purged.purged.unwrap().versions > 0);
    assert!(versions(&memory).await.iter().all(|version| !version.contains("ferrets")));
}

#[tokio::test]
async fn an_older_wording_goes_whatever_the_order_of_versions() {
    let told = |salt: usize, names: &str| {
        document(&format!("Pets {salt}"), "Animals", "user", &format!("- Keeps two ferrets in the shed, {names}."))
    };
    let newer = told(0, "Rex and Bonnie");
    // Versions are read in the order of their digests; the older wording shall come first.
    let comes_first = |older: &String| Digest::of(older.as_bytes()) < Digest::of(newer.as_bytes());
    let older = (1..).map(|salt| told(salt, "Rex and Bo")).find(comes_first).unwrap();
    let (memory, [global, _]) = scopes().await;
    for version in [&older, &newer, &document("Pets", "Animals", "user", "- Keeps bees.")] {
        write(&global, "user/pets.md", version).await;
        memory.list(None).await.unwrap();
    }
    assert_eq!(versions(&memory).await.iter().filter(|version| version.contains("Rex")).count(), 2);
    memory.forget(ask("bonnie", Extent::Purge)).await.unwrap();
    let left = versions(&memory).await;
    assert!(!left.is_empty() && left.iter().all(|version| !version.contains("Rex")), "{left:?}");
}

#[tokio::test]
async fn how_to_go_on_is_for_the_surface_to_say() {
    let (memory, _rams) = pets().await;
    let few = Forget { limit: Some(1), ..ask("bees", Extent::DryRun) };
    let forgotten = memory.forget(few).await.unwrap();
    assert_eq!((forgotten.summary.as_str(), forgotten.more), ("Would forget 1 memory entry.", 1));
    let said = |next| forgotten.clone().with_more(next).summary;
    assert_eq!(said(None), "Would forget 1 memory entry. 1 more matched.");
    assert_eq!(said(Some("call again")), "Would forget 1 memory entry. 1 more matched; call again.");
}

#[tokio::test]
async fn names_made_of_it_go_with_it() {
    let (memory, [global, _]) = scopes().await;
    let body = "- Collects rare harmonicas.\n- Owns a boat.";
    write(&global, "user/rare-harmonicas.md", &document("Rare harmonicas", "Collects rare harmonicas", "user", body))
        .await;
    memory.list(None).await.unwrap();
    memory.forget(ask("harmonicas", Extent::Purge)).await.unwrap();
    let files = memory.list(None).await.unwrap();
    assert_eq!(files.len(), 1);
    let said = format!("{:?} {:?}", files, memory.log(None, 100).await.unwrap());
    assert!(!said.contains("harmonicas"), "{said}");
    assert_eq!((files[0].name.as_str(), files[0].description.as_str()), ("Owns a boat", "Owns a boat."));
}

#[tokio::test]
async fn undo_goes_on_behind_a_purge() {
    let (memory, [global, project]) = pets().await;
    memory.forget(ask("logo", Extent::Memory)).await.unwrap();
    memory.forget(ask("ferrets", Extent::Purge)).await.unwrap();
    assert_eq!(memory.undo(None).await.unwrap_err().code(), "expired");
    memory.undo(None).await.unwrap();
    assert!(text(&project, "project/bees.md").await.is_some());
    assert!(!text(&global, "user/pets.md").await.unwrap().contains("ferrets"));
}

#[tokio::test]
async fn sources_go_with_the_fact() {
    let (memory, _rams) = pets().await;
    let record = memory.store().record().unwrap();
    let key = record.fact_key().await.unwrap();
    let identity = memory.store().roots()[0].key.identity.clone();
    let source = loci_store::record::Source {
        session: "s1".to_owned(),
        message: Some("m1".to_owned()),
        at: memory.store().now(),
    };
    record.note_source(&identity, &loci_domain::fact::mark(&key, "Keeps ferrets."), &source).await.unwrap();
    let shown = memory.sources("global/user/pets.md").await.unwrap();
    assert_eq!((shown[0].sources.len(), shown[1].sources.len()), (1, 0));
    memory.forget(ask("ferrets", Extent::Memory)).await.unwrap();
    memory.undo(None).await.unwrap();
    assert!(memory.sources("global/user/pets.md").await.unwrap()[0].sources.is_empty());
}

/// A model while which somebody else changes the file, once.
struct Slow(Ram, AtomicBool);

impl std::fmt::Debug for Slow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Slow")
    }
}

#[async_trait]
impl Provider for Slow {
    fn name(&self) -> &str {
        "slow/model"
    }

    async fn ask(&self, _: &Ask) -> Result<Answer, Unwell> {
        if !self.1.swap(true, Ordering::SeqCst) {
            let entries = "- Keeps bees.\n- Keeps ferrets.\n- Keeps newts.";
            write(&self.0, "user/pets.md", &document("Pets", "Animals", "user", entries)).await;
        }
        Ok(Answer { text: "none".to_owned(), calls: Vec::new(), spent: Spent::default() })
    }
}

#[tokio::test]
async fn forgetting_starts_again_when_somebody_else_was_quicker() {
    let (memory, [global, _]) = pets().await;
    let model = Arc::new(Slow(global.clone(), AtomicBool::new(false)));
    let memory = memory.with_models(Models::default().with(Role::Default, model));
    let forgotten = memory.forget(ask("ferrets", Extent::Memory)).await.unwrap();
    assert_eq!(ids(&forgotten), ["global:user/pets.md:1"]);
    let left = text(&global, "user/pets.md").await.unwrap();
    assert!(left.ends_with("- Keeps bees.\n- Keeps newts.\n"), "{left}");
}

#[tokio::test]
async fn a_purge_reaches_other_spellings_and_folders_named_after_it() {
    let (memory, [global, _]) = scopes().await;
    write(&global, "harmonicas/a.md", &document("A", "B", "user", "Collects chromatic harmonicas.")).await;
    memory.list(None).await.unwrap();
    let lines =
        ["I collects CHROMATIC harmonicas", "it collects  chromatic\nharmonicas daily", "chromatic scales stay"];
    let said: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(n, line)| serde_json::json!({"id": format!("m{n}"), "role": "user", "content": line}).to_string())
        .collect();
    crate::sessions::import(&memory, "s", &said.join("\n")).await;
    let forgotten = memory.forget(ask("harmonicas", Extent::Purge)).await.unwrap();
    assert_eq!(forgotten.purged.unwrap().messages, 2);
    let shown = serde_json::to_string(&memory.show_session("s").await.unwrap()).unwrap();
    assert!(!shown.to_lowercase().contains("harmonicas") && shown.contains("chromatic scales stay"), "{shown}");
    let log = loci_store::record::Log { places: places(&memory), path: None, limit: 100 };
    let changes = memory.store().record().unwrap().changes(&log).await.unwrap();
    assert!(changes.iter().all(|change| !format!("{change:?}").contains("harmonicas")), "{changes:?}");
}

fn places(memory: &Memory) -> Vec<loci_domain::change::Place> {
    memory.store().roots().into_iter().map(|root| root.key.place.clone()).collect()
}
