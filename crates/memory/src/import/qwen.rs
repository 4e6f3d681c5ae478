//! Qwen Code: the list below `## Qwen Added Memories` in `QWEN.md`, or a memory folder like Claude Code's.

use super::markdown::piece;
use super::{Piece, Source, file_name, is_markdown};
use loci_domain::document::Kind;

const FILE: &str = "QWEN.md";
const HEADING: &str = "## Qwen Added Memories";

pub(super) fn knows(sources: &[Source]) -> bool {
    sources.iter().any(|source| file_name(&source.path) == FILE)
}

/// What stands elsewhere in `QWEN.md` are instructions of the person to Qwen Code, and no memories.
pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    let files: Vec<&Source> = sources.iter().filter(|source| is_markdown(&source.path)).collect();
    let mut pieces = Vec::new();
    for source in &files {
        if file_name(&source.path) != FILE {
            pieces.extend(piece(source, Kind::Project));
            continue;
        }
        let folder = source.path.strip_suffix(FILE).unwrap_or_default();
        let text = match &source.text {
            Ok(text) => match added(text) {
                Some(list) => Ok(document(&list)),
                None => continue,
            },
            Err(reason) => Err(reason.clone()),
        };
        pieces.push(Piece::new(source, format!("{folder}qwen/memories.md"), text));
    }
    pieces
}

/// The list of added memories; `None` = there are none.
fn added(text: &str) -> Option<String> {
    let (_, below) = text.split_once(HEADING)?;
    let lines = below.lines().skip(1).take_while(|line| !line.starts_with("# ") && !line.starts_with("## "));
    let list: Vec<&str> = lines.map(str::trim_end).collect();
    let list = list.join("\n").trim().to_owned();
    (!list.is_empty()).then_some(list)
}

fn document(list: &str) -> String {
    format!("---\nname: Qwen memories\ndescription: What Qwen Code was asked to remember\ntype: user\n---\n{list}\n")
}
