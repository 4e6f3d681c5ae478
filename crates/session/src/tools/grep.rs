//! `grep`: the lines that match a regular expression.

use crate::files::{Files, path};
use crate::{Error, Result};
use futures_util::future::join_all;
use loci_domain::path::EntryPath;
use regex::RegexBuilder;

/// Lines that a model is shown.
const SHOWN: usize = 200;
/// Characters of a line.
const WIDE: usize = 300;
/// What a compiled expression may take.
const SIZE: usize = 1 << 20;
/// Files that are read at the same time: where they lie elsewhere, each is a way there and back.
const AT_ONCE: usize = 8;

pub async fn grep(files: &Files, pattern: &str, within: Option<&str>) -> Result<String> {
    let wanted = RegexBuilder::new(pattern).size_limit(SIZE).build();
    let wanted = wanted.map_err(|_| Error::File("pattern is no regular expression, or too large a one".to_owned()))?;
    let within = within.map(path).transpose()?;
    let (rows, complete) = files.list().await?;
    // What others put there under a name that nobody may give is passed over.
    let paths = rows.iter().filter_map(|row| path(&row.path).ok());
    let paths: Vec<EntryPath> =
        paths.filter(|path| within.as_ref().is_none_or(|within| path.is_within(within))).collect();
    let (mut lines, mut more) = (Vec::new(), 0_usize);
    for some in paths.chunks(AT_ONCE) {
        let texts = join_all(some.iter().map(|path| files.read(path))).await;
        for (path, text) in some.iter().zip(texts) {
            let text = match text {
                Ok(Some(text)) => text,
                // What is no text, too large or just gone has no lines; what nobody answers for is not known to have none.
                Ok(None) | Err(Error::NotText | Error::TooLarge { .. } | Error::Link | Error::File(_)) => continue,
                Err(error) => return Err(error),
            };
            for (number, line) in text.content.lines().enumerate().filter(|(_, line)| wanted.is_match(line)) {
                if lines.len() == SHOWN {
                    more += 1;
                    continue;
                }
                let shown: String = line.chars().take(WIDE).collect();
                let mark = if shown.len() < line.len() { "…" } else { "" };
                lines.push(format!("{path}:{}: {shown}{mark}", number + 1));
            }
        }
    }
    if lines.is_empty() {
        lines.push("no line matches".to_owned());
    }
    if more > 0 {
        lines.push(format!("[cut: {more} more lines]"));
    }
    if !complete {
        lines.push("[the workspace has more files than are looked at]".to_owned());
    }
    Ok(lines.join("\n"))
}
