//! Which changes are taken back, and which one a plain undo would take back next.

use super::Result;
use super::{codec, roots};
use crate::rows::journal::{change, select_change};
use loci_domain::change::{Change, ChangeId, Place};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashSet;

/// Marks a change as undone, and walks on along what it had undone itself: taking back an undo brings the first
/// change back, taking that back undoes it again.
pub(super) fn mark(db: &Connection, id: &str) -> Result<()> {
    let mut next = Some(id.to_owned());
    let mut undone = true;
    // A damaged journal could name itself in a circle.
    let mut seen = HashSet::new();
    while let Some(id) = next.take().filter(|id| seen.insert(id.clone())) {
        let mut statement = db.prepare_cached("UPDATE changes SET undone = ?2 WHERE id = ?1 RETURNING undoes")?;
        next = statement.query_row(params![id, undone], |row| row.get(0)).optional()?.flatten();
        undone = !undone;
    }
    Ok(())
}

/// See [`crate::Journal::last_undoable`].
pub(super) fn last(db: &Connection, places: &[Place]) -> Result<Vec<Change>> {
    let mut newest: Option<(i64, String)> = None;
    let mut asked = HashSet::new();
    for place in places {
        let Some(root) = roots::find(db, place)? else { continue };
        asked.insert(place);
        let mut statement = db.prepare_cached(
            "SELECT seq, grouped FROM changes INDEXED BY changes_order
             WHERE root = ?1 AND settled = 1 AND undone = 0 AND undoes IS NULL AND actor <> 'editor'
             ORDER BY seq DESC LIMIT 1",
        )?;
        let found = statement.query_row([root], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        newest = newest.max(found);
    }
    let Some((_, group)) = newest else { return Ok(Vec::new()) };
    let mut group = standing(db, &group)?;
    group.retain(|change| asked.contains(&change.place));
    Ok(group)
}

/// See [`crate::Journal::standing`].
pub(super) fn standing(db: &Connection, group: &str) -> Result<Vec<Change>> {
    let mut statement = db.prepare_cached(select_change!(
        "WHERE grouped = ?1 AND settled = 1 AND undone = 0 AND undoes IS NULL AND actor <> 'editor' ORDER BY seq"
    ))?;
    codec::all(statement.query([group])?, change)
}

/// Settles an intended change; an unknown or settled one stays as it is.
pub(super) fn settle(db: &Connection, id: &ChangeId) -> Result<()> {
    let mut statement =
        db.prepare_cached("UPDATE changes SET settled = 1 WHERE id = ?1 AND settled = 0 RETURNING undoes")?;
    let undoes: Option<String> = statement.query_row([&id.0], |row| row.get(0)).optional()?.flatten();
    undoes.map_or(Ok(()), |undone| mark(db, &undone))
}
