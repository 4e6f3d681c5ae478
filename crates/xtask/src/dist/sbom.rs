//! The bill of materials: what the binary is made of, as CycloneDX in JSON.
//!
//! Owns what counts as part of the binary: crates that it links or that write its code, packages that the page is built
//! of, and the embeddings. Never says when or where it was made: the same checkout gives the same bill.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The crate that the binary is.
const BINARY: &str = "loci-cli";

/// Packages that build the page and leave nothing in it.
const BUILDERS: &[&str] = &["vite", "@sveltejs/vite-plugin-svelte"];

/// The version of the binary.
pub fn version(metadata: &Value) -> Result<String> {
    let package = packages(metadata).find(|package| package["name"] == BINARY).context("no package loci-cli")?;
    Ok(text(&package["version"]).to_owned())
}

/// The bill, from what `cargo metadata` and the lock file of the page say.
pub fn render(metadata: &Value, lock: &Value) -> Result<String> {
    let crates = linked(metadata)?.into_iter().map(|it| component("cargo", text(&it["name"]), it));
    let packages = bundled(lock).into_iter().map(|(place, it)| {
        let name = place.rsplit_once("node_modules/").map_or(place.as_str(), |(_, name)| name);
        component("npm", name, it)
    });
    let mut components: Vec<Value> = crates.chain(packages).collect();
    components.push(json!({
        "type": "machine-learning-model",
        "name": "static-minilm-256",
        "description": "static embeddings derived from sentence-transformers/all-MiniLM-L6-v2, with the vocabulary of BERT (uncased)",
        "licenses": [{"expression": "Apache-2.0"}],
    }));
    let version = version(metadata)?;
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": format!("loci@{version}"), "name": "loci", "version": version,
            "licenses": [{"expression": "Apache-2.0"}],
        }},
        "components": components,
    });
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

/// Every crate of others that the binary reaches; what only builds or tests it is left out.
pub fn linked(metadata: &Value) -> Result<Vec<&Value>> {
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let root = packages(metadata).find(|package| package["name"] == BINARY).context("no package loci-cli")?;
    let (mut reached, mut open) = (BTreeSet::new(), vec![text(&root["id"])]);
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            let needed = list(&nodes.get(id).with_context(|| format!("{id} is not resolved"))?["deps"]);
            open.extend(needed.filter(|it| is_linked(it)).map(|it| text(&it["pkg"])));
        }
    }
    let mut found: Vec<&Value> =
        packages(metadata).filter(|it| reached.contains(text(&it["id"])) && !it["source"].is_null()).collect();
    found.sort_by_key(|package| (text(&package["name"]), text(&package["version"])));
    Ok(found)
}

fn is_linked(dependency: &Value) -> bool {
    list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null())
}

/// Every package that the page's own ones reach, in the lock file's flat list, and the folder it is installed in.
pub fn bundled(lock: &Value) -> BTreeMap<String, &Value> {
    let packages = &lock["packages"];
    let mut open: Vec<(String, &str)> = names(&packages[""]["dependencies"])
        .filter(|name| !BUILDERS.contains(name))
        .map(|name| (String::new(), name))
        .collect();
    let mut reached = BTreeMap::new();
    while let Some((within, name)) = open.pop() {
        // A package finds the one beside it first, and then the one at the top.
        let nested = format!("{within}/node_modules/{name}");
        let nested = nested.trim_start_matches('/').to_owned();
        let top = format!("node_modules/{name}");
        let place = if packages[&nested].is_object() { nested } else { top };
        let package = &packages[&place];
        // An optional one that is not there is in no page.
        if package.is_object() && reached.insert(place.clone(), package).is_none() {
            open.extend(names(&package["dependencies"]).map(|name| (place.clone(), name)));
        }
    }
    reached
}

/// A package's licence; some say "or" in an older way.
pub fn licence(package: &Value) -> String {
    text(&package["license"]).replace('/', " OR ")
}

fn component(registry: &str, name: &str, package: &Value) -> Value {
    let version = text(&package["version"]);
    // A package's address writes the sign of an npm scope in percent.
    let purl = format!("pkg:{registry}/{}@{version}", name.replace('@', "%40"));
    let licence = licence(package);
    let mut component = json!({"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl});
    if !licence.is_empty() {
        component["licenses"] = json!([{"expression": licence}]);
    }
    component
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    list(&metadata["packages"])
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn names(value: &Value) -> impl Iterator<Item = &str> {
    value.as_object().into_iter().flat_map(|names| names.keys()).map(String::as_str)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests;
