//! A task that came to nothing is taken back by its group.

use crate::{document, memory, scopes, text};
use loci_domain::change::GroupId;
use loci_domain::secrets::Policy;
use loci_memory::Memory;
use loci_memory::draft::Hand;
use loci_memory::forget::{Extent, Forget};
use loci_memory::remember::{ContextMode, Remember};
use std::time::Duration;

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
