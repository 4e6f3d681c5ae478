//! `loci serve`: the daemon.
//!
//! Owns where it listens, its token, and how it is told to stop.

mod mcp;
mod page;

use super::Outcome;
use crate::args::{Common, ServeArgs};
use crate::boot::{self, App, Engine, OwnHalls, OwnRooms};
use crate::config::Config;
use crate::fault::Failure;
use crate::now;
use crate::output::{Format, Output, dim, json_line, line};
use crate::setup::Own;
use crate::telemetry;
use loci_domain::fault::Fault;
use loci_pipeline::Runner;
use loci_server::{Bound, Daemon, Keys, LaneSettings, Listener, Settings, Spawn};
use loci_session::{Hall, Halls};
use loci_store::lock::private_dirs;
use loci_store::record::Room;
use serde_json::json;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{ErrorKind, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

pub async fn run(common: &Common, output: Output, args: ServeArgs) -> Outcome {
    let app = App::boot(common).await?;
    if app.read_only {
        return Err(loci_store::Error::ReadOnlyHome.into());
    }
    for warning in &app.warnings {
        output.warn(warning);
    }
    let host = host(args.host.as_deref().or(app.config.text("daemon.host")).unwrap_or_default())?;
    let port = args.port.unwrap_or(u16::try_from(app.config.number("daemon.port")).unwrap_or_default());
    let token_file = app.places.home.join("token");
    let token = token(&token_file, host)?;
    let export = telemetry::export(&app.config)?;
    let listener = Listener::bind(SocketAddr::new(host, port)).await.map_err(|error| taken(host, port, &error))?;
    let url = format!("http://{}", listener.address()?);
    let memory = app.with_prompts();
    let cwd = boot::directory(common);
    let worker = worker(common, &app.config, cwd.clone())?;
    let lane = memory.upkeep_of()?.0;
    let setup = Box::new(Own { common: common.clone() });
    let settings = settings(host, &app.config);
    let mcp = mcp::http(memory.clone(), now::settled(common), settings.body_bytes);
    let halls: Arc<dyn Halls> = Arc::new(OwnHalls::new(&app, memory.clone()));
    let runtime = boot::runtime(&app, Arc::clone(&halls));
    let workers = {
        let (common, worker) = (common.clone(), worker.clone());
        Arc::new(move |hall: &Hall| Spawn { args: args_of(&common, hall), ..worker.clone() })
    };
    let (settled, bells) = (now::settled(common), app.engine.bells());
    let bound = Bound { memory, cwd, lane, settled, setup, worker, halls, workers, runtime, bells };
    let daemon = Daemon::new(settings, Keys::new(&token), bound, app.ledger);
    let stop = stopped()?;
    let link = page::link(&url, &token);
    say(output, &url, &token_file, &link);
    if args.open {
        page::open(&app.places.home, &link)?;
    }
    pipeline(common.clone(), app.places.home, app.config)?;
    let stop = async {
        stop.await;
        mcp::close(mcp.clone()).await;
    };
    daemon.serve(listener, mcp::mounted(mcp.clone()).merge(page::mounted()), stop).await;
    export.finish().await;
    Ok(ExitCode::SUCCESS)
}

/// Does the jobs of all projects of the home, on a thread and a connection of its own: a long transcript holds up no
/// request. It ends with the process; a job that is cut off then is taken up by whoever comes next.
fn pipeline(common: Common, home: PathBuf, config: Config) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let work = async move {
        match Engine::again(&home, &config).await {
            Ok(engine) => Runner::new(engine.rows(), Arc::new(OwnRooms { common, engine })).stand_by(&home).await,
            Err(error) => tracing::error!(error = error.message, "no jobs are done by this daemon"),
        }
    };
    std::thread::Builder::new().name("pipeline".to_owned()).spawn(move || runtime.block_on(work)).map(drop)
}

fn settings(host: IpAddr, config: &Config) -> Settings {
    Settings {
        host,
        allowed_hosts: config.texts("daemon.allowed_hosts"),
        allowed_origins: config.texts("daemon.allowed_origins"),
        rate_per_second: config.number("daemon.rate_per_second"),
        body_bytes: usize::try_from(config.number("daemon.body_bytes")).unwrap_or(usize::MAX),
        lane: lane(config),
    }
}

/// What the worker of another account or of a workspace is started with.
fn args_of(common: &Common, hall: &Hall) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec!["acp".into(), "--project".into(), "".into()];
    let mut flag = |name: &str, value: &str| args.extend([name.into(), value.into()]);
    flag("--account", &hall.account);
    hall.workspace.iter().for_each(|workspace| flag("--workspace", workspace));
    set(common).for_each(|set| flag("--set", set));
    args
}

fn lane(config: &Config) -> LaneSettings {
    let number = |key: &str| usize::try_from(config.number(key)).unwrap_or(usize::MAX);
    let seconds = |key: &str| Duration::from_secs(config.number(key).max(1));
    LaneSettings {
        room: Room {
            pending: number("lane.pending"),
            upkeep: number("lane.pending_upkeep"),
            kept: number("lane.kept"),
        },
        task: seconds("lane.task_seconds"),
        child: seconds("lane.child_seconds"),
        idle: seconds("lane.child_idle_seconds"),
        lease: seconds("lane.lease_seconds"),
    }
}

/// This binary once more, with the flags that this one was given.
fn worker(common: &Common, config: &Config, cwd: PathBuf) -> Result<Spawn, Failure> {
    let mut args: Vec<OsString> = vec!["acp".into()];
    let mut flag = |name: &str, value: &str| args.extend([name.into(), value.into()]);
    common.project.iter().for_each(|project| flag("--project", project));
    common.workspace.iter().for_each(|workspace| flag("--workspace", workspace));
    set(common).for_each(|set| flag("--set", set));
    let cwd = std::env::current_dir().unwrap_or(cwd);
    Ok(Spawn { program: std::env::current_exe()?, args, environment: elsewhere(config), cwd })
}

/// Where ledger and files are, for a worker: by its environment, since everybody sees its arguments.
fn elsewhere(config: &Config) -> Vec<(&'static str, OsString)> {
    let named = [("LOCI_LEDGER", "ledger.url"), ("LOCI_FILES", "files.url")];
    named.into_iter().filter_map(|(name, key)| Some((name, config.text(key)?.into()))).collect()
}

/// The settings that were given as flags, but for those that [`elsewhere`] tells.
fn set(common: &Common) -> impl Iterator<Item = &String> {
    common.set.iter().filter(|set| !set.trim_start().starts_with("ledger.") && !set.trim_start().starts_with("files."))
}

/// The address that a word means.
pub fn host(given: &str) -> Result<IpAddr, Failure> {
    let word = given.trim_start_matches('[').trim_end_matches(']');
    if word.eq_ignore_ascii_case("localhost") {
        return Ok([127, 0, 0, 1].into());
    }
    word.parse().map_err(|_| Failure::usage(format!("{given:?} is no address to listen on; use one like 127.0.0.1")))
}

/// The token: `LOCI_TOKEN`, else that of the home, made at the first start.
fn token(file: &Path, host: IpAddr) -> Result<String, Failure> {
    if let Some(token) = std::env::var_os("LOCI_TOKEN").filter(|token| !token.is_empty()) {
        // No header holds any other sign, so such a token would lock everybody out.
        let token = token.to_str().map(str::trim).filter(|token| token.bytes().all(|sign| sign.is_ascii_graphic()));
        let wrong =
            || Failure::usage("LOCI_TOKEN holds a sign that no request can send; use letters, digits and -._~+/=");
        let token = token.ok_or_else(wrong)?;
        if !token.is_empty() {
            return Ok(token.to_owned());
        }
    }
    if !host.is_loopback() {
        let text = format!("{host} can be reached from other machines; set LOCI_TOKEN to a token of your own first");
        return Err(Failure::new(Fault::Denied, "token_needed", text));
    }
    match std::fs::read_to_string(file) {
        Ok(token) if !token.trim().is_empty() => {
            // It opens everything to whoever reads it.
            std::fs::set_permissions(file, PermissionsExt::from_mode(0o600))?;
            return Ok(token.trim().to_owned());
        }
        Ok(_) => std::fs::remove_file(file)?,
        Err(error) if error.kind() == ErrorKind::NotFound && file.is_symlink() => {
            let text =
                format!("{} is a link to a file that is not there; make that file or remove the link", file.display());
            return Err(Failure::new(Fault::Missing, "token_missing", text));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let token = fresh_token()?;
    // A node whose ledger and files are elsewhere has no home until now.
    file.parent().map_or(Ok(()), private_dirs)?;
    // Whole before it has its name: another daemon that starts at the same time never reads half of it.
    let unnamed = file.with_extension(format!("{}.tmp", loci_store::store::fresh_id()));
    let mut made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unnamed)?;
    made.write_all(token.as_bytes()).and_then(|()| made.sync_all())?;
    let named = std::fs::hard_link(&unnamed, file);
    std::fs::remove_file(&unnamed)?;
    match named {
        Ok(()) => Ok(token),
        // The other one was first; its token is the one.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => self::token(file, host),
        Err(error) => Err(error.into()),
    }
}

/// A new token.
pub fn fresh_token() -> Result<String, Failure> {
    loci_server::fresh_key().ok_or_else(|| Failure::from(anyhow::anyhow!("the system has no random numbers")))
}

fn taken(host: IpAddr, port: u16, error: &std::io::Error) -> Failure {
    let address = SocketAddr::new(host, port);
    match error.kind() {
        ErrorKind::AddrInUse => {
            let text = format!("{address} is taken, perhaps by another daemon; --port chooses another one");
            Failure::new(Fault::Busy, "address_in_use", text)
        }
        _ => Failure::new(Fault::Offline, "cannot_listen", format!("{address} cannot be listened on: {error}")),
    }
}

/// The link that signs in is for a person's eyes: a log or a pipe is not told the token.
fn say(output: Output, url: &str, token_file: &Path, link: &str) {
    match output.format {
        Format::Json => line(&json_line(&json!({"url": url, "tokenFile": token_file}))),
        Format::Quiet => line(&format!("listening on {url}")),
        Format::Text => {
            line(&format!("listening on {url}"));
            if std::io::stdout().is_terminal() {
                line(&format!("the page: {link}"));
            }
            line(&dim(format!("token: {}; Ctrl-C stops", token_file.display())));
        }
    }
}

/// Ends when a person or the system asks the daemon to stop; they may do so from here on.
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}
