//! `loci doctor`: what is wrong, what could be better; exit 1 when something is wrong.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, bold, count, dim, green, line, red, yellow};
use loci_memory::doctor::{Examined, Finding, Mend};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, fix: bool) -> Outcome {
    let mut examined = app.memory.doctor(if fix { Mend::Fix } else { Mend::Look }).await?;
    for complaint in app.engine.check().await? {
        examined.fault("ledger", complaint);
    }
    for warning in &app.config.warnings {
        examined.advise("config", warning);
    }
    if let Some(hidden) = super::status::hidden(app).await? {
        examined.advise("/memories/project", hidden);
    }
    let healthy = examined.faults.is_empty();
    let answer = json!({"ok": healthy, "faults": examined.faults, "advice": examined.advice, "fixed": examined.fixed});
    output.answer(&answer, || show(&examined));
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn show(examined: &Examined) {
    let print = |mark: &str, findings: &[Finding]| {
        for finding in findings {
            line(&format!("{mark} {}  {}", bold(&finding.about), finding.message));
        }
    };
    print(&green("fixed "), &examined.fixed);
    print(&red("fault "), &examined.faults);
    print(&yellow("advice"), &examined.advice);
    if examined.faults.is_empty() {
        let advice = if examined.advice.is_empty() { "" } else { "; the advice is yours to take" };
        line(&format!("{}{}", green("memory is in good health"), dim(advice)));
    } else {
        line(&red(count(examined.faults.len(), "fault", "faults")));
    }
}
