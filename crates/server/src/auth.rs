//! Who asks: the holder of the daemon's own token, or of one that was added by name.
//!
//! Owns the comparison of tokens. Never keeps one: only their hashes are compared, so neither length nor content of the
//! right one can be measured.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use loci_ledger::{Ledger, Token};
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
}

impl Caller {
    /// What this caller may do.
    pub fn rights(&self) -> Rights {
        match self {
            Caller::Owner => Rights::Change,
            Caller::Named { rights, .. } => *rights,
        }
    }
}

/// The hash under which a token is known.
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
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

    /// Whose request it is; `None` = nobody's that we know.
    pub async fn caller(&self, headers: &HeaderMap, ledger: &dyn Ledger) -> Option<Caller> {
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let (Some(words), None) = (given.next(), given.next()) else { return None };
        let (scheme, token) = words.to_str().ok()?.split_once(' ')?;
        let given = hash(token);
        let own: bool = self.own.ct_eq(&given).into();
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        if own {
            return Some(Caller::Owner);
        }
        // Asked each time, so that a token that was removed opens nothing any more.
        let found = ledger.token(&given).await.inspect_err(|error| tracing::error!(%error, "tokens cannot be read"));
        let Token { name, read_only, .. } = found.ok().flatten()?;
        Some(Caller::Named { name, rights: if read_only { Rights::Read } else { Rights::Change } })
    }
}
