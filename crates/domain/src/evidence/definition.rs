//! Where a symbol is defined in a text, in most languages: by the word before it and by indentation, without a parser.

/// Lines of a definition that count.
const LONGEST: usize = 400;

const KEYWORDS: [&str; 31] = [
    "fn",
    "struct",
    "enum",
    "trait",
    "type",
    "const",
    "static",
    "mod",
    "macro_rules!",
    "union",
    "def",
    "class",
    "function",
    "function*",
    "interface",
    "func",
    "let",
    "var",
    "val",
    "fun",
    "sub",
    "module",
    "record",
    "object",
    "protocol",
    "namespace",
    "define",
    "#define",
    "typedef",
    "local",
    "impl",
];
/// What starts a line with parentheses and a brace that defines nothing.
const CONTROL: [&str; 10] = ["if", "for", "while", "switch", "match", "else", "return", "catch", "loop", "with"];

/// The name that a line defines.
pub fn defined(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.len() > 500 || line.starts_with(['/', '*']) || (line.starts_with('#') && !line.starts_with("#define")) {
        return None;
    }
    after_keyword(line).or_else(|| assigned(line)).or_else(|| method(line))
}

/// The definition of a symbol: its lines, trimmed, so that a change of indentation alone is none.
/// `None` = the text may use it, but does not define it.
pub(super) fn region(text: &str, symbol: &str) -> Option<String> {
    let parts: Vec<&str> = symbol.split("::").flat_map(|name| name.split(['.', '#'])).collect();
    let (name, owners) = parts.split_last()?;
    if !text.contains(name) || !owners.iter().all(|owner| is_root(owner) || mentions(text, owner)) {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| defined(line) == Some(*name))?;
    Some(block(&lines[start..]))
}

/// What names no owner: `self.x`, `crate::x`.
fn is_root(owner: &str) -> bool {
    matches!(owner, "self" | "this" | "crate" | "super" | "Self")
}

/// True when a word stands in a text on its own.
fn mentions(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(part) && !text[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// A first line, all that is further in, and what closes it.
fn block(lines: &[&str]) -> String {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut region = lines[0].trim().to_owned();
    let mut open = true;
    for line in lines[1..].iter().take(LONGEST) {
        let said = line.trim();
        let closes = depth(line) == depth(lines[0]) && said.starts_with(['}', ')', ']']) | said.starts_with("end");
        if !said.is_empty() && depth(line) <= depth(lines[0]) && !(closes && open) {
            break;
        }
        if !said.is_empty() {
            region.push('\n');
            region.push_str(said);
        }
        // `) -> Result<()> {` closes the arguments and opens the body.
        open = !closes || said.ends_with(['{', ':']);
    }
    region
}

fn after_keyword(line: &str) -> Option<&str> {
    let mut rest = line;
    for _ in 0..8 {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        let after = after.trim_start();
        if KEYWORDS.contains(&word) {
            // Go names a method after its receiver: `func (s *Store) Read(`.
            let after = if after.starts_with('(') { after.split_once(')')?.1.trim_start() } else { after };
            let name = identifier(after).filter(|name| !KEYWORDS.contains(name) && *name != "mut");
            // `static int name` of C: what follows a name in other languages is a sign.
            let follows = name.map(|name| after[name.len()..].trim_start());
            let typed = matches!(word, "static" | "const")
                && follows.is_some_and(|rest| {
                    rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '*' | '&'))
                });
            if let Some(name) = name.filter(|_| !typed) {
                return Some(name);
            }
        } else if word.contains(['=', '(', '"', '\'']) && !word.starts_with("pub(") {
            return None;
        }
        rest = after;
    }
    None
}

/// `name = …`, `name: …`, `"name": …` at the start of a line.
fn assigned(line: &str) -> Option<&str> {
    let unquoted = line.trim_start_matches("export ").trim_start_matches(['"', '\'']);
    let name = identifier(unquoted)?;
    let rest = unquoted[name.len()..].trim_start_matches(['"', '\'']).trim_start();
    let assigns =
        (rest.starts_with('=') && !rest.starts_with("==")) || (rest.starts_with(':') && !rest.starts_with("::"));
    assigns.then_some(name)
}

/// `int name(…) {`, `name(…) {`.
fn method(line: &str) -> Option<&str> {
    let head = line.split_once('(')?.0;
    let first = line.split([' ', '(']).next()?;
    let name = head.rsplit([' ', '*', '&', ':']).next()?;
    let whole = identifier(name).filter(|found| found.len() == name.len())?;
    (line.ends_with('{') && !head.contains(['=', '.', '"']) && !CONTROL.contains(&first)).then_some(whole)
}

fn identifier(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(text.len());
    let name = &text[..end];
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}
