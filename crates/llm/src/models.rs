//! The models by role, and what they cost.
//!
//! Owns which provider answers for a role, and that every call is counted and stops at the day's limit.
//! Never knows where the count is kept: that is behind the port [`Meter`].

use crate::provider::{Answer, Ask, Error, Provider, Result, Spent};
use crate::providers::estimate;
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;
use std::sync::Arc;

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Whatever has no role of its own.
    Default,
    /// Small choices that somebody waits for.
    Fast,
    /// Long, cheap work in the background.
    Smol,
}

/// Tokens of an answer that nobody bounds.
const ANSWER: u64 = 1_024;

/// Counts tokens by UTC day. An implementation answers for all processes that share a home.
#[async_trait]
pub trait Meter: Debug + Send + Sync {
    /// Counts a call of this model before it is made, as what it will probably cost; nothing once the day has reached
    /// the limit. So calls at the same time pass the limit by no more than calls in a row: by what the last one costs.
    async fn reserve(&self, model: &str, guess: Spent, limit: u64) -> Result<Option<Reserved>>;

    /// Puts what a call cost in the place of the guess; nothing takes it out of the count.
    async fn charge(&self, model: &str, reserved: Reserved, spent: Option<Spent>) -> Result<()>;
}

/// A call that is counted and not yet paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reserved {
    /// When, and so on which day.
    pub at: Timestamp,
    /// What it is counted as.
    pub guess: Spent,
}

/// The models that there are; cheap to clone. The default one has none: everything works without.
#[derive(Debug, Clone, Default)]
pub struct Models {
    default: Option<Arc<dyn Provider>>,
    fast: Option<Arc<dyn Provider>>,
    smol: Option<Arc<dyn Provider>>,
    meter: Option<(Arc<dyn Meter>, u64)>,
}

impl Models {
    /// Adds or replaces the model of a role.
    pub fn with(mut self, role: Role, provider: Arc<dyn Provider>) -> Models {
        match role {
            Role::Default => self.default = Some(provider),
            Role::Fast => self.fast = Some(provider),
            Role::Smol => self.smol = Some(provider),
        }
        self
    }

    /// Counts every call, and refuses more once the day's limit is reached.
    pub fn metered(mut self, meter: Arc<dyn Meter>, daily_limit: u64) -> Models {
        self.meter = Some((meter, daily_limit));
        self
    }

    /// Who answers for a role, as `provider/model`.
    pub fn name(&self, role: Role) -> Option<&str> {
        Some(self.provider(role)?.name())
    }

    /// Whether somebody answers for a role.
    pub fn has(&self, role: Role) -> bool {
        self.provider(role).is_some()
    }

    /// Asks the model of a role, or the default one.
    pub async fn ask(&self, role: Role, ask: &Ask) -> Result<Answer> {
        let provider = self.provider(role).ok_or(Error::NoModel)?;
        let Some((meter, limit)) = &self.meter else { return provider.ask(ask).await };
        let guess = Spent { input: estimate::input(ask), output: ask.max_tokens.map_or(ANSWER, u64::from) };
        let Some(reserved) = meter.reserve(provider.name(), guess, *limit).await? else { return Err(Error::Spent) };
        let answer = provider.ask(ask).await;
        let told = answer.as_ref().map_or_else(Error::spent, |answer| answer.spent);
        let spent = match answer {
            // The service works at it all the same, as it does at one that is cut off from outside.
            Err(Error::Late { .. }) => reserved.guess,
            _ => told,
        };
        let cost = (spent != Spent::default()).then_some(spent);
        meter.charge(provider.name(), reserved, cost).await?;
        tracing::debug!(model = provider.name(), input = spent.input, output = spent.output, "a model was asked");
        answer
    }

    fn provider(&self, role: Role) -> Option<&Arc<dyn Provider>> {
        let own = match role {
            Role::Default => None,
            Role::Fast => self.fast.as_ref(),
            Role::Smol => self.smol.as_ref(),
        };
        own.or(self.default.as_ref())
    }
}

#[cfg(test)]
mod tests;
