//! Who asks: the holder of the daemon's own token, of one that was added by name, or of another account's key.
//!
//! Owns the comparison of tokens. Never keeps one: only their hashes are compared, so neither length nor content of the
//! right one can be measured.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use loci_ledger::{Error, LOCAL, Ledger, Token};
use sha2::{Digest, Sha256};
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

/// The tokens that open this daemon.
pub struct Keys {
    own: [u8; 32],
}

impl Keys {
    /// The daemon's own token; it is forgotten at once.
    pub fn new(token: &str) -> Keys {
        Keys { own: hash(token) }
    }

    /// Whose request it is; `None` = nobody's that we know. A ledger that does not answer is an error: who is told that
    /// their token is wrong throws it away.
    pub async fn caller(&self, headers: &HeaderMap, ledger: &dyn Ledger) -> Result<Option<Caller>, Error> {
        let Some(given) = bearer(headers).map(hash) else { return Ok(None) };
        if self.own.ct_eq(&given).into() {
            return Ok(Some(Caller::Owner));
        }
        // Asked each time, so that a token that was removed opens nothing any more.
        if let Some(Token { name, read_only, .. }) = ledger.token(&given).await? {
            return Ok(Some(Caller::Named { name, rights: if read_only { Rights::Read } else { Rights::Change } }));
        }
        let found = ledger.account_of_key(&given).await?;
        Ok(found.map(|found| Caller::Account { id: found.id, name: found.name }))
    }
}

/// The only token that a request brings along.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (Some(words), None) = (given.next(), given.next()) else { return None };
    let (scheme, token) = words.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}
