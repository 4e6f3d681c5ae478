//! What a value may be, beyond the kind that its default is of.
//!
//! Owns the bounds of every setting. Start at [`Bound::of`].

use crate::commands::serve;
use crate::{boot, embedder, models, telemetry};
use anyhow::{Error, Result, anyhow, bail};
use loci_llm::providers::Kind;
use toml::Value;

/// The bound of one setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A number is 0 or more; anything else goes.
    Plain,
    /// A number between 0 and this.
    UpTo(f64),
    /// A number above 0.
    Positive,
    /// A number between these.
    Between(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A provider of models.
    Provider,
    /// What an embedder is named by.
    Embedder,
    /// An address that a daemon can listen on.
    Host,
    /// A ledger that nodes share.
    Ledger,
    /// Where files lie that nodes share.
    Files,
    /// A collector of OpenTelemetry.
    Collector,
}

impl Bound {
    /// The bound of a key.
    pub fn of(key: &str) -> Bound {
        match key {
            "daemon.port" => Bound::UpTo(65_535.0),
            "dream.max_loss" => Bound::UpTo(1.0),
            "hot.half_life_days" | "limits.file_bytes" | "limits.files_per_scope" => Bound::Positive,
            "daemon.body_bytes" | "lane.pending" => Bound::Positive,
            "daemon.host" => Bound::Host,
            "ledger.url" => Bound::Ledger,
            "files.url" => Bound::Files,
            telemetry::ENDPOINT => Bound::Collector,
            "sessions.lease_seconds" => Bound::Between(1.0, 31_536_000.0),
            "sessions.max_context_length" => Bound::Between(1.0, 500_000.0),
            "project.scope" => Bound::OneOf(&["git-root", "workspace"]),
            "recall.embedder" => Bound::Embedder,
            _ if key.starts_with("models.") && key.ends_with(".provider") => Bound::Provider,
            _ => Bound::Plain,
        }
    }

    /// Says whether a value of the right kind is within the bound.
    pub fn admit(self, key: &str, value: &Value) -> Result<()> {
        let number = value.as_float().or(value.as_integer().map(|whole| whole as f64));
        if number.is_some_and(|number| number < 0.0) {
            bail!("{key} cannot be negative, got {value}");
        }
        let most = if let Bound::UpTo(most) = self { most } else { f64::MAX };
        if number.is_some_and(|number| !number.is_finite() || number > most) {
            bail!("{key} is a number up to {most}, got {value}");
        }
        let text = value.as_str().unwrap_or_default();
        match self {
            Bound::Between(least, most) if number.is_some_and(|number| !(least..=most).contains(&number)) => {
                bail!("{key} is a number from {least} to {most}, got {value}")
            }
            Bound::Positive if number == Some(0.0) => bail!("{key} is above 0"),
            Bound::OneOf(words) if !words.contains(&text) => {
                let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                bail!("{key} is {}, got {value}", words.join(" or "))
            }
            Bound::Provider if !text.is_empty() && text.parse::<Kind>().is_err() => {
                bail!("{key}: there is no provider {value}; {}", models::kinds())
            }
            Bound::Embedder if !embedder::is_one(text) => {
                bail!("{key} is \"folder:PATH\" or an address that begins with http:// or https://, got {value}")
            }
            // The words of whoever is going to read the value: what they refuse would keep everything from starting.
            Bound::Host => serve::host(text).map(drop).map_err(|failure| anyhow!("{key}: {failure}")),
            Bound::Ledger if !text.is_empty() => boot::is_ledger(text).map_err(Error::msg),
            Bound::Files if !text.is_empty() => boot::is_files(text).map_err(Error::msg),
            Bound::Collector if !text.trim().is_empty() => {
                telemetry::is_collector(text.trim()).map_err(|wrong| anyhow!("{key}: {wrong}"))
            }
            _ => Ok(()),
        }
    }
}
