//! Commands of a project that a file defines: scripts, targets, recipes, tasks, aliases.

/// The command that these words begin with, if a file of the project may define it.
pub(super) fn called(words: &[&str]) -> Option<String> {
    let (tool, rest) = words.split_first()?;
    // `make -j4 dist`, `npm --silent run lint`
    let rest = &rest[rest.iter().take_while(|word| word.starts_with('-')).count()..];
    let taken = match (*tool, rest) {
        ("npm" | "pnpm" | "yarn" | "bun", ["run" | "run-script", name, ..]) => vec![*tool, "run", name],
        ("npm", [name @ ("test" | "start" | "stop"), ..]) => vec![*tool, name],
        ("pnpm" | "yarn" | "bun", [name, ..]) | ("make" | "gmake" | "just" | "cargo", [name, ..]) => vec![*tool, name],
        ("deno" | "go-task", ["task", name, ..]) => vec![*tool, "task", name],
        _ => return None,
    };
    let name = taken.last()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '/');
    (!name.starts_with('-') && name.chars().all(plain)).then(|| taken.join(" "))
}

/// The files that may define a command, the likeliest first.
pub fn definers(command: &str) -> &'static [&'static str] {
    match command.split(' ').next().unwrap_or_default() {
        "npm" | "pnpm" | "yarn" | "bun" => &["package.json"],
        "make" | "gmake" => &["Makefile", "makefile", "GNUmakefile"],
        "just" => &["justfile", "Justfile", ".justfile"],
        "cargo" => &[".cargo/config.toml", ".cargo/config"],
        "deno" => &["deno.json", "deno.jsonc"],
        _ => &[],
    }
}

/// What a file says a command is; `None` = it does not define it.
pub(super) fn script(file: &str, command: &str, text: &str) -> Option<String> {
    let name = command.rsplit(' ').next()?;
    match file.rsplit('/').next()? {
        "package.json" => member(text, "scripts", name),
        "deno.json" | "deno.jsonc" => member(text, "tasks", name),
        "config.toml" | "config" => {
            let table: toml::Table = text.parse().ok()?;
            Some(table.get("alias")?.get(name)?.to_string())
        }
        _ => recipe(text, name),
    }
}

/// A member of an object of a JSON file, as it is written. Comments and final commas do no harm, so it is no parser.
fn member(text: &str, object: &str, name: &str) -> Option<String> {
    let quoted = format!("\"{object}\"");
    let inside = text
        .match_indices(&quoted)
        .find_map(|(at, _)| text[at + quoted.len()..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('{'))?;
    let mut rest = inside;
    loop {
        let open = rest.find(['"', '}']).filter(|at| rest[*at..].starts_with('"'))?;
        let (key, after) = string(&rest[open + 1..])?;
        let value = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        let (value, after) = string(value)?;
        if key == name {
            return Some(value.to_owned());
        }
        rest = after;
    }
}

/// What stands before the next quote that is not escaped, and what follows it.
fn string(text: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    })?;
    Some((&text[..end.0], &text[end.0 + 1..]))
}

/// A target of a Makefile or a recipe of a justfile: its line, and the indented ones below.
fn recipe(text: &str, name: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !heads(line, name));
    let mut said = lines.next()?.trim().to_owned();
    for line in lines.take_while(|line| line.starts_with([' ', '\t']) || line.trim().is_empty()) {
        if !line.trim().is_empty() {
            said.push('\n');
            said.push_str(line.trim());
        }
    }
    Some(said)
}

/// `name: needs`, `other name: needs`, `name argument:`; not `name := value`.
fn heads(line: &str, name: &str) -> bool {
    let Some((head, rest)) = line.split_once(':').filter(|_| !line.starts_with([' ', '\t', '#', '.'])) else {
        return false;
    };
    !rest.starts_with('=') && head.split_whitespace().any(|word| word.trim_start_matches('@') == name)
}
