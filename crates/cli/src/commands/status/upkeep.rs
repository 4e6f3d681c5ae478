//! What status tells of upkeep: what is off and why, how the last extract and dream went, what waits.

use crate::boot::App;
use crate::fault::Failure;
use crate::output::{ago, bold, count, dim, line, yellow};
use crate::switches::{SWITCHES, why_off};
use loci_memory::upkeep::Outcome;
use loci_store::record::JobStatus;
use serde_json::{Map, Value};

pub struct Report {
    /// Why each switch that is off is off.
    pub off: Map<String, Value>,
    pub extract: Option<Outcome>,
    pub dream: Option<Outcome>,
    /// How many proposals wait.
    pub proposals: usize,
}

impl Report {
    pub async fn of(app: &App) -> Result<Report, Failure> {
        let off = SWITCHES.iter().filter_map(|name| Some(((*name).to_owned(), why_off(&app.config, name)?.into())));
        let [extract, dream] = app.memory.last_upkeep().await?;
        let proposals = app.memory.proposals().await?.proposals.len();
        Ok(Report { off: off.collect(), extract, dream, proposals })
    }

    pub fn show(&self) {
        // What is off by default is no news.
        for (name, why) in self.off.iter().filter(|(_, why)| *why != "off by default") {
            line(&dim(format!("            {name} is off: {}", why.as_str().unwrap_or_default())));
        }
        for (name, outcome) in [("extract", &self.extract), ("dream", &self.dream)] {
            let said = outcome.as_ref().map_or("never run here".to_owned(), |outcome| told(outcome, name));
            line(&format!("  {}{said}", bold(format!("{name:<10}"))));
        }
        if self.proposals > 0 {
            let waiting = count(self.proposals, "proposal waits", "proposals wait");
            line(&format!("  {:<10}{}", "", yellow(format!("{waiting} for you: loci dream --review"))));
        }
    }
}

/// How many background jobs there are, by status.
pub async fn pipeline(app: &App) -> Result<Value, Failure> {
    let jobs = app.ledger.jobs(None, 1_000).await?;
    let of =
        |status: JobStatus| (status.word().to_owned(), jobs.iter().filter(|job| job.status == status).count().into());
    Ok(Value::Object(JobStatus::ALL.into_iter().map(of).collect()))
}

/// Says what waits or failed, else how much was done; nothing at all is no news.
pub fn show_pipeline(pipeline: &Value) {
    let said = JobStatus::ALL.into_iter().filter(|status| *status != JobStatus::Done).filter_map(|status| {
        let number = pipeline[status.word()].as_u64().filter(|number| *number > 0)?;
        Some(format!("{number} {}", status.word()))
    });
    let mut said = said.collect::<Vec<_>>().join(" · ");
    let done = pipeline[JobStatus::Done.word()].as_u64().unwrap_or_default();
    if said.is_empty() && done > 0 {
        said = format!("{} done, none waits", count(usize::try_from(done).unwrap_or(usize::MAX), "job", "jobs"));
    }
    if !said.is_empty() {
        line(&format!("  {}{said}  {}", bold(format!("{:<10}", "pipeline")), dim("loci pipeline status")));
    }
}

fn told(outcome: &Outcome, name: &str) -> String {
    let result = match &outcome.skipped_reason {
        Some(reason) => format!("skipped ({reason})"),
        None if outcome.entries > 0 && name == "dream" => {
            format!("{}, {} merged", outcome.status, count(outcome.entries, "entry", "entries"))
        }
        None if outcome.entries > 0 => {
            format!("{}, {} stored", outcome.status, count(outcome.entries, "fact", "facts"))
        }
        None => outcome.status.clone(),
    };
    let topics = if outcome.topics.is_empty() { String::new() } else { format!(" in {}", outcome.topics.join(", ")) };
    let session = outcome.session.as_ref().map(|session| format!(" · session {session}")).unwrap_or_default();
    format!("{result}{topics}  {}", dim(format!("{}{session}", ago(outcome.at))))
}
