//! The licences of others: every package that is in the binary or in the page, and the texts that come with it.
//!
//! Owns which files of a package are its licence, and that equal texts stand there once.
//! Never decides what is part of the binary: `sbom` does, and both tell of the same packages.
//! Start at [`render`].

use super::sbom;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// How names of such files start, whatever their case.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "NOTICE", "COPYING", "COPYRIGHT", "UNLICENSE"];

const OPENING: &str = "# Licences of third parties

Loci is licensed as `LICENSE` and `NOTICE` say.
It is made with the packages below: crates that the program links, npm packages that its web page is bundled of.
The standard library of Rust, which every Rust program links, is licensed MIT OR Apache-2.0.
Behind them stand the texts that came with them, equal ones once.
";

/// A package of somebody else.
struct Package {
    name: String,
    version: String,
    licence: String,
    folder: PathBuf,
}

/// All of it as one page of Markdown; `web` is the folder that the page's packages were installed into.
pub fn render(metadata: &Value, lock: &Value, web: &Path) -> Result<String> {
    let mut packages = Vec::new();
    for it in sbom::linked(metadata)? {
        let manifest = Path::new(it["manifest_path"].as_str().context("a package without a manifest")?);
        packages.push(package(&it["name"], it, manifest.parent().context("a manifest without a folder")?));
    }
    for (place, it) in sbom::bundled(lock) {
        let folder = web.join(&place);
        ensure!(folder.is_dir(), "{place} is not installed; run npm ci in web/");
        let name = place.rsplit_once("node_modules/").map_or(place.as_str(), |(_, name)| name);
        packages.push(package(&name.into(), it, &folder));
    }
    told(&packages)
}

fn package(name: &Value, it: &Value, folder: &Path) -> Package {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Package { name: text(name), version: text(&it["version"]), licence: sbom::licence(it), folder: folder.to_owned() }
}

fn told(packages: &[Package]) -> Result<String> {
    let mut page = format!("{OPENING}\n| package | version | licence |\n| --- | --- | --- |\n");
    // By the words alone: the same licence is wrapped and indented in many ways.
    let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for it in packages {
        let found = texts_in(&it.folder)?;
        let bare = if found.is_empty() { ", without a text of its own" } else { "" };
        let _ = writeln!(page, "| {} | {} | {}{bare} |", it.name, it.version, it.licence);
        for text in found {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (_, users) = texts.entry(words).or_insert_with(|| (text, Vec::new()));
            let user = format!("{} {}", it.name, it.version);
            if users.last() != Some(&user) {
                users.push(user);
            }
        }
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_values().collect();
    // What most packages share first, and the rest in the order of the table.
    texts.sort_by_key(|(_, users)| (usize::MAX - users.len(), users.first().cloned()));
    for (number, (text, users)) in texts.iter().enumerate() {
        let _ = write!(page, "\n## Text {}\n\nOf {}.\n\n~~~~~~text\n{text}\n~~~~~~\n", number + 1, users.join(", "));
    }
    Ok(page)
}

/// The licence files of a package, by name; those of other parties in folders of that name too.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        if !NAMES.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        if path.is_dir() {
            files.extend(
                fs::read_dir(&path)?.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()),
            );
        } else {
            files.push(path);
        }
    }
    files.sort();
    let mut texts = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(&file)?).replace("\r\n", "\n");
        let text = text.trim_matches('\n').trim_end();
        if !text.is_empty() {
            texts.push(text.to_owned());
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use serde_json::json;

    #[test]
    fn every_package_is_listed_and_equal_texts_stand_there_once() {
        let scratch = Scratch::new("licences").unwrap();
        let crates = scratch.path().join("crates");
        let web = scratch.path().join("web");
        for (file, text) in [
            ("crates/alpha/LICENSE-MIT", "Be  free,\r\nfriend.\r\n"),
            ("crates/alpha/NOTICE", "Alpha by A."),
            ("crates/alpha/README.md", "not a licence"),
            ("crates/beta/licenses/mit.txt", "Be free, friend."),
            ("crates/gamma/Cargo.toml", ""),
            ("web/node_modules/@x/page/COPYING", "Be free,\n  friend."),
        ] {
            let path = scratch.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let package = |name: &str| {
            let manifest = crates.join(name).join("Cargo.toml");
            json!({"id": name, "name": name, "version": "1.0.0", "source": "registry", "license": "MIT", "manifest_path": manifest})
        };
        let needs = |names: &[&str]| -> Vec<Value> {
            names.iter().map(|name| json!({"pkg": name, "dep_kinds": [{"kind": null}]})).collect()
        };
        let metadata = json!({
            "packages": [{"id": "loci-cli", "name": "loci-cli", "version": "1.0.0", "source": null},
                package("alpha"), package("beta"), package("gamma")],
            "resolve": {"nodes": [{"id": "loci-cli", "deps": needs(&["alpha", "beta", "gamma"])},
                {"id": "alpha", "deps": []}, {"id": "beta", "deps": []}, {"id": "gamma", "deps": []}]},
        });
        let lock = json!({"packages": {"": {"dependencies": {"@x/page": "2"}},
            "node_modules/@x/page": {"version": "2.0.0", "license": "ISC"}}});
        let page = render(&metadata, &lock, &web).unwrap();
        assert!(page.contains("| alpha | 1.0.0 | MIT |\n| beta | 1.0.0 | MIT |\n"), "{page}");
        assert!(
            page.contains("| gamma | 1.0.0 | MIT, without a text of its own |\n| @x/page | 2.0.0 | ISC |"),
            "{page}"
        );
        assert!(page.contains("Of alpha 1.0.0, beta 1.0.0, @x/page 2.0.0.\n\n~~~~~~text\nBe  free,\nfriend.\n~~~~~~"));
        assert!(page.contains("Of alpha 1.0.0.\n\n~~~~~~text\nAlpha by A.\n~~~~~~"), "{page}");
        assert_eq!(page.matches("friend.").count(), 1, "{page}");
        assert!(!page.contains("not a licence"));
        fs::remove_dir_all(&web).unwrap();
        assert!(render(&metadata, &lock, &web).unwrap_err().to_string().contains("npm ci"));
    }
}
