//! The models by role, and what they cost.
//!
//! Owns which provider answers for a role, and that every call is counted and stops at the day's limit.
//! Never knows where the count is kept: that is behind the port [`Meter`].

use crate::provider::{Answer, Ask, Error, Provider, Result, Spent};
use async_trait::async_trait;
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

/// Counts tokens. An implementation answers for all processes that share a home.
#[async_trait]
pub trait Meter: Debug + Send + Sync {
    /// What was spent since midnight UTC.
    async fn today(&self) -> Result<u64>;

    /// Adds what a call of this model cost.
    async fn add(&self, model: &str, spent: Spent) -> Result<()>;
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
        if meter.today().await? >= *limit {
            return Err(Error::Spent);
        }
        let answer = provider.ask(ask).await;
        let spent = answer.as_ref().map_or_else(Error::spent, |answer| answer.spent);
        if spent != Spent::default() {
            meter.add(provider.name(), spent).await?;
        }
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
