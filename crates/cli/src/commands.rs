//! One file per command; this is their list.

mod account;
mod acp;
mod agent;
mod completions;
pub mod config;
pub mod connect;
pub mod context;
mod conversation;
mod doctor;
pub mod dream;
mod edit;
mod eval;
mod export;
mod extract;
mod forget;
mod hook;
mod import;
mod index;
mod init;
mod list;
mod log;
mod mcp;
mod memory;
mod mv;
mod pin;
mod pipeline;
mod read;
pub mod recall;
mod record;
mod remember;
mod restore;
mod rm;
mod sandbox;
pub mod serve;
mod session;
mod show;
pub mod status;
mod token;
mod tool;
mod trust;
mod undo;
mod why;
mod workspace;

use crate::args::{Cli, Command, Common, ContextArgs, EvalCommand, RecallArgs, ToolArgs, TrustArgs};
use crate::boot::App;
use crate::fault::Failure;
use crate::output::Output;
use loci_memory::pin::Pin;
use std::process::ExitCode;

/// What a command answers: usually 0.
pub type Outcome = Result<ExitCode, Failure>;

/// Runs a command.
pub async fn run(cli: Cli, output: Output) -> Outcome {
    let common = &cli.common;
    match cli.command {
        Command::Tool(ToolArgs { mode, root, allow_secret }) => {
            tool::run(common, output, mode, root, allow_secret).await
        }
        Command::Completions { shell } => completions::run(shell),
        Command::Eval { command: command @ EvalCommand::Recall { .. } } => eval::run(output, command).await,
        Command::Hook(args) => Ok(hook::run(common, args).await),
        Command::Acp => acp::run(common).await,
        Command::Mcp { mode } => mcp::run(common, output, mode).await,
        Command::Serve(args) => serve::run(common, output, args).await,
        Command::Config(args) => config::run(common, output, args).await,
        Command::Doctor { fix } => doctor::run(common, output, fix).await,
        Command::Pipeline(command) => pipeline::run(common, output, command).await,
        Command::Memory(command) => memory::run(common, output, command).await,
        command => {
            let app = App::boot(common).await?;
            for warning in &app.warnings {
                output.warn(warning);
            }
            with_memory(app, common, output, command).await
        }
    }
}

async fn with_memory(app: App, common: &Common, output: Output, command: Command) -> Outcome {
    let ledger_only = matches!(command, Command::Pin { .. } | Command::Unpin { .. } | Command::Trust(_))
        || matches!(&command, Command::Connect(args) if args.agent.is_some() && !args.dry_run)
        || matches!(&command, Command::Disconnect(args) if !args.dry_run);
    if ledger_only && app.read_only {
        return Err(loci_store::Error::ReadOnlyHome.into());
    }
    match command {
        Command::List { scope } => list::run(&app, output, scope).await,
        Command::Show { path, why } => show::run(&app, output, &path, why).await,
        Command::Edit { path, allow_secret } => edit::run(&app, output, &path, allow_secret).await,
        Command::Rm { path } => rm::run(&app, output, &path).await,
        Command::Mv { from, to } => mv::run(&app, output, &from, &to).await,
        Command::Pin { path } => pin::run(&app, output, &path, Pin::Set).await,
        Command::Unpin { path } => pin::run(&app, output, &path, Pin::Remove).await,
        Command::Index => index::run(&app, output).await,
        Command::Remember(args) => remember::run(&app, output, args).await,
        Command::Forget(args) => forget::run(&app, output, args).await,
        Command::Connect(args) => connect::run(&app, output, args).await,
        Command::Disconnect(args) => connect::disconnect(&app, output, args).await,
        Command::Import(args) => import::run(&app, output, args).await,
        Command::Export(args) => export::run(&app, output, args).await,
        Command::Token(command) => token::run(&app, output, command).await,
        Command::Account(command) => account::run(&app, output, command).await,
        Command::Session(command) => session::run(&app, common, output, command).await,
        Command::Eval { command: EvalCommand::Own } => eval::own(&app, output).await,
        Command::Recall(RecallArgs { query, sessions: true, limit, scope, .. }) => {
            recall::sessions(&app, output, query, limit, scope).await
        }
        Command::Recall(RecallArgs { query, limit, scope, no_model, session, .. }) => {
            let model = recall::patience(&app.config).filter(|_| !no_model);
            recall::run(&app, output, query, limit, scope, session, model).await
        }
        Command::Why { receipt } => why::run(&app, output, &receipt).await,
        Command::Context(ContextArgs { query, budget, session, boundary, explain }) => {
            context::run(&app, output, query, budget, session, boundary, explain).await
        }
        Command::Read { uri } => read::run(&app, output, &uri).await,
        Command::Extract(args) => extract::run(&app, output, args).await,
        Command::Dream(args) => dream::run(&app, output, args).await,
        Command::Log(args) => log::run(&app, output, args).await,
        Command::Undo { id } => undo::run(&app, output, id.as_deref()).await,
        Command::Restore { path, at } => restore::run(&app, output, &path, &at).await,
        Command::Trust(TrustArgs { path, all: _, revoke }) => trust::run(&app, output, path.as_deref(), revoke).await,
        Command::Status => status::run(&app, output).await,
        Command::Init(args) => init::run(&app, output, &args).await,
        Command::Workspace(command) => workspace::run(&app, output, command).await,
        Command::Agent(command) => agent::run(&app, output, command).await,
        Command::Sandbox(command) => sandbox::run(&app, output, command).await,
        Command::Conversation(command) => conversation::run(&app, output, command).await,
        Command::Tool(_)
        | Command::Completions { .. }
        | Command::Eval { .. }
        | Command::Config(_)
        | Command::Doctor { .. }
        | Command::Acp
        | Command::Hook(_)
        | Command::Pipeline { .. }
        | Command::Memory { .. }
        | Command::Mcp { .. }
        | Command::Serve(_) => {
            unreachable!("dispatched before memory is opened")
        }
    }
}
