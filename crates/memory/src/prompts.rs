//! Prompts: template files, a person's own in their place, and content that stays content.
//!
//! Owns which template a verb uses, its strict filling, and the wrapping of everything that somebody else wrote.
//! Never reads the environment or a disk: `cli` hands a person's templates in.
//! Start at [`Prompts::filled`] and [`data`].

use crate::{Error, Result};
use loci_domain::block::neutralise;
use loci_domain::secrets;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A template that ships with Loci.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Its file name, also of the file that takes its place.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The placeholders that it must have, each once or more.
    pub needs: &'static [&'static str],
}

/// Every template that tells a model what to do.
pub const ALL: [Template; 7] = [REMEMBER, FORGET, RECALL, EXTRACT, DREAM, STAGE_ONE_SYSTEM, CONSOLIDATION];

/// Every template that only frames what somebody is given.
pub const FRAMES: [Template; 3] = [STAGE_ONE_INPUT, READ_PATH, SUMMARISE];

/// For [`crate::remember`].
pub const REMEMBER: Template = Template {
    file: "remember.md",
    text: include_str!("../prompts/remember.md"),
    needs: &["scopes", "memory", "hint", "content"],
};

/// For [`crate::forget`].
pub const FORGET: Template =
    Template { file: "forget.md", text: include_str!("../prompts/forget.md"), needs: &["query", "candidates"] };

/// For [`crate::recall`].
pub const RECALL: Template =
    Template { file: "recall.md", text: include_str!("../prompts/recall.md"), needs: &["limit", "query", "manifest"] };

/// For [`crate::extract`].
pub const EXTRACT: Template =
    Template { file: "extract.md", text: include_str!("../prompts/extract.md"), needs: &["memory", "conversation"] };

/// For [`crate::dream`].
pub const DREAM: Template =
    Template { file: "dream.md", text: include_str!("../prompts/dream.md"), needs: &["today", "memory"] };

/// For [`crate::summarise`].
pub const SUMMARISE: Template = Template {
    file: "summarise.md",
    text: include_str!("../prompts/summarise.md"),
    needs: &["length", "earlier", "conversation"],
};

/// For [`crate::distil`]: what the model is to look for.
pub const STAGE_ONE_SYSTEM: Template =
    Template { file: "stage_one_system.md", text: include_str!("../prompts/stage_one_system.md"), needs: &[] };

/// For [`crate::distil`]: the session, or a part of it.
pub const STAGE_ONE_INPUT: Template = Template {
    file: "stage_one_input.md",
    text: include_str!("../prompts/stage_one_input.md"),
    needs: &["thread_id", "response_items_json"],
};

/// For [`crate::consolidate`].
pub const CONSOLIDATION: Template = Template {
    file: "consolidation.md",
    text: include_str!("../prompts/consolidation.md"),
    needs: &["raw_memories", "rollout_summaries"],
};

/// For [`crate::context`]: how the handbook's summary is given to an agent.
pub const READ_PATH: Template =
    Template { file: "read_path.md", text: include_str!("../prompts/read_path.md"), needs: &["memory_summary"] };

/// What is not memory; every prompt has it as `{{not_memory}}`.
pub const NOT_MEMORY: &str = include_str!("../prompts/not_memory.md");

/// The templates in use; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Prompts(Arc<BTreeMap<String, Own>>);

/// A person's own template, or why its file cannot be one: told only where that template is needed.
pub type Own = std::result::Result<String, String>;

impl Prompts {
    /// A person's own templates by file name, in place of ours; other names are kept for other verbs.
    pub fn with_own(own: BTreeMap<String, Own>) -> Prompts {
        Prompts(Arc::new(own))
    }

    /// A template with its placeholders filled; strict, so that a typo is told instead of sent.
    pub fn filled(&self, template: &Template, values: &[(&str, &str)]) -> Result<String> {
        let fault = |reason: String| Error::Prompt { file: template.file.to_owned(), reason };
        let text = match self.0.get(template.file) {
            None => template.text,
            Some(Ok(own)) => own,
            Some(Err(reason)) => return Err(fault(reason.clone())),
        };
        for name in template.needs {
            if !text.contains(&format!("{{{{{name}}}}}")) {
                return Err(fault(format!("{{{{{name}}}}} is missing")));
            }
        }
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}").ok_or_else(|| fault("{{ without }}".to_owned()))?;
            let known = values.iter().find(|(known, _)| *known == name.trim()).map(|(_, value)| *value);
            let value = known.or((name.trim() == "not_memory").then_some(NOT_MEMORY.trim_end()));
            let shown: String = name.chars().take(40).collect();
            filled.push_str(before);
            filled.push_str(value.ok_or_else(|| fault(format!("{{{{{shown}}}}} is unknown")))?);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    /// What is wrong with a person's own templates, by file.
    pub fn troubles(&self) -> Vec<Error> {
        let values = |template: &Template| template.needs.iter().map(|name| (*name, "")).collect::<Vec<_>>();
        let templates = ALL.iter().chain(&FRAMES);
        templates.filter_map(|template| self.filled(template, &values(template)).err()).collect()
    }
}

/// Text that somebody else wrote, as data: redacted, and unable to end its own block.
pub fn data(tag: &str, text: &str) -> String {
    let neutral = neutralise(text);
    let clean = secrets::redact(&neutral);
    format!("<{tag}>\n{}\n</{tag}>", without_tag(clean.trim_matches('\n'), tag))
}

/// What a model answered, without the fence that some put around JSON.
pub(crate) fn unfenced(answer: &str) -> &str {
    let text = answer.trim();
    let text = text.strip_prefix("```json").or_else(|| text.strip_prefix("```")).unwrap_or(text);
    text.trim_end_matches("```").trim()
}

/// The same text with no tag of this name in it, in any case and spacing: only its `<` is written as `&lt;`.
fn without_tag(text: &str, tag: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (at, sign) in text.char_indices() {
        let opens = matches!(sign, '<' | '\u{FE64}' | '\u{FF1C}') && {
            let mut name = text[at + sign.len_utf8()..].chars().filter(|sign| !sign.is_whitespace() && *sign != '/');
            tag.chars().all(|wanted| name.next().is_some_and(|sign| sign.eq_ignore_ascii_case(&wanted)))
        };
        if opens { safe.push_str("&lt;") } else { safe.push(sign) }
    }
    safe
}

#[cfg(test)]
mod tests;
