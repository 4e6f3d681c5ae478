//! `loci config`: every setting, its value, its default, and where it comes from; or sets one in the home.

use super::Outcome;
use crate::args::{Common, ConfigArgs};
use crate::boot::{self, App};
use crate::config::{Config, Setting, Source, place_of, typed};
use crate::fault::Failure;
use crate::output::{Output, bold, dim, line, yellow};
use loci_store::lock::{FileLock, Lock};
use serde_json::{Value, json};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::ExitCode;
use toml_edit::{DocumentMut, Item, Table, TableLike};

pub async fn run(common: &Common, output: Output, args: ConfigArgs) -> Outcome {
    let ConfigArgs { key, value, unset } = args;
    match (key, value, unset) {
        (Some(key), Some(value), _) => write(output, &key, Some(&value)).await,
        (Some(key), None, true) => write(output, &key, None).await,
        (key, ..) => {
            let config = match App::boot(common).await {
                Ok(app) => {
                    app.warnings.iter().for_each(|warning| output.warn(warning));
                    app.config
                }
                // Who cannot reach the ledger looks here for its address.
                Err(_) => boot::settings_now(common)?,
            };
            show(&config, output, key.as_deref())
        }
    }
}

fn show(config: &Config, output: Output, key: Option<&str>) -> Outcome {
    if let Some(key) = key {
        let setting = config.setting(key).map_err(|error| Failure::usage(error.to_string()))?;
        output.answer(&row(key, setting), || line(&plain(&Config::shown(key, &setting.value))));
        return Ok(ExitCode::SUCCESS);
    }
    let rows: Vec<Value> = config.iter().map(|(key, setting)| row(key, setting)).collect();
    output.answer(&json!({"settings": rows}), || {
        let width = config.iter().map(|(key, _)| key.len()).max().unwrap_or_default() + 2;
        line(&dim(format!("{:<width$}{:<12}  {:<12}  from", "setting", "value", "default")));
        for (key, setting) in config.iter() {
            let value = format!("{:<12}", plain(&Config::shown(key, &setting.value)));
            let default = format!("{:<12}", plain(&setting.default));
            let from = setting.source.word();
            line(&match setting.source {
                Source::Default => format!("{key:<width$}{}", dim(format!("{value}  {default}  {from}"))),
                _ => format!("{}{value}  {}  {}", bold(format!("{key:<width$}")), dim(default), yellow(from)),
            });
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn row(key: &str, setting: &Setting) -> Value {
    json!({"key": key, "value": Config::shown(key, &setting.value), "default": setting.default, "source": setting.source})
}

fn plain(value: &Option<toml::Value>) -> String {
    match value {
        None => "–".to_owned(),
        Some(toml::Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

async fn write(output: Output, key: &str, value: Option<&str>) -> Outcome {
    let config = change(&[(key.to_owned(), value.map(typed))]).await?;
    output.answer(&row(key, config.setting(key)?), || match value {
        Some(_) => {
            line(&format!("{key} = {}", plain(&config.setting(key).ok().and_then(|setting| setting.value.clone()))))
        }
        None => line(&format!("{key} is back to its default")),
    });
    Ok(ExitCode::SUCCESS)
}

/// Changes values in the home's `config.toml`, all of them or none; comments and everything else stay. `None` = back to
/// the default. Answers the defaults with these changes.
///
/// Invariant: settings_changed_at_once_are_all_kept. Whoever changes the file holds its lock from reading to saving.
pub async fn change(changes: &[(String, Option<toml::Value>)]) -> Result<Config, Failure> {
    let mut config = Config::defaults()?;
    for (key, value) in changes {
        let known = match value {
            Some(value) => config.set(key, value.clone(), Source::Home),
            None => config.setting(key).map(drop),
        };
        known.map_err(|error| Failure::usage(error.to_string()))?;
    }
    let home = boot::home()?;
    let held = FileLock::File(home.join("locks").join("config.lock")).hold().await?;
    let named = home.join("config.toml");
    // A person may keep the file elsewhere, with a link to it here.
    let file = named.canonicalize().unwrap_or(named);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.into()),
    };
    let broken = |error: toml_edit::TomlError| place_of(&text, error.span(), error.message());
    let document = text.parse::<DocumentMut>().map_err(broken);
    let mut document = document.map_err(|place| boot::unsettled(format!("config.toml of the home, {place}")))?;
    for (key, value) in changes {
        place(document.as_table_mut(), key, value.as_ref().and(config.setting(key)?.value.as_ref()))?;
    }
    save(&file, &document.to_string())?;
    held.release().await;
    Ok(config)
}

/// Puts a value where its key says, in whatever form the tables on the way are written; what stands around it stays.
fn place(table: &mut dyn TableLike, key: &str, value: Option<&toml::Value>) -> Result<(), Failure> {
    let Some((name, rest)) = key.split_once('.') else { return put(table, key, value) };
    if table.get(name).is_none() {
        if value.is_none() {
            return Ok(());
        }
        let mut new = Table::new();
        // One that only holds tables needs no line of its own.
        new.set_implicit(true);
        table.insert(name, Item::Table(new));
    }
    let inner = table.get_mut(name).and_then(Item::as_table_like_mut);
    let inner = inner.ok_or_else(|| Failure::usage(format!("config.toml of the home: {name} is no table")))?;
    place(inner, rest, value)?;
    if inner.is_empty() && !table.get(name).is_some_and(has_words) {
        table.remove(name);
    }
    Ok(())
}

fn put(table: &mut dyn TableLike, name: &str, value: Option<&toml::Value>) -> Result<(), Failure> {
    let Some(value) = value else {
        table.remove(name);
        return Ok(());
    };
    let parsed = value.to_string().parse::<toml_edit::Value>();
    let mut value = parsed.map_err(|error| Failure::from(anyhow::anyhow!("{name}: {error}")))?;
    value.decor_mut().clear();
    match table.get_mut(name) {
        Some(item) => {
            // The words behind a value are about the setting and not about what it was.
            if let Some(old) = item.as_value() {
                *value.decor_mut() = old.decor().clone();
            }
            *item = Item::Value(value);
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
    Ok(())
}

/// True when somebody wrote a comment above a table's line.
fn has_words(item: &Item) -> bool {
    let prefix = item.as_table().and_then(|table| table.decor().prefix()?.as_str());
    prefix.is_some_and(|prefix| prefix.contains('#'))
}

/// Whole or not at all: a setting must not be lost to a crash.
fn save(file: &Path, text: &str) -> Result<(), Failure> {
    let temporary = file.with_extension(format!("{}.tmp", loci_store::store::fresh_id()));
    let mut new = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    std::io::Write::write_all(&mut new, text.as_bytes())?;
    new.sync_all()?;
    std::fs::rename(&temporary, file)?;
    Ok(())
}
