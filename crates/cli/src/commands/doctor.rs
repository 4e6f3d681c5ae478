//! `loci doctor`: what is wrong, what could be better; exit 1 when something is wrong.
//!
//! Owns the order of the checks. `memory` looks at documents and index; `doctor/machine.rs` at what is around them, which
//! it can also where nothing else starts; `doctor/neighbours.rs` at who works with them.

mod machine;
mod neighbours;

use super::Outcome;
use crate::args::Common;
use crate::boot::{self, App};
use crate::fault::{self, Failure};
use crate::output::{Format, Output, bold, count, dim, green, line, red, yellow};
use loci_memory::doctor::{Examined, Finding, Mend};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(common: &Common, output: Output, fix: bool) -> Outcome {
    let mend = if fix { Mend::Fix } else { Mend::Look };
    let mut around = Examined::default();
    machine::examine(&boot::home()?, mend, &mut around);
    match begin(common, output, mend).await {
        Ok(app) => examine(&app, output, mend, around).await,
        Err(failure) => {
            // Whatever keeps memory from being opened, the reason may be among what is around it.
            if output.format == Format::Text {
                list(&around);
            }
            Err(failure)
        }
    }
}

async fn begin(common: &Common, output: Output, mend: Mend) -> Result<App, Failure> {
    let mended = if mend == Mend::Fix { boot::mend_ledger().await? } else { None };
    let mut app = App::boot(common).await?;
    app.warnings.extend(mended.map(|mended| format!("the ledger {mended}")));
    app.warnings.iter().for_each(|warning| output.warn(warning));
    Ok(app)
}

async fn examine(app: &App, output: Output, mend: Mend, around: Examined) -> Outcome {
    let mut examined = match app.memory.doctor(mend).await {
        Ok(examined) => examined,
        Err(error) => unread(app, &error.into()),
    };
    match app.engine.check().await {
        Ok(complaints) => complaints.into_iter().for_each(|complaint| examined.fault("ledger", complaint)),
        Err(failure) => examined.fault("ledger", told(&failure)),
    }
    for trouble in boot::own_prompts(&app.places.home).troubles() {
        examined.fault(
            "prompts",
            format!("{trouble}; mend or remove that file in {}", app.places.home.join("prompts").display()),
        );
    }
    for warning in &app.config.warnings {
        examined.advise("config", warning);
    }
    match super::status::hidden(app).await {
        Ok(hidden) => hidden.into_iter().for_each(|hidden| examined.advise("/memories/project", hidden)),
        Err(failure) => examined.fault("/memories/project", told(&failure)),
    }
    if let Err(failure) = neighbours::examine(app, &mut examined).await {
        examined.fault("ledger", told(&failure));
    }
    examined.faults.extend(around.faults);
    examined.advice.extend(around.advice);
    examined.fixed.extend(around.fixed);
    let healthy = examined.faults.is_empty();
    let answer = json!({"ok": healthy, "faults": examined.faults, "advice": examined.advice, "fixed": examined.fixed});
    output.answer(&answer, || show(&examined, mend));
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What kept the documents from being looked at; the rest is looked at all the same.
fn unread(app: &App, failure: &Failure) -> Examined {
    let mut examined = Examined::default();
    match app.config.text("files.url").filter(|url| !url.is_empty()) {
        None => examined.fault("/memories", told(failure)),
        Some(_) => {
            let text = format!("{failure}; start it, or correct files.url (LOCI_FILES) and the AWS_* variables");
            examined.fault("files.url", text);
        }
    }
    examined
}

/// A failure with what to do about it.
fn told(failure: &Failure) -> String {
    fault::hint(failure).map_or(failure.message.clone(), |hint| format!("{failure}; {hint}"))
}

fn show(examined: &Examined, mend: Mend) {
    list(examined);
    if examined.faults.is_empty() {
        let advice = if examined.advice.is_empty() { "" } else { "; the advice is yours to take" };
        line(&format!("{}{}", green("memory is in good health"), dim(advice)));
    } else {
        line(&red(count(examined.faults.len(), "fault", "faults")));
        if mend == Mend::Fix {
            line(&dim("--fix can mend none of these; each line says what is wrong"));
        }
    }
}

fn list(examined: &Examined) {
    let print = |mark: &str, findings: &[Finding]| {
        for finding in findings {
            line(&format!("{mark} {}  {}", bold(&finding.about), finding.message));
        }
    };
    print(&green("fixed "), &examined.fixed);
    print(&red("fault "), &examined.faults);
    print(&yellow("advice"), &examined.advice);
}
