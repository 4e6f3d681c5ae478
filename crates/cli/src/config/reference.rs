//! `docs/configuration.md`, made of the settings themselves; only tests need it.
//!
//! Owns how a setting is told. Words come from `defaults.toml` and from the list of unset settings, kinds and bounds
//! from what a value is checked by.

use super::{Bound, CHECKOUT_SWITCHES, Config, DEFAULTS, UNSET, VARIABLES};
use crate::models;
use std::collections::BTreeMap;
use std::fmt::Write;
use toml::Value;

const OPENING: &str = "# Settings

Made of the settings themselves by the tests of `crates/cli` (`LOCI_BLESS=1` writes it anew): change `crates/cli/src/defaults.toml`, not this file.

A person's own values go to `$LOCI_HOME/config.toml`, as TOML or by `loci config KEY VALUE`; `loci config KEY --unset` goes back to the default.
Later wins: default, home, the project's `.loci/config.toml`, environment, flags, `--set KEY=VALUE`.
A checkout may set `project.*` and switch off what is marked \"checkout: off\"; all else in it is ignored with a warning.
A daemon that runs reads `memory`, `recall`, `context`, `hot`, `dream`, `agent`, `forget` and `memories` anew each time; `daemon`, `lane`, `sessions`, `sandbox`, `ledger` and `files` are those of its start.

Numbers are 0 or more unless a row says otherwise. `loci config` shows what holds here, and who set it.
";

const CLOSING: &str = "
## Environment

These are no settings, and no file can set them.

| variable | what it does |
|---|---|
| `LOCI_HOME` | where everything is kept; `~/.loci` without it |
| `LOCI_PROJECT` | the project's directory, as `--project`; empty: no project |
| `LOCI_WORKSPACE` | the workspace's id, as `--workspace` |
| `LOCI_TOKEN` | the daemon's token, instead of the one in `$LOCI_HOME/token` |
| `LOCI_MODEL_API_KEY` | the key of the default model, whatever `models.default.api_key_env` says |
| `LOCI_LOG` | what is told on stderr: `error`, `warn`, `info`, `debug`, or a filter of tracing |
| `OTEL_EXPORTER_OTLP_HEADERS` | headers for the collector of `telemetry.otlp_endpoint` |
| `AWS_*` | how object storage is reached, as everywhere else |
";

#[test]
fn the_committed_reference_is_that_of_the_settings() {
    loci_testkit::blessed::same("docs/configuration.md", &render());
}

#[test]
fn every_setting_says_what_it_does() {
    let texts = texts();
    for (key, _) in Config::defaults().unwrap().iter() {
        assert!(texts.get(key).is_some_and(|text| !text.is_empty()), "{key} has no words");
    }
}

fn render() -> String {
    let (config, texts) = (Config::defaults().unwrap(), texts());
    let mut told = OPENING.to_owned();
    let mut sections: Vec<&str> = Vec::new();
    for (key, _) in config.iter() {
        let section = section(key);
        if !sections.contains(&section) {
            sections.push(section);
        }
    }
    for section in sections {
        let about = texts.get(section).map(|about| format!("{about}\n\n")).unwrap_or_default();
        let _ =
            write!(told, "\n## {section}\n\n{about}| setting | value | default | what it does |\n|---|---|---|---|\n");
        for (key, setting) in config.iter().filter(|(key, _)| self::section(key) == section) {
            let default = setting.default.as_ref().map(|value| format!("`{value}`")).unwrap_or("–".to_owned());
            let text = texts.get(key).map(String::as_str).unwrap_or_default();
            let _ = writeln!(told, "| `{key}` | {} | {default} | {text}{} |", kind(key, &setting.default), who(key));
        }
    }
    told + CLOSING
}

/// Words by key, and those of a table by its name.
fn texts() -> BTreeMap<String, String> {
    let mut texts: BTreeMap<String, String> =
        UNSET.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    let (mut above, mut table) = ("", "");
    for line in DEFAULTS.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = name;
            texts.insert(table.to_owned(), above.to_owned());
        } else if let Some(comment) = line.strip_prefix("# ") {
            above = comment;
        } else if let Some((name, rest)) = line.split_once(" = ") {
            let text = rest.split_once(" # ").map_or("", |(_, text)| text);
            texts.insert(format!("{table}.{name}"), text.trim().to_owned());
        }
    }
    for (name, about) in [
        ("ledger", "Where rows are kept."),
        ("files", "Where memory is kept."),
        ("telemetry", "Who is told what happens, never what about."),
        ("ssh", "How a project or a workspace on another machine is reached."),
    ] {
        texts.insert(name.to_owned(), about.to_owned());
    }
    texts
}

fn section(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

fn kind(key: &str, default: &Option<Value>) -> String {
    let quoted = |word: &&str| format!("`\"{word}\"`");
    let bound = match Bound::of(key) {
        Bound::Plain => None,
        Bound::UpTo(most) => Some(format!("0 to {most}")),
        Bound::Positive => Some("above 0".to_owned()),
        Bound::Between(least, most) => Some(format!("{least} to {most}")),
        Bound::OneOf(words) => return words.iter().map(quoted).collect::<Vec<_>>().join(" or "),
        Bound::Provider => return models::kinds().trim_start_matches("use ").to_owned(),
        Bound::Host => return "text: an address such as `127.0.0.1`".to_owned(),
        Bound::Ledger => return "text: `postgres://…`".to_owned(),
        Bound::Files => return "text: `s3://bucket/prefix`".to_owned(),
        Bound::Collector => return "text: `http://…` or `https://…`".to_owned(),
        Bound::Embedder => return "text: `folder:PATH`, `http://…` or `https://…`".to_owned(),
    };
    let kind = match default {
        None | Some(Value::String(_)) => "text",
        Some(Value::Boolean(_)) => "`true` or `false`",
        Some(Value::Integer(_)) => "whole number",
        Some(Value::Float(_)) => "number",
        Some(Value::Array(_)) => "list of texts",
        Some(_) => "value",
    };
    bound.map_or(kind.to_owned(), |bound| format!("{kind}, {bound}"))
}

/// Who may set it, besides the person in their home.
fn who(key: &str) -> String {
    let variable =
        VARIABLES.iter().find(|(_, named)| *named == key).map(|(name, _)| format!("; environment: `{name}`"));
    let checkout = if key.starts_with("project.") {
        "; checkout: any value"
    } else if CHECKOUT_SWITCHES.contains(&key) {
        "; checkout: off"
    } else {
        ""
    };
    variable.unwrap_or_default() + checkout
}
