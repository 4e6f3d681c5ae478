//! Workspaces whose files lie elsewhere: the same doors, and commands that are lent the files.

use crate::House;
use async_trait::async_trait;
use loci_domain::form::Bad;
use loci_domain::path::EntryPath;
use loci_domain::workspace::Storage;
use loci_ledger::{Holding, LOCAL};
use loci_session::files::path;
use loci_session::storage::Disk;
use loci_session::tools::Called;
use loci_session::turn::Started;
use loci_session::{Error, Ground, Result, Storages};
use loci_store::ram::Ram;
use loci_store::{Backend, Expect, Show};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The disk, and "object storage" in memory: one folder a workspace.
struct Far {
    disk: Disk,
    places: Arc<Mutex<HashMap<String, Ram>>>,
}

#[async_trait]
impl Storages for Far {
    fn open(&self, account: &str, id: &str, storage: &Storage) -> Result<Ground> {
        match storage {
            Storage::S3 { bucket: None, .. } => Err(Bad::new("config.storage.bucket", "is missing").into()),
            Storage::S3 { .. } => {
                let ram = self.places.lock().unwrap().entry(format!("{account}:{id}")).or_default().clone();
                Ok(Ground { backend: Arc::new(ram.clone()), lock: Arc::new(ram), folder: None })
            }
            other => self.disk.open(account, id, other),
        }
    }

    async fn clear(&self, account: &str, id: &str, storage: &Storage) -> Result<()> {
        let backend = self.open(account, id, storage)?.backend;
        for (path, _) in backend.list(None, Show::All, 10_000).await?.files {
            backend.remove(&path).await?;
        }
        Ok(())
    }

    async fn clear_account(&self, account: &str) -> Result<()> {
        self.disk.clear_account(account).await
    }
}

/// A house with a workspace elsewhere and an agent in the middle of a turn.
struct Bench {
    house: House,
    places: Arc<Mutex<HashMap<String, Ram>>>,
    workspace: String,
    turn: String,
}

fn bwrap() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("bwrap")).find(|program| program.is_file())
}

fn far() -> (House, Arc<Mutex<HashMap<String, Ram>>>) {
    let places = Arc::<Mutex<HashMap<String, Ram>>>::default();
    let kept = Arc::clone(&places);
    let house = House::with(Duration::from_secs(900), bwrap(), |home| {
        Arc::new(Far { disk: Disk::new(home.to_owned()), places: kept })
    });
    (house, places)
}

fn body(storage: Value) -> Value {
    json!({"name": "cloud", "config": {"storage": storage}})
}

impl Bench {
    async fn new() -> Bench {
        let (house, places) = far();
        let there = body(json!({"provider": "s3", "bucket": "abc"}));
        let workspace = house.runtime.add(Holding::Workspace, LOCAL, there).await.unwrap().id;
        let sandbox = json!({"name": "box", "kind": "local"});
        let sandbox = house.runtime.add(Holding::Sandbox, LOCAL, sandbox).await.unwrap().id;
        let agent = json!({"sandbox": sandbox, "workspaces": [{"name": "cloud", "workspaceId": workspace}]});
        let agent = house.agent(agent).await;
        let Started::Turn(turn) = house.begin("c", "e", &agent, "go").await.unwrap() else { panic!("a duplicate") };
        Bench { turn: turn.turn.id.clone(), house, places, workspace }
    }

    fn ram(&self) -> Ram {
        self.places.lock().unwrap()[&format!("{LOCAL}:{}", self.workspace)].clone()
    }

    async fn tool(&self, name: &str, input: Value) -> Called {
        let input = input.as_object().unwrap();
        self.house.runtime.tool(LOCAL, "c", &self.turn, name, input).await.unwrap()
    }

    async fn done(&self, name: &str, input: Value) -> String {
        match self.tool(name, input).await {
            Called::Done(text) => text,
            Called::Refused(text) => panic!("{name} is refused: {text}"),
        }
    }

    async fn bash(&self, command: &str) -> Called {
        self.tool("bash", json!({ "command": command })).await
    }

    async fn text(&self, at: &str) -> Option<String> {
        let files = self.house.runtime.files(LOCAL, &self.workspace).await.unwrap();
        files.read(&path(at).unwrap()).await.unwrap().map(|text| text.content)
    }

    /// No command left anything in the home.
    fn is_clear(&self) -> bool {
        std::fs::read_dir(self.house.home().join("loans")).is_ok_and(|left| left.count() == 0)
    }
}

#[tokio::test]
async fn tools_need_no_folder() {
    let bench = Bench::new().await;
    bench.done("write", json!({"path": "src/a.md", "content": "alpha\nneedle-7\n"})).await;
    bench.done("edit", json!({"path": "src/a.md", "old_str": "alpha", "new_str": "omega"})).await;
    assert_eq!(bench.done("read", json!({"path": "src/a.md"})).await, "omega\nneedle-7\n");
    assert_eq!(bench.done("glob", json!({"pattern": "**/*.md"})).await, "src/a.md");
    assert_eq!(bench.done("grep", json!({"pattern": "needle-[0-9]"})).await, "src/a.md:2: needle-7");
    assert_eq!(bench.text("src/a.md").await.unwrap(), "omega\nneedle-7\n");
    assert!(!bench.house.home().join("workspaces").exists(), "files lie on this machine");
}

#[tokio::test]
async fn a_command_is_lent_the_files_and_its_changes_go_back() {
    if bwrap().is_none() {
        return;
    }
    let bench = Bench::new().await;
    bench.done("write", json!({"path": "a.md", "content": "alpha\n"})).await;
    let Called::Done(text) = bench.bash("cat a.md; echo beta > b.md; rm a.md; mkdir d; echo in > d/c.md").await else {
        panic!("refused")
    };
    assert_eq!(text, "alpha\n");
    assert_eq!((bench.text("a.md").await, bench.text("b.md").await.as_deref()), (None, Some("beta\n")));
    assert_eq!(bench.text("d/c.md").await.as_deref(), Some("in\n"));
    // What it changed is kept, however it ends.
    let Called::Refused(text) = bench.bash("echo more >> b.md; exit 7").await else { panic!("no failure") };
    assert!(text.contains("exit code 7"), "{text}");
    assert_eq!(bench.text("b.md").await.as_deref(), Some("beta\nmore\n"));
    let Called::Done(text) = bench.bash("ln -s /etc/passwd leak.md; echo x > memory/x.md; echo made").await else {
        panic!("refused")
    };
    assert!(text.contains("Read-only") && text.contains("made\n[not kept") && text.contains("leak.md"), "{text}");
    assert_eq!(bench.text("memory/x.md").await, None);
    assert_eq!(bench.text("leak.md").await, None);
    assert!(bench.is_clear());
}

#[tokio::test]
async fn memory_is_seen_and_not_changed_by_a_command() {
    if bwrap().is_none() {
        return;
    }
    let bench = Bench::new().await;
    let tea = EntryPath::parse("memory/tea.md").unwrap();
    let oolong = loci_domain::secrets::Clean::kept(b"oolong".to_vec());
    bench.ram().write_if(&tea, &oolong, Expect::Absent, loci_store::Care::Durable).await.unwrap();
    let Called::Done(text) =
        bench.bash("cat memory/tea.md; echo x > memory/tea.md || rm -rf memory || echo shut").await
    else {
        panic!("refused")
    };
    assert!(text.contains("oolong") && text.contains("shut"), "{text}");
    assert_eq!(bench.text("memory/tea.md").await.as_deref(), Some("oolong"));
}

#[tokio::test]
async fn a_file_that_changed_meanwhile_is_a_conflict() {
    if bwrap().is_none() {
        return;
    }
    let bench = Bench::new().await;
    bench.done("write", json!({"path": "b.md", "content": "one\n"})).await;
    let loans = bench.house.home().join("loans");
    // The command waits until somebody else has changed the file.
    let command = bench.bash(
        "touch started; while [ ! -e stop ]; do sleep 0.05; done; rm stop started; echo mine >> b.md; echo c > c.md",
    );
    let meddle = async {
        let inside = loop {
            let found =
                std::fs::read_dir(&loans).into_iter().flatten().flatten().map(|entry| entry.path().join("files"));
            if let Some(inside) = found.into_iter().find(|inside| inside.join("started").exists()) {
                break inside;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let files = bench.house.runtime.files(LOCAL, &bench.workspace).await.unwrap();
        let at = path("b.md").unwrap();
        let seen = files.read(&at).await.unwrap().unwrap().digest;
        files.write(&at, "theirs\n".to_owned(), Expect::Is(seen)).await.unwrap();
        std::fs::write(inside.join("stop"), "").unwrap();
    };
    let (called, ()) = tokio::join!(command, meddle);
    let Called::Refused(text) = called else { panic!("no conflict: {called:?}") };
    assert!(text.contains("conflict") && text.contains("b.md") && !text.contains("c.md"), "{text}");
    assert_eq!(bench.text("b.md").await.as_deref(), Some("theirs\n"));
    assert_eq!(bench.text("c.md").await.as_deref(), Some("c\n"));
    assert!(bench.is_clear());
}

#[tokio::test]
async fn a_workspace_goes_with_its_files_at_the_place() {
    let bench = Bench::new().await;
    bench.done("write", json!({"path": "a.md", "content": "alpha"})).await;
    let ram = bench.ram();
    bench.house.runtime.remove_workspace(LOCAL, &bench.workspace).await.unwrap();
    assert!(ram.list(None, Show::All, 10).await.unwrap().files.is_empty());
    assert!(matches!(bench.house.runtime.files(LOCAL, &bench.workspace).await, Err(Error::Missing { .. })));
}

#[tokio::test]
async fn a_place_is_checked_when_a_record_is_made_and_stays_where_it_is() {
    let (house, _) = far();
    let refused = |error: Error| match error {
        Error::Form(bad) => bad.field,
        other => panic!("{other}"),
    };
    let add = |storage: Value| house.runtime.add(Holding::Workspace, LOCAL, body(storage));
    assert_eq!(refused(add(json!({"provider": "s3"})).await.unwrap_err()), "config.storage.bucket");
    assert!(house.runtime.all(Holding::Workspace, LOCAL).await.unwrap().is_empty());
    let made = add(json!({"provider": "s3", "bucket": "abc"})).await.unwrap();
    let change = |storage: Value| {
        let (runtime, id) = (house.runtime.clone(), made.id.clone());
        async move { runtime.change(Holding::Workspace, LOCAL, &id, &json!({"config": {"storage": storage}})).await }
    };
    assert_eq!(refused(change(json!({"bucket": null})).await.unwrap_err()), "config.storage.bucket");
    for elsewhere in [json!({"bucket": "abd"}), json!({"prefix": "p"}), json!({"provider": "local", "bucket": null})] {
        assert_eq!(refused(change(elsewhere.clone()).await.unwrap_err()), "config.storage", "{elsewhere}");
    }
    change(json!({"endpoint": "https://other.example", "region": "eu-1"})).await.unwrap();
}

/// A house whose turns lose their lease as soon as somebody else asks, with an agent in a turn and its workspace.
async fn hasty(storage: Value) -> (Arc<House>, String, String, String) {
    let kept = Arc::<Mutex<HashMap<String, Ram>>>::default();
    let house = House::with(Duration::from_millis(1), bwrap(), |home| {
        Arc::new(Far { disk: Disk::new(home.to_owned()), places: kept })
    });
    let workspace = house.runtime.add(Holding::Workspace, LOCAL, body(storage)).await.unwrap().id;
    let sandbox = json!({"name": "box", "kind": "local"});
    let sandbox = house.runtime.add(Holding::Sandbox, LOCAL, sandbox).await.unwrap().id;
    let agent = json!({"sandbox": sandbox, "workspaces": [{"name": "cloud", "workspaceId": workspace}]});
    let agent = house.agent(agent).await;
    let Started::Turn(turn) = house.begin("c", "e", &agent, "go").await.unwrap() else { panic!("a duplicate") };
    (Arc::new(house), workspace, agent, turn.turn.id.clone())
}

#[tokio::test]
async fn a_command_writes_nothing_back_after_another_turn_took_over() {
    for storage in [json!({"provider": "s3", "bucket": "abc"}), json!({"provider": "local"})] {
        let (house, workspace, agent, turn) = hasty(storage.clone()).await;
        let call = tokio::spawn({
            let house = Arc::clone(&house);
            async move {
                let input =
                    json!({"command": "touch begun; until [ -e go ]; do sleep 0.02; done; echo late > late.md"});
                house.runtime.tool(LOCAL, "c", &turn, "bash", input.as_object().unwrap()).await
            }
        });
        // The command says that it has begun, then another turn takes over, then it goes on.
        let begun = loop {
            let loans = std::fs::read_dir(house.home().join("loans")).into_iter().flatten().flatten();
            let mut folders: Vec<PathBuf> = loans.map(|loan| loan.path().join("files")).collect();
            folders.push(house.home().join("workspaces").join(&workspace));
            match folders.into_iter().find(|folder| folder.join("begun").exists()) {
                Some(folder) => break folder,
                None if call.is_finished() => return assert!(bwrap().is_none(), "{:?}", call.await),
                None => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        assert!(matches!(house.begin("c", "e-2", &agent, "mine").await, Ok(Started::Turn(_))));
        std::fs::write(begun.join("go"), "").unwrap();
        assert!(matches!(call.await.unwrap(), Err(Error::LeaseLost)), "{storage}");
        if storage["provider"] == "s3" {
            let files = house.runtime.files(LOCAL, &workspace).await.unwrap();
            assert!(files.list().await.unwrap().0.is_empty(), "something was written back");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_of_one_file_at_once_all_succeed() {
    let bench = Arc::new(Bench::new().await);
    let lines: String = (0..8).map(|n| format!("line {n}\n")).collect();
    bench.done("write", json!({"path": "a.md", "content": lines})).await;
    let edits = (0..8).map(|n| {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move {
            let input = json!({"path": "a.md", "old_str": format!("line {n}\n"), "new_str": format!("edit {n}\n")});
            bench.done("edit", input).await
        })
    });
    for edit in edits.collect::<Vec<_>>() {
        edit.await.unwrap();
    }
    let all: String = (0..8).map(|n| format!("edit {n}\n")).collect();
    assert_eq!(bench.text("a.md").await.unwrap(), all);
}
