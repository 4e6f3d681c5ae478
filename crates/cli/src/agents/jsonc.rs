//! JSON as people write it: comments and trailing commas, with the place of everything.
//!
//! Owns the scanner. Never builds a file anew: `jsonc/edit.rs` changes spans of it, so that all else keeps its bytes.
//! Start at [`parse`].

mod edit;

pub use edit::{prune, push, put, take_element, take_member};

use serde_json::{Map, Value};
use std::ops::Range;

/// How deep a file may be nested.
const DEEPEST: usize = 128;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub struct Node {
    pub span: Range<usize>,
    pub kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum Kind {
    Object(Vec<Item>),
    Array(Vec<Item>),
    Plain(Value),
}

/// A member of an object or an element of an array.
#[derive(Debug, Clone)]
pub struct Item {
    /// The name of a member; empty for an element.
    pub key: String,
    /// From the name, or the value of an element, to the end of the value.
    pub span: Range<usize>,
    pub node: Node,
    /// Where the comma behind it stands.
    pub comma: Option<usize>,
}

/// What does not parse, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub what: String,
    pub line: usize,
    pub column: usize,
}

impl Node {
    /// The items of an object or an array.
    pub fn items(&self) -> &[Item] {
        match &self.kind {
            Kind::Object(items) | Kind::Array(items) => items,
            Kind::Plain(_) => &[],
        }
    }

    /// A member; the last one of a name counts, as it does for every reader of JSON.
    pub fn member(&self, key: &str) -> Option<&Item> {
        match &self.kind {
            Kind::Object(items) => items.iter().rev().find(|item| item.key == key),
            Kind::Array(_) | Kind::Plain(_) => None,
        }
    }

    /// What a way of names leads to.
    pub fn at(&self, way: &[&str]) -> Option<&Node> {
        way.iter().try_fold(self, |node, key| Some(&node.member(key)?.node))
    }

    /// The value without its place.
    pub fn value(&self) -> Value {
        match &self.kind {
            Kind::Plain(value) => value.clone(),
            Kind::Array(items) => Value::Array(items.iter().map(|item| item.node.value()).collect()),
            Kind::Object(items) => {
                let members = items.iter().map(|item| (item.key.clone(), item.node.value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }
}

/// The one value of a file; `None` for a file that has nothing but space and comments.
pub fn parse(text: &str) -> Result<Option<Node>, Wrong> {
    let mut scanner = Scanner { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    let found = scanner.whole();
    found.map_err(|what| {
        let before = &text[..floor(text, scanner.at)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Wrong { what, line, column }
    })
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// Where the space and the comments that start at `at` end; else where a comment starts that does not end.
fn gap(text: &str, mut at: usize) -> Result<usize, usize> {
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        match comment(&text[at..]) {
            None => return Ok(at),
            Some(0) => return Err(at),
            Some(length) => at += length,
        }
    }
}

/// The length of the comment at the start of `rest`, 0 if it does not end; `None` = there is none.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find(['\n', '\r']).unwrap_or(rest.len()));
    }
    let inner = rest.strip_prefix("/*")?;
    Some(inner.find("*/").map_or(0, |end| end + 4))
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn whole(&mut self) -> Result<Option<Node>, String> {
        self.skip()?;
        if self.at == self.text.len() {
            return Ok(None);
        }
        let node = self.node(0)?;
        self.skip()?;
        match self.peek() {
            None => Ok(Some(node)),
            Some(sign) => Err(format!("{sign:?} stands after the end")),
        }
    }

    fn skip(&mut self) -> Result<(), String> {
        let end = gap(self.text, self.at);
        self.at = end.unwrap_or_else(|open| open);
        end.map(drop).map_err(|_| "a comment does not end".to_owned())
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn node(&mut self, depth: usize) -> Result<Node, String> {
        if depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        let start = self.at;
        let kind = match self.peek() {
            Some('{') => Kind::Object(self.items('}', depth)?),
            Some('[') => Kind::Array(self.items(']', depth)?),
            Some('"') => Kind::Plain(Value::String(self.string()?)),
            Some(_) => Kind::Plain(self.word()?),
            None => return Err("it ends too early".to_owned()),
        };
        Ok(Node { span: start..self.at, kind })
    }

    fn items(&mut self, close: char, depth: usize) -> Result<Vec<Item>, String> {
        self.at += 1;
        let mut items: Vec<Item> = Vec::new();
        loop {
            self.skip()?;
            match self.peek() {
                None => return Err("it ends too early".to_owned()),
                Some(sign) if sign == close => {
                    self.at += 1;
                    return Ok(items);
                }
                Some(_) if items.last().is_some_and(|last| last.comma.is_none()) => {
                    return Err(format!("a comma or {close:?} is missing"));
                }
                Some(_) => {}
            }
            let start = self.at;
            let key = if close == '}' { self.key()? } else { String::new() };
            let node = self.node(depth + 1)?;
            let span = start..self.at;
            self.skip()?;
            let comma = (self.peek() == Some(',')).then_some(self.at);
            self.at += comma.iter().len();
            items.push(Item { key, span, node, comma });
        }
    }

    fn key(&mut self) -> Result<String, String> {
        if self.peek() != Some('"') {
            return Err("a name in quotes is missing".to_owned());
        }
        let key = self.string()?;
        self.skip()?;
        if self.peek() != Some(':') {
            return Err("a colon is missing".to_owned());
        }
        self.at += 1;
        self.skip()?;
        Ok(key)
    }

    fn string(&mut self) -> Result<String, String> {
        let start = self.at;
        let mut escaped = false;
        for (at, sign) in self.text[start + 1..].char_indices() {
            match sign {
                '"' if !escaped => {
                    let end = start + 1 + at + 1;
                    let parsed = serde_json::from_str(&self.text[start..end]);
                    self.at = if parsed.is_ok() { end } else { start };
                    return parsed.map_err(|_| "a text has a wrong escape".to_owned());
                }
                '\n' => break,
                _ => escaped = sign == '\\' && !escaped,
            }
        }
        Err("a text does not end".to_owned())
    }

    fn word(&mut self) -> Result<Value, String> {
        let rest = &self.text[self.at..];
        let ends = |sign: char| sign.is_whitespace() || ",:]}[{\"/".contains(sign);
        let end = rest.find(ends).unwrap_or(rest.len());
        let value: Value = serde_json::from_str(&rest[..end]).map_err(|_| match end {
            0 => "a value is missing".to_owned(),
            _ => format!("{:?} is no value", &rest[..end.min(floor(rest, 40))]),
        })?;
        self.at += end;
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
