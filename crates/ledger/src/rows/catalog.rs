//! Rows of the catalogue.

use super::search;
use crate::Result;
use crate::columns::Columns;
use loci_domain::change::{Identity, Place};
use loci_domain::row::{DocumentRow, Known, Listed, Origin, RootKey, SearchText};

/// Asks for files of a place as [`known`] reads them.
macro_rules! select_known {
    (place $place:literal, $rest:literal) => {
        concat!(
            "SELECT path, stamp, digest FROM documents WHERE root = (SELECT id FROM roots WHERE place = ",
            $place,
            ") ",
            $rest
        )
    };
}

/// Asks for files of a place, with what is known of them by whose memory it is, as [`listed`] reads them.
macro_rules! select_listed {
    (place $place:literal, identity $identity:literal, $rest:literal) => {
        concat!(
            "SELECT d.path, stamp, d.digest, bytes, updated_at, origin, name, description, kind,
               coalesce(u.uses, 0), u.last_used_at, p.at IS NOT NULL, a.at IS NOT NULL
             FROM documents d
               LEFT JOIN usage u ON u.identity = ",
            $identity,
            " AND u.path = d.path
               LEFT JOIN pins p ON p.identity = ",
            $identity,
            " AND p.path = d.path
               LEFT JOIN accepted a ON a.identity = ",
            $identity,
            " AND a.digest = d.digest
             WHERE root = (SELECT id FROM roots WHERE place = ",
            $place,
            ") ",
            $rest
        )
    };
}
pub(crate) use {select_known, select_listed};

pub(crate) fn known(row: &impl Columns) -> Result<Known> {
    Ok(Known { path: row.path(0)?, stamp: row.text(1)?, digest: row.digest(2)? })
}

pub(crate) fn listed(row: &impl Columns) -> Result<Listed> {
    Ok(Listed {
        row: DocumentRow {
            path: row.path(0)?,
            stamp: row.text(1)?,
            digest: row.digest(2)?,
            bytes: row.count(3)?,
            updated_at: row.time(4)?,
            origin: row.word(5, Origin::from_word)?,
            card: row.maybe(6, search::card)?,
            line: String::new(),
            search: SearchText::default(),
        },
        uses: row.count(9)?,
        last_used_at: row.maybe_time(10)?,
        pinned: row.flag(11)?,
        accepted: row.flag(12)?,
    })
}

/// Reads `place, identity`.
pub(crate) fn root(row: &impl Columns) -> Result<RootKey> {
    Ok(RootKey { place: Place(row.text(0)?), identity: Identity(row.text(1)?) })
}
