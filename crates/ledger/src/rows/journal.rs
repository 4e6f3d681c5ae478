//! Rows of changes.

use crate::Result;
use crate::columns::Columns;
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Op, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;

/// Asks for changes as [`change`] reads them, with the number of each behind; `by` an index, in an engine that must be
/// told.
macro_rules! select_change {
    ($(by $index:literal,)? $rest:literal) => {
        concat!(
            "SELECT changes.id, grouped, at, actor, op, place, path, new_path, before, after, undoes, seq ",
            "FROM changes ", $("INDEXED BY ", $index, " ",)? "JOIN roots ON roots.id = changes.root ",
            $rest
        )
    };
}
pub(crate) use select_change;

pub(crate) fn change(row: &impl Columns) -> Result<Change> {
    Ok(Change {
        id: ChangeId(row.text(0)?),
        group: GroupId(row.text(1)?),
        at: row.time(2)?,
        actor: row.word(3, Actor::from_word)?,
        op: row.word(4, Op::from_word)?,
        place: Place(row.text(5)?),
        path: row.path(6)?,
        new_path: row.maybe(7, Columns::path)?,
        before: row.maybe(8, Columns::digest)?,
        after: row.maybe(9, Columns::digest)?,
        undoes: row.maybe_text(10)?.map(ChangeId),
    })
}

/// The ranges, byte by byte and without their ends, in which a path itself is, and what lies below it.
pub(crate) fn at_or_below(path: &EntryPath) -> [[String; 2]; 2] {
    // No path has a control sign in it, and `0` comes right after `/`.
    [[path.to_string(), format!("{path}\u{1}")], [format!("{path}/"), format!("{path}0")]]
}

/// Reads a change and its number.
pub(crate) fn numbered(row: &impl Columns) -> Result<(i64, Change)> {
    Ok((row.number(11)?, change(row)?))
}

/// Reads `before, after`: the images that a change refers to.
pub(crate) fn referred(row: &impl Columns) -> Result<Vec<Digest>> {
    Ok([row.maybe(0, Columns::digest)?, row.maybe(1, Columns::digest)?].into_iter().flatten().collect())
}
