//! What Loci wants in a file: whether it is there, putting it in, taking it out.

use super::jsonc::{self, Kind, Node, Wrong};
use super::patch::Patch;
use super::{call, toml};
use serde_json::{Value, json};

/// What a file is to hold.
pub enum Content {
    /// Parts of a JSON file, with comments or without.
    Json(Vec<Want>),
    /// One table `table.loci` of a TOML file.
    Toml { table: &'static str, entry: Value },
    /// The whole file; its first line says whose it is.
    Whole(String),
}

/// One part.
#[derive(Debug, Clone)]
pub enum Want {
    /// `loci` below `way` is exactly this.
    Entry { way: &'static [&'static str], value: Value },
    /// The list `hooks.event` has an element with our command.
    Hook { event: &'static str, agent: &'static str, value: Value },
    /// `key` is there, whatever it says.
    Given { key: &'static str, value: Value },
}

/// The name that Loci goes by in other configurations.
pub const KEY: &str = "loci";

/// Hooks as Claude Code invented them and others took them over; `unit` = how many of its time units are a second.
/// After a tool call they run for our own tools only.
pub fn hooks(call: &call::Call, agent: &'static str, events: &[&'static str], unit: u64) -> Vec<Want> {
    let one = |event: &&'static str| {
        let hook = json!({"type": "command", "command": call.hook(event, agent), "timeout": 10 * unit});
        let value = match *event {
            "PostToolUse" => json!({"matcher": "mcp__loci__.*", "hooks": [hook]}),
            "AfterTool" => json!({"matcher": "mcp_loci_.*", "hooks": [hook]}),
            _ => json!({"hooks": [hook]}),
        };
        Want::Hook { event, agent, value }
    };
    events.iter().map(one).collect()
}

impl Content {
    /// What is there: nothing of ours, some of it or of another day, all of it.
    pub fn seen(&self, text: &str) -> Result<Seen, Wrong> {
        let (found, right) = match self {
            Content::Json(wants) => {
                let root = jsonc::parse(text)?;
                let root = root.as_ref();
                let wants: Vec<&Want> = wants.iter().filter(|want| !matches!(want, Want::Given { .. })).collect();
                let found = wants.iter().filter(|want| root.is_some_and(|root| want.is_found(root)));
                let right = wants.iter().filter(|want| root.is_some_and(|root| want.is_right(root)));
                (found.count(), right.count() == wants.len())
            }
            Content::Toml { table, entry } => {
                let there = toml::at(text, table, KEY)?;
                (there.iter().len(), there.as_ref() == Some(entry))
            }
            Content::Whole(whole) => (usize::from(is_marked(text, whole)), text == whole),
        };
        Ok(match (found, right) {
            (0, _) => Seen::Nothing,
            (_, true) => Seen::All,
            (_, false) => Seen::Some,
        })
    }

    /// Puts everything in. Answers the entry that stood in the way of ours.
    pub fn put(&self, patch: &mut Patch) -> Result<Option<Value>, Wrong> {
        match self {
            Content::Toml { table, entry } => toml::put(patch, table, KEY, entry),
            Content::Whole(whole) if patch.text.trim().is_empty() || is_marked(&patch.text, whole) => {
                patch.replace(0..patch.text.len(), whole);
                Ok(None)
            }
            Content::Whole(_) => Err(Wrong { what: "another file has this name".to_owned(), line: 1, column: 1 }),
            Content::Json(wants) => {
                let mut was = None;
                for want in wants {
                    was = want.put(patch)?.or(was);
                }
                Ok(was)
            }
        }
    }

    /// Takes everything out, wherever it stands now. `made` = the objects and lists that were made for it;
    /// `None` = nobody knows, and what is empty then was made for it.
    pub fn take(&self, patch: &mut Patch, made: Option<&[Vec<String>]>) -> Result<(), Wrong> {
        match self {
            Content::Toml { table, .. } => toml::take(patch, table, KEY).map(drop),
            Content::Whole(whole) => {
                if is_marked(&patch.text, whole) {
                    patch.replace(0..patch.text.len(), "");
                }
                Ok(())
            }
            Content::Json(wants) => {
                for want in wants {
                    want.take(patch)?;
                }
                for way in self.ways() {
                    let way: Vec<&str> = way.iter().map(String::as_str).collect();
                    if made.is_none_or(|made| made.iter().any(|made| *made == way)) {
                        jsonc::prune(patch, &way)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Puts the entry back that stood in the way of ours.
    pub fn put_back(&self, patch: &mut Patch, was: &Value) -> Result<(), Wrong> {
        match self {
            Content::Toml { table, .. } => toml::put(patch, table, KEY, was).map(drop),
            Content::Whole(_) => Ok(()),
            Content::Json(wants) => {
                let way = wants.iter().find_map(|want| match want {
                    Want::Entry { way, .. } => Some(*way),
                    Want::Hook { .. } | Want::Given { .. } => None,
                });
                way.map_or(Ok(()), |way| jsonc::put(patch, way, KEY, was).map(drop))
            }
        }
    }

    /// The objects and lists that would have to be made in a file.
    pub fn missing(&self, text: &str) -> Vec<Vec<String>> {
        let root = jsonc::parse(text).ok().flatten();
        let there = |way: &Vec<String>| {
            let way: Vec<&str> = way.iter().map(String::as_str).collect();
            root.as_ref().is_some_and(|root| root.at(&way).is_some())
        };
        self.ways().into_iter().filter(|way| !there(way)).collect()
    }

    /// True when a file of our own making holds nothing but what we made.
    pub fn is_bare(&self, text: &str) -> bool {
        match self {
            Content::Json(wants) => match jsonc::parse(text) {
                Ok(Some(Node { kind: Kind::Object(items), span })) => {
                    let given = |key: &str| {
                        wants.iter().any(|want| matches!(want, Want::Given { key: own, .. } if *own == key))
                    };
                    let outside = text[..span.start].trim().is_empty() && text[span.end..].trim().is_empty();
                    outside && !text.contains("//") && !text.contains("/*") && items.iter().all(|item| given(&item.key))
                }
                Ok(None) => text.trim().is_empty(),
                _ => false,
            },
            Content::Toml { .. } | Content::Whole(_) => text.trim().is_empty(),
        }
    }

    /// The ways to our parts, the deepest first.
    fn ways(&self) -> Vec<Vec<String>> {
        let Content::Json(wants) = self else { return Vec::new() };
        let mut ways: Vec<Vec<String>> = Vec::new();
        for want in wants {
            let way: Vec<String> = match want {
                Want::Entry { way, .. } => way.iter().map(|key| (*key).to_owned()).collect(),
                Want::Hook { event, .. } => vec!["hooks".to_owned(), (*event).to_owned()],
                Want::Given { .. } => continue,
            };
            (1..=way.len()).for_each(|depth| ways.push(way[..depth].to_vec()));
        }
        ways.sort_by_key(|way| std::cmp::Reverse(way.len()));
        ways.dedup();
        ways
    }
}

/// How much of what is wanted is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Nothing,
    Some,
    All,
}

/// Whether a file starts with the line that says that it is ours.
fn is_marked(text: &str, whole: &str) -> bool {
    let mark = whole.lines().next().unwrap_or_default();
    !mark.is_empty() && text.lines().next() == Some(mark)
}

impl Want {
    fn is_found(&self, root: &Node) -> bool {
        match self {
            Want::Entry { way, .. } => root.at(way).is_some_and(|node| node.member(KEY).is_some()),
            Want::Hook { event, agent, .. } => !own(root, event, agent).is_empty(),
            Want::Given { key, .. } => root.member(key).is_some(),
        }
    }

    fn is_right(&self, root: &Node) -> bool {
        match self {
            Want::Entry { way, value } => {
                root.at(way).and_then(|node| node.member(KEY)).is_some_and(|item| item.node.value() == *value)
            }
            Want::Hook { event, agent, value } => {
                let list = root.at(&["hooks", event]).map(Node::items).unwrap_or_default();
                let (there, own) = (list.iter().any(|item| item.node.value() == *value), own(root, event, agent));
                there && own.len() == 1
            }
            Want::Given { key, .. } => root.member(key).is_some(),
        }
    }

    fn put(&self, patch: &mut Patch) -> Result<Option<Value>, Wrong> {
        let root = jsonc::parse(&patch.text)?;
        if root.as_ref().is_some_and(|root| self.is_right(root)) {
            return Ok(None);
        }
        match self {
            Want::Entry { way, value } => jsonc::put(patch, way, KEY, value),
            Want::Given { key, value } => jsonc::put(patch, &[], key, value),
            Want::Hook { event, value, .. } => {
                self.take(patch)?;
                jsonc::push(patch, &["hooks", event], value).map(|()| None)
            }
        }
    }

    fn take(&self, patch: &mut Patch) -> Result<(), Wrong> {
        match self {
            Want::Entry { way, .. } => jsonc::take_member(patch, way, KEY).map(drop),
            Want::Given { .. } => Ok(()),
            Want::Hook { event, agent, .. } => {
                // From the back, so that what was found stays where it was found.
                let found = jsonc::parse(&patch.text)?.map(|root| own(&root, event, agent)).unwrap_or_default();
                for spot in found.into_iter().rev() {
                    match spot {
                        Spot::Element(index) => jsonc::take_element(patch, &["hooks", event], index)?,
                        Spot::Inside(index, inner) => take_inside(patch, event, index, inner)?,
                    };
                }
                Ok(())
            }
        }
    }
}

/// Where a command of ours stands in the list of an event.
enum Spot {
    /// A whole element is ours.
    Element(usize),
    /// One command beside others in an element.
    Inside(usize, usize),
}

fn own(root: &Node, event: &str, agent: &str) -> Vec<Spot> {
    let tail = call::hook_tail(event, agent);
    let is_ours = |node: &Node| {
        node.at(&["command"])
            .is_some_and(|node| matches!(&node.kind, Kind::Plain(Value::String(text)) if text.ends_with(&tail)))
    };
    let mut spots = Vec::new();
    for (index, item) in root.at(&["hooks", event]).map(Node::items).unwrap_or_default().iter().enumerate() {
        let inner = item.node.at(&["hooks"]).map(Node::items).unwrap_or_default();
        let ours: Vec<usize> = (0..inner.len()).filter(|at| is_ours(&inner[*at].node)).collect();
        if is_ours(&item.node) || (!ours.is_empty() && ours.len() == inner.len()) {
            spots.push(Spot::Element(index));
        } else {
            spots.extend(ours.into_iter().map(|at| Spot::Inside(index, at)));
        }
    }
    spots
}

/// Takes one command out of an element that a person added others to.
fn take_inside(patch: &mut Patch, event: &str, index: usize, inner: usize) -> Result<bool, Wrong> {
    let root = jsonc::parse(&patch.text)?;
    let element = root.as_ref().and_then(|root| root.at(&["hooks", event])?.items().get(index).cloned());
    let Some(element) = element else { return Ok(false) };
    // The element is a file of its own for a moment.
    let mut part = Patch::new(&patch.text[element.span.clone()]);
    let taken = jsonc::take_element(&mut part, &["hooks"], inner)?;
    patch.replace(element.span, &part.text);
    Ok(taken)
}

#[cfg(test)]
mod tests;
