//! Changes to JSON by spans: what is put in follows the file's own layout, and all other bytes stay.

use super::{Item, Kind, Node, Wrong, comment, gap, parse};
use crate::agents::patch::Patch;
use serde_json::{Map, Value};

/// How a file is laid out.
#[derive(Debug, Clone)]
struct Style {
    newline: &'static str,
    unit: String,
    /// Whether things stand on lines of their own.
    multi: bool,
    /// What stands behind a colon, and behind a comma on one line.
    space: &'static str,
}

impl Style {
    /// The layout of a file; the usual one where it does not tell.
    fn of(text: &str, root: Option<&Node>) -> Style {
        let items = root.map(Node::items).unwrap_or_default();
        let unit = items.first().and_then(|item| indent(text, item.span.start)).filter(|unit| !unit.is_empty());
        let multi = root.is_none_or(|root| items.is_empty() || text[root.span.clone()].contains('\n'));
        let tight = items.first().is_some_and(|item| {
            let colon = text[..item.node.span.start].trim_end_matches([' ', '\t', '\r', '\n']).len();
            !multi && !item.key.is_empty() && colon == item.node.span.start
        });
        Style {
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: unit.unwrap_or("  ").to_owned(),
            multi,
            space: if tight { "" } else { " " },
        }
    }

    fn show(&self, value: &Value, indent: &str, multi: bool) -> String {
        let inner = format!("{indent}{}", self.unit);
        let parts: Vec<String> = match value {
            Value::Object(members) => {
                let part = |(key, value): (&String, &Value)| self.member(key, value, &inner, multi);
                members.iter().map(part).collect()
            }
            Value::Array(elements) => elements.iter().map(|element| self.show(element, &inner, multi)).collect(),
            plain => return plain.to_string(),
        };
        let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
        let flat = value.as_array().is_some_and(|elements| elements.iter().all(|element| !element.is_object()));
        if parts.is_empty() || flat || !multi {
            return format!("{open}{}{close}", parts.join(&format!(",{}", self.space)));
        }
        let newline = self.newline;
        let lines: Vec<String> = parts.iter().map(|part| format!("{newline}{inner}{part}")).collect();
        format!("{open}{}{newline}{indent}{close}", lines.join(","))
    }

    fn member(&self, key: &str, value: &Value, indent: &str, multi: bool) -> String {
        let key = Value::from(key);
        format!("{key}:{}{}", self.space, self.show(value, indent, multi))
    }
}

/// The space before `at`, if nothing else stands before it on its line.
fn indent(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[line..at];
    (line > 0 && before.trim_matches([' ', '\t']).is_empty()).then_some(before)
}

/// The space at the start of the line that `at` stands on.
fn margin(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[line..].find(|sign| sign != ' ' && sign != '\t').unwrap_or_default();
    &text[line..line + end]
}

/// Behind the comments that follow on the same line.
fn beside(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..];
        let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        match comment(&rest[space..]) {
            Some(length) if length > 0 && !rest[..space + length].contains('\n') => at += space + length,
            _ => return at,
        }
    }
}

/// Makes sure that `key` below `way` is `value`; objects that are missing on the way are made. Answers what stood there.
pub fn put(patch: &mut Patch, way: &[&str], key: &str, value: &Value) -> Result<Option<Value>, Wrong> {
    let Some((node, rest)) = reach(patch, way)? else {
        let whole = wrapped(way, key, value.clone());
        found_document(patch, &whole);
        return Ok(None);
    };
    let text = patch.text.clone();
    let style = Style::of(&text, parse(&text)?.as_ref());
    let first = rest.first().copied().unwrap_or(key);
    if !matches!(node.kind, Kind::Object(_)) {
        return Err(clash(&text, &node, "an object"));
    }
    match node.member(first) {
        Some(item) if rest.is_empty() => {
            let was = item.node.value();
            if was == *value {
                return Ok(None);
            }
            let multi = style.multi && indent(&text, item.span.start).is_some();
            let shown = style.show(value, margin(&text, item.span.start), multi);
            patch.replace(item.node.span.clone(), &shown);
            Ok(Some(was))
        }
        Some(item) => Err(clash(&text, &item.node, "an object")),
        None => {
            let inner = if rest.is_empty() { value.clone() } else { wrapped(&rest[1..], key, value.clone()) };
            insert(patch, &node, &style, |indent, multi| style.member(first, &inner, indent, multi));
            Ok(None)
        }
    }
}

/// Adds an element to the end of the list at `way`, which is made if it is missing.
pub fn push(patch: &mut Patch, way: &[&str], value: &Value) -> Result<(), Wrong> {
    let Some((list, above)) = way.split_last() else { return Ok(()) };
    let found = reach(patch, way)?;
    match found {
        Some((node, [])) => {
            let text = patch.text.clone();
            if !matches!(node.kind, Kind::Array(_)) {
                return Err(clash(&text, &node, "a list"));
            }
            let style = Style::of(&text, parse(&text)?.as_ref());
            insert(patch, &node, &style, |indent, multi| style.show(value, indent, multi));
            Ok(())
        }
        _ => put(patch, above, list, &Value::Array(vec![value.clone()])).map(drop),
    }
}

/// Takes a member out, with its comma and its space.
pub fn take_member(patch: &mut Patch, way: &[&str], key: &str) -> Result<bool, Wrong> {
    take(patch, way, |items| items.iter().rposition(|item| item.key == key))
}

/// Takes an element out, with its comma and its space.
pub fn take_element(patch: &mut Patch, way: &[&str], index: usize) -> Result<bool, Wrong> {
    take(patch, way, |items| (index < items.len()).then_some(index))
}

/// Takes an object or list out that has nothing in it, not even a comment.
pub fn prune(patch: &mut Patch, way: &[&str]) -> Result<bool, Wrong> {
    let Some((last, above)) = way.split_last() else { return Ok(false) };
    let root = parse(&patch.text)?;
    let empty = root.as_ref().and_then(|root| root.at(way)).is_some_and(|node| {
        let inner = patch.text.get(node.span.start + 1..node.span.end - 1).unwrap_or_default();
        !matches!(node.kind, Kind::Plain(_)) && inner.trim().is_empty()
    });
    if empty { take_member(patch, above, last) } else { Ok(false) }
}

/// The deepest node on the way that is there, and the names that are missing below it; `None` = an empty file.
fn reach<'w>(patch: &Patch, way: &'w [&'w str]) -> Result<Option<(Node, &'w [&'w str])>, Wrong> {
    let Some(mut node) = parse(&patch.text)? else { return Ok(None) };
    for (depth, key) in way.iter().enumerate() {
        match node.member(key) {
            Some(item) => node = item.node.clone(),
            None => return Ok(Some((node, &way[depth..]))),
        }
    }
    Ok(Some((node, &[])))
}

fn wrapped(way: &[&str], key: &str, value: Value) -> Value {
    let one = |key: &str, value: Value| Value::Object(Map::from_iter([(key.to_owned(), value)]));
    way.iter().rev().fold(one(key, value), |value, key| one(key, value))
}

/// A file that had no value yet gets one.
fn found_document(patch: &mut Patch, whole: &Value) {
    let style = Style::of(&patch.text, None);
    let bare = patch.text.trim_start_matches('\u{feff}').is_empty() || patch.text.ends_with('\n');
    let gap = if bare { "" } else { style.newline };
    let text = format!("{gap}{}{}", style.show(whole, "", true), style.newline);
    patch.insert(patch.text.len(), &text);
}

fn clash(text: &str, node: &Node, wanted: &str) -> Wrong {
    let before = &text[..node.span.start];
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Wrong { what: format!("{wanted} is needed here"), line: before.matches('\n').count() + 1, column }
}

/// Puts an item behind the last one of an object or list.
fn insert(patch: &mut Patch, node: &Node, style: &Style, show: impl Fn(&str, bool) -> String) {
    let text = patch.text.clone();
    let Some(last) = node.items().last() else { return fill(patch, node, style, show) };
    let (newline, space) = (style.newline, style.space);
    let from = last.comma.map_or(last.span.end, |comma| comma + 1);
    match (indent(&text, last.span.start), last.comma) {
        (Some(indent), Some(_)) => {
            let item = show(indent, true);
            patch.insert(beside(&text, from), &format!("{newline}{indent}{item},"));
        }
        (Some(indent), None) => {
            let (item, at) = (show(indent, true), beside(&text, from));
            if at == from {
                patch.insert(at, &format!(",{newline}{indent}{item}"));
            } else {
                // The comment stays with what it speaks of.
                patch.insert(at, &format!("{newline}{indent}{item}"));
                patch.insert(from, ",");
            }
        }
        (None, Some(_)) => patch.insert(from, &format!("{space}{},", show("", false))),
        (None, None) => patch.insert(from, &format!(",{space}{}", show("", false))),
    }
}

/// Puts the first item into an object or list.
fn fill(patch: &mut Patch, node: &Node, style: &Style, show: impl Fn(&str, bool) -> String) {
    let text = patch.text.clone();
    let end = node.span.end - 1;
    let at = text[..end].trim_end_matches([' ', '\t', '\r', '\n']).len().max(node.span.start + 1);
    if !style.multi {
        return patch.insert(at, &show("", false));
    }
    let outer = margin(&text, node.span.start);
    let inner = format!("{outer}{}", style.unit);
    let close = if text[at..end].contains('\n') { String::new() } else { format!("{}{outer}", style.newline) };
    patch.insert(at, &format!("{}{inner}{}{close}", style.newline, show(&inner, true)));
}

fn take(patch: &mut Patch, way: &[&str], which: impl Fn(&[Item]) -> Option<usize>) -> Result<bool, Wrong> {
    let text = patch.text.clone();
    let root = parse(&text)?;
    let Some(node) = root.as_ref().and_then(|root| root.at(way)) else { return Ok(false) };
    let items = node.items();
    let Some(index) = which(items) else { return Ok(false) };
    let (item, before) = (&items[index], index.checked_sub(1).map(|before| &items[before]));
    let from = before.map_or(node.span.start + 1, |before| before.comma.map_or(before.span.end, |comma| comma + 1));
    let mut start = text[..item.span.start].trim_end_matches([' ', '\t', '\r', '\n']).len().max(from);
    let mut end = item.comma.map_or(item.span.end, |comma| comma + 1);
    // A comment between the value and its comma is not ours, and stays.
    let noted = item.comma.filter(|comma| !text[item.span.end..*comma].trim().is_empty());
    let rest = text[end..].trim_start_matches([' ', '\t']);
    let behind = if noted.is_some() { text[item.span.end..].trim_start_matches([' ', '\t']) } else { rest };
    let next_line = behind.starts_with(['\n', '\r']);
    // What stands behind must not fall into a line comment that stands before.
    if !next_line && ends_in_line_comment(&text, from, start) {
        start = item.span.start;
    }
    if before.is_none() && item.comma.is_some() && !next_line && indent(&text, item.span.start).is_none() {
        end = text.len() - rest.len();
    }
    match noted {
        Some(comma) => {
            patch.replace(comma..end, "");
            patch.replace(start..item.span.end, "");
        }
        None => patch.replace(start..end, ""),
    }
    if let (None, Some(Item { comma: Some(comma), .. })) = (item.comma, before) {
        patch.replace(*comma..comma + 1, "");
    }
    Ok(true)
}

fn ends_in_line_comment(text: &str, from: usize, to: usize) -> bool {
    let mut at = from;
    let mut line = false;
    while at < to {
        let rest = &text[at..to];
        at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        line = text[at..to].starts_with("//");
        match comment(&text[at..to]) {
            Some(length) if length > 0 => at += length,
            _ => return line,
        }
    }
    // `gap` is what the scanner skips by; both must agree on where comments end.
    debug_assert!(gap(text, from).is_ok());
    line
}
