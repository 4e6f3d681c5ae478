//! PostgreSQL: a cluster of its own, run by somebody who is not root.
//!
//! Making one takes seconds and tests run in a process each, so all of them share one that whoever comes first starts, and
//! that ends with the program that runs the tests. A test that stops its server has a [`Cluster`] to itself.

use super::{free_port, until};
use std::fs::File;
use std::os::unix::fs::chown;
use std::os::unix::process::{CommandExt, parent_id};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// The password of its only user, `loci`.
pub const PASSWORD: &str = "a-word-of-no-value";
const HOW: &str = "PostgreSQL is not installed: run `cargo xtask test --only tools`, or `apt-get install postgresql`";
/// A database with our tables, which others are copied from.
const MIGRATED: &str = "migrated";
/// Waits for the program that runs the tests, then ends the server and forgets its folder.
const WATCH: &str = r#"while kill -0 "$1" 2>/dev/null; do sleep 1; done; kill -QUIT "$2"; sleep 1; rm -rf "$3""#;

/// A running server.
pub struct Cluster {
    site: Site,
    child: Child,
    _folder: TempDir,
}

impl Cluster {
    /// Starts one and waits until it answers.
    pub fn start() -> Cluster {
        let folder = tempfile::Builder::new().prefix("loci-pg-").tempdir().unwrap();
        let site = Site::make(folder.path());
        let cluster = Cluster { child: site.launch(), site, _folder: folder };
        cluster.site.wait();
        cluster
    }

    /// A new database with nothing in it.
    pub fn database(&self) -> Database {
        Database::make(&self.site, None)
    }

    /// Ends it at once, as if the power went.
    pub fn stop(&mut self) {
        signal("-QUIT", &self.child);
        self.child.wait().unwrap();
    }

    /// Starts it again where it was.
    pub fn restart(&mut self) {
        self.child = self.site.launch();
        self.site.wait();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        signal("-QUIT", &self.child);
        let _ = self.child.wait();
    }
}

/// A database that goes when this does.
pub struct Database {
    site: Site,
    name: String,
}

impl Database {
    /// A new one with our tables, of the cluster that all tests share.
    pub async fn shared() -> Database {
        Database::make(&shared().await, Some(MIGRATED))
    }

    /// A new one with nothing in it, of the cluster that all tests share.
    pub async fn empty() -> Database {
        Database::make(&shared().await, None)
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.site.url(&self.name)
    }

    /// Runs SQL in it behind everybody's back; what it says.
    pub fn sql(&self, sql: &str) -> String {
        self.site.sql(&self.name, sql).expect("SQL")
    }

    fn make(site: &Site, template: Option<&str>) -> Database {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let template = template.unwrap_or("template0");
        site.sql("postgres", &format!("CREATE DATABASE {name} TEMPLATE {template}")).expect("a database");
        Database { site: site.clone(), name }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Its server may have been stopped.
        let _ = self.site.sql("postgres", &format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// Where a cluster is.
#[derive(Clone)]
struct Site {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Site {
    /// Makes the files of a cluster.
    fn make(folder: &Path) -> Site {
        let site = Site { programs: programs().expect(HOW), folder: folder.to_owned(), port: free_port() };
        if let Some((user, group)) = other_user() {
            chown(folder, Some(user), Some(group)).unwrap();
        }
        let password = folder.join("password");
        std::fs::write(&password, PASSWORD).unwrap();
        let made = site
            .command("initdb")
            .args(["-D", "data", "-U", "loci", "--pwfile=password", "-E", "UTF8", "--no-locale", "-N"])
            .args(["--auth-local=trust", "--auth-host=scram-sha-256"])
            .status();
        assert!(made.unwrap().success(), "initdb: {}", site.log());
        site
    }

    fn launch(&self) -> Child {
        self.command("postgres")
            .args(["-D", "data", "-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-c", "fsync=on", "-c", "max_connections=200", "-k"])
            .arg(&self.folder)
            .process_group(0)
            .spawn()
            .unwrap()
    }

    fn wait(&self) {
        until("the start of PostgreSQL", Duration::from_secs(60), || self.sql("postgres", "SELECT 1").is_some());
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://loci:{PASSWORD}@127.0.0.1:{}/{database}", self.port)
    }

    /// What the server answers; `None` when it does not.
    fn sql(&self, database: &str, sql: &str) -> Option<String> {
        let done = self
            .command("psql")
            .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-U", "loci", "-d", database, "-c", sql])
            .args(["-p", &self.port.to_string(), "-h"])
            .arg(&self.folder)
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    fn command(&self, program: &str) -> Command {
        let log = File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(&self.folder).env("HOME", &self.folder).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        if let Some((user, group)) = other_user() {
            command.uid(user).gid(group);
        }
        command
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}

/// The cluster of all tests of one run. Nobody waits for what is started here: it outlives this process.
#[allow(clippy::zombie_processes)]
async fn shared() -> Site {
    let run = std::env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| parent_id().to_string());
    let folder = std::env::temp_dir().join(format!("loci-pg-{run}"));
    std::fs::create_dir_all(&folder).unwrap();
    let turn = File::options().create(true).append(true).open(folder.join("turn")).unwrap();
    turn.lock().unwrap();
    let ready = folder.join("port");
    if let Ok(port) = std::fs::read_to_string(&ready) {
        return Site { programs: programs().expect(HOW), folder, port: port.trim().parse().unwrap() };
    }
    let site = Site::make(&folder);
    let server = site.launch();
    Command::new("sh")
        .args(["-c", WATCH, "watch", &parent_id().to_string(), &server.id().to_string()])
        .arg(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    site.wait();
    site.sql("postgres", &format!("CREATE DATABASE {MIGRATED}")).expect("a database");
    drop(loci_ledger::Postgres::open(&site.url(MIGRATED)).await.unwrap());
    std::fs::write(ready, site.port.to_string()).unwrap();
    site
}

/// Where Debian puts what others have in their path.
fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = debian.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let others = super::program("initdb").and_then(|program| Some(program.parent()?.to_owned()));
    others.into_iter().chain(folders).rev().find(|folder| folder.join("initdb").is_file())
}

/// Whom it runs as instead of root, which it refuses.
fn other_user() -> Option<(u32, u32)> {
    let id = |flags: &[&str]| {
        let said = Command::new("id").args(flags).output().unwrap();
        String::from_utf8_lossy(&said.stdout).trim().parse::<u32>().ok()
    };
    (id(&["-u"]) == Some(0)).then(|| (id(&["-u", "postgres"]).expect(HOW), id(&["-g", "postgres"]).expect(HOW)))
}

fn signal(signal: &str, child: &Child) {
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
}
