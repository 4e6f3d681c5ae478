//! From settings to the models that memory may ask.
//!
//! Owns how a role's settings are read, and where its key comes from. Nothing is connected here, and no TLS is set up:
//! a command that asks no model pays for a few strings.
//! A role whose settings are wrong has no model of its own; `loci status` says why. Everything works without.

use crate::config::Config;
use loci_llm::providers::{self, Key, Kind, Settings};
use loci_llm::{Meter, Models, Role};
use std::sync::Arc;
use std::time::Duration;

/// Roles and their names in settings.
pub const ROLES: [(Role, &str); 3] = [(Role::Default, "default"), (Role::Fast, "fast"), (Role::Smol, "smol")];

/// The key of the default role, whatever else is set.
const KEY_VARIABLE: &str = "LOCI_MODEL_API_KEY";

/// The models by role, and what is wrong with the settings of the others.
#[derive(Debug, Default)]
pub struct Chosen {
    pub models: Models,
    pub troubles: Vec<String>,
}

/// Reads the settings of all roles; `read` gives an environment variable.
pub fn choose(config: &Config, read: impl Fn(&str) -> Option<String>, meter: Arc<dyn Meter>) -> Chosen {
    let mut chosen = Chosen::default();
    let mut default = None;
    for (role, name) in ROLES {
        let told = Told::of(config, name);
        if told == Told::default() {
            continue;
        }
        match told.settle(name, default.as_ref(), &read) {
            Ok(mut settings) => {
                settings.time = Duration::from_secs(config.number("models.timeout_seconds").max(1));
                settings.retries = u32::try_from(config.number("models.retries")).unwrap_or(u32::MAX);
                match providers::open(settings.clone()) {
                    Ok(provider) => chosen.models = std::mem::take(&mut chosen.models).with(role, provider),
                    Err(error) => chosen.troubles.push(format!("models.{name}: {error}")),
                }
                if role == Role::Default {
                    default = Some(settings);
                }
            }
            Err(trouble) => chosen.troubles.push(format!("models.{name}: {trouble}")),
        }
    }
    chosen.models = chosen.models.metered(meter, config.number("models.daily_token_limit"));
    chosen
}

/// What is said about a role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Told {
    provider: Option<String>,
    model: Option<String>,
    base_url: Option<String>,
    api_key_env: Option<String>,
}

impl Told {
    fn of(config: &Config, role: &str) -> Told {
        let text = |name: &str| {
            let value = config.text(&format!("models.{role}.{name}"))?.trim();
            (!value.is_empty()).then(|| value.to_owned())
        };
        Told {
            provider: text("provider"),
            model: text("model"),
            base_url: text("base_url"),
            api_key_env: text("api_key_env"),
        }
    }

    /// Fills the gaps: a role without a provider of its own is another model at the default one's service.
    fn settle(
        self,
        role: &str,
        default: Option<&Settings>,
        read: &impl Fn(&str) -> Option<String>,
    ) -> Result<Settings, String> {
        let there = default.filter(|_| self.provider.is_none());
        let kind = match (&self.provider, there) {
            (Some(name), _) => name.parse().map_err(|()| format!("{name:?} is no provider; {}", kinds()))?,
            (None, Some(default)) => default.kind,
            (None, None) => return Err(format!("no provider is named; {}", kinds())),
        };
        let Some(model) = self.model.or_else(|| there.map(|default| default.model.clone())) else {
            return Err("no model is named".to_owned());
        };
        let base_url = self.base_url.or_else(|| there.and_then(|default| default.base_url.clone()));
        let own = match (role, &self.api_key_env) {
            ("default", _) if read(KEY_VARIABLE).is_some_and(|key| !key.trim().is_empty()) => read(KEY_VARIABLE),
            (_, Some(variable)) => match read(variable).filter(|key| !key.trim().is_empty()) {
                Some(key) => Some(key),
                None => return Err(format!("the variable {variable} that api_key_env names is not set")),
            },
            (_, None) => None,
        };
        // A key goes nowhere but to the service that it was given for.
        let same = default.filter(|default| default.kind == kind && default.base_url == base_url);
        let key = match own {
            Some(key) => Key::new(&key),
            None => same.and_then(|default| default.key.clone()),
        };
        if key.is_none() && base_url.is_none() && kind != Kind::Ollama {
            let hint = if role == "default" { format!("set {KEY_VARIABLE}, or name") } else { "name".to_owned() };
            return Err(format!("{} needs a key; {hint} the variable that holds it in api_key_env", kind.name()));
        }
        Ok(Settings { base_url, key, ..Settings::new(kind, model) })
    }
}

/// The providers that there are, for a hint.
pub fn kinds() -> String {
    let [first @ .., last] = Kind::ALL.map(Kind::name);
    format!("use {} or {last}", first.join(", "))
}

#[cfg(test)]
mod tests;
