use super::*;

fn path(path: &str) -> EntryPath {
    EntryPath::parse(path).unwrap()
}

fn names(text: &str) -> Vec<String> {
    let said = |name: Called| match name {
        Called::Path(path) => format!("path {path}"),
        Called::Symbol { name, sure: Sure::Name } => format!("symbol {name}"),
        Called::Symbol { name, sure: Sure::Perhaps } => format!("word {name}"),
        Called::Command(command) => format!("command {command}"),
    };
    named(text).into_iter().map(said).collect()
}

#[test]
fn paths_symbols_and_commands_are_named() {
    let cases: [(&str, &[&str]); 14] = [
        ("The limit is in `src/limits.rs`.", &["path src/limits.rs"]),
        ("see src/auth/tokenStore.ts:12, or ./run.sh!", &["path src/auth/tokenStore.ts", "path run.sh"]),
        ("`parse_limits()` and `Store::read`", &["symbol parse_limits", "symbol Store::read"]),
        ("call parseExpressionTree here", &["symbol parseExpressionTree"]),
        ("`Parser` takes `RETRIES`, Parser does", &["symbol Parser", "symbol RETRIES"]),
        ("GitHub has `backoff`", &["word GitHub", "word backoff"]),
        ("run `npm run lint`, then make dist.", &["command npm run lint", "command make dist"]),
        ("use `make -j4 dist`", &["command make dist"]),
        ("`cargo xtask tidy` in the Makefile", &["command cargo xtask", "path Makefile"]),
        ("版本在 `src/版本.rs`。", &["path src/版本.rs"]),
        ("plain words, e.g. 3.14 or 5 s", &[]),
        ("../../etc/passwd", &[]),
        ("see https://example.com/a/b.html", &[]),
        ("the `src/handlers/` folder", &["path src/handlers/"]),
    ];
    for (text, expected) in cases {
        assert_eq!(names(text), expected, "{text}");
    }
    assert!(names(&"`a_b()` ".repeat(10)).len() == 1);
    assert!(named(&(0..500).map(|n| format!("f_{n}() ")).collect::<String>()).len() <= 48);
}

#[test]
fn a_definition_is_its_own_lines() {
    let rust =
        "const A: u32 = 3;\n\npub fn wait(\n    n: u32,\n) -> u32 {\n    n * A\n}\n\nfn other() {\n    wait(1)\n}\n";
    let part = |text: &str, name: &str| Kind::Symbol.part(name, &path("a.rs"), text.as_bytes());
    let before = part(rust, "wait").unwrap();
    assert_eq!(part(&rust.replace("= 3", "= 4"), "wait"), Some(before), "another line");
    assert_eq!(part(&rust.replace("    n", "\tn"), "wait"), Some(before), "indentation");
    assert_ne!(part(&rust.replace("n * A", "n + A"), "wait"), Some(before), "its body");
    assert_ne!(part(&rust.replace("fn wait", "fn pause"), "wait"), Some(before), "only a call is left");
    assert_eq!(part(&rust.replace("wait", "pause"), "wait"), None, "renamed");
    assert_ne!(part(rust, "A"), part(&rust.replace("= 3", "= 4"), "A"), "a constant");
    let python = "class Store:\n    def read(self):\n        return 1\n\n    def write(self):\n        return 2\n";
    assert_eq!(part(python, "Store.read"), part(&python.replace("2", "3"), "Store.read"));
    assert_ne!(part(python, "Store.read"), part(&python.replace("1", "3"), "Store.read"));
    assert_eq!(part(python, "Shelf.read"), None);
}

#[test]
fn lines_define_names() {
    let cases = [
        ("pub(crate) async fn read(&self) {", Some("read")),
        ("export const RETRIES = 3;", Some("RETRIES")),
        ("func (s *Store) Read(key string) error {", Some("Read")),
        ("def read(self):", Some("read")),
        ("retry_limit: 3", Some("retry_limit")),
        ("  \"retries\": 3,", Some("retries")),
        ("static int wait_for(struct x *a) {", Some("wait_for")),
        ("handleClick(event) {", Some("handleClick")),
        ("#define LIMIT 3", Some("LIMIT")),
        ("if (ready) {", None),
        ("// fn old() {", None),
        ("read(1);", None),
        ("a == b", None),
    ];
    for (line, name) in cases {
        assert_eq!(defined(line), name, "{line}");
    }
}

#[test]
fn commands_are_what_their_file_says() {
    let part = |file: &str, command: &str, text: &str| Kind::Command.part(command, &path(file), text.as_bytes());
    let json =
        "{\n\t\"name\": \"x\",\n\t\"scripts\": {\"lint\": \"eslint \\\"a\\\"\", \"test\": \"vitest\"},\n\"lint\": 1}";
    assert!(part("package.json", "npm run lint", json).is_some());
    assert_eq!(
        part("package.json", "npm run lint", json),
        part("package.json", "yarn lint", &json.replace("vitest", "jest"))
    );
    assert_ne!(
        part("package.json", "npm run lint", json),
        part("package.json", "npm run lint", &json.replace("eslint", "biome"))
    );
    assert_eq!(part("package.json", "npm run deploy", json), None);
    assert_eq!(part("package.json", "npm run name", json), None);
    let make = "VERSION := 1\n.PHONY: dist\ndist: build\n\ttar c .\n\nbuild:\n\tcc\n";
    assert_eq!(part("Makefile", "make dist", make), part("Makefile", "make dist", &make.replace("cc", "gcc")));
    assert_ne!(part("Makefile", "make dist", make), part("Makefile", "make dist", &make.replace("tar", "zip")));
    assert_eq!(part("Makefile", "make VERSION", make), None);
    assert_eq!(part("Makefile", "make sure", make), None);
    assert!(part(".cargo/config.toml", "cargo xtask", "[alias]\nxtask = \"run -p xtask --\"\n").is_some());
}

#[test]
fn fates_read_as_half_a_sentence() {
    let thing = |name: &str| Thing {
        kind: Kind::File,
        name: name.to_owned(),
        file: path("a"),
        digest: Digest::of(b""),
        stamp: String::new(),
    };
    let (a, b) = (thing("src/a.rs"), thing("make dist"));
    assert_eq!(
        told(&[(&a, Fate::Changed), (&b, Fate::Gone)]),
        "src/a.rs changed, make dist is gone since it was written"
    );
}
