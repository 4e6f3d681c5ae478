use super::*;

fn package(name: &str, source: Option<&str>, licence: &str) -> Value {
    json!({"id": name, "name": name, "version": "1.2.3", "source": source, "license": licence})
}

fn node(id: &str, needs: &[(&str, Option<&str>)]) -> Value {
    let deps: Vec<Value> =
        needs.iter().map(|(id, kind)| json!({"pkg": id, "dep_kinds": [{"kind": kind, "target": null}]})).collect();
    json!({"id": id, "deps": deps})
}

fn metadata() -> Value {
    json!({
        "packages": [
            package("loci-cli", None, "Apache-2.0"),
            package("loci-store", None, "Apache-2.0"),
            package("zeta", Some("registry"), "MIT/Apache-2.0"),
            package("alpha", Some("registry"), "ISC"),
            package("proptest", Some("registry"), "MIT"),
            package("cc", Some("registry"), "MIT"),
        ],
        "resolve": {"nodes": [
            node("loci-cli", &[("loci-store", None), ("proptest", Some("dev"))]),
            node("loci-store", &[("zeta", None)]),
            node("zeta", &[("alpha", None), ("cc", Some("build"))]),
            node("alpha", &[]),
        ]},
    })
}

fn bill(lock: Value) -> Value {
    serde_json::from_str(&render(&metadata(), &lock).unwrap()).unwrap()
}

fn purls(bill: &Value) -> Vec<&str> {
    list(&bill["components"]).filter_map(|it| it["purl"].as_str()).collect()
}

#[test]
fn crates_that_are_linked_are_listed() {
    let bill = bill(json!({}));
    assert_eq!(purls(&bill), ["pkg:cargo/alpha@1.2.3", "pkg:cargo/zeta@1.2.3"]);
    assert_eq!(bill["components"][1]["licenses"], json!([{"expression": "MIT OR Apache-2.0"}]));
    assert_eq!(bill["metadata"]["component"]["version"], "1.2.3");
}

#[test]
fn the_embeddings_are_listed() {
    let bill = bill(json!({}));
    let model = list(&bill["components"]).find(|it| it["type"] == "machine-learning-model").unwrap();
    assert_eq!(
        (&model["name"], &model["licenses"][0]["expression"]),
        (&json!("static-minilm-256"), &json!("Apache-2.0"))
    );
}

#[test]
fn packages_of_the_page_are_listed_and_its_builders_are_not() {
    let bill = bill(json!({"packages": {
        "": {"dependencies": {"svelte": "~5", "@codemirror/view": "^6", "vite": "8"}, "devDependencies": {"vitest": "4"}},
        "node_modules/svelte": {"version": "5.0.1", "license": "MIT", "dependencies": {"acorn": "1", "clsx": "2"}},
        "node_modules/svelte/node_modules/acorn": {"version": "1.0.0", "license": "MIT"},
        "node_modules/acorn": {"version": "8.0.0", "license": "MIT"},
        "node_modules/clsx": {"version": "2.0.0", "license": "MIT"},
        "node_modules/@codemirror/view": {"version": "6.0.0", "license": "MIT", "dependencies": {"absent": "1"}},
        "node_modules/vite": {"version": "8.0.0", "license": "MIT"},
    }}));
    let npm: Vec<&str> = purls(&bill).into_iter().filter(|purl| purl.starts_with("pkg:npm/")).collect();
    assert_eq!(
        npm,
        ["pkg:npm/%40codemirror/view@6.0.0", "pkg:npm/clsx@2.0.0", "pkg:npm/svelte@5.0.1", "pkg:npm/acorn@1.0.0"]
    );
}
