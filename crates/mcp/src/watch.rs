//! Telling clients that a page of the handbook changed, or that memory was switched on or off.
//!
//! Owns what a client subscribed to, by `resources/subscribe` or, since 2026-07-28, by `subscriptions/listen`.
//! Looks at the pages' stamps every half second, and only while somebody waits: no thread, no inotify watch. An idle
//! server reads its settings every other second, and nothing else.

use crate::fault::Failure;
use crate::server::Mcp;
use loci_domain::page::PageUri;
use loci_memory::Memory;
use rmcp::RoleServer;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often pages are looked at.
const PAUSE: Duration = Duration::from_millis(500);
/// How often the switch is looked at: a client that was told of no tools asks for none, and would never hear of them.
const GLANCE: Duration = Duration::from_secs(2);
/// Pages that one client may wait for.
const MOST: usize = 100;

/// A page's stamp when it was last looked at.
type Stamps = BTreeMap<String, Option<String>>;

/// What one client waits for.
#[derive(Default)]
pub(crate) struct Watching {
    pages: Mutex<Stamps>,
}

impl Watching {
    fn pages(&self) -> MutexGuard<'_, Stamps> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a page, which need not be there yet.
    pub async fn add(watching: &Arc<Watching>, mcp: &Mcp, peer: Peer<RoleServer>, uri: &str) -> Result<(), Failure> {
        let page = PageUri::parse(uri).map_err(loci_memory::Error::from)?;
        let stamp = mcp.memory().page_stamp(&page).await;
        let first = {
            let mut pages = watching.pages();
            if pages.len() >= MOST {
                return Err(Failure::Arguments(format!("at most {MOST} pages can be watched at once")));
            }
            let first = pages.is_empty();
            pages.entry(uri.to_owned()).or_insert(stamp);
            first
        };
        if first {
            let (watching, mcp) = (Arc::clone(watching), mcp.clone());
            tokio::spawn(async move { watching.run(&mcp, &peer).await });
        }
        Ok(())
    }

    /// Waits for it no more.
    pub fn remove(&self, uri: &str) {
        self.pages().remove(uri);
    }

    /// Looks until nobody waits any more.
    async fn run(&self, mcp: &Mcp, peer: &Peer<RoleServer>) {
        while !peer.is_transport_closed() {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = mcp.closing().cancelled() => return,
            }
            let mut before = self.pages().clone();
            for uri in changed(mcp.memory(), &mut before).await {
                if let Some(stamp) = self.pages().get_mut(&uri) {
                    stamp.clone_from(&before[&uri]);
                }
                if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                    return self.pages().clear();
                }
            }
            // Decided under the lock: who adds a page meanwhile finds it empty and starts anew, or full.
            if self.pages().is_empty() {
                return;
            }
        }
    }
}

/// What we can tell of what a client wants to hear.
pub(crate) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let pages = requested.resource_subscriptions.iter().flatten();
    let pages: Vec<String> = pages.filter(|uri| PageUri::parse(uri).is_ok()).take(MOST).cloned().collect();
    let mut accepted = SubscriptionFilter::new();
    accepted.resource_subscriptions = (!pages.is_empty()).then_some(pages);
    accepted.resources_list_changed = requested.resources_list_changed;
    accepted.tools_list_changed = requested.tools_list_changed;
    accepted
}

/// Tells one listener until it goes or the server closes.
pub(crate) async fn listen(mcp: &Mcp, context: SubscriptionContext) {
    let filter = context.accepted().clone();
    let mut stamps = Stamps::new();
    for uri in filter.resource_subscriptions.into_iter().flatten() {
        stamps.insert(uri, None);
    }
    changed(mcp.memory(), &mut stamps).await;
    let (mut list, mut on) = (addresses(mcp).await, mcp.on().is_ok());
    loop {
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = context.cancelled() => return,
            () = mcp.closing().cancelled() => return,
        }
        let mut heard = Ok(());
        for uri in changed(mcp.memory(), &mut stamps).await {
            heard = heard.and(context.sink().notify_resource_updated(uri).await);
        }
        if filter.resources_list_changed == Some(true) && std::mem::replace(&mut list, addresses(mcp).await) != list {
            heard = heard.and(context.sink().notify_resource_list_changed().await);
        }
        let is_on = mcp.on().is_ok();
        if filter.tools_list_changed == Some(true) && std::mem::replace(&mut on, is_on) != is_on {
            heard = heard.and(context.sink().notify_tool_list_changed().await);
        }
        if heard.is_err() {
            return;
        }
    }
}

/// Tells a client that greeted us of the switch until it goes or the server closes.
pub(crate) async fn switch(mcp: &Mcp, peer: &Peer<RoleServer>) {
    while !peer.is_transport_closed() {
        tokio::select! {
            () = tokio::time::sleep(GLANCE) => {}
            () = mcp.closing().cancelled() => return,
        }
        if let Some(on) = mcp.is_on() {
            mcp.tell_switch(on, peer).await;
        }
    }
}

/// The addresses of all pages.
async fn addresses(mcp: &Mcp) -> Vec<String> {
    let pages = mcp.memory().pages().await.unwrap_or_default();
    pages.iter().map(|page| page.uri.to_string()).collect()
}

/// The pages whose stamps are others now, and takes note of them.
async fn changed(memory: &Memory, stamps: &mut Stamps) -> Vec<String> {
    let mut changed = Vec::new();
    for (uri, stamp) in stamps {
        let Ok(page) = PageUri::parse(uri) else { continue };
        let now = memory.page_stamp(&page).await;
        if *stamp != now {
            *stamp = now;
            changed.push(uri.clone());
        }
    }
    changed
}
