//! The feed of memory: every change of the scopes that are bound, whoever made it: a request here, another process, or
//! a person with an editor.
//!
//! Owns when to look, and which changes were told. The journal is the one source: what is not in it did not happen, and
//! looking at it first notes what an editor did.

use crate::events::Events;
use crate::fault::Refusal;
use axum::response::sse;
use futures_util::Stream;
use jiff::Timestamp;
use loci_domain::change::Op;
use loci_memory::Memory;
use loci_memory::log::Entry;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::{Mutex, watch};

/// How often there is a look while somebody listens; nobody pays for it otherwise.
const PACE: Duration = Duration::from_millis(250);
/// Changes of one look; more are looked for when none of them is known.
const USUAL: usize = 200;
const MOST: usize = 20_000;

/// The changes of one memory.
pub struct Feed {
    memory: Memory,
    events: Events,
    /// Changes that need not be told; none until somebody listens.
    known: Mutex<Option<HashSet<String>>>,
}

impl Feed {
    pub fn new(memory: Memory) -> Feed {
        Feed { memory, events: Events::new(Timestamp::now()), known: Mutex::new(None) }
    }

    /// Listens to what happens from now on, or from the event `last` on.
    pub async fn listen(
        &self,
        last: Option<u64>,
    ) -> Result<impl Stream<Item = Result<sse::Event, Infallible>> + use<>, Refusal> {
        let mut known = self.known.lock().await;
        match known.as_mut() {
            // What happened while nobody listened is missed by who comes back, and past for everybody else.
            Some(told) => self.tell(told).await?,
            None => *known = Some(ids(&self.memory.log(None, USUAL).await?)),
        }
        Ok(self.events.listen(Vec::new(), last))
    }

    /// Looks until `stop`.
    pub async fn run(&self, mut stop: watch::Receiver<bool>) {
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = pace.tick() => {}
                _ = stop.wait_for(|stop| *stop) => break,
            }
            if let Err(error) = self.look().await {
                tracing::warn!(%error, "changes of memory cannot be told right now");
            }
        }
        self.events.close();
    }

    async fn look(&self) -> loci_memory::Result<()> {
        let mut known = self.known.lock().await;
        match known.as_mut() {
            Some(told) if self.events.listeners() > 0 => self.tell(told).await,
            _ => Ok(()),
        }
    }

    /// Tells the changes that are not known yet.
    async fn tell(&self, told: &mut HashSet<String>) -> loci_memory::Result<()> {
        let mut limit = USUAL;
        let changes = loop {
            let changes = self.memory.log(None, limit).await?;
            let all = changes.len() < limit || changes.iter().any(|change| told.contains(&change.id));
            if all || limit >= MOST {
                break changes;
            }
            limit = MOST;
        };
        for change in changes.iter().rev().filter(|change| !told.contains(&change.id)) {
            for event in events(change) {
                self.events.pass("memory", &event);
            }
        }
        *told = ids(&changes);
        Ok(())
    }
}

fn ids(changes: &[Entry]) -> HashSet<String> {
    changes.iter().map(|change| change.id.clone()).collect()
}

/// What a change is to who listens: a rename is two events.
fn events(change: &Entry) -> Vec<Value> {
    let event = |kind: &str, path: &str| {
        let scope = path.split('/').nth(2).unwrap_or_default();
        json!({"kind": kind, "scope": scope, "path": path, "actor": change.actor, "at": change.at})
    };
    match (change.op, &change.new_path) {
        (Op::Rename, Some(to)) => vec![event("deleted", &change.path), event("created", to)],
        (Op::Create, _) => vec![event("created", &change.path)],
        (Op::Delete, _) => vec![event("deleted", &change.path)],
        _ => vec![event("modified", &change.path)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, StreamExt};
    use loci_domain::change::Actor;
    use loci_domain::secrets::Policy;

    #[tokio::test]
    async fn the_only_listener_hears_what_it_missed() {
        let memory = Memory::new(loci_testkit::ram::ram_store().0);
        let feed = Feed { memory: memory.clone(), events: Events::default(), known: Mutex::default() };
        let save = async |name: &str| {
            let path = format!("/memories/global/{name}.md");
            memory.save(&path, "text\n".to_owned(), None, Policy::Refuse).await.unwrap();
        };
        let mut first = Box::pin(feed.listen(None).await.unwrap());
        save("heard").await;
        feed.look().await.unwrap();
        assert!(format!("{:?}", first.next().await).contains("heard.md"));
        drop(first);
        feed.look().await.unwrap();
        save("missed").await;
        feed.look().await.unwrap();
        let mut again = Box::pin(feed.listen(Some(1)).await.unwrap());
        assert!(format!("{:?}", again.next().now_or_never()).contains("missed.md"));
        assert!(again.next().now_or_never().is_none());
        let mut other = Box::pin(feed.listen(None).await.unwrap());
        assert!(other.next().now_or_never().is_none(), "who comes new missed nothing");
    }

    #[test]
    fn a_rename_is_two_events() {
        let change = Entry {
            id: "1".to_owned(),
            group: "g".to_owned(),
            at: Timestamp::UNIX_EPOCH,
            actor: Actor::Editor,
            op: Op::Rename,
            path: "/memories/global/a.md".to_owned(),
            new_path: Some("/memories/global/b.md".to_owned()),
        };
        let told = events(&change);
        let told: Vec<_> = told.iter().map(|event| (&event["kind"], &event["path"], &event["scope"])).collect();
        assert_eq!(
            told,
            [
                (&json!("deleted"), &json!("/memories/global/a.md"), &json!("global")),
                (&json!("created"), &json!("/memories/global/b.md"), &json!("global"))
            ]
        );
    }
}
