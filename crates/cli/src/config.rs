//! Settings: defaults, home, project, environment, flags; later wins, and each value knows where it came from.
//!
//! Owns the list of settings (`defaults.toml`, and the few that have no default) and who may set what.
//! Never lets a cloned repository set a model, an address or a limit: it may name its project and switch things off.

mod bound;
mod layer;
#[cfg(test)]
mod reference;

pub use layer::{place_of, value as typed};

use anyhow::{Result, anyhow, bail};
use bound::Bound;
use serde::Serialize;
use std::collections::BTreeMap;
use toml::Value;

const DEFAULTS: &str = include_str!("defaults.toml");

/// Settings that are unset unless somebody sets them, and what each does.
const UNSET: [(&str, &str); 18] = [
    ("project.id", "a name that all checkouts of the project share, wherever they lie; else the path tells them apart"),
    ("models.default.provider", "who runs the model"),
    ("models.default.model", "the model that is asked where a role has none of its own"),
    ("models.default.base_url", "the address of the service, where it is not the provider's own"),
    ("models.default.api_key_env", "the environment variable that holds its key"),
    ("models.fast.provider", "who runs the model that chooses among candidates of recall and forget"),
    ("models.fast.model", "that model"),
    ("models.fast.base_url", "the address of its service"),
    ("models.fast.api_key_env", "the environment variable that holds its key"),
    ("models.smol.provider", "who runs the model that puts the handbook together"),
    ("models.smol.model", "that model"),
    ("models.smol.base_url", "the address of its service"),
    ("models.smol.api_key_env", "the environment variable that holds its key"),
    ("ledger.url", "the ledger that nodes share, postgres://…; unset: SQLite in the home"),
    ("files.url", "where the files of memory lie, s3://bucket/prefix; unset: in the home"),
    ("telemetry.otlp_endpoint", "the collector of OpenTelemetry that is told what happens; unset: nobody is told"),
    ("ssh.identity", "the key file that ssh uses; unset: your own ssh decides"),
    ("ssh.known_hosts", "the file with the keys of known hosts; unset: your own ssh decides"),
];

/// Environment variables and the settings that they set.
const VARIABLES: [(&str, &str); 5] = [
    ("LOCI_LEDGER", "ledger.url"),
    ("LOCI_FILES", "files.url"),
    ("LOCI_MODEL_PROVIDER", "models.default.provider"),
    ("LOCI_MODEL", "models.default.model"),
    ("LOCI_MODEL_BASE_URL", "models.default.base_url"),
];

/// Switches that a checkout may turn off, never on.
const CHECKOUT_SWITCHES: [&str; 5] =
    ["memory.enabled", "recall.enabled", "extract.enabled", "dream.enabled", "memories.enabled"];

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Default,
    Home,
    Project,
    Environment,
    Flag,
}

impl Source {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Source::Default => "default",
            Source::Home => "home",
            Source::Project => "project",
            Source::Environment => "environment",
            Source::Flag => "flag",
        }
    }
}

/// One setting.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    pub value: Option<Value>,
    pub default: Option<Value>,
    pub source: Source,
}

/// All settings as they hold here.
#[derive(Debug, Clone)]
pub struct Config {
    settings: BTreeMap<String, Setting>,
    /// The order of `defaults.toml`.
    order: Vec<String>,
    /// What was ignored, and why.
    pub warnings: Vec<String>,
}

impl Config {
    /// The defaults alone.
    pub fn defaults() -> Result<Config> {
        let mut order = Vec::new();
        let mut settings = BTreeMap::new();
        for (key, value) in layer::read(DEFAULTS).map_err(|place| anyhow!("the defaults, {place}"))? {
            order.push(key.clone());
            settings.insert(key, Setting { value: Some(value.clone()), default: Some(value), source: Source::Default });
        }
        for (key, _) in UNSET {
            order.push(key.to_owned());
            settings.insert(key.to_owned(), Setting { value: None, default: None, source: Source::Default });
        }
        Ok(Config { settings, order, warnings: Vec::new() })
    }

    /// The home's file: every key must be known and of the right kind.
    pub fn apply_home(&mut self, text: &str) -> Result<()> {
        let values = layer::read(text).map_err(|place| anyhow!("config.toml of the home, {place}"))?;
        for (key, value) in values {
            self.set(&key, value, Source::Home).map_err(|error| anyhow!("config.toml of the home: {error}"))?;
        }
        Ok(())
    }

    /// A checkout's file: what it may not set is ignored with a warning, since nobody here wrote it.
    pub fn apply_project(&mut self, text: &str) {
        let values = match layer::read(text) {
            Ok(values) => values,
            Err(place) => return self.warnings.push(format!(".loci/config.toml is ignored: {place}")),
        };
        for (key, value) in values {
            let switched_off = CHECKOUT_SWITCHES.contains(&key.as_str()) && value == Value::Boolean(false);
            if switched_off || key.starts_with("project.") {
                if let Err(error) = self.set(&key, value, Source::Project) {
                    self.warnings.push(format!(".loci/config.toml: {error}"));
                }
            } else {
                self.warnings.push(format!(
                    ".loci/config.toml: {key} is ignored; a checkout may set project.* and switch things off"
                ));
            }
        }
    }

    /// Environment variables, read by the caller.
    pub fn apply_environment(&mut self, read: impl Fn(&str) -> Option<String>) -> Result<()> {
        for (variable, key) in VARIABLES {
            if let Some(value) = read(variable).filter(|value| !value.is_empty()) {
                self.set(key, Value::String(value), Source::Environment)?;
            }
        }
        Ok(())
    }

    /// One `--set key=value`.
    pub fn apply_flag(&mut self, assignment: &str) -> Result<()> {
        let Some((key, value)) = assignment.split_once('=') else {
            bail!("--set takes key=value, got {assignment:?}");
        };
        self.set(key.trim(), layer::value(value.trim()), Source::Flag)
    }

    /// Sets one value, if it fits.
    pub fn set(&mut self, key: &str, value: Value, source: Source) -> Result<()> {
        let value = self.check(key, value)?;
        if let Some(setting) = self.settings.get_mut(key) {
            setting.value = Some(value);
            setting.source = source;
        }
        Ok(())
    }

    /// Says whether a value fits a key; a whole number is taken for a fraction where one is expected.
    pub fn check(&self, key: &str, value: Value) -> Result<Value> {
        let Some(setting) = self.settings.get(key) else { bail!("{}", self.unknown(key)) };
        let wanted = setting.default.clone().unwrap_or(Value::String(String::new()));
        let value = match (&wanted, value) {
            (Value::Float(_), Value::Integer(whole)) => Value::Float(whole as f64),
            (_, value) => value,
        };
        if wanted.type_str() != value.type_str() {
            let article = if wanted.type_str().starts_with(['a', 'i']) { "an" } else { "a" };
            bail!("{key} takes {article} {}, got the {} {value}", wanted.type_str(), value.type_str());
        }
        if value.as_array().is_some_and(|values| !values.iter().all(Value::is_str)) {
            bail!("{key} takes an array of texts, got {value}");
        }
        Bound::of(key).admit(key, &value)?;
        Ok(value)
    }

    fn unknown(&self, key: &str) -> String {
        let nearest = self.order.iter().max_by(|a, b| strsim::jaro(key, a).total_cmp(&strsim::jaro(key, b)));
        let hint = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
        format!("unknown setting {key}{hint}")
    }

    /// Every setting in its order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.order.iter().filter_map(|key| Some((key.as_str(), self.settings.get(key)?)))
    }

    /// One setting.
    pub fn setting(&self, key: &str) -> Result<&Setting> {
        self.settings.get(key).ok_or_else(|| anyhow!(self.unknown(key)))
    }

    /// A switch.
    pub fn switch(&self, key: &str) -> bool {
        self.value(key).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A whole number.
    pub fn number(&self, key: &str) -> u64 {
        self.value(key).and_then(Value::as_integer).unwrap_or_default() as u64
    }

    /// A number that may have a fraction.
    pub fn fraction(&self, key: &str) -> f64 {
        self.value(key).and_then(Value::as_float).unwrap_or_default()
    }

    /// A text, if it is set.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key).and_then(Value::as_str)
    }

    /// A list of texts.
    pub fn texts(&self, key: &str) -> Vec<String> {
        let values = self.value(key).and_then(Value::as_array);
        values.into_iter().flatten().filter_map(|value| value.as_str().map(str::to_owned)).collect()
    }

    /// A setting's value as anybody may see it: an address without its password.
    pub fn shown(key: &str, value: &Option<Value>) -> Option<Value> {
        let hides = key == "ledger.url";
        value.clone().map(|value| match value {
            Value::String(url) if hides => Value::String(layer::without_password(&url)),
            value => value,
        })
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.settings.get(key).and_then(|setting| setting.value.as_ref())
    }
}

#[cfg(test)]
mod tests;
