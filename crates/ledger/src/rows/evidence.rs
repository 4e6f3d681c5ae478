//! Rows of evidence: one for each thing, those of a document one after the other.

use crate::Result;
use crate::columns::Columns;
use loci_domain::evidence::{Evidence, Kind, Thing};

/// Asks for evidence as [`gather`] reads it.
macro_rules! select_evidence {
    ($rest:literal) => {
        concat!(
            "SELECT e.path, e.digest, e.project, kind, name, file, t.digest, stamp
             FROM evidence e JOIN evidence_things t ON t.evidence = e.id ",
            $rest
        )
    };
}
pub(crate) use select_evidence;

/// Puts the next row to what the rows before it came to.
pub(crate) fn gather(all: &mut Vec<Evidence>, row: &impl Columns) -> Result<()> {
    let (path, thing) = (row.path(0)?, thing(row)?);
    match all.last_mut() {
        Some(last) if last.path == path => last.things.push(thing),
        _ => all.push(Evidence { path, digest: row.digest(1)?, project: row.text(2)?, things: vec![thing] }),
    }
    Ok(())
}

fn thing(row: &impl Columns) -> Result<Thing> {
    Ok(Thing {
        kind: row.word(3, Kind::from_word)?,
        name: row.text(4)?,
        file: row.path(5)?,
        digest: row.digest(6)?,
        stamp: row.text(7)?,
    })
}
