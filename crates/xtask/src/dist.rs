//! What is given away: one archive with the binary and all that belongs to it.
//!
//! Owns what is in the archive and how the binary is built. The same checkout and compiler give the same bytes.
//! Start at [`run`]; `archive` packs, `sbom` says what the binary is made of, `licences` on what terms.

mod archive;
mod licences;
mod sbom;

use crate::{repo, shell};
use anyhow::{Context, Result, ensure};
use archive::Entry;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

/// Files of the checkout that go along as they are.
const PAPERS: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE", "NOTICE"];

/// Shells, and where their completions are looked for.
const SHELLS: &[(&str, &str)] =
    &[("bash", "completions/loci.bash"), ("zsh", "completions/_loci"), ("fish", "completions/loci.fish")];

/// A sign of the built page; a binary without Node at its build has none.
const PAGE: &[u8] = b"csp-nonce";

/// The name of the section that has the symbols; a stripped binary does not say it.
const SYMBOLS: &[u8] = b"\0.symtab\0";

/// Builds the binary, packs the archive, and writes sums and bill beside it.
pub fn run() -> Result<ExitCode> {
    let target = host()?;
    let metadata = metadata(&target)?;
    let binary = build(&metadata)?;
    let version = sbom::version(&metadata)?;
    let lock = lock()?;
    let bill = sbom::render(&metadata, &lock)?;
    let terms = licences::render(&metadata, &lock, &repo::root().join("web"))?;
    let name = format!("loci-{version}-{target}");
    let entries = entries(&binary, &bill, terms)?;
    let archive = archive::pack(&name, entries, commit_time())?;

    let folder = repo::root().join("dist");
    let made = [(format!("{name}.tar.gz"), archive), (format!("{name}.cdx.json"), bill.into_bytes())];
    fs::create_dir_all(&folder).context("make dist/")?;
    for (name, bytes) in &made {
        fs::write(folder.join(name), bytes).with_context(|| format!("write dist/{name}"))?;
        println!("dist/{name}  {:.1} MB", bytes.len() as f64 / 1e6);
    }
    fs::write(folder.join("SHA256SUMS"), sums(made.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))))?;
    Ok(ExitCode::SUCCESS)
}

/// What is in the archive.
fn entries(binary: &Path, bill: &str, terms: String) -> Result<Vec<Entry>> {
    let root = repo::root();
    let bytes = fs::read(binary).with_context(|| binary.display().to_string())?;
    let has = |sign: &[u8]| bytes.windows(sign.len()).any(|window| window == sign);
    ensure!(has(PAGE), "the page is not in the binary; install Node and see what the build of crates/page says");
    ensure!(!has(SYMBOLS), "the binary has its symbols still; see what cargo says of `-C strip=symbols`");
    let mut entries = vec![
        Entry::program("bin/loci", bytes),
        Entry::file("loci.cdx.json", bill.as_bytes().to_vec()),
        Entry::file("THIRD-PARTY-LICENSES.md", terms.into_bytes()),
    ];
    for paper in PAPERS {
        entries.push(Entry::file(paper, fs::read(root.join(paper)).with_context(|| (*paper).to_owned())?));
    }
    for page in fs::read_dir(root.join("docs/man")).context("docs/man")? {
        let page = page?;
        entries.push(Entry::file(&format!("man/man1/{}", page.file_name().display()), fs::read(page.path())?));
    }
    for (shell, path) in SHELLS {
        let program = binary.to_str().context("a path that is no text")?;
        let script =
            shell::said(&[program, "completions", shell]).with_context(|| format!("completions of {shell}"))?;
        entries.push(Entry::file(path, (script + "\n").into_bytes()));
    }
    let sums = sums(entries.iter().map(|entry| (entry.path.as_str(), entry.bytes.as_slice())));
    entries.push(Entry::file("SHA256SUMS", sums.into_bytes()));
    Ok(entries)
}

/// Builds with the profile `dist`; the package alone, so that nothing which only tests need is linked.
///
/// Symbols are stripped by a word of ours: cargo ignores `strip` of a profile for a package that has settings of its own.
fn build(metadata: &Value) -> Result<PathBuf> {
    let package = ["--profile", "dist", "--package", "loci-cli", "--bin", "loci"];
    let words = [&["cargo", "rustc", "--locked"][..], &package, &["--", "-C", "strip=symbols"]].concat();
    println!("$ {}", words.join(" "));
    let status = shell::command(&words).env("RUSTFLAGS", flags()).stdin(Stdio::null()).status()?;
    ensure!(status.success(), "the build ended with {status}");
    let folder = metadata["target_directory"].as_str().context("cargo metadata names no target_directory")?;
    Ok(Path::new(folder).join("dist/loci"))
}

/// Where the checkout and the crates lie on this machine must not change the binary, nor be told by it.
fn flags() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let mut flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    for (path, name) in [(Some(repo::root()), "loci"), (home, "cargo")] {
        if let Some(path) = path {
            let _ = write!(flags, " --remap-path-prefix={}=/{name}", path.display());
        }
    }
    flags.trim().to_owned()
}

fn host() -> Result<String> {
    let said = shell::said(&["rustc", "-vV"]).context("rustc -vV")?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc names no host")
}

fn metadata(target: &str) -> Result<Value> {
    let words = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target];
    let said = shell::said(&words).context("cargo metadata")?;
    serde_json::from_str(&said).context("cargo metadata")
}

fn lock() -> Result<Value> {
    let file = repo::root().join("web/package-lock.json");
    serde_json::from_str(&fs::read_to_string(file)?).context("web/package-lock.json")
}

/// When what is packed was committed: a time that is the same for everybody.
fn commit_time() -> u64 {
    let said = shell::said(&["git", "log", "-1", "--format=%ct"]);
    // Without a history any time does, if it is the same one: this is the first second of 2026.
    said.and_then(|seconds| seconds.parse().ok()).unwrap_or(1_767_225_600)
}

/// Lines as `sha256sum --check` reads them.
fn sums<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut lines: Vec<String> = files
        .map(|(name, bytes)| {
            let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{hex}  {name}\n")
        })
        .collect();
    lines.sort_by(|a, b| a[64..].cmp(&b[64..]));
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        let files: [(&str, &[u8]); 2] = [("b", b"abc"), ("a", b"")];
        assert_eq!(
            sums(files.into_iter()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n"
        );
    }

    #[test]
    fn the_bill_of_this_checkout_is_whole() {
        let metadata = metadata(&host().unwrap()).unwrap();
        let bill: Value = serde_json::from_str(&sbom::render(&metadata, &lock().unwrap()).unwrap()).unwrap();
        let components = bill["components"].as_array().unwrap();
        let has = |name: &str| components.iter().any(|component| component["name"] == name);
        assert!(has("rusqlite") && has("svelte") && has("@codemirror/view") && has("static-minilm-256"));
        assert!(
            !has("proptest") && !has("vite") && !has("flate2") && !has("loci-store"),
            "what does not ship is listed"
        );
        for component in components {
            assert!(component["licenses"][0]["expression"].is_string(), "{component} has no licence");
        }
    }

    #[test]
    fn the_licences_of_this_checkout_come_with_their_texts() {
        // The page's packages are installed by its build, which this test does not ask for.
        let metadata = metadata(&host().unwrap()).unwrap();
        let page = licences::render(&metadata, &serde_json::json!({}), &repo::root()).unwrap();
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
        let bare = rows.iter().filter(|row| row.contains("without a text")).count();
        assert!(rows.len() > 200 && bare * 10 < rows.len(), "{bare} of {} have no text", rows.len());
        assert!(page.contains("Apache License") && page.contains("Permission is hereby granted"));
        assert!(!page.contains(&repo::root().display().to_string()), "a path of this machine is told");
    }

    #[test]
    fn no_path_of_this_machine_is_told() {
        let root = repo::root();
        assert!(flags().contains(&format!("--remap-path-prefix={}=/loci", root.display())), "{}", flags());
    }

    #[test]
    fn what_goes_along_is_there() {
        for paper in PAPERS {
            assert!(repo::root().join(paper).is_file(), "{paper}");
        }
        assert!(repo::root().join("docs/man/loci.1").is_file());
    }
}
