//! Sessions in which a purged text was said: its words are taken out of them, and of what they came to; the rest stays
//! where it is.

use crate::recall::sessions::fresh::{MAKER, said};
use crate::{Memory, Result};
use loci_domain::statement::statements;
use loci_store::record::{Kept, Message, Record};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// What stands in the place of a purged text.
pub const PURGED: &str = "[PURGED]";
/// A shorter line says too little to be taken out of every conversation.
const TELLING: usize = 8;

/// What was taken out.
pub(super) struct Redacted {
    /// Messages that changed.
    pub messages: u64,
    /// Projects whose handbooks are made of something that changed.
    pub projects: Vec<String>,
    /// What was looked for, longest first.
    pub needles: Vec<String>,
}

/// Takes lines of these texts out of all messages, and out of what sessions came to.
pub(super) async fn redact(memory: &Memory, texts: &[String]) -> Result<Redacted> {
    let record = memory.record()?;
    let needles = spelled(memory, needles(texts)).await?;
    let mut first: BTreeMap<u64, u64> = BTreeMap::new();
    for needle in &needles {
        for (session, position) in record.said(&memory.account, needle).await? {
            first.entry(session).and_modify(|first| *first = position.min(*first)).or_insert(position);
        }
    }
    let mut changed = 0;
    for mut kept in record.sessions(&memory.account).await? {
        let title = purged(&kept.session.title, &needles);
        let renamed = std::mem::replace(&mut kept.session.title, title) != kept.session.title;
        match first.get(&kept.number) {
            Some(first) => changed += rewrite(record, &kept, *first, &needles).await?,
            None if renamed => changed += rewrite(record, &kept, kept.messages, &needles).await?,
            None => {}
        }
    }
    for needle in &needles {
        // As it stands inside JSON.
        let escaped = serde_json::to_string(needle).unwrap_or_default();
        let inside = escaped.get(1..escaped.len().saturating_sub(1)).unwrap_or_default();
        changed += record.redact_lines(&memory.account, inside, PURGED).await?;
    }
    let projects = record.redact_extractions(&needles, PURGED).await?;
    Ok(Redacted { messages: changed, projects, needles })
}

/// The needles, and in which other ways conversations say them: in other case, with other blanks, wrapped over lines.
async fn spelled(memory: &Memory, needles: Vec<String>) -> Result<Vec<String>> {
    let record = memory.record()?;
    let mut all: BTreeSet<String> = needles.iter().cloned().collect();
    let titles: Vec<String> =
        record.sessions(&memory.account).await?.into_iter().map(|kept| kept.session.title).collect();
    for needle in &needles {
        let Some(pattern) = loose(needle) else { continue };
        let mut hear = |text: &str| all.extend(pattern.find_iter(text).map(|found| found.as_str().to_owned()));
        titles.iter().for_each(|title| hear(title));
        // The engine looks for one word of it; what stands around that is looked at here.
        let word = needle.split_whitespace().max_by_key(|word| word.len()).unwrap_or(needle);
        for (session, position) in record.said(&memory.account, word).await? {
            for message in record.messages(session, position, 1).await? {
                hear(&message.content);
                hear(&message.calls);
            }
        }
    }
    let mut all: Vec<String> = all.into_iter().collect();
    all.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
    Ok(all)
}

/// The words of a text in any case, with any blanks between them, also as JSON writes line breaks.
fn loose(needle: &str) -> Option<Regex> {
    let words: Vec<String> = needle.split_whitespace().map(regex::escape).collect();
    Regex::new(&format!("(?i){}", words.join(r"(?:\s|\\[nrt])+"))).ok()
}

/// Says the session again from its first message with the text on; only its title when there is none.
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
    let (content, calls) = (purged(&message.content, needles), purged(&message.calls, needles));
    Message { content, calls, ..message.clone() }
}

fn purged(text: &str, needles: &[String]) -> String {
    needles.iter().fold(text.to_owned(), |text, needle| text.replace(needle, PURGED))
}

/// The telling lines of the texts as people say them: without list markers and the last full stop, with and without
/// "remember that", either case first; longest first, so that no part of a longer one is left.
fn needles(texts: &[String]) -> Vec<String> {
    let mut needles = BTreeSet::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        let bare = line.trim().trim_start_matches(['-', '*', '+', '>', ' ']).trim_end_matches(['.', '!', ' ']);
        let stated = statements(bare).into_iter().map(|statement| statement.summary);
        for said in stated.chain([bare.to_owned()]).filter(|said| said.chars().count() >= TELLING) {
            let mut signs = said.chars();
            let head = signs.next().into_iter();
            let rest = signs.as_str();
            needles.insert(head.clone().flat_map(char::to_lowercase).chain(rest.chars()).collect());
            needles.insert(head.flat_map(char::to_uppercase).chain(rest.chars()).collect());
            needles.insert(said);
        }
    }
    let mut needles: Vec<String> = needles.into_iter().collect();
    needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
    needles
}
