//! Sessions in which a purged text was said: its words are taken out, the rest of the talk stays where it is.

use crate::recall::sessions::fresh::{MAKER, said};
use crate::{Memory, Result};
use loci_store::record::{Kept, Message, Record};
use std::collections::{BTreeMap, BTreeSet};

const PURGED: &str = "[PURGED]";
/// A shorter line says too little to be taken out of every conversation.
const TELLING: usize = 8;

/// Takes lines of these texts out of all messages; says how many messages that changed.
pub(super) async fn redact(memory: &Memory, texts: &[String]) -> Result<u64> {
    let record = memory.record()?;
    let needles = needles(texts);
    let mut first: BTreeMap<u64, u64> = BTreeMap::new();
    for needle in &needles {
        for (session, position) in record.said(&memory.account, needle).await? {
            first.entry(session).and_modify(|first| *first = position.min(*first)).or_insert(position);
        }
    }
    let mut changed = 0;
    if !first.is_empty() {
        for kept in record.sessions(&memory.account).await? {
            if let Some(first) = first.get(&kept.number) {
                changed += rewrite(record, &kept, *first, &needles).await?;
            }
        }
    }
    for needle in &needles {
        // As it stands inside JSON.
        let escaped = serde_json::to_string(needle).unwrap_or_default();
        let inside = escaped.get(1..escaped.len().saturating_sub(1)).unwrap_or_default();
        changed += record.redact_lines(&memory.account, inside, PURGED).await?;
    }
    Ok(changed)
}

/// Says the session again from its first message with the text on.
async fn rewrite(record: &dyn Record, kept: &Kept, first: u64, needles: &[String]) -> Result<u64> {
    let mut changed = 0;
    let mut again = Vec::new();
    for message in record.messages(kept.number, first, usize::MAX >> 2).await? {
        let clean = without(&message, needles);
        changed += u64::from(clean != message);
        again.push(said(clean));
    }
    record.say(&kept.session, first, MAKER, &again).await?;
    Ok(changed)
}

fn without(message: &Message, needles: &[String]) -> Message {
    let mut clean = message.clone();
    for needle in needles {
        clean.content = clean.content.replace(needle, PURGED);
        clean.calls = clean.calls.replace(needle, PURGED);
    }
    clean
}

/// The telling lines of the texts as people say them: without list markers and the last full stop, either case first;
/// longest first, so that no part of a longer one is left.
fn needles(texts: &[String]) -> Vec<String> {
    let mut needles = BTreeSet::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        let bare = line.trim().trim_start_matches(['-', '*', '+', '>', ' ']).trim_end_matches(['.', '!', ' ']);
        let mut signs = bare.chars();
        if let Some(head) = signs.next().filter(|_| bare.chars().count() >= TELLING) {
            let rest = signs.as_str();
            needles.insert(bare.to_owned());
            needles.insert(head.to_lowercase().chain(rest.chars()).collect());
            needles.insert(head.to_uppercase().chain(rest.chars()).collect());
        }
    }
    let mut needles: Vec<String> = needles.into_iter().collect();
    needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
    needles
}
