//! Resources: the pages of the handbook, by their `memory://` addresses.

use crate::fault::Failure;
use crate::server::Mcp;
use loci_domain::page::ROOT;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};

const MARKDOWN: &str = "text/markdown";

/// The pages that there are; none while memory is off.
pub(crate) async fn list(mcp: &Mcp) -> Result<ListResourcesResult, Failure> {
    let pages = match mcp.on() {
        Ok(_) => mcp.memory().pages().await?,
        Err(Failure::Off) => Vec::new(),
        Err(failure) => return Err(failure),
    };
    let resource = |page: loci_memory::handbook::Page| {
        let resource = Resource::new(page.uri.to_string(), page.name).with_size(page.bytes);
        resource.with_description(page.description).with_mime_type(mime(page.uri.path().as_str()))
    };
    Ok(ListResourcesResult::with_all_items(pages.into_iter().map(resource).collect()))
}

/// Where pages may be.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    let page = ResourceTemplate::new(format!("{ROOT}/{{+path}}"), "page")
        .with_title("Page of the handbook")
        .with_description("MEMORY.md, or skills/<name>/SKILL.md: what past sessions of this project taught")
        .with_mime_type(MARKDOWN);
    ListResourceTemplatesResult::with_all_items(vec![page])
}

/// One page.
pub(crate) async fn read(mcp: &Mcp, uri: &str) -> Result<ReadResourceResult, Failure> {
    mcp.on()?;
    let page = mcp.memory().read_page(uri).await?;
    let kind = mime(uri.strip_prefix(ROOT).filter(|path| !path.is_empty()).unwrap_or(".md"));
    Ok(ReadResourceResult::new(vec![ResourceContents::text(page.content, page.uri).with_mime_type(kind)]))
}

/// A skill may bring scripts along.
fn mime(path: &str) -> &'static str {
    if path.ends_with(".md") { MARKDOWN } else { "text/plain" }
}
