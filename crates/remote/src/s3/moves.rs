//! Renames in a place that has none: copies, then deletions, and a note that lets a crash in between be made good.
//!
//! The note lies at the root as `.loci-move-<id>`, so every listing sees it and a sweep settles it: until all is copied the
//! copies are taken back, from then on the sources go. A copy carries the note's id, so nothing else is ever taken back,
//! and a source goes only if it still has the bytes that were copied.
//! Copies are a read and a conditional write of ours: the servers' own copy would overwrite what somebody just put there.

use super::put::{Put, fresh, put};
use super::{AT_ONCE, LARGEST, S3};
use crate::gather::UNFINISHED;
use bytes::Bytes;
use futures_util::future::try_join_all;
use loci_domain::path::EntryPath;
use loci_store::{Backend, Error, Result};
use object_store::PutMode;
use object_store::path::Path;
use serde::{Deserialize, Serialize};

const NOTE: &str = ".loci-move-";

#[derive(Serialize, Deserialize)]
struct Move {
    from: String,
    to: String,
    /// What follows `from` and `to` in each key; empty for a single file.
    files: Vec<String>,
    /// The mark of each file, once all are copied.
    copied: Option<Vec<String>>,
}

pub(super) async fn rename(place: &S3, from: &EntryPath, to: &EntryPath) -> Result<()> {
    if to != from && to.is_within(from) {
        return Err(Error::IntoItself);
    }
    let files = sources(place, from).await?;
    if files.is_empty() {
        return Err(Error::Missing);
    }
    if place.stat(Some(to)).await?.is_some() {
        return Err(Error::Exists);
    }
    place.way_is_free(to).await?;
    let mut moving = Move { from: from.to_string(), to: to.to_string(), files, copied: None };
    let id = fresh();
    let note = place.key(&format!("{NOTE}{id}"))?;
    write_note(place, &note, &moving, PutMode::Create).await?;
    match copy(place, &moving, &id).await {
        Ok(marks) => moving.copied = Some(marks),
        Err(error) => {
            // What cannot be taken back now is swept later: the note stays until it is done.
            if take_back(place, &moving, &id).await.is_ok() {
                let _ = place.delete(vec![note]).await;
            }
            return Err(error);
        }
    }
    let noted = match place.look(&note).await? {
        Some(seen) => write_note(place, &note, &moving, PutMode::Update(seen.version)).await,
        None => Err(Error::Busy),
    };
    if let Err(Error::Busy) = noted {
        // Somebody swept the note while we slept: for everybody else this rename never was.
        take_back(place, &moving, &id).await?;
    }
    noted?;
    finish(place, &moving).await?;
    place.delete(vec![note]).await
}

/// Settles what a crash left of renames, and removes other unfinished work in a folder.
pub(super) async fn sweep(place: &S3, folder: Option<&EntryPath>) -> Result<()> {
    let prefix = format!("{}{UNFINISHED}", place.below(folder.map(EntryPath::as_str)));
    let mut found = Vec::new();
    place
        .pages(&prefix, |objects| {
            found.extend(objects.into_iter().map(|object| object.location));
            super::objects::Walk::On
        })
        .await?;
    for key in found {
        let id = key.filename().and_then(|name| name.strip_prefix(NOTE)).map(str::to_owned);
        if let (Some(id), None) = (id, folder) {
            settle(place, &key, &id).await?;
        }
        place.delete(vec![key]).await?;
    }
    Ok(())
}

async fn settle(place: &S3, note: &Path, id: &str) -> Result<()> {
    let Some((bytes, _)) = place.fetch(note, LARGEST).await? else { return Ok(()) };
    match serde_json::from_slice::<Move>(&bytes) {
        Ok(moving) if moving.copied.is_some() => finish(place, &moving).await,
        Ok(moving) => take_back(place, &moving, id).await,
        // None of ours: we write a note whole or not at all.
        Err(_) => Ok(()),
    }
}

/// Keys at and below `from`, without it.
async fn sources(place: &S3, from: &EntryPath) -> Result<Vec<String>> {
    if place.look(&place.key(from.as_str())?).await?.is_some() {
        return Ok(vec![String::new()]);
    }
    Ok(place.all_below(from.as_str()).await?.into_iter().map(|(rest, _)| format!("/{rest}")).collect())
}

/// Copies all files; the marks of what was copied.
async fn copy(place: &S3, moving: &Move, id: &str) -> Result<Vec<String>> {
    let mut marks = Vec::new();
    for some in moving.files.chunks(AT_ONCE) {
        marks.extend(try_join_all(some.iter().map(|rest| copy_one(place, moving, rest, id))).await?);
    }
    Ok(marks)
}

async fn copy_one(place: &S3, moving: &Move, rest: &str, id: &str) -> Result<String> {
    let (from, to) = ends(place, moving, rest)?;
    let Some((bytes, seen)) = place.fetch(&from, LARGEST).await? else { return Err(Error::Missing) };
    match put(place, &to, Bytes::from(bytes), PutMode::Create, id).await? {
        Put::Done(_) => Ok(seen.mark()),
        Put::Conflict => Err(Error::Exists),
    }
}

/// Deletes the sources that are still what was copied.
async fn finish(place: &S3, moving: &Move) -> Result<()> {
    let marks: Vec<&String> = moving.copied.iter().flatten().collect();
    let copied: Vec<(&String, &String)> = moving.files.iter().zip(marks).collect();
    for some in copied.chunks(AT_ONCE) {
        try_join_all(some.iter().map(|(rest, mark)| finish_one(place, moving, rest, mark))).await?;
    }
    Ok(())
}

async fn finish_one(place: &S3, moving: &Move, rest: &str, mark: &str) -> Result<()> {
    let (from, _) = ends(place, moving, rest)?;
    match place.look(&from).await? {
        Some(seen) if seen.mark() == mark => place.delete(vec![from]).await,
        _ => Ok(()),
    }
}

/// Deletes the copies that this very rename made.
async fn take_back(place: &S3, moving: &Move, id: &str) -> Result<()> {
    for some in moving.files.chunks(AT_ONCE) {
        try_join_all(some.iter().map(|rest| take_back_one(place, moving, rest, id))).await?;
    }
    Ok(())
}

async fn take_back_one(place: &S3, moving: &Move, rest: &str, id: &str) -> Result<()> {
    let (_, to) = ends(place, moving, rest)?;
    match place.look(&to).await? {
        Some(seen) if seen.writer.as_deref() == Some(id) => place.delete(vec![to]).await,
        _ => Ok(()),
    }
}

fn ends(place: &S3, moving: &Move, rest: &str) -> Result<(Path, Path)> {
    Ok((place.key(&format!("{}{rest}", moving.from))?, place.key(&format!("{}{rest}", moving.to))?))
}

async fn write_note(place: &S3, note: &Path, moving: &Move, mode: PutMode) -> Result<()> {
    let bytes = serde_json::to_vec(moving).map_err(|_| Error::Io("a note could not be written".to_owned()))?;
    match put(place, note, Bytes::from(bytes), mode, &fresh()).await? {
        Put::Done(_) => Ok(()),
        Put::Conflict => Err(Error::Busy),
    }
}
