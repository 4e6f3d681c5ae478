//! `loci why`: what a recall did, by its receipt.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, ago, bold, count, dim, line, yellow};
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, receipt: &str) -> Outcome {
    let receipt = app.memory.why(receipt).await?;
    output.answer(&receipt, || {
        line(&dim(format!("asked {}", ago(receipt.at))));
        for shown in &receipt.shown {
            let cited = if shown.cited { " · cited" } else { "" };
            line(&format!("{}  score {:.2}{cited}", bold(&shown.path), shown.score));
            for (term, fields) in &shown.why.terms {
                line(&format!("  {term} in {}", fields.join(", ")));
            }
            let why = &shown.why;
            let age = if why.age_days == 0 {
                "changed today".to_owned()
            } else {
                count(why.age_days as usize, "day old", "days old")
            };
            line(&format!(
                "  {}",
                dim(format!(
                    "words {:.0} % · meaning {:.2} · used {}× · {age}",
                    why.coverage * 100.0,
                    why.similarity,
                    why.uses
                ))
            ));
            if let Some(stale) = &why.stale {
                line(&format!("  {}", yellow(format!("stale: {stale}"))));
            }
        }
        for cut in &receipt.cut {
            line(&format!("{}  {}", dim(&cut.path), dim(left_out(&cut.reason))));
        }
        if receipt.shown.is_empty() {
            line(&dim("nothing fitted"));
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn left_out(reason: &str) -> String {
    if reason == "doc_chars" {
        "cut: its body is longer than recall.doc_chars".to_owned()
    } else {
        format!("not shown: {reason}")
    }
}
