//! `memory://` addresses: the pages of a project's handbook.
//!
//! Owns their spelling: `memory://root` is the summary, `memory://root/<path>` any other page.
//! Never looks at a disk: links and races are the backend's business.

use crate::index::encoded;
use crate::path::{BadPath, EntryPath};
use std::fmt;

/// The address of the summary, and where all others start.
pub const ROOT: &str = "memory://root";
/// The page behind [`ROOT`].
const SUMMARY: &str = "memory_summary.md";

/// Why an address was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadUri {
    /// It is no address of a page.
    #[error("{0:?} is no address of a page; use memory://root or memory://root/<path>")]
    Foreign(String),
    /// Its path breaks the grammar of paths.
    #[error("{0:?} is no address of a page: its path may not lead anywhere else")]
    Path(String),
}

/// A checked address of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageUri {
    path: EntryPath,
}

impl PageUri {
    /// Reads an address.
    pub fn parse(given: &str) -> Result<PageUri, BadUri> {
        let foreign = || BadUri::Foreign(given.chars().take(200).collect());
        let rest = given.strip_prefix(ROOT).ok_or_else(foreign)?;
        if rest.is_empty() {
            return PageUri::summary();
        }
        let inner = rest.strip_prefix('/').ok_or_else(foreign)?;
        let bad = |_: BadPath| BadUri::Path(given.chars().take(200).collect());
        // A spelling that hides dots or slashes is refused as it stands; what is left is decoded and checked once more.
        EntryPath::parse(inner).map_err(bad)?;
        let path = EntryPath::parse(&decoded(inner).ok_or_else(foreign)?).map_err(bad)?;
        if path.is_hidden() {
            return Err(BadUri::Path(given.chars().take(200).collect()));
        }
        Ok(PageUri { path })
    }

    /// The address of the summary.
    pub fn summary() -> Result<PageUri, BadUri> {
        EntryPath::parse(SUMMARY).map(|path| PageUri { path }).map_err(|_| BadUri::Path(SUMMARY.to_owned()))
    }

    /// The address of a page by its path in the handbook.
    pub fn of(path: EntryPath) -> PageUri {
        PageUri { path }
    }

    /// Where the page lies in the handbook.
    pub fn path(&self) -> &EntryPath {
        &self.path
    }

    /// True for the summary.
    pub fn is_summary(&self) -> bool {
        self.path.as_str() == SUMMARY
    }
}

impl fmt::Display for PageUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_summary() {
            true => f.write_str(ROOT),
            false => write!(f, "{ROOT}/{}", encoded(self.path.as_str())),
        }
    }
}

/// The text behind percent signs; `None` when they stand for no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_pages() {
        for (given, path) in [
            ("memory://root", "memory_summary.md"),
            ("memory://root/MEMORY.md", "MEMORY.md"),
            ("memory://root/skills/release/SKILL.md", "skills/release/SKILL.md"),
            ("memory://root/skills/two%20words/SKILL.md", "skills/two words/SKILL.md"),
        ] {
            let uri = PageUri::parse(given).unwrap();
            assert_eq!((uri.path().as_str(), uri.to_string().as_str()), (path, given));
        }
    }

    #[test]
    fn no_address_leads_elsewhere() {
        for given in [
            "",
            "memory://",
            "memory://rooted",
            "memory://other/MEMORY.md",
            "memory://../config.toml",
            "file:///etc/passwd",
            "not a uri",
            "memory://root/",
            "memory://root//etc/passwd",
            "memory://root/../../../token",
            "memory://root/..%2f..%2ftoken",
            "memory://root/%2e%2e/token",
            "memory://root/%252e%252e/token",
            "memory://root/%2E%2E%5ctoken",
            "memory://root/a\\b",
            "memory://root/a%00b",
            "memory://root/a%zz",
            "memory://root/a%ff",
            "memory://root/~/x",
            "memory://root/.staging/MEMORY.md",
        ] {
            assert!(PageUri::parse(given).is_err(), "{given}");
        }
    }
}
