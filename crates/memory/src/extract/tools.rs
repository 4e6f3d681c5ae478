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
/// Where tools that take a patch have it, when it is not all that they take.
const PATCHES: [&str; 4] = ["input", "patch", "patchText", "diff"];
/// What the headers of a patch say before the name of a file.
const HEADERS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
/// Where [`slim`] leaves the files of a patch, a line each.
const PATCHED: &str = "patched";
/// What changes files in a shell.
const SHELL_WRITES: [&str; 8] = [">", "tee ", "rm ", "mv ", "cp ", "sed -i", "touch ", "patch "];

/// True when a turn changed memory: by a memory tool under any server's prefix, or by a write into a memory root. Its
/// calls are slim.
pub(super) fn wrote_memory(turn: &Turn, roots: &[String]) -> bool {
    turn.calls.iter().any(|call| is_memory_tool(call) || writes_into(call, roots))
}

/// Leaves of a call only what tells whether it changes memory, as text: arguments may be whole files.
pub(super) fn slim(call: &mut Called) {
    let patched = match is_patch(call) {
        true => patched(&call.arguments),
        false => String::new(),
    };
    let mut kept = serde_json::Map::new();
    if let Value::Object(fields) = std::mem::take(&mut call.arguments) {
        for (name, value) in fields {
            let shell = SHELLS.contains(&name.as_str());
            match value {
                Value::String(_) if shell || PATHS.contains(&name.as_str()) => kept.insert(name, value),
                // `["bash", "-lc", "cat > …"]`
                Value::Array(words) if shell => {
                    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                    kept.insert(name, Value::String(words.join(" ")))
                }
                _ => None,
            };
        }
    }
    if !patched.is_empty() {
        kept.insert(PATCHED.to_owned(), Value::String(patched));
    }
    call.arguments = Value::Object(kept);
}

fn is_patch(call: &Called) -> bool {
    call.name.to_lowercase().contains("patch")
}

/// The files that a patch changes.
fn patched(arguments: &Value) -> String {
    let texts = PATCHES.iter().filter_map(|field| arguments.get(*field)).chain([arguments]).filter_map(Value::as_str);
    let file =
        |line: &'_ str| HEADERS.iter().find_map(|header| line.strip_prefix(header)).map(|file| file.trim().to_owned());
    texts.flat_map(str::lines).filter_map(file).collect::<Vec<_>>().join("\n")
}

fn is_memory_tool(call: &Called) -> bool {
    let name = call.name.to_lowercase();
    let is = |word: &str| {
        name.strip_suffix(word).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with(['_', '.', '/', ':', '-']))
    };
    is("remember") || (is("memory") && CHANGES.contains(&text(call, "command")))
}

fn text<'c>(call: &'c Called, field: &str) -> &'c str {
    call.arguments.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn writes_into(call: &Called, roots: &[String]) -> bool {
    let name = call.name.to_lowercase();
    let inside = |path: &str| {
        let path = path.strip_prefix("./").unwrap_or(path);
        let under = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        under(TOP) || roots.iter().any(|root| under(root))
    };
    // One tool may both look and write, and says which.
    let looks = text(call, "command") == "view";
    let mut named = PATHS.iter().map(|field| text(call, field)).chain(text(call, PATCHED).lines());
    if !looks && WRITERS.iter().any(|word| name.contains(word)) && named.any(inside) {
        return true;
    }
    let names_a_root = |command: &str| roots.iter().any(|root| command.contains(root.as_str()));
    let changes = |command: &str| SHELL_WRITES.iter().any(|word| command.contains(word));
    SHELLS.iter().map(|field| text(call, field)).any(|command| names_a_root(command) && changes(command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loci_domain::transcript::Role;
    use serde_json::json;

    fn wrote(name: &str, arguments: Value) -> bool {
        let mut call = Called { name: name.to_owned(), arguments };
        slim(&mut call);
        let calls = vec![call];
        let turn = Turn { id: "a".to_owned(), role: Role::Assistant, content: String::new(), at: None, calls };
        wrote_memory(&turn, &["/users/me/.loci/memory", "~/.loci/memory", ".loci/memory"].map(str::to_owned))
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
            ("str_replace_editor", json!({"command": "create", "path": "/memories/global/a.md"})),
            ("Bash", json!({"command": "echo x >> /users/me/.loci/memory/a.md"})),
            ("shell", json!({"command": ["bash", "-lc", "cat > /users/me/.loci/memory/a.md"]})),
            (
                "apply_patch",
                json!("*** Begin Patch\n*** Add File: /users/me/.loci/memory/user/a.md\n+x\n*** End Patch"),
            ),
            (
                "apply_patch",
                json!({"input": "*** Begin Patch\n*** Update File: a.md\n*** Move to: .loci/memory/b.md\n"}),
            ),
            ("Write", json!({"file_path": ".loci/memory/x.md"})),
            ("Write", json!({"file_path": "./.loci/memory/x.md"})),
            ("Write", json!({"file_path": "~/.loci/memory/user/x.md"})),
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
            ("str_replace_editor", json!({"command": "view", "path": "/memories/global/a.md"})),
            ("apply_patch", json!("*** Begin Patch\n*** Add File: src/a.md\n+*** Add File: /memories/a.md\n")),
            ("shell", json!({"command": ["cat", "/users/me/.loci/memory/a.md"]})),
        ] {
            assert!(!wrote(name, arguments.clone()), "{name} {arguments}");
        }
    }
}
