//! Who asks: the holder of the daemon's own token, of one that was added by name, or of another account's key.
//!
//! Owns the comparison of tokens. Never keeps one: only their hashes are compared, so neither length nor content of the
//! right one can be measured.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use loci_ledger::{Error, LOCAL, Ledger, Token};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// Everything but what is the owner's.
    Change,
    /// View, recall and context.
    Read,
}

/// Who asks; every route finds it among the request's extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// The person whose daemon it is; only they change settings, connections, the pipeline and accounts.
    Owner,
    /// The holder of a named token.
    Named {
        /// Its name.
        name: String,
        /// What it allows.
        rights: Rights,
    },
    /// The holder of another account's key; nothing of `local` is theirs to see.
    Account {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
    },
}

impl Caller {
    /// What this caller may do.
    pub fn rights(&self) -> Rights {
        match self {
            Caller::Owner | Caller::Account { .. } => Rights::Change,
            Caller::Named { rights, .. } => *rights,
        }
    }

    /// The account that asks.
    pub fn account(&self) -> &str {
        match self {
            Caller::Owner | Caller::Named { .. } => LOCAL,
            Caller::Account { id, .. } => id,
        }
    }
}

/// The hash under which a token is known.
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// A new token: 256 bits that nobody can guess; `None` = the system has no random numbers.
pub fn fresh_key() -> Option<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// How long a token that opened nothing is known, so that who sends it again and again costs no question of the ledger.
const WRONG: Duration = Duration::from_secs(5);
/// How many of them are known at once.
const KNOWN: usize = 4096;

/// The tokens that open this daemon.
pub struct Keys {
    own: [u8; 32],
    /// Hashes that opened nothing, and when.
    wrong: Mutex<HashMap<[u8; 32], Instant>>,
}

impl Keys {
    /// The daemon's own token; it is forgotten at once.
    pub fn new(token: &str) -> Keys {
        Keys { own: hash(token), wrong: Mutex::default() }
    }

    /// Whose request it is; `None` = nobody's that we know. A ledger that does not answer is an error: who is told that
    /// their token is wrong throws it away.
    pub async fn caller(&self, headers: &HeaderMap, ledger: &dyn Ledger) -> Result<Option<Caller>, Error> {
        let Some(given) = bearer(headers).map(hash) else { return Ok(None) };
        if self.own.ct_eq(&given).into() {
            return Ok(Some(Caller::Owner));
        }
        if self.is_wrong(&given) {
            return Ok(None);
        }
        // Asked each time, so that a token that was removed opens nothing any more.
        if let Some(Token { name, read_only, .. }) = ledger.token(&given).await? {
            return Ok(Some(Caller::Named { name, rights: if read_only { Rights::Read } else { Rights::Change } }));
        }
        let found = ledger.account_of_key(&given).await?;
        if found.is_none() {
            self.note_wrong(given);
        }
        Ok(found.map(|found| Caller::Account { id: found.id, name: found.name }))
    }

    /// Whether it opened nothing a moment ago. Tokens are made by chance: none is sent before it is there.
    fn is_wrong(&self, given: &[u8; 32]) -> bool {
        self.wrong.lock().is_ok_and(|wrong| wrong.get(given).is_some_and(|at| at.elapsed() < WRONG))
    }

    fn note_wrong(&self, given: [u8; 32]) {
        let Ok(mut wrong) = self.wrong.lock() else { return };
        if wrong.len() >= KNOWN {
            wrong.clear();
        }
        wrong.insert(given, Instant::now());
    }
}

/// The only token that a request brings along.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (Some(words), None) = (given.next(), given.next()) else { return None };
    let (scheme, token) = words.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use jiff::Timestamp;
    use loci_ledger::{Account, Accounts, Sqlite};

    #[tokio::test]
    async fn a_wrong_token_that_is_sent_again_asks_nobody() {
        let (keys, ledger) = (Keys::new("own"), Sqlite::in_memory().unwrap());
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer guess"));
        assert_eq!(keys.caller(&headers, &ledger).await.unwrap(), None);
        // Were the ledger asked, it would know it now.
        let account = |name: &str| Account {
            id: name.to_owned(),
            name: name.to_owned(),
            hash: hash(name),
            at: Timestamp::UNIX_EPOCH,
        };
        ledger.add_account(&account("guess")).await.unwrap();
        assert_eq!(keys.caller(&headers, &ledger).await.unwrap(), None);
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer other"));
        ledger.add_account(&account("other")).await.unwrap();
        assert!(keys.caller(&headers, &ledger).await.unwrap().is_some());
        assert!(ledger.remove_account("other").await.unwrap());
        assert_eq!(keys.caller(&headers, &ledger).await.unwrap(), None, "a key that went opens nothing");
    }

    #[test]
    fn wrong_tokens_that_are_known_are_bounded() {
        let keys = Keys::new("own");
        (0..=KNOWN).for_each(|n| keys.note_wrong(hash(&n.to_string())));
        assert!(keys.wrong.lock().unwrap().len() <= KNOWN);
        assert!(keys.is_wrong(&hash(&KNOWN.to_string())));
    }
}
