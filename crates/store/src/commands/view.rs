//! `view`: a directory two levels deep, or a file with line numbers.

use super::call::Fields;
use super::{about, check_lines, missing, not_text, numbered};
use crate::backend::{Listing, Node, Show};
use crate::store::{Root, Store};
use crate::{Error, Result, catalog};
use loci_domain::fault::Fault;
use loci_domain::path::{EntryPath, Spot, TOP, Virtual};
use loci_domain::scope::Scope;
use std::collections::BTreeMap;

/// Which lines of a file to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// All.
    Whole,
    /// `view_range`: first and last line, −1 = the end.
    Range(i64, i64),
    /// `offset` and `limit`.
    Slice(i64, Option<i64>),
}

impl Window {
    pub(super) fn read(fields: &Fields) -> Result<Window> {
        if let Some([first, last]) = fields.pair("view", "view_range")? {
            return Ok(Window::Range(first, last));
        }
        match (fields.whole("view", "offset")?, fields.whole("view", "limit")?) {
            (None, None) => Ok(Window::Whole),
            (offset, limit) => Ok(Window::Slice(offset.unwrap_or(1), limit)),
        }
    }

    /// First and last line, from 1; the end is clamped, a start that shows nothing is an error.
    fn lines(self, total: usize) -> Result<(usize, usize)> {
        let total = total as i64;
        let bad = |name: &str, shown: String| {
            let text = format!(
                "Invalid `{name}` parameter: {shown}. It should be within the range of lines of the file: [1, {total}]"
            );
            Error::refused(Fault::Invalid, text)
        };
        let (first, last) = match self {
            Window::Whole => (1, total),
            Window::Range(first, last) => {
                let end = if last == -1 { total } else { last.min(total) };
                if first < 1 || first > end {
                    return Err(bad("view_range", format!("[{first}, {last}]")));
                }
                (first, end)
            }
            Window::Slice(offset, limit) => {
                if offset < 1 || offset > total {
                    return Err(bad("offset", offset.to_string()));
                }
                match limit {
                    Some(limit) if limit < 1 => {
                        return Err(Error::refused(
                            Fault::Invalid,
                            format!("Invalid `limit` parameter: {limit}. It should be at least 1"),
                        ));
                    }
                    Some(limit) => (offset, (offset - 1).saturating_add(limit).min(total)),
                    None => (offset, total),
                }
            }
        };
        Ok((first as usize, last as usize))
    }
}

/// How many files a listing looks at before it stops.
const WIDEST: usize = 20_000;

pub(super) async fn run(store: &Store, given: &str, window: Window) -> Result<String> {
    let path = Virtual::parse(given, store.layout())?;
    match &path.spot {
        Spot::Top => top(store, &path).await,
        Spot::Root(scope) => directory(store, store.root(*scope)?, &path, None).await,
        Spot::Inside(scope, inner) => {
            let root = store.root(*scope)?;
            let meta = root.backend.stat(Some(inner)).await.map_err(|error| about(&path, error))?;
            match meta.map(|meta| meta.node) {
                None => Err(missing(&path)),
                Some(Node::Folder) => directory(store, root, &path, Some(inner)).await,
                Some(Node::File) if path.folder => Err(missing(&path)),
                Some(Node::File) => file(store, root, &path, inner, window).await,
            }
        }
    }
}

async fn file(store: &Store, root: &Root, path: &Virtual, inner: &EntryPath, window: Window) -> Result<String> {
    let blob = store.read(root, inner).await.map_err(|error| about(path, error))?.ok_or_else(|| missing(path))?;
    let text = catalog::text(&blob.bytes).ok_or_else(|| not_text(path))?;
    let (first, last) = window.lines(check_lines(path, text)?)?;
    let shown = numbered(text.split('\n').skip(first - 1).take(last + 1 - first), first);
    if let Some(record) = store.record()
        && !(root.scope.is_some() && inner.is_index())
        && let Err(error) = record.touch(&root.key.identity, inner, store.now()).await
    {
        // A use that is not counted must not keep a memory from being read.
        tracing::warn!(%error, "the use was not counted");
    }
    Ok(format!("Here's the content of {} with line numbers:\n{shown}", path.given))
}

async fn directory(store: &Store, root: &Root, path: &Virtual, under: Option<&EntryPath>) -> Result<String> {
    store.recovered(root).await?;
    let listing = root.backend.list(under, Show::Visible, WIDEST).await.map_err(|error| about(path, error))?;
    let base = path.given.strip_suffix('/').unwrap_or(&path.given);
    let mut lines = vec![format!("{}\t{}", size(total(&listing)), path.given)];
    lines.extend(rows(&listing, under, 2).into_iter().map(|(name, bytes)| format!("{}\t{base}/{name}", size(bytes))));
    Ok(format!("{}\n{}", heading(&path.given), lines.join("\n")))
}

/// `/memories` itself: the scopes and what lies at their top; an unavailable one with its reason.
async fn top(store: &Store, path: &Virtual) -> Result<String> {
    let mut lines = Vec::new();
    let mut all = 0;
    for scope in Scope::ALL {
        let root = match store.root(Some(scope)) {
            Ok(root) => root,
            Err(Error::Unavailable { reason, .. }) => {
                lines.push(format!("0B\t{TOP}/{scope}/ (unavailable: {reason})"));
                continue;
            }
            Err(error) => return Err(error),
        };
        store.recovered(root).await?;
        let listing = root.backend.list(None, Show::Visible, WIDEST).await.map_err(|error| about(path, error))?;
        all += total(&listing);
        lines.push(format!("{}\t{TOP}/{scope}/", size(total(&listing))));
        lines.extend(
            rows(&listing, None, 1).into_iter().map(|(name, bytes)| format!("{}\t{TOP}/{scope}/{name}", size(bytes))),
        );
    }
    lines.insert(0, format!("{}\t{}", size(all), path.given));
    Ok(format!("{}\n{}", heading(&path.given), lines.join("\n")))
}

fn heading(given: &str) -> String {
    format!(
        "Here're the files and directories up to 2 levels deep in {given}, excluding hidden items and node_modules:"
    )
}

/// Files and folders down to `depth` below `under`, by path, folders with a final `/` and the size of all below them.
fn rows(listing: &Listing, under: Option<&EntryPath>, depth: usize) -> BTreeMap<String, u64> {
    let skip = under.map_or(0, |under| under.as_str().len() + 1);
    let inner = |path: &EntryPath| path.as_str()[skip..].to_owned();
    let shown = |name: &str| !name.split('/').any(|segment| segment == "node_modules");
    let mut rows = BTreeMap::new();
    for folder in listing.folders.iter().map(inner).filter(|name| shown(name) && name.split('/').count() <= depth) {
        rows.insert(format!("{folder}/"), 0);
    }
    for (path, meta) in &listing.files {
        let name = inner(path);
        if !shown(&name) {
            continue;
        }
        let slashes: Vec<usize> = name.match_indices('/').map(|(at, _)| at).take(depth).collect();
        for at in &slashes {
            *rows.entry(name[..=*at].to_owned()).or_insert(0) += meta.bytes;
        }
        if slashes.len() < depth {
            rows.insert(name, meta.bytes);
        }
    }
    rows
}

fn total(listing: &Listing) -> u64 {
    listing.files.iter().map(|(_, meta)| meta.bytes).sum()
}

/// 1024-based, one decimal unless whole, as the reference has it: `0B`, `512B`, `1.5K`, and `1.0K` for what is not quite one.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "K", "M", "G"];
    let mut amount = bytes as f64;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    // Halves go up (`1.25` is `1.3`): formatting alone would take the even neighbour.
    let rounded = (amount * 10.0).round() / 10.0;
    if amount.fract() == 0.0 { format!("{amount}{}", UNITS[unit]) } else { format!("{rounded:.1}{}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_reference() {
        let shown = |sizes: &[u64]| sizes.iter().map(|bytes| size(*bytes)).collect::<Vec<String>>();
        assert_eq!(shown(&[0, 512, 1023, 1024, 1536, 2048]), ["0B", "512B", "1023B", "1K", "1.5K", "2K"]);
        assert_eq!(shown(&[1025, 1280, 10_239, 1_048_575]), ["1.0K", "1.3K", "10.0K", "1024.0K"]);
        assert_eq!(shown(&[1 << 20, 1_048_577, 5 << 30, 5 << 40]), ["1M", "1.0M", "5G", "5120G"]);
    }

    #[test]
    fn windows_are_clamped_at_the_end_only() {
        assert_eq!(Window::Range(2, 9).lines(5).unwrap(), (2, 5));
        assert_eq!(Window::Range(4, -1).lines(5).unwrap(), (4, 5));
        assert_eq!(Window::Slice(5, Some(9)).lines(5).unwrap(), (5, 5));
        for bad in [
            Window::Range(6, 9),
            Window::Range(3, 2),
            Window::Range(0, 2),
            Window::Slice(6, None),
            Window::Slice(1, Some(0)),
        ] {
            assert!(bad.lines(5).is_err(), "{bad:?}");
        }
    }
}
