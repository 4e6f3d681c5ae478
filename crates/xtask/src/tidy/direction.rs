//! Which of our crates may use which: an arrow the other way is a complaint.
//!
//! Owns the one table of allowed arrows.
//! Start at [`ARROWS`].

use super::{Complaint, numbered};
use crate::repo::File;
use toml::Value;

/// Each crate and what it may depend on: all to its right on the spine, and its ribs.
const ARROWS: &[(&str, &[&str])] = &[
    // The spine, right to left.
    ("domain", &[]),
    ("store", &["domain"]),
    ("memory", &["store", "domain", "llm"]),
    ("pipeline", &["memory", "store", "domain", "ledger"]),
    ("session", &["pipeline", "memory", "store", "domain", "ledger"]),
    ("server", &["session", "pipeline", "memory", "store", "domain", "ledger"]),
    ("cli", &["server", "session", "pipeline", "memory", "store", "domain", "llm", "ledger", "mcp", "remote", "page"]),
    // The ribs.
    ("llm", &[]),
    // The ledger implements the store's port `Record` itself, so it sees the store (docs/decisions).
    ("ledger", &["store", "domain"]),
    ("remote", &["store", "domain"]),
    ("mcp", &["memory", "store", "domain"]),
    // Bytes that the build of `web/` left; it knows nobody.
    ("page", &[]),
    // The workshop.
    ("testkit", &["store", "ledger", "domain", "memory", "llm"]),
    ("xtask", &[]),
];

/// The crate that every other may use in its tests, and only there.
const FOR_TESTS: &str = "testkit";

pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().filter_map(|file| Some(check_one(file, room(&file.path)?))).flatten().collect()
}

/// The folder of the crate whose manifest this is.
fn room(path: &str) -> Option<&str> {
    path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml").filter(|room| !room.contains('/'))
}

fn check_one(file: &File, room: &str) -> Vec<Complaint> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
        return vec![Complaint::new(
            file,
            1,
            format!("no row for the crate `{room}`"),
            "add it to ARROWS in tidy, with a reason in the commit",
        )];
    };
    let manifest: Value = match toml::from_str(&file.text) {
        Ok(manifest) => manifest,
        Err(error) => return vec![Complaint::new(file, 1, error.message(), "mend the manifest")],
    };
    let mut complaints = Vec::new();
    for (table, ours) in arrows(&manifest) {
        let in_tests = table == "dev-dependencies";
        if allowed.contains(&ours.as_str()) || in_tests && ours == FOR_TESTS {
            continue;
        }
        let line = numbered(&file.text).find(|(_, line)| line.trim_start().starts_with(&format!("loci-{ours}")));
        let remedy = if ours == FOR_TESTS {
            "make it a dev-dependency".to_owned()
        } else {
            format!("`{room}` may use {}", list(allowed))
        };
        complaints.push(Complaint::new(
            file,
            line.map_or(1, |(number, _)| number),
            format!("`{room}` uses `{ours}`"),
            remedy,
        ));
    }
    complaints
}

/// All dependencies on our crates, as (kind of table, folder), those for one platform included.
fn arrows(manifest: &Value) -> Vec<(&'static str, String)> {
    let platforms = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(|table| table.values());
    let mut found = Vec::new();
    for place in std::iter::once(manifest).chain(platforms) {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let names = place.get(kind).and_then(Value::as_table).into_iter().flatten();
            found.extend(names.filter_map(|(name, value)| {
                // A dependency may go by another name: then `package` says what it is.
                let package = value.get("package").and_then(Value::as_str).unwrap_or(name);
                Some((kind, package.strip_prefix("loci-")?.to_owned()))
            }));
        }
    }
    found
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none of ours".to_owned() } else { format!("only {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    #[test]
    fn arrows_to_the_right_are_fine() {
        let memory = "[dependencies]\nloci-store.workspace = true\nserde = \"1\"\n[dev-dependencies]\nloci-testkit.workspace = true\n";
        let cli = "[dependencies]\nloci-remote = { path = \"../remote\" }\nloci-ledger.workspace = true\n";
        assert_eq!(complaints(check, &[("crates/memory/Cargo.toml", memory), ("crates/cli/Cargo.toml", cli)]), [""; 0]);
    }

    #[test]
    fn arrows_to_the_left_are_named() {
        let store = "[package]\nname = \"loci-store\"\n[dependencies]\nloci-memory.workspace = true\n";
        assert_eq!(
            complaints(check, &[("crates/store/Cargo.toml", store)]),
            ["crates/store/Cargo.toml:4: `store` uses `memory`; `store` may use only domain"]
        );
        let hidden = "[target.'cfg(unix)'.dependencies]\nshort = { package = \"loci-cli\", path = \"../cli\" }\n";
        assert_eq!(
            complaints(check, &[("crates/llm/Cargo.toml", hidden)]),
            ["crates/llm/Cargo.toml:1: `llm` uses `cli`; `llm` may use none of ours"]
        );
    }

    #[test]
    fn the_workshop_stays_out_of_what_ships() {
        let cli = "[dependencies]\nloci-testkit.workspace = true\n[dev-dependencies]\nloci-xtask.workspace = true\n";
        let found = complaints(check, &[("crates/cli/Cargo.toml", cli)]);
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("`cli` uses `testkit`; make it a dev-dependency"), "{found:?}");
        assert!(found[1].contains("`cli` uses `xtask`"), "{found:?}");
    }

    #[test]
    fn a_new_crate_needs_a_row() {
        let found = complaints(check, &[("crates/extra/Cargo.toml", "")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("no row for the crate `extra`"), "{found:?}");
    }

    #[test]
    fn the_table_has_no_circle() {
        fn reaches(from: &str, to: &str) -> bool {
            let row = ARROWS.iter().find(|(name, _)| *name == from).expect("each name in the table has a row");
            row.1.iter().any(|next| *next == to || reaches(next, to))
        }
        for (name, _) in ARROWS {
            assert!(!reaches(name, name), "{name} reaches itself");
        }
    }
}
