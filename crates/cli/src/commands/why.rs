//! `loci why`: what a recall did, by its receipt.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, ago, bold, dim, line, yellow};
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, receipt: &str) -> Outcome {
    let receipt = app.memory.why(receipt).await?;
    output.answer(&receipt, || {
        line(&dim(format!("asked {}", ago(receipt.at))));
        for shown in &receipt.shown {
            line(&format!("{}  score {:.2}", bold(&shown.path), shown.score));
            for (term, fields) in &shown.why.terms {
                line(&format!("  {term} in {}", fields.join(", ")));
            }
            let why = &shown.why;
            line(&format!(
                "  {}",
                dim(format!(
                    "words {:.0} % · meaning {:.2} · used {}× · {} days old",
                    why.coverage * 100.0,
                    why.similarity,
                    why.uses,
                    why.age_days
                ))
            ));
            if let Some(stale) = &why.stale {
                line(&format!("  {}", yellow(format!("stale: {stale}"))));
            }
        }
        for cut in &receipt.cut {
            line(&format!("{}  {}", dim(&cut.path), dim(format!("not shown: {}", cut.reason))));
        }
        if receipt.shown.is_empty() {
            line(&dim("nothing fitted"));
        }
    });
    Ok(ExitCode::SUCCESS)
}
