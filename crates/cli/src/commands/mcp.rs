//! `loci mcp`: memory for one agent, over stdin and stdout.

use super::Outcome;
use crate::args::Common;
use crate::boot::App;
use crate::now;
use crate::output::Output;
use loci_domain::access::Mode;
use loci_mcp::Mcp;
use std::process::ExitCode;

pub async fn run(common: &Common, output: Output, mode: Mode) -> Outcome {
    let app = App::boot(common).await?;
    for warning in &app.warnings {
        output.warn(warning);
    }
    loci_mcp::serve(Mcp::new(app.with_prompts()?, now::settled(common), mode)).await;
    Ok(ExitCode::SUCCESS)
}
