//! Reads `rules.toml`.
//!
//! Owns the small part of TOML that the file uses: a table array, one `key = value` a line, no escapes.
//! Never used for anything else. The `toml` crate takes 0.6 ms for this file, and every process that stores one note
//! would pay it; this takes a twentieth. The test `the_rules_are_read_as_toml_reads_them` holds both together.

use super::{ENTROPY, Kind, Rule};

pub(super) const FILE: &str = include_str!("../rules.toml");

/// The rules of the file, or the line that is wrong.
pub(super) fn rules(text: &'static str) -> Result<Vec<Rule>, String> {
    let mut rules: Vec<Rule> = Vec::with_capacity(128);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line == "[[rule]]" {
            rules.push(Rule { entropy: ENTROPY, ..Rule::default() });
            continue;
        }
        let set = line.split_once(" = ").zip(rules.last_mut()).and_then(|((key, value), rule)| set(rule, key, value));
        set.ok_or_else(|| line.to_owned())?;
    }
    Ok(rules)
}

fn set(rule: &mut Rule, key: &str, value: &'static str) -> Option<()> {
    match key {
        "id" => rule.id = string(value)?,
        "about" => rule.about = string(value)?,
        "keywords" => rule.keywords = list(value)?,
        "pattern" => rule.pattern = string(value)?,
        "lead" => rule.lead = Some(string(value)?),
        "ignore" => rule.ignore = Some(string(value)?),
        "before" => rule.before = Some(string(value)?),
        "needs" => rule.needs = Some(*string(value)?.as_bytes().first()?),
        "near" => rule.near = value.parse().ok()?,
        "back" => rule.back = value.parse().ok()?,
        "tail" => rule.tail = value.parse().ok()?,
        "entropy" => rule.entropy = value.parse().ok()?,
        "wide" => rule.wide = value.parse().ok()?,
        "inside" => rule.inside = value.parse().ok()?,
        "kind" => {
            rule.kind = match string(value)? {
                "block" => Kind::Block,
                "assignment" => Kind::Assignment,
                "prefixed" => Kind::Prefixed,
                _ => return None,
            }
        }
        _ => return None,
    }
    Some(())
}

fn string(value: &'static str) -> Option<&'static str> {
    let quote = value.chars().next().filter(|sign| ['"', '\''].contains(sign))?;
    value.strip_prefix(quote)?.strip_suffix(quote)
}

fn list(value: &'static str) -> Option<Vec<&'static str>> {
    value.strip_prefix('[')?.strip_suffix(']')?.split(", ").map(string).collect()
}
