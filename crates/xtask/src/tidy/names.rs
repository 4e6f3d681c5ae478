//! Names that say nothing are not names.
//!
//! Owns the list of forbidden words for files, folders and crates, and the two rules of form: `foo.rs` beside `foo/`
//! instead of a file called mod, and packages called after their folder.

use super::Complaint;
use crate::repo::File;

const FORBIDDEN: &[&str] =
    &["core", "common", "util", "utils", "helpers", "misc", "base", "manager", "service", "types"];

/// Where names are ours to choose.
const ROOMS: &[&str] = &["crates/", "fuzz/", "sdk/", "web/"];

pub fn check(files: &[File]) -> Vec<Complaint> {
    let ours = files.iter().filter(|file| ROOMS.iter().any(|room| file.path.starts_with(room)));
    ours.flat_map(|file| [vague(file), mod_file(file), package(file)]).flatten().collect()
}

fn vague(file: &File) -> Option<Complaint> {
    let mut stems = file.path.split('/').map(|segment| segment.split('.').next().unwrap_or(segment));
    let word = stems.rfind(|stem| FORBIDDEN.contains(stem))?;
    Some(Complaint::new(file, 1, format!("`{word}` names nothing"), "call it after what it owns"))
}

fn mod_file(file: &File) -> Option<Complaint> {
    let folder = file.path.strip_suffix("/mod.rs")?;
    Some(Complaint::new(file, 1, "a module in a file called mod", format!("move it to {folder}.rs")))
}

fn package(file: &File) -> Option<Complaint> {
    let room = file.path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
    let manifest: toml::Value = toml::from_str(&file.text).ok()?;
    let name = manifest.get("package")?.get("name")?.as_str()?;
    let wanted = format!("loci-{room}");
    (name != wanted)
        .then(|| Complaint::new(file, 1, format!("the package is called `{name}`"), format!("call it `{wanted}`")))
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    #[test]
    fn telling_names_are_fine() {
        let files = [
            ("crates/store/src/local/write.rs", ""),
            ("crates/store/Cargo.toml", "[package]\nname = \"loci-store\"\n"),
            ("docs/types.md", ""),
        ];
        assert_eq!(complaints(check, &files), [""; 0]);
    }

    #[test]
    fn vague_names_are_named() {
        let files =
            [("crates/store/src/utils.rs", ""), ("crates/common/src/lib.rs", ""), ("web/src/helpers/date.ts", "")];
        assert_eq!(
            complaints(check, &files),
            [
                "crates/store/src/utils.rs:1: `utils` names nothing; call it after what it owns",
                "crates/common/src/lib.rs:1: `common` names nothing; call it after what it owns",
                "web/src/helpers/date.ts:1: `helpers` names nothing; call it after what it owns",
            ]
        );
    }

    #[test]
    fn a_file_called_mod_is_named() {
        assert_eq!(
            complaints(check, &[("crates/store/src/local/mod.rs", "")]),
            ["crates/store/src/local/mod.rs:1: a module in a file called mod; move it to crates/store/src/local.rs"]
        );
    }

    #[test]
    fn a_package_is_called_after_its_folder() {
        assert_eq!(
            complaints(check, &[("crates/llm/Cargo.toml", "[package]\nname = \"models\"\n")]),
            ["crates/llm/Cargo.toml:1: the package is called `models`; call it `loci-llm`"]
        );
    }
}
