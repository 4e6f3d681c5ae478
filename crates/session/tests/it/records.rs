//! Records: whole before they are kept, and of one account.

use crate::{House, long_ago};
use loci_ledger::{Holding, LOCAL};
use loci_session::Error;
use serde_json::json;

#[tokio::test]
async fn an_agent_names_only_what_is_there_and_its_own() {
    let house = House::new();
    let mine = house.workspace("notes").await;
    let body = json!({"workspaces": [{"name": "n", "workspaceId": mine}]});
    let agent = house.agent(body.clone()).await;
    let foreign = house.runtime.add(Holding::Agent, "acct_b", body).await.unwrap_err();
    assert!(matches!(&foreign, Error::Dangling { id, .. } if *id == mine), "{foreign}");
    assert!(matches!(house.runtime.get(Holding::Agent, "acct_b", &agent).await, Err(Error::Missing { .. })));
    let held = house.runtime.get(Holding::Agent, LOCAL, &agent).await.unwrap();
    assert!(held.created_at > long_ago());
    let bad = json!({"workspaces": [{"name": "n", "workspaceId": "ws_none"}]});
    assert!(house.runtime.change(Holding::Agent, LOCAL, &agent, &bad).await.is_err());
    assert_eq!(house.runtime.get(Holding::Agent, LOCAL, &agent).await.unwrap(), held);
}

#[tokio::test]
async fn changes_of_many_at_once_are_all_there() {
    let house = House::new();
    let agent = house.agent(json!({})).await;
    let changes =
        [json!({"system": "Be brief."}), json!({"model": "fast"}), json!({"session": {"pruning": {"enabled": false}}})];
    let change = |change: serde_json::Value| {
        let (runtime, agent) = (house.runtime.clone(), agent.clone());
        tokio::spawn(async move { runtime.change(Holding::Agent, LOCAL, &agent, &change).await.map(drop) })
    };
    for done in changes.map(change) {
        done.await.unwrap().unwrap();
    }
    let agent = house.runtime.agent(LOCAL, &agent).await.unwrap();
    assert_eq!((agent.system.as_deref(), agent.model.as_str(), agent.pruning), (Some("Be brief."), "fast", false));
}

#[tokio::test]
async fn a_removed_account_leaves_nothing() {
    let house = House::new();
    let account = house.runtime.add_account("beta", [7; 32]).await.unwrap();
    assert!(matches!(house.runtime.add_account("beta", [8; 32]).await, Err(Error::Taken(_))));
    let body = json!({"name": "w", "config": {"storage": {"provider": "local"}}});
    let workspace = house.runtime.add(Holding::Workspace, &account.id, body).await.unwrap().id;
    let files = house.runtime.files(&account.id, &workspace).await.unwrap();
    let path = loci_session::files::path("a.md").unwrap();
    files.write(&path, "text".to_owned(), loci_store::Expect::Absent).await.unwrap();
    house.runtime.remove_account("beta").await.unwrap();
    assert!(house.runtime.accounts().await.unwrap().is_empty());
    assert!(house.runtime.all(Holding::Workspace, &account.id).await.unwrap().is_empty());
    assert_eq!(files.read(&path).await.unwrap(), None);
}

#[tokio::test]
async fn a_record_reads_the_same_when_it_is_made_changed_and_asked_for() {
    let house = House::new();
    let made = house.runtime.add(Holding::Agent, LOCAL, json!({})).await.unwrap();
    assert_eq!(house.runtime.get(Holding::Agent, LOCAL, &made.id).await.unwrap(), made);
    let changed = house.runtime.change(Holding::Agent, LOCAL, &made.id, &json!({"system": "x"})).await.unwrap();
    assert_eq!(house.runtime.get(Holding::Agent, LOCAL, &made.id).await.unwrap(), changed);
    let account = house.runtime.add_account("beta", [7; 32]).await.unwrap();
    assert_eq!(house.runtime.accounts().await.unwrap(), [account]);
}
