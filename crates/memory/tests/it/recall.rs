//! Recall: what it finds, what it leaves alone, and what it says about it.

use crate::{document, memory, write};
use loci_memory::Memory;
use loci_memory::recall::{Recall, Recalled, Strategy};

fn ask(query: &str) -> Recall {
    Recall { query: query.to_owned(), scope: None, limit: 5, doc_chars: 1200, session: None, model: None }
}

async fn paths(memory: &Memory, ask: Recall) -> Vec<String> {
    let recalled = memory.recall(ask).await.unwrap();
    recalled.hits.into_iter().map(|hit| hit.path.trim_start_matches("/memories/global/").to_owned()).collect()
}

/// A small memory in several languages.
async fn small() -> (Memory, loci_store::ram::Ram) {
    let files = [
        (
            "user/car.md",
            document("Company vehicle", "Who may drive the automobile", "user", "The automobile is on level 3."),
        ),
        (
            "project/db.md",
            document("Database", "Postgres behind pgbouncer", "project", "Port 6432; call `open_pool_for_tenant`."),
        ),
        ("project/freeze.md", document("Merge freeze", "No merges before the release", "project", "From 3 March on.")),
        (
            "project/部署.md",
            document("部署流程", "生产环境部署需要两人审批", "project", "先在预发布环境跑完回归测试。"),
        ),
        ("user/pets.md", document("Pets", "Two cats", "user", "- Miso sleeps on the keyboard.\n- Tofu eats paper.")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    memory(&files).await
}

#[tokio::test]
async fn words_identifiers_and_other_scripts_are_found() {
    let (memory, _ram) = small().await;
    for (query, first) in [
        ("which port does the database use?", "project/db.md"),
        ("PGBOUNCER", "project/db.md"),
        ("open pool for tenant", "project/db.md"),
        ("openPoolForTenant", "project/db.md"),
        ("merging before releases", "project/freeze.md"),
        ("怎么部署到生产环境", "project/部署.md"),
    ] {
        assert_eq!(paths(&memory, ask(query)).await.first().map(String::as_str), Some(first), "{query}");
    }
}

#[tokio::test]
async fn a_paraphrase_without_a_shared_word_is_found() {
    let (memory, _ram) = small().await;
    for (query, found) in [("kitten", "user/pets.md"), ("car", "user/car.md")] {
        let recalled = memory.recall(ask(query)).await.unwrap();
        let hit = recalled.hits.iter().find(|hit| hit.path.ends_with(found));
        assert!(hit.is_some_and(|hit| hit.why.terms.is_empty()), "{query}: {:?}", recalled.hits);
    }
}

/// What several people do, in few words.
async fn habits() -> (Memory, loci_store::ram::Ram) {
    let files = [
        (
            "commute.md",
            document("Mornings", "Rides a bicycle to the station", "user", "Forty minutes along the river."),
        ),
        ("diet.md", document("Dinners", "Vegan, no peanuts", "user", "Pick places without animal products.")),
        ("crates.md", document("Dependencies", "Justify each crate", "feedback", "Prefer what is there already.")),
        ("desk.md", document("Days", "At work until six", "user", "The lamp stays on.")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    memory(&files).await
}

#[tokio::test]
async fn a_kind_finds_the_thing_whatever_aspect_is_asked_for() {
    let (memory, _ram) = habits().await;
    for (query, found) in [
        ("transportation", "commute.md"),
        ("eating habits", "diet.md"),
        ("dietary requirements", "diet.md"),
        ("third-party packages", "crates.md"),
    ] {
        assert!(paths(&memory, ask(query)).await.contains(&found.to_owned()), "{query}");
    }
}

#[tokio::test]
async fn one_of_a_kind_is_not_another_and_a_common_word_is_no_answer() {
    let (memory, _ram) = habits().await;
    for query in ["scooter prices", "how do magnets work?", "tram drivers on strike"] {
        assert_eq!(paths(&memory, ask(query)).await, [""; 0], "{query}");
    }
}

#[tokio::test]
async fn a_long_document_does_not_answer_everything() {
    let paragraphs = [
        "The invoices of the workshop are printed on Mondays and mailed by the accountant.",
        "Miso the cat sleeps on the keyboard; the vet in the harbour street has her papers.",
        "The greenhouse heating is switched on in October, by hand, with the key under the bench.",
        "Tests of the payment service need a running queue; start it with the script in tools.",
        "The choir rehearses on Thursdays; sheet music lies in the blue cupboard.",
        "Releases are cut from the branch stable after two people have read the changelog.",
        "The coffee machine wants descaling every sixth week, with citric acid.",
        "Photographs of the construction site are in the album of the surveyor.",
    ];
    let long = document("Notes", "What was collected over the years", "project", &paragraphs.join("\n\n"));
    let (memory, _ram) = memory(&[("project/notes.md", &long)]).await;
    for query in ["how do bees make honey in winter", "the history of glass blowing in Venice"] {
        assert!(paths(&memory, ask(query)).await.is_empty(), "{query}");
    }
    assert_eq!(paths(&memory, ask("when does the choir rehearse")).await, ["project/notes.md"]);
}

#[tokio::test]
async fn a_name_is_not_answered_by_another_of_its_kind() {
    let office = document("Office", "Where the team sits", "project", "The office is in Lisbon, near the river.");
    let (memory, _ram) = memory(&[("project/office.md", &office)]).await;
    assert_eq!(paths(&memory, ask("where is the Lisbon office")).await, ["project/office.md"]);
    assert!(paths(&memory, ask("hotels in Porto")).await.is_empty());
}

#[tokio::test]
async fn what_nothing_answers_gets_nothing() {
    let (memory, _ram) = small().await;
    for query in [
        "volcanic eruptions on Jupiter's moon",
        "medieval poetry metre",
        "xqzvw jkrpl",
        "고려 시대의 도자기",
        "",
        " \n",
        "the of and",
    ] {
        let Recalled { strategy, hits, prompt, .. } = memory.recall(ask(query)).await.unwrap();
        assert_eq!((strategy, hits.len(), prompt.as_str()), (Strategy::None, 0, ""), "{query}");
    }
    assert!(paths(&memory, Recall { limit: 0, ..ask("database") }).await.is_empty());
}

#[tokio::test]
async fn query_syntax_is_only_words() {
    let (memory, _ram) = small().await;
    for query in [
        "\"database",
        "database) OR (1",
        "NEAR(database) port",
        "port:6432* database",
        "data\u{0}base database port",
        &"database ".repeat(10_000),
    ] {
        assert_eq!(paths(&memory, ask(query)).await.first().map(String::as_str), Some("project/db.md"), "{query:.40}");
    }
}

#[tokio::test]
async fn an_editors_change_is_seen_by_the_next_question() {
    let (memory, ram) = small().await;
    assert!(paths(&memory, ask("zeppelin")).await.is_empty());
    write(&ram, "new.md", &document("Airship", "A zeppelin", "project", "It floats.")).await;
    assert_eq!(paths(&memory, ask("zeppelin")).await, ["new.md"]);
    write(&ram, "new.md", &document("Boat", "A barge", "project", "It swims.")).await;
    assert!(paths(&memory, ask("zeppelin")).await.is_empty());
    assert_eq!(paths(&memory, ask("barge")).await, ["new.md"]);
}

#[tokio::test]
async fn a_session_is_shown_a_document_once() {
    let (memory, _ram) = small().await;
    let of = |session: &str| Recall { session: Some(session.to_owned()), ..ask("pgbouncer") };
    assert_eq!(paths(&memory, of("s1")).await, ["project/db.md"]);
    assert!(paths(&memory, of("s1")).await.is_empty());
    assert_eq!(paths(&memory, of("s2")).await, ["project/db.md"]);
}

#[tokio::test]
async fn a_receipt_is_its_accounts_alone() {
    let (local, _ram) = small().await;
    let bob = local.over(local.store().clone(), "acct_bob");
    let own = bob.recall(ask("when is the merge freeze?")).await.unwrap().receipt;
    assert_eq!(bob.why(&own).await.unwrap().id, own);
    for spelled in [own.clone(), format!("acct_bob/{own}")] {
        assert!(local.why(&spelled).await.is_err(), "{spelled}");
        assert!(local.over(local.store().clone(), "acct_eve").why(&spelled).await.is_err(), "{spelled}");
    }
    let mine = local.recall(ask("when is the merge freeze?")).await.unwrap().receipt;
    assert!(bob.why(&mine).await.is_err() && local.why(&mine).await.is_ok());
}

#[tokio::test]
async fn a_receipt_says_why_and_keeps_no_question() {
    let (memory, _ram) = small().await;
    let recalled = memory.recall(Recall { limit: 1, ..ask("database merge freeze") }).await.unwrap();
    let receipt = memory.why(&recalled.receipt).await.unwrap();
    assert_eq!(receipt.shown.len(), 1);
    assert!(receipt.shown[0].why.terms.contains_key("freez"), "{receipt:?}");
    assert!(!serde_json::to_string(&receipt).unwrap().contains("database merge freeze"));
    assert!(memory.why("none").await.is_err());
}

#[tokio::test]
async fn showing_counts_as_use_and_the_best_entry_is_the_excerpt() {
    let (memory, _ram) = small().await;
    let recalled = memory.recall(ask("tofu paper")).await.unwrap();
    assert_eq!(recalled.hits[0].excerpt, "- Tofu eats paper.");
    let files = memory.list(None).await.unwrap();
    let used: Vec<&str> = files.iter().filter(|file| file.uses == 1).map(|file| file.name.as_str()).collect();
    assert_eq!(used, ["Pets"]);
}
