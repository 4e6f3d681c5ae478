//! Paths that cannot leave memory.
//!
//! Owns the grammar of names and virtual paths, checked before any file is touched.
//! Never looks at a disk: links and races are the backend's business.
//! Read [`Virtual::parse`] first; [`EntryPath`] is what everything behind the tool works with.
//!
//! Invariant: path_cannot_escape. An [`EntryPath`] has no empty, dot or parent segment and no separator but `/`.

use crate::scope::Scope;
use crate::sign::is_hidden;
use std::fmt;
use unicode_normalization::is_nfc;

/// The longest virtual path, in bytes.
pub const LONGEST: usize = 1024;
/// Bytes of one segment that somebody may give: no file system takes more, so that a path means the same wherever files lie.
pub const LONGEST_NAME: usize = 255;
/// Where all virtual paths start.
pub const TOP: &str = "/memories";
/// The generated index at a scope's root.
pub const INDEX: &str = "MEMORY.md";

/// Why a path was refused; the words are the published contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    /// It does not start with `/memories`.
    #[error("Path must start with /memories, got: {0}")]
    Foreign(String),
    /// It holds two dots in a row.
    #[error("Path {0} would escape /memories directory")]
    Escape(String),
    /// It breaks another rule.
    #[error("Invalid path {path}: {reason}")]
    Invalid {
        /// As given.
        path: String,
        /// Which rule.
        reason: String,
    },
}

/// A file or folder inside a root, relative to it; ordered by its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryPath(String);

impl EntryPath {
    /// Reads a relative path, such as a name found on disk or in a row.
    pub fn parse(relative: &str) -> Result<EntryPath, BadPath> {
        check(relative, relative)?;
        Ok(EntryPath(relative.to_owned()))
    }

    /// The path as text, `/` between segments.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its segments; at least one.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The folder that it is in; `None` = the root itself.
    pub fn parent(&self) -> Option<EntryPath> {
        self.0.rsplit_once('/').map(|(parent, _)| EntryPath(parent.to_owned()))
    }

    /// A child of this folder.
    pub fn child(&self, name: &str) -> Result<EntryPath, BadPath> {
        let path = format!("{}/{name}", self.0);
        // What is before the name has been checked.
        check(&path, name)?;
        Ok(EntryPath(path))
    }

    /// True when `self` is `folder` or lies below it.
    pub fn is_within(&self, folder: &EntryPath) -> bool {
        self.0.strip_prefix(&folder.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The same file after its folder `from` became `to`.
    pub fn moved(&self, from: &EntryPath, to: &EntryPath) -> Option<EntryPath> {
        let rest = self.0.strip_prefix(&from.0)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| EntryPath(format!("{}{rest}", to.0)))
    }

    /// True when a segment starts with a dot: such files are ignored everywhere.
    pub fn is_hidden(&self) -> bool {
        self.segments().any(|segment| segment.starts_with('.'))
    }

    /// True for the generated index of a scope.
    pub fn is_index(&self) -> bool {
        self.0 == INDEX
    }

    /// How a model names it.
    pub fn virtual_in(&self, scope: Scope) -> String {
        format!("{TOP}/{scope}/{}", self.0)
    }
}

impl fmt::Display for EntryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for EntryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// How `/memories` is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Three scopes below it.
    Scoped,
    /// One bare directory.
    Bare,
}

/// What a virtual path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// `/memories` of the scoped layout, which holds only the scopes.
    Top,
    /// A root: a scope's, or the bare directory (`None`).
    Root(Option<Scope>),
    /// Something inside a root.
    Inside(Option<Scope>, EntryPath),
}

/// A checked virtual path, with the spelling that it was given in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Virtual {
    /// As given; answers repeat it.
    pub given: String,
    /// What it names.
    pub spot: Spot,
    /// True when it was written with a final `/`, so only a directory will do.
    pub folder: bool,
}

impl Virtual {
    /// Checks a virtual path by the grammar.
    pub fn parse(given: &str, layout: Layout) -> Result<Virtual, BadPath> {
        let rest = given.strip_prefix(TOP).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let Some(rest) = rest else { return Err(BadPath::Foreign(given.to_owned())) };
        if given.contains("..") {
            return Err(BadPath::Escape(given.to_owned()));
        }
        let bad = |reason: &str| BadPath::Invalid { path: given.to_owned(), reason: reason.to_owned() };
        if given.len() > LONGEST {
            return Err(bad("it is longer than 1,024 bytes"));
        }
        let folder = rest.ends_with('/');
        let inner = rest.strip_prefix('/').unwrap_or(rest);
        let inner = if folder { inner.strip_suffix('/').unwrap_or(inner) } else { inner };
        let spot = if inner.is_empty() { Ok(top(layout)) } else { spot(inner, layout) };
        Ok(Virtual { given: given.to_owned(), spot: spot.map_err(|reason| bad(&reason))?, folder })
    }

    /// The root that a spelling comes down to after `.`, `..` and doubled slashes, if it is one.
    ///
    /// `delete` and `rename` ask this before the grammar, so that no spelling of a root gets another answer.
    pub fn root_spelled(given: &str, layout: Layout) -> Option<String> {
        let mut steps: Vec<&str> = Vec::new();
        for step in given.strip_prefix('/')?.split('/') {
            match step {
                "" | "." => {}
                ".." => {
                    steps.pop();
                }
                step => steps.push(step),
            }
        }
        match (steps.as_slice(), layout) {
            (["memories"], _) => Some(TOP.to_owned()),
            (["memories", scope], Layout::Scoped) => Scope::from_segment(scope).map(|scope| format!("{TOP}/{scope}")),
            _ => None,
        }
    }
}

fn top(layout: Layout) -> Spot {
    match layout {
        Layout::Scoped => Spot::Top,
        Layout::Bare => Spot::Root(None),
    }
}

fn spot(inner: &str, layout: Layout) -> Result<Spot, String> {
    for segment in inner.split('/') {
        check_segment(segment).map_err(str::to_owned)?;
        if segment.len() > LONGEST_NAME {
            return Err(format!("a name is longer than {LONGEST_NAME} bytes"));
        }
    }
    if layout == Layout::Bare {
        return Ok(Spot::Inside(None, EntryPath(inner.to_owned())));
    }
    let (first, rest) = inner.split_once('/').map_or((inner, None), |(first, rest)| (first, Some(rest)));
    let scope = Scope::from_segment(first)
        .ok_or_else(|| format!("{first:?} is no scope; use {TOP}/global, {TOP}/project or {TOP}/workspace"))?;
    match rest {
        None => Ok(Spot::Root(Some(scope))),
        Some(rest) if EntryPath(rest.to_owned()).is_hidden() => {
            Err("a name that starts with a dot would be ignored".to_owned())
        }
        Some(rest) => Ok(Spot::Inside(Some(scope), EntryPath(rest.to_owned()))),
    }
}

/// Checks the end of a path, the rest of which is known to be good.
fn check(whole: &str, end: &str) -> Result<(), BadPath> {
    // What rows and folders are full of needs no second look.
    if whole.len() <= LONGEST && is_ordinary(end) {
        return Ok(());
    }
    let bad = |reason: &str| BadPath::Invalid { path: whole.to_owned(), reason: reason.to_owned() };
    if end.contains("..") {
        return Err(BadPath::Escape(whole.to_owned()));
    }
    if whole.len() > LONGEST {
        return Err(bad("it is longer than 1,024 bytes"));
    }
    end.split('/').try_for_each(|segment| check_segment(segment).map_err(bad))
}

/// True when every segment is of plain signs, with single dots between them: good by every rule, told in one pass.
fn is_ordinary(path: &str) -> bool {
    // What comes before must be a plain sign, so that no segment is empty, starts or ends with a dot, or has two in a row.
    let mut plain_before = false;
    for byte in path.bytes() {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b' ');
        let joins = plain_before && matches!(byte, b'.' | b'/');
        if !plain && !joins {
            return false;
        }
        plain_before = plain;
    }
    plain_before
}

fn check_segment(segment: &str) -> Result<(), &'static str> {
    let lower = segment.to_ascii_lowercase();
    match segment {
        "" => Err("a segment is empty"),
        "." => Err("a segment is a single dot"),
        _ if segment.contains('~') => Err("~ is not allowed"),
        _ if segment.contains('\\') => Err("a backslash is not allowed"),
        _ if segment.contains(['<', '>', '"']) => Err("< > and \" are not allowed"),
        _ if ["%2e", "%2f", "%5c"].iter().any(|code| lower.contains(code)) => {
            Err("percent-encoded dots and slashes are not allowed")
        }
        _ if segment.contains(is_hidden) => Err("control and invisible characters are not allowed"),
        _ if !is_nfc(segment) => Err("the name is not in Unicode normal form C"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
