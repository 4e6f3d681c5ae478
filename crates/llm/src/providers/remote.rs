//! One model of one service: a call with its tries and its time.
//!
//! Owns which failures are worth another try, and what a status means. The wire format is a `Dialect`'s.
//! Start at [`Remote::ask`].

use super::dialect::Dialect;
use super::line::{Line, Reply, Trouble};
use super::manners::Learned;
use super::{Settings, pause};
use crate::provider::{Answer, Ask, Error, Provider, Result};
use async_trait::async_trait;
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// A model, ready to be asked.
#[derive(Debug)]
pub(super) struct Remote {
    name: String,
    settings: Settings,
    dialect: &'static dyn Dialect,
    learned: Learned,
    line: Line,
}

impl Remote {
    /// Only looks at the settings.
    pub(super) fn new(settings: Settings) -> Result<Remote> {
        let dialect = settings.kind.dialect();
        let home = dialect.home();
        if settings.model.is_empty() {
            return Err(Error::Settings("no model is named".to_owned()));
        }
        if settings.base_url.is_none() && settings.key.is_none() && home.wants_key {
            return Err(Error::Settings(format!("{} needs a key", settings.kind.name())));
        }
        let base = settings.base_url.as_deref().unwrap_or(home.address).trim_end_matches('/');
        let address = dialect.address(base, &settings.model);
        let line = Line::new(&address, dialect.headers(settings.key.as_ref()))?;
        let name = format!("{}/{}", settings.kind.name(), settings.model);
        Ok(Remote { name, settings, dialect, learned: Learned::default(), line })
    }

    async fn tries(&self, ask: &Ask, end: Instant) -> Result<Answer> {
        let mut tries = 0;
        loop {
            let (error, asked) = match self.once(ask).await {
                Ok(answer) => return Ok(answer),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Passing(error, asked)) => (error, asked),
            };
            let pause = pause::after(tries, self.settings.pause, asked);
            // A pause that ends after the time is up would only make somebody wait for the same answer.
            if tries >= self.settings.retries || Instant::now().checked_add(pause).is_none_or(|then| then >= end) {
                return Err(error);
            }
            tracing::debug!(model = self.name, %error, ?pause, "a model is asked again");
            tokio::time::sleep(pause).await;
            tries += 1;
        }
    }

    /// One try; more than one request only while the service teaches how it wants to be asked.
    async fn once(&self, ask: &Ask) -> std::result::Result<Answer, Failure> {
        loop {
            let manners = self.learned.now();
            let body = self.dialect.body(&self.settings.model, ask, manners).to_string();
            let reply = self.line.post(body.into_bytes()).await.map_err(Failure::from)?;
            match reply.status {
                200..=299 => return self.read(ask, &reply),
                400 | 422 if self.learned.take_refusal(ask, manners, &reply.body) => continue,
                status => {
                    tracing::debug!(model = self.name, status, "a model's service gives no answer");
                    return Err(Failure::status(status, reply.retry_after));
                }
            }
        }
    }

    fn read(&self, ask: &Ask, reply: &Reply) -> std::result::Result<Answer, Failure> {
        let unreadable = |why: &str| Failure::Final(Error::Unreadable(why.to_owned()));
        let body: Value = serde_json::from_slice(&reply.body).map_err(|_| unreadable("it is no JSON"))?;
        // Gateways report the trouble of a service behind them with 200.
        if let Some(status) = body["error"]["code"].as_u64().and_then(|code| u16::try_from(code).ok()) {
            return Err(Failure::status(status, reply.retry_after));
        }
        match self.dialect.read(ask, &body) {
            Ok(read) => Ok(read.into_answer(ask)),
            Err(error) => Err(Failure::Final(error)),
        }
    }
}

#[async_trait]
impl Provider for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    async fn ask(&self, ask: &Ask) -> Result<Answer> {
        let limit = self.settings.time;
        let tries = self.tries(ask, Instant::now() + limit);
        tokio::time::timeout(limit, tries).await.unwrap_or(Err(Error::Late { limit }))
    }
}

/// Why a try brought nothing.
#[derive(Debug)]
enum Failure {
    /// It will not be better next time.
    Final(Error),
    /// It may be, after the pause that the service asks for.
    Passing(Error, Option<Duration>),
}

impl Failure {
    fn status(status: u16, retry_after: Option<Duration>) -> Failure {
        match status {
            401 | 403 => Failure::Final(Error::Key { status }),
            408 | 429 | 500..=599 => Failure::Passing(Error::Busy { status, retry_after }, retry_after),
            _ => Failure::Final(Error::Refused { status }),
        }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        match trouble {
            Trouble::Absent => Failure::Final(Error::Unreachable),
            Trouble::Broken => Failure::Passing(Error::Unreachable, None),
            Trouble::Long => Failure::Final(Error::Unreadable("it is too long".to_owned())),
            Trouble::Setup => Failure::Final(Error::Settings("no connection can be set up".to_owned())),
        }
    }
}
