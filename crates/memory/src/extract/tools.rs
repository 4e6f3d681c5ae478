//! Whether the agent looked after memory itself: then there is nothing left to do for that part.

use loci_domain::path::TOP;
use loci_domain::transcript::{Called, Turn};
use serde_json::Value;

/// Commands of the memory tool that change something.
const CHANGES: [&str; 5] = ["create", "str_replace", "insert", "delete", "rename"];
/// Words in the names of tools that change files.
const WRITERS: [&str; 10] =
    ["write", "edit", "create", "replace", "insert", "delete", "remove", "rename", "patch", "move"];
/// Where tools name the file that they change.
const PATHS: [&str; 9] =
    ["path", "file_path", "filePath", "filename", "file", "target_file", "notebook_path", "old_path", "new_path"];
/// Where shells have their command.
const SHELLS: [&str; 3] = ["command", "cmd", "script"];
/// What changes files in a shell.
const SHELL_WRITES: [&str; 8] = [">", "tee ", "rm ", "mv ", "cp ", "sed -i", "touch ", "patch "];

/// True when a turn changed memory: by a memory tool under any server's prefix, or by a write into a memory root.
pub(super) fn wrote_memory(turn: &Turn, roots: &[String]) -> bool {
    turn.calls.iter().any(|call| is_memory_tool(call) || writes_into(call, roots))
}

/// Leaves of a call only what tells whether it changes memory: arguments may be whole files.
pub(super) fn slim(call: &mut Called) {
    match &mut call.arguments {
        Value::Object(fields) => fields.retain(|name, value| {
            value.is_string() && (PATHS.contains(&name.as_str()) || SHELLS.contains(&name.as_str()))
        }),
        other => *other = Value::Null,
    }
}

fn is_memory_tool(call: &Called) -> bool {
    let name = call.name.to_lowercase();
    let is = |word: &str| {
        name.strip_suffix(word).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with(['_', '.', '/', ':', '-']))
    };
    let command = call.arguments.get("command").and_then(Value::as_str).unwrap_or_default();
    is("remember") || (is("memory") && CHANGES.contains(&command))
}

fn writes_into(call: &Called, roots: &[String]) -> bool {
    let name = call.name.to_lowercase();
    let inside = |path: &str| {
        let under = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        under(TOP) || roots.iter().any(|root| under(root))
    };
    let text = |key: &&str| call.arguments.get(*key).and_then(Value::as_str);
    if WRITERS.iter().any(|word| name.contains(word)) && PATHS.iter().filter_map(text).any(inside) {
        return true;
    }
    let names_a_root = |command: &str| roots.iter().any(|root| command.contains(root.as_str()));
    let changes = |command: &str| SHELL_WRITES.iter().any(|word| command.contains(word));
    SHELLS.iter().filter_map(text).any(|command| names_a_root(command) && changes(command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loci_domain::transcript::Role;
    use serde_json::json;

    fn wrote(name: &str, arguments: Value) -> bool {
        let calls = vec![Called { name: name.to_owned(), arguments }];
        let turn = Turn { id: "a".to_owned(), role: Role::Assistant, content: String::new(), at: None, calls };
        wrote_memory(&turn, &["/users/me/.loci/memory".to_owned()])
    }

    #[test]
    fn a_change_by_any_name_counts() {
        for (name, arguments) in [
            ("memory", json!({"command": "create", "path": "/memories/global/a.md"})),
            ("mcp__loci__memory", json!({"command": "str_replace"})),
            ("loci_memory", json!({"command": "delete"})),
            ("mcp__loci__remember", json!({"content": "x"})),
            ("Write", json!({"file_path": "/users/me/.loci/memory/user/a.md"})),
            ("str_replace_editor", json!({"path": "/memories/global/a.md"})),
            ("Bash", json!({"command": "echo x >> /users/me/.loci/memory/a.md"})),
        ] {
            assert!(wrote(name, arguments.clone()), "{name} {arguments}");
        }
    }

    #[test]
    fn looking_and_other_files_do_not() {
        for (name, arguments) in [
            ("memory", json!({"command": "view", "path": "/memories"})),
            ("search_memory", json!({"query": "x"})),
            ("Write", json!({"file_path": "/users/me/.loci/memory-notes/a.md"})),
            ("Read", json!({"file_path": "/users/me/.loci/memory/a.md"})),
            ("Bash", json!({"command": "cat /users/me/.loci/memory/a.md"})),
            ("remembering", json!({})),
        ] {
            assert!(!wrote(name, arguments.clone()), "{name} {arguments}");
        }
    }
}
