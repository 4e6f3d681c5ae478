//! Conversations and turns on the wire.

use jiff::Timestamp;
use loci_domain::message::Message;
use loci_ledger::{Conversation, Line};
use loci_session::context::{Compaction, TurnContext};
use loci_session::prune::Pending;
use loci_session::turn::{message, message_id};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A conversation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationRow {
    key: String,
    /// How many messages it has.
    message_count: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Conversations, the one in which something happened last first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationRows {
    conversations: Vec<ConversationRow>,
}

/// A conversation with what was said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationShown {
    #[serde(flatten)]
    conversation: ConversationRow,
    messages: Vec<LineRow>,
    /// Calls that wait for a person's word, or whose answer was not acted on yet.
    pending_approvals: Vec<PendingApproval>,
}

/// A message as it is stored.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineRow {
    id: String,
    role: &'static str,
    #[schema(value_type = MessageContent)]
    content: Value,
    at: Timestamp,
    turn_id: String,
    /// For a summary: the first and the last message that it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    covers: Option<Covers>,
}

/// The first and the last message of a range.
#[derive(Debug, Serialize, ToSchema)]
pub struct Covers {
    from: String,
    to: String,
}

/// A call that waits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingApproval {
    approval_id: String,
    tool_call_id: String,
}

/// A turn with what the model sees, or the word that its event was taken already.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum TurnAnswer {
    /// The turn.
    Turn(Box<TurnRow>),
    /// The event was taken already.
    Duplicate(Duplicate),
}

/// The event was taken already.
#[derive(Debug, Serialize, ToSchema)]
pub struct Duplicate {
    /// Always true.
    pub duplicate: bool,
}

/// A turn and what the model sees.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnRow {
    turn_id: String,
    lease: LeaseRow,
    /// System parts in order.
    system: Vec<SystemPart>,
    messages: Vec<MessageShape>,
    workspaces: Vec<TurnWorkspace>,
    tools: Vec<TurnTool>,
    compaction: CompactionRow,
}

/// How long nobody else may speak.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaseRow {
    /// Higher with every turn of the conversation.
    pub token: String,
    pub expires_at: Timestamp,
}

/// One system part.
#[derive(Debug, Serialize, ToSchema)]
pub struct SystemPart {
    /// `agent`, `memory`, `harness`, `loci`, `summary`, `persisted` or `turn`.
    name: &'static str,
    text: String,
    /// Estimated.
    tokens: usize,
}

/// A message.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageShape {
    role: &'static str,
    #[schema(value_type = MessageContent)]
    content: Value,
}

/// A message to be kept.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; `domain` reads them")]
pub struct MessageForm {
    /// `user`, `assistant`, `tool` or `system`.
    role: String,
    content: MessageContent,
    /// Of system messages: whether it is kept, or for this turn only.
    persist: Option<bool>,
}

/// A text, or parts: `text`, `reasoning`, `tool-call`, `tool-result`, `tool-approval-request`, `tool-approval-response`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "for the document")]
pub enum MessageContent {
    /// Words.
    Text(String),
    /// Parts.
    Parts(Vec<MessagePart>),
}

/// One part, with the fields of its kind.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "for the document")]
pub struct MessagePart {
    #[serde(rename = "type")]
    kind: String,
    #[serde(flatten)]
    #[schema(additional_properties, value_type = Object)]
    more: Map<String, Value>,
}

/// A workspace of the agent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnWorkspace {
    name: String,
    workspace_id: String,
    read_only: bool,
}

/// A tool that the model may call.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnTool {
    name: &'static str,
    description: &'static str,
    /// JSON schema.
    #[schema(value_type = Object)]
    input_schema: Value,
}

/// What became of compaction.
#[derive(Debug, Serialize, ToSchema)]
pub struct CompactionRow {
    /// `none`, `done` or `failed`.
    status: &'static str,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl From<Conversation> for ConversationRow {
    fn from(conversation: Conversation) -> ConversationRow {
        ConversationRow {
            key: conversation.key,
            message_count: conversation.messages,
            created_at: conversation.created_at,
            updated_at: conversation.updated_at,
        }
    }
}

impl From<Vec<Conversation>> for ConversationRows {
    fn from(all: Vec<Conversation>) -> ConversationRows {
        ConversationRows { conversations: all.into_iter().map(ConversationRow::from).collect() }
    }
}

impl From<(Conversation, Vec<Line>, Vec<Pending>)> for ConversationShown {
    fn from((found, lines, waiting): (Conversation, Vec<Line>, Vec<Pending>)) -> ConversationShown {
        ConversationShown {
            conversation: found.into(),
            messages: lines.iter().map(LineRow::from).collect(),
            pending_approvals: waiting.into_iter().map(PendingApproval::from).collect(),
        }
    }
}

impl From<&Line> for LineRow {
    fn from(line: &Line) -> LineRow {
        let covers = line.covers.map(|(from, to)| Covers { from: message_id(from), to: message_id(to) });
        LineRow {
            id: message_id(line.position),
            role: line.role.word(),
            content: message(line).content,
            at: line.at,
            turn_id: line.turn.clone(),
            covers,
        }
    }
}

impl From<Pending> for PendingApproval {
    fn from(pending: Pending) -> PendingApproval {
        PendingApproval { approval_id: pending.approval, tool_call_id: pending.call }
    }
}

impl From<TurnContext> for TurnRow {
    fn from(context: TurnContext) -> TurnRow {
        let (status, reason) = match context.compaction {
            Compaction::None => ("none", None),
            Compaction::Done => ("done", None),
            Compaction::Failed(reason) => ("failed", Some(reason)),
        };
        let message = |message: Message| MessageShape { role: message.role.word(), content: message.content };
        TurnRow {
            turn_id: context.turn.id,
            lease: LeaseRow { token: context.turn.token.to_string(), expires_at: context.turn.until },
            system: context
                .system
                .into_iter()
                .map(|part| SystemPart { name: part.name, text: part.text, tokens: part.tokens })
                .collect(),
            messages: context.messages.into_iter().map(message).collect(),
            workspaces: context
                .workspaces
                .into_iter()
                .map(|at| TurnWorkspace { name: at.name, workspace_id: at.workspace, read_only: at.read_only })
                .collect(),
            tools: context
                .tools
                .into_iter()
                .map(|tool| TurnTool { name: tool.name, description: tool.description, input_schema: tool.schema })
                .collect(),
            compaction: CompactionRow { status, reason },
        }
    }
}
