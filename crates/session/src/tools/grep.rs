//! `grep`: the lines that match a regular expression.

use crate::files::{Files, path};
use crate::{Error, Result};
use regex::RegexBuilder;

/// Lines that a model is shown.
const SHOWN: usize = 200;
/// Characters of a line.
const WIDE: usize = 300;
/// What a compiled expression may take.
const SIZE: usize = 1 << 20;

pub async fn grep(files: &Files, pattern: &str, within: Option<&str>) -> Result<String> {
    let wanted = RegexBuilder::new(pattern).size_limit(SIZE).build();
    let wanted = wanted.map_err(|_| Error::File("pattern is no regular expression, or too large a one".to_owned()))?;
    let within = within.map(path).transpose()?;
    let (rows, complete) = files.list().await?;
    let (mut lines, mut more) = (Vec::new(), 0_usize);
    for row in rows {
        let path = path(&row.path)?;
        if within.as_ref().is_some_and(|within| !path.is_within(within)) {
            continue;
        }
        // What is no text, too large or just gone has no lines.
        let Ok(Some(text)) = files.read(&path).await else { continue };
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
