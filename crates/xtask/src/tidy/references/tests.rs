use super::super::complaints;
use super::*;

const STORE: (&str, &str) = ("crates/store/src/backend.rs", "//! The port.\npub trait Backend {\n    fn read();\n}\n");
const NOTE: (&str, &str) = ("docs/decisions/0001-files.md", "# 1. Files\n");

fn told(path: &str, text: &str) -> Vec<String> {
    complaints(check, &[STORE, NOTE, (path, text)])
}

#[test]
fn what_is_there_may_be_named() {
    let text = "`crates/store/src/backend.rs`, `crates/store/`, `crates/store/src/backend.rs:2`, `crates/*/Cargo.toml`,\n\
        `docs/decisions/NNNN-*.md`, `loci-store`, `Backend`, `store::Backend`, `Backend::read`, `LOCI_HOME`, `loci list`, `global/a.md`,\n\
        [notes](docs/decisions/0001-files.md#top), [up](./crates/store), [site](https://example.org), [here](#top)\n\
        ```\ncat `crates/none.rs` [x](none.md)\n```\n";
    assert_eq!(told("README.md", text), [""; 0]);
    assert_eq!(
        told("docs/words.md", "[notes](decisions/0001-files.md) [code](../crates/store/src/backend.rs)"),
        [""; 0]
    );
}

#[test]
fn what_is_missing_is_named() {
    for (text, what) in [
        (
            "a\n`crates/store/src/gone.rs`",
            "README.md:2: `crates/store/src/gone.rs` does not exist; name the file that does",
        ),
        ("`docs/gone.md`", "README.md:1: `docs/gone.md` does not exist; name the file that does"),
        ("`loci-gone`", "README.md:1: there is no crate `loci-gone`; name the crate that is meant"),
        ("`store::Backends`", "README.md:1: no source knows `Backends`; name the type as it is called now"),
        ("`Frontend`", "README.md:1: no source knows `Frontend`; name the type as it is called now"),
        ("`Backend::gone`", "README.md:1: no source has `Backend::gone`; name the function as it is called now"),
        ("[x](gone.md)", "README.md:1: the link gone.md leads nowhere; mend the link"),
        ("[x](../outside.md)", "README.md:1: the link ../outside.md leads nowhere; mend the link"),
    ] {
        assert_eq!(told("README.md", text), [what]);
    }
}

#[test]
fn other_files_may_say_what_they_like() {
    assert_eq!(told("CHANGELOG.md", "`crates/gone/` [x](gone.md)"), [""; 0]);
}
