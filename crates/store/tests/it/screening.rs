//! Text becomes bytes only through the secret scanner.

use loci_domain::access::Mode;
use loci_domain::change::Actor;
use loci_domain::secrets::Policy;
use loci_store::ram::Ram;
use loci_store::{Backend, By, Count, Show, Store, commands};
use loci_testkit::ram::ram_store;
use serde_json::{Value, json};

async fn call(store: &Store, call: Value, policy: Policy) -> Result<String, String> {
    let by = By::new(Actor::Agent, policy, Count::Use);
    commands::run(store, &call, Mode::Exec, by).await.map_err(|error| error.to_string())
}

async fn all_bytes(ram: &Ram) -> String {
    let mut all = String::new();
    for (path, _) in ram.list(None, Show::All, 100).await.unwrap().files {
        all.push_str(path.as_str());
        all.push_str(&String::from_utf8(ram.read(&path, 1 << 20).await.unwrap().unwrap().bytes).unwrap());
    }
    all
}

#[tokio::test]
async fn nothing_unscanned_is_written() {
    let secret = ["ghp_", "x9Kq2LmZ7vRt4WcY8nBd1HsF6gJp3TzQ5aEu"].concat();
    let token = format!("token: {secret}\n");
    let path = "/memories/global/a.md";
    let attempts = [
        json!({"command": "create", "path": "/memories/global/b.md", "file_text": token}),
        json!({"command": "insert", "path": path, "insert_line": 0, "insert_text": token}),
        json!({"command": "str_replace", "path": path, "old_str": "clean", "new_str": token}),
        json!({"command": "create", "path": format!("/memories/global/{secret}.md"), "file_text": "x"}),
        json!({"command": "rename", "old_path": path, "new_path": format!("/memories/global/{secret}.md")}),
    ];
    let (refusing, ram) = ram_store();
    call(&refusing, json!({"command": "create", "path": path, "file_text": "clean\n"}), Policy::Refuse).await.unwrap();
    for attempt in &attempts {
        let refused = call(&refusing, attempt.clone(), Policy::Refuse).await.unwrap_err();
        assert!(refused.contains("looks like a secret") && !refused.contains(&secret), "{refused}");
    }
    for attempt in &attempts[..3] {
        call(&refusing, attempt.clone(), Policy::Redact).await.unwrap();
    }
    let all = all_bytes(&ram).await;
    assert!(!all.contains(&secret) && all.contains("[REDACTED:"), "{all}");
}

#[tokio::test]
async fn a_secret_that_a_person_allowed_does_not_lock_the_file() {
    let secret = ["ghp_", "x9Kq2LmZ7vRt4WcY8nBd1HsF6gJp3TzQ5aEu"].concat();
    let (store, ram) = ram_store();
    let path = "/memories/global/a.md";
    let create = json!({"command": "create", "path": path, "file_text": format!("token: {secret}\n")});
    call(&store, create, Policy::Allow).await.unwrap();
    let edit = json!({"command": "insert", "path": path, "insert_line": 1, "insert_text": "more"});
    call(&store, edit, Policy::Refuse).await.unwrap();
    assert!(all_bytes(&ram).await.contains(&secret));
}
