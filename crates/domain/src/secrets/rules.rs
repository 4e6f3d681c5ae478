//! The rules: `rules.toml`, read once.
//!
//! Owns their shape, the keywords that wake them and their compiled patterns.
//! Never decides what a match means: that is `token`, `block` and `assignment`.
//! Start at [`rules`]; the meaning of each field is told at the top of `rules.toml`.

use regex::bytes::{Regex, RegexBuilder};
use std::sync::{LazyLock, OnceLock};

mod keywords;
mod reader;

pub(super) use keywords::Keywords;

/// Least bits per character where a rule does not say: below it stands `ghp_0000…` and the like.
const ENTROPY: f32 = 2.0;

/// How a rule's match is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// A pattern at its keyword.
    #[default]
    Token,
    /// A header with lines of data below it.
    Block,
    /// A telling name with a value.
    Assignment,
    /// Any issuer's prefix with a random run; looked for in the whole text, without a keyword.
    Prefixed,
}

/// One rule, as written in `rules.toml`.
#[derive(Default)]
pub(super) struct Rule {
    pub id: &'static str,
    pub about: &'static str,
    pub keywords: Vec<&'static str>,
    pattern: &'static str,
    lead: Option<&'static str>,
    ignore: Option<&'static str>,
    pub kind: Kind,
    pub near: usize,
    pub back: usize,
    pub wide: bool,
    pub before: Option<&'static str>,
    pub needs: Option<u8>,
    pub tail: usize,
    pub inside: bool,
    pub entropy: f32,
    compiled: OnceLock<Option<Compiled>>,
}

/// A rule's expressions.
pub(super) struct Compiled {
    pub pattern: Regex,
    pub lead: Option<Regex>,
    pub ignore: Option<Regex>,
}

impl Rule {
    /// Whether the keyword must stand in the text exactly as written: it is part of the secret then.
    pub fn exact(&self) -> bool {
        self.kind == Kind::Token && self.near == 0 && self.lead.is_none()
    }

    /// Whether it knows a token by its form alone, without a name or an assignment beside it.
    pub fn specific(&self) -> bool {
        self.exact() || self.kind == Kind::Block
    }

    /// The expressions, compiled at first need: all of them at once would cost every process its start.
    /// A rule that does not compile is skipped here; the test `every_rule_compiles` keeps that from shipping.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| self.compile().ok()).as_ref()
    }

    /// Compiles anew; for tests, which want the error.
    pub fn compile(&self) -> Result<Compiled, regex::Error> {
        let anchored = |pattern: &str| expression(&format!(r"\A(?:{pattern})"));
        Ok(Compiled {
            pattern: anchored(self.pattern)?,
            lead: self.lead.map(anchored).transpose()?,
            ignore: self.ignore.map(|pattern| expression(&format!(r"\A(?:{pattern})\z"))).transpose()?,
        })
    }
}

#[cfg(test)]
impl Rule {
    /// What was read, in TOML's own values, without what was left at its default.
    pub fn fields(&self) -> std::collections::BTreeMap<String, toml::Value> {
        use toml::Value::{Array, Boolean, Float, Integer, String as Text};
        let text = |it: Option<&str>| it.map(|it| Text(it.into()));
        let count = |it: usize| (it > 0).then_some(Integer(it as i64));
        let kind = (self.kind != Kind::Token).then(|| format!("{:?}", self.kind).to_lowercase());
        // Through text: the nearest f32 and f64 of 4.1 differ.
        let entropy = self.entropy.to_string().parse().map(Float).unwrap_or(Boolean(false));
        let needs = self.needs.map(|it| Text(char::from(it).into()));
        let fields = [
            ("id", text(Some(self.id))),
            ("about", text(Some(self.about))),
            ("keywords", Some(Array(self.keywords.iter().map(|it| Text((*it).into())).collect()))),
            ("pattern", text(Some(self.pattern))),
            ("lead", text(self.lead)),
            ("ignore", text(self.ignore)),
            ("before", text(self.before)),
            ("kind", text(kind.as_deref())),
            ("needs", needs),
            ("near", count(self.near)),
            ("back", count(self.back)),
            ("tail", count(self.tail)),
            ("wide", self.wide.then_some(Boolean(true))),
            ("inside", self.inside.then_some(Boolean(true))),
            ("entropy", (self.entropy != ENTROPY).then_some(entropy)),
        ];
        fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}

/// All rules and what wakes them.
pub(super) struct Rules {
    pub all: Vec<Rule>,
    pub keywords: Keywords,
}

/// The rules that were compiled in.
pub(super) fn rules() -> &'static Rules {
    static RULES: LazyLock<Rules> = LazyLock::new(|| {
        // Cannot fail for the file as it ships (`the_rules_are_read_as_toml_reads_them`); a scanner without rules
        // would be worse than none, so this stops instead of going on.
        read(reader::FILE).unwrap_or_else(|error| unreachable!("rules.toml is tested: {error}"))
    });
    &RULES
}

fn read(text: &'static str) -> Result<Rules, String> {
    let all = reader::rules(text)?;
    let keywords = Keywords::of(&all);
    Ok(Rules { all, keywords })
}

/// Bytes, not Unicode: the formats are ASCII, and its tables would make each compile many times slower.
fn expression(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).build()
}
