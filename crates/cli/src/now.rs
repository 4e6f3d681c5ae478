//! What settings say right now, for who runs for long.

use crate::args::Common;
use crate::boot::{self, Texts};
use crate::commands::{context, dream, recall};
use crate::config::Config;
use loci_memory::now::{Now, Settled};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Reads the settings anew each time that it is asked. What was made of the same texts is made once: that takes a quarter
/// of a millisecond, which is much beside a question.
pub fn settled(common: &Common) -> Settled {
    let (common, made) = (common.clone(), Mutex::<Option<(Texts, Now)>>::default());
    Arc::new(move || {
        let texts = boot::texts_now(&common).map_err(|failure| failure.to_string())?;
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, now)) = made.as_ref().filter(|(same, _)| *same == texts) {
            return Ok(now.clone());
        }
        let config = boot::settings(&texts, &common).map_err(|failure| failure.to_string())?;
        let now = of(&config);
        *made = Some((texts, now.clone()));
        Ok(now)
    })
}

fn of(config: &Config) -> Now {
    let number = |key: &str| usize::try_from(config.number(key)).unwrap_or(usize::MAX);
    Now {
        memory: config.switch("memory.enabled"),
        recall: config.switch("recall.enabled"),
        question: recall::settled(config),
        context: context::settled(config),
        dream: dream::settings(config),
        turns: number("agent.turns"),
        time: Duration::from_secs(config.number("agent.seconds")),
        forget_max: number("forget.cli_max"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_usual_is_what_the_settings_say() {
        let config = Config::defaults().unwrap();
        assert_eq!(format!("{:?}", of(&config)), format!("{:?}", Now::default()));
    }
}
