//! One table of a TOML file, put in and taken out by spans; comments and layout of all else stay.
//!
//! Owns where a table goes: behind everything else, or into the inline table that is already there.
//! Start at [`put`].

use super::jsonc::Wrong;
use super::patch::Patch;
use serde_json::Value;
use std::ops::Range;
use toml_edit::{Document, Item, TableLike};

/// The value at `table.key`; `None` = it is not there.
pub fn at(text: &str, table: &str, key: &str) -> Result<Option<Value>, Wrong> {
    check(text)?;
    let whole: ::toml::Table = ::toml::from_str(text).map_err(|error| wrong(text, error.message(), error.span()))?;
    let entry = whole.get(table).and_then(|table| table.get(key));
    Ok(entry.and_then(|entry| serde_json::to_value(entry).ok()))
}

/// Makes sure that `table.key` is `value`. Answers what stood there.
pub fn put(patch: &mut Patch, table: &str, key: &str, value: &Value) -> Result<Option<Value>, Wrong> {
    let was = at(&patch.text, table, key)?;
    if was.as_ref() == Some(value) {
        return Ok(None);
    }
    let mut next = patch.clone();
    if was.is_some() {
        take(&mut next, table, key)?;
    }
    let text = next.text.clone();
    let document = check(&text)?;
    match document.get(table) {
        Some(Item::Value(::toml_edit::Value::InlineTable(inline))) => {
            let span = inline.span().unwrap_or_default();
            let inner = next.text[..span.end.saturating_sub(1)].trim_end().len();
            let comma = if inline.is_empty() || next.text[..inner].ends_with(',') { " " } else { ", " };
            next.insert(inner, &format!("{comma}{key} = {}", inline_value(value)));
        }
        Some(item) if !item.is_table() => {
            return Err(wrong(&next.text, "a table is needed here", item.span()));
        }
        _ => {
            let newline = if next.text.contains("\r\n") { "\r\n" } else { "\n" };
            let gap = match next.text.as_str() {
                "" => "",
                text if text.ends_with('\n') => newline,
                _ => &newline.repeat(2),
            };
            let members = value.as_object().into_iter().flatten();
            let lines: Vec<String> =
                members.map(|(key, value)| format!("{key} = {}{newline}", inline_value(value))).collect();
            let block = format!("{gap}[{table}.{key}]{newline}{}", lines.concat());
            next.insert(next.text.len(), &block);
        }
    }
    if at(&next.text, table, key)?.as_ref() != Some(value) {
        let span = document.get(table).and_then(Item::span);
        return Err(wrong(&text, "this table cannot be added to; write it with [headers]", span));
    }
    *patch = next;
    Ok(was)
}

/// Takes `table.key` out, with all that lies below it.
pub fn take(patch: &mut Patch, table: &str, key: &str) -> Result<bool, Wrong> {
    let text = patch.text.clone();
    let document = check(&text)?;
    let Some(parent) = document.get(table).and_then(Item::as_table_like) else { return Ok(false) };
    let Some((name, item)) = parent.get_key_value(key) else { return Ok(false) };
    let mut spans = Vec::new();
    match item {
        Item::Table(inner) if inner.is_dotted() => dotted(&text, inner, &mut spans),
        Item::Table(inner) => blocks(&text, inner, &mut spans),
        _ => {
            let start = name.span().map_or(0, |span| span.start);
            let end = item.span().map_or(start, |span| span.end);
            let inline = document.get(table).is_some_and(Item::is_inline_table);
            spans.push(if inline { in_line(&text, start, end) } else { whole_lines(&text, start, end) });
        }
    }
    spans.sort_by_key(|span| span.start);
    for span in spans.into_iter().rev() {
        patch.replace(span, "");
    }
    check(&patch.text)?;
    Ok(true)
}

/// The lines of a table with a header, and of the tables below it.
fn blocks(text: &str, table: &::toml_edit::Table, spans: &mut Vec<Range<usize>>) {
    let mut end = table.span().map_or(0, |span| span.end);
    for (_, item) in TableLike::iter(table) {
        match item {
            Item::Table(inner) if !inner.is_dotted() => blocks(text, inner, spans),
            item => end = end.max(last(item)),
        }
    }
    if let Some(header) = table.span().filter(|_| !table.is_implicit()) {
        let Range { start, end } = whole_lines(text, header.start, end);
        // The empty line that sets a table apart goes with it.
        let gap = ["\r\n\r\n", "\n\n"].iter().find(|gap| text[..start].ends_with(**gap)).map_or(0, |gap| gap.len() / 2);
        spans.push(start - gap..end);
    }
}

/// The lines of a table that is written as `a.b.c = 1`.
fn dotted(text: &str, table: &::toml_edit::Table, spans: &mut Vec<Range<usize>>) {
    for (key, item) in table.iter() {
        match item {
            Item::Table(inner) => dotted(text, inner, spans),
            item => {
                let start = table.key(key).and_then(::toml_edit::Key::span).map_or(0, |span| span.start);
                spans.push(whole_lines(text, start, last(item)));
            }
        }
    }
}

fn last(item: &Item) -> usize {
    let below = item.as_table_like().into_iter().flat_map(|table| table.iter()).map(|(_, item)| last(item)).max();
    item.span().map_or(0, |span| span.end).max(below.unwrap_or_default())
}

fn whole_lines(text: &str, start: usize, end: usize) -> Range<usize> {
    let start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
    start..end
}

/// A member of an inline table with the comma that sets it apart.
fn in_line(text: &str, start: usize, end: usize) -> Range<usize> {
    let before = text[..start].trim_end();
    if before.ends_with(',') {
        return before.len() - 1..end;
    }
    let after = &text[end..];
    match after.trim_start().strip_prefix(',') {
        Some(rest) => start..text.len() - rest.trim_start().len(),
        None => before.len()..end,
    }
}

fn inline_value(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(inline_value).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{key} = {}", inline_value(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::String(text) => ::toml::Value::String(text.clone()).to_string(),
        plain => plain.to_string(),
    }
}

fn check(text: &str) -> Result<Document<&str>, Wrong> {
    Document::parse(text).map_err(|error| wrong(text, error.message(), error.span()))
}

fn wrong(text: &str, what: &str, span: Option<Range<usize>>) -> Wrong {
    let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let what = what.lines().collect::<Vec<_>>().join(", ");
    Wrong { what, line: before.matches('\n').count() + 1, column }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::patch::revert;
    use serde_json::json;

    fn entry() -> Value {
        json!({"command": "/opt/lo ci", "args": ["mcp"], "env": {"LOCI_HOME": "/h"}})
    }

    fn put_loci(before: &str) -> String {
        let mut patch = Patch::new(before);
        put(&mut patch, "mcp_servers", "loci", &entry()).unwrap();
        assert_eq!(at(&patch.text, "mcp_servers", "loci").unwrap(), Some(entry()), "{}", patch.text);
        assert_eq!(revert(&patch.text, &patch.edits).as_deref(), Some(before));
        patch.text
    }

    #[test]
    fn a_table_goes_in_and_out_again() {
        let block = "[mcp_servers.loci]\ncommand = \"/opt/lo ci\"\nargs = [\"mcp\"]\nenv = { LOCI_HOME = \"/h\" }\n";
        for before in [
            "",
            "# mine\nmodel = \"o4\"   # keep\n\n[tui]\ntheme=\"dark\"\n",
            "[mcp_servers.other]\ncommand = '''\n[x]\n'''\n",
        ] {
            let after = put_loci(before);
            assert!(after.ends_with(block), "{after}");
            let mut patch = Patch::new(&after);
            assert!(take(&mut patch, "mcp_servers", "loci").unwrap());
            assert_eq!(patch.text, before);
            assert!(!take(&mut patch, "mcp_servers", "loci").unwrap());
        }
        let mut patch = Patch::new(&put_loci("a = 1"));
        take(&mut patch, "mcp_servers", "loci").unwrap();
        assert_eq!(patch.text, "a = 1\n");
    }

    #[test]
    fn what_came_later_stays() {
        let after = put_loci("a = 1\n");
        let mut patch = Patch::new(&format!(
            "{after}[mcp_servers.loci.tools.recall]\napproval_mode = \"approve\"\n\n[projects.\"/x\"] # later\ntrust = 1\n"
        ));
        take(&mut patch, "mcp_servers", "loci").unwrap();
        assert_eq!(patch.text, "a = 1\n\n[projects.\"/x\"] # later\ntrust = 1\n");
    }

    #[test]
    fn other_ways_to_write_tables() {
        let table = [
            "mcp_servers = { other = { command = \"x\" } }\n",
            "mcp_servers = {}\n",
            "mcp_servers.other.command = \"x\"\n",
            "mcp_servers.loci.command = \"mine\"\n",
            "[mcp_servers]\nother = { command = \"x\" }\n",
            "[mcp_servers]\nloci = { command = \"mine\" } # me\n",
        ];
        for before in table {
            let after = put_loci(before);
            let mut patch = Patch::new(&after);
            assert!(take(&mut patch, "mcp_servers", "loci").unwrap(), "{after}");
            assert_eq!(at(&patch.text, "mcp_servers", "loci").unwrap(), None);
            assert_eq!(
                at(&patch.text, "mcp_servers", "other").unwrap(),
                at(before, "mcp_servers", "other").unwrap(),
                "{after}"
            );
        }
    }

    #[test]
    fn what_does_not_parse_says_where() {
        let mut patch = Patch::new("a = 1\nb = [\n");
        let wrong = put(&mut patch, "mcp_servers", "loci", &entry()).unwrap_err();
        assert!(wrong.line >= 2, "{wrong:?}");
        let mut patch = Patch::new("mcp_servers = 3\n");
        assert!(put(&mut patch, "mcp_servers", "loci", &entry()).is_err());
        assert_eq!(patch.text, "mcp_servers = 3\n");
    }
}
