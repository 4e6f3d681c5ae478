//! Columns of a row, whichever engine it came from: what lets one reader in `rows/` serve them all.
//!
//! A column that makes no sense reads as damage, never as a guess.

use crate::{Error, Result, values};
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;

/// A row, read by the positions of its columns. An engine gives the plain values; what they mean is the same for all.
pub(crate) trait Columns {
    fn text(&self, at: usize) -> Result<String>;
    fn maybe_text(&self, at: usize) -> Result<Option<String>>;
    /// A text that is only looked at.
    fn borrowed_text(&self, at: usize) -> Result<&str>;
    fn number(&self, at: usize) -> Result<i64>;
    fn maybe_number(&self, at: usize) -> Result<Option<i64>>;
    /// A count that is never large; the engine says what becomes of one that is.
    fn small_count(&self, at: usize) -> Result<u32>;
    fn flag(&self, at: usize) -> Result<bool>;
    fn bytes(&self, at: usize) -> Result<Vec<u8>>;
    /// Bytes that are only looked at.
    fn borrowed_bytes(&self, at: usize) -> Result<&[u8]>;
    fn is_null(&self, at: usize) -> Result<bool>;

    /// A column that may be NULL.
    fn maybe<T>(&self, at: usize, read: fn(&Self, usize) -> Result<T>) -> Result<Option<T>> {
        if self.is_null(at)? { Ok(None) } else { read(self, at).map(Some) }
    }

    fn count(&self, at: usize) -> Result<u64> {
        values::counted(self.number(at)?)
    }

    fn time(&self, at: usize) -> Result<Timestamp> {
        values::time(self.number(at)?)
    }

    fn maybe_time(&self, at: usize) -> Result<Option<Timestamp>> {
        self.maybe_number(at)?.map(values::time).transpose()
    }

    fn path(&self, at: usize) -> Result<EntryPath> {
        EntryPath::parse(self.borrowed_text(at)?).map_err(|bad| Error::Corrupt(format!("a path: {bad}")))
    }

    fn digest(&self, at: usize) -> Result<Digest> {
        let bytes = self.borrowed_bytes(at)?;
        Digest::from_bytes(bytes).ok_or_else(|| Error::Corrupt(format!("a digest of {} bytes", bytes.len())))
    }

    /// The hash of a secret.
    fn hash(&self, at: usize) -> Result<[u8; 32]> {
        let bytes = self.borrowed_bytes(at)?;
        bytes.try_into().map_err(|_| Error::Corrupt("a hash of another length".to_owned()))
    }

    /// One of a closed list of words.
    fn word<T>(&self, at: usize, read: fn(&str) -> Option<T>) -> Result<T> {
        let text = self.borrowed_text(at)?;
        read(text).ok_or_else(|| Error::Corrupt(format!("an unknown word {text:?}")))
    }
}
