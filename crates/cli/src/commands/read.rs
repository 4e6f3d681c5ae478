//! `loci read`: a page of the handbook, as it is.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, print};
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, uri: &str) -> Outcome {
    let page = app.memory.read_page(uri).await?;
    output.answer(&page, || {
        let newline = if page.content.ends_with('\n') || !console::user_attended() { "" } else { "\n" };
        print(&format!("{}{newline}", page.content));
    });
    Ok(ExitCode::SUCCESS)
}
