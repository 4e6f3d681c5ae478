//! `loci config`: every setting, its value, its default, and where it comes from; or sets one in the home.

use super::Outcome;
use crate::args::{Common, ConfigArgs};
use crate::boot::{self, App};
use crate::config::{Config, Setting, Source, typed};
use crate::fault::Failure;
use crate::output::{Output, bold, dim, line, yellow};
use loci_store::lock::private_dirs;
use serde_json::{Value, json};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::ExitCode;
use toml_edit::{DocumentMut, Item, Table};

pub async fn run(common: &Common, output: Output, args: ConfigArgs) -> Outcome {
    let ConfigArgs { key, value, unset } = args;
    match (key, value, unset) {
        (Some(key), Some(value), _) => write(output, &key, Some(&value)),
        (Some(key), None, true) => write(output, &key, None),
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
        line(&dim(format!("{:<42}{:<16}  {:<16}  from", "setting", "value", "default")));
        for (key, setting) in config.iter() {
            let value = format!("{:<16}", plain(&Config::shown(key, &setting.value)));
            let default = format!("{:<16}", plain(&setting.default));
            let from = setting.source.word();
            line(&match setting.source {
                Source::Default => format!("{key:<42}{}", dim(format!("{value}  {default}  {from}"))),
                _ => format!("{}{value}  {}  {}", bold(format!("{key:<42}")), dim(default), yellow(from)),
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

fn write(output: Output, key: &str, value: Option<&str>) -> Outcome {
    let config = change(&[(key.to_owned(), value.map(typed))])?;
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
pub fn change(changes: &[(String, Option<toml::Value>)]) -> Result<Config, Failure> {
    let home = boot::home()?;
    let file = home.join("config.toml");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.into()),
    };
    let mut document: DocumentMut =
        text.parse().map_err(|error| Failure::from(anyhow::anyhow!("config.toml of the home: {error}")))?;
    let mut config = Config::defaults()?;
    for (key, value) in changes {
        match value {
            Some(value) => config.set(key, value.clone(), Source::Home),
            None => config.setting(key).map(drop),
        }
        .map_err(|error| Failure::usage(error.to_string()))?;
        place(document.as_table_mut(), key, value.as_ref().and(config.setting(key)?.value.as_ref()))?;
    }
    private_dirs(&home)?;
    save(&file, &document.to_string())?;
    Ok(config)
}

fn place(mut table: &mut Table, key: &str, value: Option<&toml::Value>) -> Result<(), Failure> {
    let mut names: Vec<&str> = key.split('.').collect();
    let last = names.pop().unwrap_or(key);
    for name in names {
        let item = table.entry(name).or_insert_with(|| Item::Table(Table::new()));
        table = item
            .as_table_mut()
            .ok_or_else(|| Failure::usage(format!("config.toml of the home: {name} is no table")))?;
    }
    match value {
        None => drop(table.remove(last)),
        Some(value) => {
            let mut value: toml_edit::Value =
                value.to_string().parse().map_err(|error| Failure::from(anyhow::anyhow!("{key}: {error}")))?;
            // A comment behind the old value stays.
            if let Some(old) = table.get(last).and_then(Item::as_value) {
                *value.decor_mut() = old.decor().clone();
            }
            table[last] = Item::Value(value);
        }
    }
    Ok(())
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
