//! What a model is told of its tools.

use super::Writes;
use loci_llm::provider::Tool;
use serde_json::json;

/// The tools of a run that may write there.
pub(super) fn tools(writes: &Writes) -> Vec<Tool> {
    let text = |what: &str| json!({"type": "string", "description": what});
    let number = |what: &str| json!({"type": "integer", "description": what});
    let tool = |name: &str, description: &str, properties: serde_json::Value, required: &[&str]| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}),
    };
    let path = || text("A file: /memories/<scope>/...");
    let mut tools = vec![
        tool(
            "read_file",
            "Shows a memory file with line numbers.",
            json!({"path": path(), "offset": number("The first line, from 1."), "limit": number("How many lines at most.")}),
            &["path"],
        ),
        tool(
            "grep",
            "Finds lines of memory files by a regular expression.",
            json!({"pattern": text("The regular expression; (?i) at its start ignores case."), "path": text("Only in this file or folder.")}),
            &["pattern"],
        ),
        tool(
            "ls",
            "Lists a folder of memory.",
            json!({"path": text("A folder: /memories, /memories/<scope>, ...")}),
            &["path"],
        ),
    ];
    if *writes != Writes::Nothing {
        tools.push(tool(
            "write_file",
            "Writes a whole memory file, new or not.",
            json!({"path": path(), "content": text("Its whole text.")}),
            &["path", "content"],
        ));
        tools.push(tool(
                "edit",
                "Replaces a text that occurs exactly once in a memory file.",
                json!({"path": path(), "old_string": text("The text to replace, exactly."), "new_string": text("The text to put there.")}),
                &["path", "old_string", "new_string"],
            ));
    }
    tools
}
