//! Which changes are taken back, and which one a plain undo would take back next.

use super::{Result, codec, roots};
use crate::columns::Columns;
use crate::rows::journal::{change, select_change};
use loci_domain::change::{Change, ChangeId, Place};
use sqlx::PgConnection;
use std::collections::HashSet;

/// Marks a change as undone, and walks on along what it had undone itself: taking back an undo brings the first
/// change back, taking that back undoes it again.
pub(super) async fn mark(db: &mut PgConnection, id: &str) -> Result<()> {
    let mut next = Some(id.to_owned());
    let mut undone = true;
    // A damaged journal could name itself in a circle.
    let mut seen = HashSet::new();
    while let Some(id) = next.take().filter(|id| seen.insert(id.clone())) {
        let mark = sqlx::query_scalar("UPDATE changes SET undone = $2 WHERE id = $1 RETURNING undoes");
        let undoes: Option<Option<String>> = mark.bind(codec::text(&id)).bind(undone).fetch_optional(&mut *db).await?;
        next = undoes.flatten();
        undone = !undone;
    }
    Ok(())
}

/// See [`crate::Journal::last_undoable`].
pub(super) async fn last(db: &mut PgConnection, places: &[Place]) -> Result<Vec<Change>> {
    let mut newest: Option<(i64, String)> = None;
    let mut asked = HashSet::new();
    for place in places {
        let Some(root) = roots::find(db, place).await? else { continue };
        asked.insert(place);
        let found = sqlx::query(
            "SELECT seq, grouped FROM changes
             WHERE root = $1 AND settled AND NOT undone AND undoes IS NULL AND actor <> 'editor'
             ORDER BY seq DESC LIMIT 1",
        )
        .bind(root)
        .fetch_optional(&mut *db)
        .await?;
        if let Some(row) = found {
            newest = newest.max(Some((row.number(0)?, row.text(1)?)));
        }
    }
    let Some((_, group)) = newest else { return Ok(Vec::new()) };
    let mut group = standing(db, &group).await?;
    group.retain(|change| asked.contains(&change.place));
    Ok(group)
}

/// See [`crate::Journal::standing`].
pub(super) async fn standing(db: &mut PgConnection, group: &str) -> Result<Vec<Change>> {
    let rows = sqlx::query(select_change!(
        "WHERE grouped = $1 AND settled AND NOT undone AND undoes IS NULL AND actor <> 'editor' ORDER BY seq"
    ))
    .bind(group)
    .fetch_all(&mut *db)
    .await?;
    codec::all(&rows, change)
}

/// Settles intended changes; unknown and settled ones stay as they are.
pub(super) async fn settle(db: &mut PgConnection, ids: &[ChangeId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let undone: Vec<Option<String>> = sqlx::query_scalar(
        "WITH settled AS (UPDATE changes SET settled = TRUE WHERE id = ANY($1) AND NOT settled RETURNING id, undoes)
         SELECT undoes FROM settled ORDER BY array_position($1, id)",
    )
    .bind(ids.iter().map(|id| codec::text(&id.0)).collect::<Vec<_>>())
    .fetch_all(&mut *db)
    .await?;
    for undone in undone.iter().flatten() {
        mark(db, undone).await?;
    }
    Ok(())
}
