//! Builds `web/` with Node, where Node is there, and lists what came out of it.
//!
//! Never fails: without Node, or without its packages, the binary is built all the same, and its page says how to get
//! the real one. The next build then tries again. Cargo runs this only when something below `web/` or the SDK changed.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// What the page is made of, from the root of the checkout.
const SOURCES: &[&str] = &[
    "web/src",
    "web/index.html",
    "web/package.json",
    "web/package-lock.json",
    "web/svelte.config.js",
    "web/tsconfig.json",
    "web/vite.config.ts",
    "sdk/typescript/src",
];

/// Only what the build itself needs; tests bring the rest.
const INSTALL: &[&str] = &[
    "install",
    "--no-save",
    "--omit=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--fetch-retries=1",
];

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LOCI_NO_INSTALL");
    let table = match build(&root.join("web"), &out.join("dist")) {
        Ok(()) => table(&out.join("dist"))?,
        Err(why) => {
            println!("cargo:warning=the web page is left out: {why}");
            // A file that is never there: cargo then asks again with every build.
            println!("cargo:rerun-if-changed={}", out.join("try-again").display());
            "pub const INDEX: Option<&str> = None;\npub const FILES: &[File] = &[];\n".to_owned()
        }
    };
    fs::write(out.join("table.rs"), table)?;
    Ok(())
}

fn build(web: &Path, dist: &Path) -> Outcome<()> {
    run(Command::new("node").arg("--version"), web).map_err(|_| "Node is not installed")?;
    if !is_installed(web) {
        if env::var_os("LOCI_NO_INSTALL").is_some_and(|value| value != "0" && !value.is_empty()) {
            return Err("its packages are missing; run `npm ci` in web/".into());
        }
        run(Command::new("npm").args(INSTALL), web).map_err(|why| format!("npm install in web/: {why}"))?;
    }
    let mut vite = Command::new("node");
    vite.args(["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--emptyOutDir", "--outDir"]).arg(dist);
    run(&mut vite, web).map_err(|why| format!("vite build in web/: {why}"))?;
    Ok(())
}

/// Whether the packages are those that the lock file names.
fn is_installed(web: &Path) -> bool {
    let when = |path: &str| fs::metadata(web.join(path)).and_then(|file| file.modified()).ok();
    match (when("node_modules/.package-lock.json"), when("package-lock.json")) {
        (Some(installed), Some(wanted)) => installed >= wanted,
        _ => false,
    }
}

/// Runs quietly; what a failure says is its last words.
fn run(command: &mut Command, folder: &Path) -> Outcome<()> {
    let output = command.current_dir(folder).stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    Err(format!("{}: {last}", output.status).into())
}

/// The page and its assets as constants; an asset that has a `.gz` beside it carries both.
fn table(dist: &Path) -> Outcome<String> {
    let assets = dist.join("assets");
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(&assets)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut table = format!("pub const INDEX: Option<&str> = Some(include_str!({:?}));\n", dist.join("index.html"));
    table.push_str("pub const FILES: &[File] = &[\n");
    for name in names.iter().filter(|name| !name.ends_with(".gz")) {
        let packed = assets.join(format!("{name}.gz"));
        let gzip = if packed.is_file() { format!("Some(include_bytes!({packed:?}))") } else { "None".to_owned() };
        let bytes = assets.join(name);
        let path = format!("/assets/{name}");
        writeln!(table, "    File {{ path: {path:?}, bytes: include_bytes!({bytes:?}), gzip: {gzip} }},")?;
    }
    table.push_str("];\n");
    Ok(table)
}
