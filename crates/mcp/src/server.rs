//! One MCP server: which part answers which request.
//!
//! Owns the order of checks: settings first (off means off at once), then who asks, then the part that answers.
//! Never keeps anything between requests but what a client subscribed to, whether it was told that memory is on,
//! and which warnings it wants.
// Subscribing and logs are gone from the newest revision; the older ones have them still.
#![allow(deprecated)]

use crate::fault::Failure;
use crate::greeting;
use crate::guest::{Guest, keeps_state, stricter};
use crate::tools::{self, Call};
use crate::warnings::Warnings;
use crate::watch::Watching;
use crate::{prompts, resources};
use loci_domain::access::Mode;
use loci_memory::Memory;
use loci_memory::now::{Now, Settled};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams,
    GetPromptResponse, InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::RwLock;
use tokio_util::sync::CancellationToken;

/// The methods that we answer.
const METHODS: [&str; 7] = [
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// Those that the newest revision, which has no sessions, knows no more.
const OF_SESSIONS: [&str; 3] = ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"];

/// An MCP server over one memory; cheap to clone. Each client's session is a clone of its own ([`Mcp::session`]).
#[derive(Clone)]
pub struct Mcp {
    shared: Arc<Shared>,
    watching: Arc<Watching>,
    /// Whether the client was last told that memory is on.
    told_on: Arc<AtomicBool>,
    warnings: Arc<Warnings>,
}

struct Shared {
    memory: Memory,
    settled: Settled,
    mode: Mode,
    /// Held for reading by every call: who stops the server waits for them.
    calls: RwLock<()>,
    closing: CancellationToken,
}

impl Mcp {
    /// A server whose clients may do what the mode allows.
    pub fn new(memory: Memory, settled: Settled, mode: Mode) -> Mcp {
        let closing = CancellationToken::new();
        let shared = Shared { memory, settled, mode, calls: RwLock::new(()), closing };
        Mcp {
            shared: Arc::new(shared),
            watching: Arc::default(),
            told_on: Arc::new(AtomicBool::new(true)),
            warnings: Arc::default(),
        }
    }

    /// The same server for another client.
    pub fn session(&self) -> Mcp {
        Mcp {
            shared: Arc::clone(&self.shared),
            watching: Arc::default(),
            told_on: Arc::new(AtomicBool::new(true)),
            warnings: Arc::default(),
        }
    }

    /// Told when no more requests come: streams end.
    pub(crate) fn closing(&self) -> &CancellationToken {
        &self.shared.closing
    }

    /// Waits until no call is under way.
    pub(crate) async fn idle(&self) {
        drop(self.shared.calls.write().await);
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.shared.memory
    }

    fn settings(&self) -> Result<Now, Failure> {
        (self.shared.settled)().map_err(|error| {
            tracing::error!(error, "the settings cannot be read");
            Failure::Settings
        })
    }

    /// The settings, while memory is on.
    pub(crate) fn on(&self) -> Result<Now, Failure> {
        self.settings().and_then(|now| if now.memory { Ok(now) } else { Err(Failure::Off) })
    }

    /// Whether memory is on; `None` when the settings cannot be read now.
    pub(crate) fn is_on(&self) -> Option<bool> {
        (self.shared.settled)().ok().map(|now| now.memory)
    }

    /// The settings; a client that was told otherwise hears that the list of tools is another one now.
    async fn now(&self, context: &RequestContext<RoleServer>) -> Result<Now, Failure> {
        let now = self.settings()?;
        if keeps_state(context) {
            self.tell_switch(now.memory, &context.peer).await;
        }
        Ok(now)
    }

    /// Tells a client that was told otherwise that memory is on or off now.
    pub(crate) async fn tell_switch(&self, on: bool, peer: &Peer<RoleServer>) {
        if self.told_on.swap(on, Ordering::Relaxed) != on {
            // A client that cannot be told is gone.
            let _ = peer.notify_tool_list_changed().await;
        }
    }

    /// What the client may do: the server's mode, and over HTTP that of its token.
    fn mode(&self, context: &RequestContext<RoleServer>) -> Mode {
        let guest = context.extensions.get::<http::request::Parts>().map(|parts| parts.extensions.get::<Guest>());
        match guest {
            None => self.shared.mode,
            Some(Some(guest)) => stricter(self.shared.mode, guest.mode),
            // Over HTTP nobody is anybody: whoever mounts us says who asks.
            Some(None) => Mode::Explore,
        }
    }
}

impl ServerHandler for Mcp {
    fn get_info(&self) -> ServerConfig {
        greeting::config(if self.is_on() == Some(false) { greeting::OFF } else { greeting::INSTRUCTIONS })
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut hello = self.negotiate_initialize(&request)?;
        self.told_on.store(self.is_on().unwrap_or(true), Ordering::Relaxed);
        // Only who listens for it, which the newest revision can, is told that there are other pages.
        if let Some(resources) = &mut hello.capabilities.resources {
            resources.list_changed = None;
        }
        Ok(hello)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mcp = self.clone();
        tokio::spawn(async move { crate::watch::switch(&mcp, &context.peer).await });
    }

    /// What the protocol's library could not read as any request that it knows.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        let known = METHODS.contains(&&*method) || (keeps_state(&context) && OF_SESSIONS.contains(&&*method));
        Err(match known {
            true => ErrorData::invalid_params(format!("the params of {method} do not fit"), None),
            false => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
        })
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let now = self.settings().map_err(|failure| failure.data())?;
        self.told_on.store(now.memory, Ordering::Relaxed);
        let tools = if now.memory { tools::list(self.mode(&context)) } else { Vec::new() };
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let _call = self.shared.calls.read().await;
        let answered = match self.now(&context).await {
            Ok(now) if now.memory => {
                let (mode, cancelled) = (self.mode(&context), context.ct.clone());
                let cx = Call { memory: self.memory(), now: &now, mode, cancelled, degraded: Default::default() };
                let answered = tools::call(&cx, &request.name, request.arguments).await;
                self.warnings.tell(&context, cx.degraded.into_inner()).await;
                answered
            }
            Ok(_) => Some(Err(Failure::Off)),
            Err(failure) => Some(Err(failure)),
        };
        let unknown = || ErrorData::invalid_params(format!("there is no tool called {:?}", request.name), None);
        let answer = answered.ok_or_else(unknown)?.unwrap_or_else(|failure| failure.answer());
        Ok(answer.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        resources::list(self).await.map_err(|failure| failure.data())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(self, &request.uri).await.map(Into::into).map_err(|failure| failure.data())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.on().map_err(|failure| failure.data())?;
        Watching::add(&self.watching, self, context.peer, &request.uri).await.map_err(|failure| failure.data())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.watching.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(crate::watch::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        crate::watch::listen(self, context).await;
        Ok(())
    }

    async fn set_level(&self, request: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.warnings.wanted(request.level);
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let now = self.settings().map_err(|failure| failure.data())?;
        let prompts = if now.memory { prompts::list(self.mode(&context)) } else { Vec::new() };
        Ok(ListPromptsResult::with_all_items(prompts))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let now = self.on().map_err(|failure| failure.data())?;
        let (mode, cancelled) = (self.mode(&context), context.ct.clone());
        let cx = Call { memory: self.memory(), now: &now, mode, cancelled, degraded: Default::default() };
        let got = prompts::get(&cx, &request.name, request.arguments).await;
        got.map(Into::into).map_err(|failure| failure.data())
    }
}
