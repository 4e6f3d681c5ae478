//! How the home is set up, for the daemon: status, settings and the models, as the command line knows them.

use crate::agents::{self, Agent, Desk, Done, Level, Run};
use crate::args::Common;
use crate::boot::{self, App};
use crate::commands::{config, connect, status};
use crate::fault::Failure;
use crate::models::ROLES;
use async_trait::async_trait;
use loci_domain::access::Mode;
use loci_domain::fault::Fault;
use loci_llm::provider::{Ask, Message};
use loci_server::{Connecting, Connection, ConnectionChange, ConnectionFile, ModelTest, Refusal, SettingRow, Setup};
use serde_json::{Map, Value};
use std::time::Instant;

/// Asks anew each time: a daemon runs for long, and a person changes settings by many hands.
pub struct Own {
    pub common: Common,
}

#[async_trait]
impl Setup for Own {
    async fn status(&self) -> Result<Value, Refusal> {
        let app = App::boot(&self.common).await.map_err(refusal)?;
        let (report, _) = status::report(&app).await.map_err(refusal)?;
        Ok(report)
    }

    fn settings(&self) -> Result<Vec<SettingRow>, Refusal> {
        let config = boot::settings_now(&self.common).map_err(refusal)?;
        let json = |value: &Option<toml::Value>| serde_json::to_value(value).unwrap_or_default();
        let row = |(key, setting): (&str, &crate::config::Setting)| SettingRow {
            key: key.to_owned(),
            value: json(&crate::config::Config::shown(key, &setting.value)),
            default: json(&setting.default),
            source: setting.source.word().to_owned(),
        };
        Ok(config.iter().map(row).collect())
    }

    async fn change(&self, changes: &Map<String, Value>) -> Result<(), Refusal> {
        let mut wanted = Vec::new();
        for (key, value) in changes {
            let value = match value {
                Value::Null => None,
                // Nothing that settings take holds a null; the key is looked at first, for it may be unknown.
                value => Some(toml::Value::try_from(value).unwrap_or_else(|_| toml::Table::new().into())),
            };
            wanted.push((key.clone(), value));
        }
        config::change(&wanted).await.map(drop).map_err(|failure| match failure.exit {
            2 => refusal(failure).coded("invalid_setting"),
            _ => refusal(failure),
        })
    }

    async fn test_model(&self, role: &str) -> Result<ModelTest, Refusal> {
        let known = ROLES.iter().find(|(_, name)| *name == role);
        let (role, _) = known.ok_or_else(|| Refusal::invalid("invalid_role", "role is default, fast or smol"))?;
        let app = App::boot(&self.common).await.map_err(refusal)?;
        let models = app.memory.models();
        let Some(model) = models.name(*role) else {
            let error = app.model_troubles.first().cloned().unwrap_or_else(|| "no model is set".to_owned());
            return Ok(ModelTest { ok: false, model: None, duration_ms: 0, error: Some(error) });
        };
        let ask = Ask { messages: vec![Message::User("Answer with the word ok.".to_owned())], ..Ask::default() };
        let start = Instant::now();
        let answer = models.ask(*role, &ask).await;
        let duration_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let error = answer.err().map(|error| error.to_string());
        Ok(ModelTest { ok: error.is_none(), model: Some(model.to_owned()), duration_ms, error })
    }

    async fn connections(&self) -> Result<Vec<Connection>, Refusal> {
        let app = App::boot(&self.common).await.map_err(refusal)?;
        let rows = connect::standings(&app).map_err(refusal)?;
        Ok(rows.iter().map(connect::Row::told).collect())
    }

    async fn connect(&self, agent: &str, ask: Connecting) -> Result<ConnectionChange, Refusal> {
        let (agent, level, run) = asked(agent, &ask)?;
        let mode = ask.mode.map(|word| word.parse::<Mode>()).transpose();
        let mode = mode.map_err(|unknown| Refusal::invalid("invalid_mode", unknown.to_string()))?;
        let app = App::boot(&self.common).await.map_err(refusal)?;
        let done = Desk::new(&app, level).map_err(refusal)?.connect(agent, mode, run).await;
        done.map(told).map_err(refusal)
    }

    async fn disconnect(&self, agent: &str, ask: Connecting) -> Result<ConnectionChange, Refusal> {
        let (agent, level, run) = asked(agent, &ask)?;
        let app = App::boot(&self.common).await.map_err(refusal)?;
        let done = Desk::new(&app, level).map_err(refusal)?.disconnect(agent, run).await;
        done.map(told).map_err(refusal)
    }
}

/// Which agent, whose configuration, and whether it is only told.
fn asked(agent: &str, ask: &Connecting) -> Result<(&'static Agent, Level, Run), Refusal> {
    let agent = agents::named(agent).map_err(|failure| Refusal::missing(failure.code, failure.message))?;
    let level = match ask.level.as_deref() {
        None | Some("user") => Level::User,
        Some("project") => Level::Project,
        Some(_) => return Err(Refusal::invalid("invalid_level", "level is user or project")),
    };
    Ok((agent, level, if ask.dry_run { Run::Dry } else { Run::Real }))
}

fn told(done: Done) -> ConnectionChange {
    let file = |file: agents::Changed| ConnectionFile {
        path: file.path,
        change: file.change.to_owned(),
        what: file.what.to_owned(),
        diff: file.diff,
    };
    ConnectionChange {
        agent: done.agent.to_owned(),
        level: done.level.to_owned(),
        dry_run: done.dry_run,
        files: done.files.into_iter().map(file).collect(),
    }
}

fn refusal(failure: Failure) -> Refusal {
    if failure.code == boot::UNSETTLED {
        return Refusal::broken(failure.code, failure.message);
    }
    let fault = match failure.exit {
        2 => Fault::Invalid,
        3 => Fault::Missing,
        4 => Fault::Conflict,
        5 => Fault::Denied,
        6 => Fault::Busy,
        _ => Fault::Bug,
    };
    Refusal::of(fault, failure.code, failure.message)
}
