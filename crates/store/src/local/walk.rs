//! Bounded walks in path order, whatever the tree.

use super::jail::Jail;
use super::write::UNFINISHED;
use super::{NO_FOLLOW, meta};
use crate::backend::{Listing, Meta, Node, Show};
use crate::{Error, Result};
use loci_domain::path::EntryPath;
use rustix::fd::OwnedFd;
use rustix::fs::{Dir, Mode, OFlags, openat, statat};
use rustix::io::Errno;

/// How many refused names are worth telling.
const TOLD: usize = 50;

pub(super) fn list(jail: &Jail, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
    let mut listing = Listing { complete: true, ..Listing::default() };
    if let Some(folder) = jail.folder(under)? {
        descend(&folder, under, show, limit, &mut listing)?;
    }
    Ok(listing)
}

fn descend(folder: &OwnedFd, at: Option<&EntryPath>, show: Show, limit: usize, listing: &mut Listing) -> Result<()> {
    for (name, meta) in entries(folder, at, show, limit, listing)? {
        if listing.files.len() >= limit {
            listing.complete = false;
            return Ok(());
        }
        let parsed = match at {
            Some(at) => at.child(&name),
            None => EntryPath::parse(&name),
        };
        let Ok(path) = parsed else {
            listing.nameless += 1;
            tell(listing, at, &name);
            continue;
        };
        match meta.node {
            Node::File => listing.files.push((path, meta)),
            Node::Folder => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let inner = match openat(folder, &name, flags, Mode::empty()) {
                    Ok(inner) => inner,
                    // It went, or became a link, since we read its name.
                    Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => continue,
                    Err(errno) => return Err(errno.into()),
                };
                listing.folders.push(path.clone());
                descend(&inner, Some(&path), show, limit, listing)?;
            }
        }
    }
    Ok(())
}

/// A folder's nodes in the order that puts whole paths into byte order: a folder sorts as its name with a `/`.
///
/// Keeps only the first ones of a huge folder, so memory stays bounded.
fn entries(
    folder: &OwnedFd,
    at: Option<&EntryPath>,
    show: Show,
    limit: usize,
    listing: &mut Listing,
) -> Result<Vec<(String, Meta)>> {
    let keep = limit.saturating_mul(2).saturating_add(1000);
    let mut found: Vec<(String, Meta)> = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().to_str() else {
            listing.nameless += 1;
            tell(listing, at, &entry.file_name().to_string_lossy());
            continue;
        };
        if name.starts_with(UNFINISHED) && listing.leftovers.last() != Some(&at.cloned()) {
            listing.leftovers.push(at.cloned());
        }
        if name == "."
            || name == ".."
            || name.starts_with(UNFINISHED)
            || (show == Show::Visible && name.starts_with('.'))
        {
            continue;
        }
        let meta = match statat(folder, entry.file_name(), NO_FOLLOW).map_err(Error::from).and_then(|stat| meta(&stat))
        {
            Ok(meta) => meta,
            Err(Error::Missing) => continue,
            Err(Error::Link | Error::Odd) => {
                tell(listing, at, name);
                continue;
            }
            Err(error) => return Err(error),
        };
        found.push((name.to_owned(), meta));
        if found.len() > keep.saturating_mul(2) {
            sort(&mut found);
            found.truncate(keep);
            listing.complete = false;
        }
    }
    sort(&mut found);
    if found.len() > keep {
        found.truncate(keep);
        listing.complete = false;
    }
    Ok(found)
}

fn sort(found: &mut [(String, Meta)]) {
    fn key((name, meta): &(String, Meta)) -> impl Iterator<Item = u8> {
        name.bytes().chain((meta.node == Node::Folder).then_some(b'/'))
    }
    found.sort_unstable_by(|a, b| key(a).cmp(key(b)));
}

fn tell(listing: &mut Listing, at: Option<&EntryPath>, name: &str) {
    if listing.refused.len() < TOLD {
        listing.refused.push(at.map_or_else(|| name.to_owned(), |at| format!("{at}/{name}")));
    }
}
