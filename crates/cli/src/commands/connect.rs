//! `loci connect` and `loci disconnect`: other agents use this memory, or no longer.

use super::Outcome;
use crate::agents::{self, Agent, Desk, Done, Level, Run, Standing, State};
use crate::args::{ConnectArgs, DisconnectArgs};
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, bold, dim, green, line, print, red, yellow};
use loci_domain::access::Mode;
use loci_server::{Connection, ConnectionLevel};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, args: ConnectArgs) -> Outcome {
    let Some(name) = &args.agent else { return list(app, output) };
    let agent = agents::named(name)?;
    let desk = Desk::new(app, level(args.in_project))?;
    let done = desk.connect(agent, args.mode, way(args.dry_run)).await?;
    output.answer(&done, || {
        let fresh = files(&done, "is connected", "would be connected", "is connected already");
        if fresh && !done.dry_run {
            let advice = agent.connects.as_ref().map(|connects| connects.advice).unwrap_or_default();
            let here = if args.in_project { " --in-project" } else { "" };
            line(&dim(format!("{advice}; loci disconnect {}{here} takes exactly this back", agent.id)));
        }
    });
    Ok(ExitCode::SUCCESS)
}

pub async fn disconnect(app: &App, output: Output, args: DisconnectArgs) -> Outcome {
    let agent = agents::named(&args.agent)?;
    let done = Desk::new(app, level(args.in_project))?.disconnect(agent, way(args.dry_run)).await?;
    output.answer(&done, || {
        files(&done, "is disconnected", "would be disconnected", "is not connected");
    });
    Ok(ExitCode::SUCCESS)
}

fn level(in_project: bool) -> Level {
    if in_project { Level::Project } else { Level::User }
}

fn way(dry_run: bool) -> Run {
    if dry_run { Run::Dry } else { Run::Real }
}

/// Says what happened to which file; false = nothing was to do.
fn files(done: &Done, did: &str, would: &str, idle: &str) -> bool {
    let name = bold(done.name);
    if done.is_idle() {
        line(&format!("{name} {idle}"));
        return false;
    }
    line(&format!("{name} {}", if done.dry_run { would } else { did }));
    let width = done.files.iter().map(|file| file.path.len()).max().unwrap_or_default();
    for file in &done.files {
        line(&format!("  {:<width$}  {:<9}  {}", file.path, file.change, dim(file.what)));
    }
    if done.dry_run {
        for file in done.files.iter().filter(|file| !file.diff.is_empty()) {
            line("");
            for shown in file.diff.lines() {
                print(&match shown.as_bytes().first() {
                    Some(b'+') => format!("{}\n", green(shown)),
                    Some(b'-') => format!("{}\n", red(shown)),
                    _ => format!("{}\n", dim(shown)),
                });
            }
        }
    }
    true
}

fn list(app: &App, output: Output) -> Outcome {
    let rows = standings(app)?;
    output.answer(&json!({"agents": rows.iter().map(Row::told).collect::<Vec<_>>()}), || {
        for row in &rows {
            row.show();
        }
        if rows.iter().any(|row| row.found && !row.is_connected()) {
            line(&dim("loci connect AGENT connects one; --dry-run shows what would change"));
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// How every agent stands, for the list and for the daemon.
pub fn standings(app: &App) -> Result<Vec<Row>, Failure> {
    let user = Desk::new(app, Level::User)?;
    let project = Desk::new(app, Level::Project).ok();
    let row = |agent: &'static Agent| Row {
        agent,
        found: user.has(agent),
        user: user.look(agent),
        project: project.as_ref().map(|desk| desk.look(agent)),
    };
    Ok(agents::connectable().map(row).collect())
}

/// One agent and how it stands.
pub struct Row {
    pub agent: &'static Agent,
    pub found: bool,
    user: Standing,
    project: Option<Standing>,
}

impl Row {
    fn levels(&self) -> impl Iterator<Item = (&'static str, &Standing)> {
        let project = self.project.iter().map(|standing| (Level::Project.word(), standing));
        std::iter::once((Level::User.word(), &self.user)).chain(project)
    }

    fn is_connected(&self) -> bool {
        self.levels().any(|(_, standing)| standing.state == State::Connected)
    }

    /// The row for programs.
    pub fn told(&self) -> Connection {
        let level = |(level, standing): (&str, &Standing)| ConnectionLevel {
            level: level.to_owned(),
            state: word(standing.state).to_owned(),
            mode: standing.mode.map(|own| mode(own).to_owned()),
            files: standing.files.clone(),
            trouble: standing.trouble.clone(),
        };
        Connection {
            agent: self.agent.id.to_owned(),
            name: self.agent.name.to_owned(),
            found: self.found,
            connected: self.is_connected(),
            levels: self.levels().map(level).collect(),
        }
    }

    fn show(&self) {
        let apart = if self.found { yellow("not connected") } else { dim("not on this machine") };
        let mut told = Vec::new();
        for (level, standing) in self.levels() {
            match (standing.state, standing.mode) {
                (State::Connected, Some(Mode::Exec) | None) => {
                    told.push(format!("{} {}", green("connected"), dim(level)))
                }
                (State::Connected, Some(other)) => {
                    told.push(format!("{} {}", green("connected"), dim(format!("{level}, mode {}", mode(other)))));
                }
                (State::Partly, _) => {
                    told.push(format!("{} {}", yellow("partly connected"), dim(format!("{level}; connect again"))))
                }
                (State::Apart, _) => {}
            }
            told.extend(standing.trouble.as_ref().map(red));
        }
        let told = if told.is_empty() { apart } else { told.join(", ") };
        line(&format!("{}  {:<12} {told}", bold(format!("{:<12}", self.agent.id)), self.agent.name));
    }
}

fn word(state: State) -> &'static str {
    match state {
        State::Apart => "none",
        State::Partly => "partial",
        State::Connected => "connected",
    }
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Exec => "exec",
        Mode::Plan => "plan",
        Mode::Explore => "explore",
    }
}
