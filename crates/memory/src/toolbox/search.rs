//! Looking around: `ls` and `grep`, bounded in what they read and in what they say.

use super::{No, Sight, arguments::Arguments};
use crate::draft::Draft;
use loci_domain::path::{EntryPath, Layout, Spot, TOP, Virtual};
use loci_domain::scope::Scope;
use regex::{Regex, RegexBuilder};
use std::collections::BTreeSet;

/// Entries of a folder that are listed.
const MOST_ENTRIES: usize = 500;
/// Lines that are found.
const MOST_HITS: usize = 200;
/// Characters of a line that are shown.
const LONGEST_LINE: usize = 400;
/// Bytes that one search reads: a slow pattern must come to an end.
const MOST_READ: usize = 16 << 20;
const LONGEST_PATTERN: usize = 1_000;

pub(super) async fn ls(draft: &Draft, arguments: &Arguments<'_>, sight: Sight) -> Result<String, No> {
    let given = arguments.optional("path")?.unwrap_or(TOP);
    let (scope, folder) = match spot(given)? {
        Spot::Top | Spot::Root(None) | Spot::Inside(None, _) => {
            let scopes: Vec<String> = draft.scopes().iter().map(|scope| format!("{TOP}/{scope}/")).collect();
            return Ok(scopes.join("\n"));
        }
        Spot::Root(Some(scope)) => (scope, None),
        Spot::Inside(Some(scope), folder) => (scope, Some(folder)),
    };
    reachable(draft, scope)?;
    let mut entries: BTreeSet<String> = BTreeSet::new();
    for path in sight.paths(draft, scope) {
        let Some(rest) = below(&path, folder.as_ref()) else { continue };
        match rest.split_once('/') {
            Some((name, _)) => entries.insert(format!("{name}/")),
            None => entries.insert(rest.to_owned()),
        };
    }
    if entries.is_empty() && folder.is_some() {
        return Err(No::other(format!("The path {given} is no folder with files.")));
    }
    if entries.is_empty() {
        return Ok(format!("{given} is empty."));
    }
    let given = given.trim_end_matches('/');
    let mut lines: Vec<String> = entries.iter().take(MOST_ENTRIES).map(|name| format!("{given}/{name}")).collect();
    if entries.len() > MOST_ENTRIES {
        lines.push(format!("({} more)", entries.len() - MOST_ENTRIES));
    }
    Ok(lines.join("\n"))
}

pub(super) async fn grep(draft: &mut Draft, arguments: &Arguments<'_>, sight: Sight) -> Result<String, No> {
    let pattern = compiled(arguments.text("pattern")?)?;
    let given = arguments.optional("path")?.unwrap_or(TOP);
    let spot = spot(given)?;
    let mut hits = Hits::default();
    for scope in draft.scopes() {
        let within = match &spot {
            Spot::Root(Some(only)) | Spot::Inside(Some(only), _) if *only != scope => continue,
            Spot::Inside(_, within) => Some(within.clone()),
            Spot::Top | Spot::Root(_) => None,
        };
        for path in sight.paths(draft, scope) {
            if within.as_ref().is_some_and(|within| !path.is_within(within)) {
                continue;
            }
            // What is no text, or went, has no lines; a link is passed over.
            if let Ok(Some(text)) = draft.read(scope, &path).await {
                hits.look(&pattern, &path.virtual_in(scope), &text);
            }
            if hits.is_full() {
                break;
            }
            // So that a time limit and a cancel are heard between two files.
            tokio::task::yield_now().await;
        }
    }
    if let Spot::Root(Some(scope)) | Spot::Inside(Some(scope), _) = &spot {
        reachable(draft, *scope)?;
    }
    Ok(hits.told())
}

#[derive(Default)]
struct Hits {
    lines: Vec<String>,
    read: usize,
}

impl Hits {
    fn is_full(&self) -> bool {
        self.lines.len() >= MOST_HITS || self.read >= MOST_READ
    }

    fn look(&mut self, pattern: &Regex, name: &str, text: &str) {
        self.read += text.len();
        for (at, line) in text.lines().enumerate() {
            if self.lines.len() >= MOST_HITS {
                return;
            }
            if pattern.is_match(line) {
                let cut: String = line.chars().take(LONGEST_LINE).collect();
                self.lines.push(format!("{name}:{}: {cut}", at + 1));
            }
        }
    }

    fn told(self) -> String {
        let cut = self.is_full();
        match (self.lines.is_empty(), cut) {
            (true, false) => "Nothing was found.".to_owned(),
            (_, false) => self.lines.join("\n"),
            (_, true) => format!("{}\n(cut here; narrow the pattern or the path)", self.lines.join("\n")),
        }
    }
}

/// A pattern that cannot be large or slow: the engine takes linear time, and its size is bounded.
fn compiled(pattern: &str) -> Result<Regex, No> {
    if pattern.len() > LONGEST_PATTERN {
        return Err(No::other(format!("The pattern is longer than {LONGEST_PATTERN} bytes.")));
    }
    let built = RegexBuilder::new(pattern).size_limit(256 << 10).dfa_size_limit(1 << 20).nest_limit(50).build();
    built.map_err(|_| No::other("The pattern is no regular expression, or too large; try plain words."))
}

fn spot(given: &str) -> Result<Spot, No> {
    Ok(Virtual::parse(given, Layout::Scoped).map_err(No::Path)?.spot)
}

fn reachable(draft: &Draft, scope: Scope) -> Result<(), No> {
    if draft.scopes().contains(&scope) { Ok(()) } else { Err(No::other(format!("The {scope} scope is not there."))) }
}

/// The rest of a path below a folder; `None` folder = the root.
fn below<'p>(path: &'p EntryPath, folder: Option<&EntryPath>) -> Option<&'p str> {
    match folder {
        None => Some(path.as_str()),
        Some(folder) => path.as_str().strip_prefix(folder.as_str())?.strip_prefix('/'),
    }
}
