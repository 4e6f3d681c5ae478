//! `loci mcp`: memory for one agent, over stdin and stdout.

use super::Outcome;
use crate::args::Common;
use crate::boot::App;
use crate::now;
use crate::output::Output;
use crate::telemetry;
use loci_domain::access::Mode;
use loci_mcp::Mcp;
use std::process::ExitCode;

pub async fn run(common: &Common, output: Output, mode: Mode) -> Outcome {
    let app = App::boot(common).await?;
    for warning in &app.warnings {
        output.warn(warning);
    }
    let export = telemetry::export(&app.config)?;
    loci_mcp::serve(Mcp::new(app.with_prompts(), now::settled(common), mode)).await;
    export.finish().await;
    Ok(ExitCode::SUCCESS)
}
