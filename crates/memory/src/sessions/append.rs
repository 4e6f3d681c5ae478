//! Adding to a session what was said since: for conversations that Loci itself keeps, which only ever grow.

use super::import::{LONGEST_NAME, message};
use super::read::first_words;
use super::{Memory, Result};
use crate::Error;
use crate::recall::sessions::fresh::{MAKER, said};
use loci_domain::secrets;
use loci_domain::transcript::{Format, Turn};
use loci_store::record::Session;

impl Memory {
    /// How many messages a session of this project has; 0 for one that is not there.
    pub async fn session_length(&self, id: &str) -> Result<u64> {
        Ok(self.record()?.session(&self.whose(), id).await?.map_or(0, |kept| kept.messages))
    }

    /// Puts turns behind the first `from` messages of a session, without secrets; what stood there before goes.
    pub async fn append_session(&self, id: &str, from: u64, turns: Vec<Turn>) -> Result<()> {
        if id.is_empty() || id.len() > LONGEST_NAME {
            return Err(Error::BadSession(id.to_owned()));
        }
        let now = self.store.now();
        let at = turns.iter().filter_map(|turn| turn.at).max().unwrap_or(now);
        let format = Format::Loci.word().to_owned();
        let whose = self.whose();
        let known = self.record()?.session(&whose, id).await?.map(|kept| kept.session.title);
        let title = match known.filter(|title| from > 0 && !title.is_empty()) {
            Some(title) => title,
            None => secrets::redact(&turns.iter().find_map(first_words).unwrap_or_default()).into_owned(),
        };
        let session = Session { whose, id: id.to_owned(), title, format, at, kept_at: now };
        let messages: Vec<_> = turns.into_iter().map(|turn| said(message(turn))).collect();
        Ok(self.record()?.say(&session, from, MAKER, &messages).await?)
    }
}
