//! A session without a model: what the person said for good, in their own words.

use super::AT_ONCE;
use crate::Result;
use loci_domain::document::line::{cut, one_line};
use loci_domain::statement::{statements, without_injected};
use loci_domain::transcript::Role;
use loci_domain::{alike, slug};
use loci_store::record::{Kept, Record};
use std::collections::BTreeSet;

/// Characters of what a session began with.
const OPENING: usize = 160;
/// Statements of one session.
const MOST: usize = 200;

/// Raw memory, summary and a short name; empty when the person stated nothing.
pub(super) async fn digest(record: &dyn Record, kept: &Kept) -> Result<(String, String, Option<String>)> {
    let (mut said, mut known, mut opening, mut from) = (Vec::new(), BTreeSet::new(), String::new(), 0);
    loop {
        let messages = record.messages(kept.number, from, AT_ONCE).await?;
        from += messages.len() as u64;
        let last = messages.len() < AT_ONCE;
        for message in messages.into_iter().filter(|message| message.role == Role::User) {
            let text = without_injected(&message.content);
            if opening.is_empty() {
                opening = cut(&one_line(&text), OPENING);
            }
            for statement in statements(&text) {
                if said.len() < MOST && known.insert(alike::normalised(&statement.summary)) {
                    let why = statement.why.map(|why| format!(" (why: {why})")).unwrap_or_default();
                    let how = statement.how.map(|how| format!(" (how to apply: {how})")).unwrap_or_default();
                    said.push(format!("- {}{why}{how}", statement.summary));
                }
            }
        }
        if last {
            break;
        }
    }
    if said.is_empty() {
        return Ok(Default::default());
    }
    let summary = format!("Began with: {opening}");
    let slug = slug::slug(&opening, 5);
    Ok((said.join("\n"), summary, Some(slug).filter(|slug| !slug.is_empty())))
}
