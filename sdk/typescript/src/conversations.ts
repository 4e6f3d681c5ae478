/** Conversations: turns from claim to release, the tools of bound workspaces, and what was said. */
import type { Body, Schemas } from "./contract.js";
import { parsed } from "./events.js";
import type { CallOptions, Http } from "./http.js";
import { type StreamOptions, stream } from "./stream.js";

/** A turn that started, or the word that its event was taken already. */
export type BegunTurn = (Schemas["TurnRow"] & { duplicate?: never }) | (Schemas["Duplicate"] & { turnId?: never });

/** What happens in a conversation. */
export interface ConversationEvent {
  id?: number;
  v: 1;
  type: "turn_started" | "turn_completed" | "turn_failed" | "conversation_deleted" | (string & {});
  data: { key: string; turnId: string | null };
}

export const conversationCalls = (http: Http) => ({
  /** The one in which something happened last first. */
  listConversations: (options?: CallOptions) => http.call("get", "/conversations", {}, options),

  /** What was said, oldest first, exactly as it is stored. */
  conversation: (key: string, span: { from?: number; limit?: number } = {}, options?: CallOptions) =>
    http.call("get", "/conversations/{key}", { path: { key }, query: span }, options),

  removeConversation: (key: string, options?: CallOptions) =>
    http.call("delete", "/conversations/{key}", { path: { key } }, options),

  /** Begins a turn. Busy = a `LociError` with `conversation_busy`, and nothing was kept. */
  async beginTurn(
    key: string,
    body: Body<"/conversations/{key}/turns", "post">,
    options?: CallOptions,
  ): Promise<BegunTurn> {
    return (await http.call("post", "/conversations/{key}/turns", { path: { key }, body }, options)) as BegunTurn;
  },

  /** Keeps what was said and ends the turn. */
  completeTurn: (key: string, turnId: string, messages: Schemas["MessageForm"][], options?: CallOptions) =>
    http.call(
      "post",
      "/conversations/{key}/turns/{turn_id}/complete",
      { path: { key, turn_id: turnId }, body: { messages } },
      options,
    ),

  /** Ends a turn that came to nothing; its event may be sent again. */
  failTurn: (key: string, turnId: string, error?: string, options?: CallOptions) =>
    http.call(
      "post",
      "/conversations/{key}/turns/{turn_id}/fail",
      { path: { key, turn_id: turnId }, body: error === undefined ? {} : { error } },
      options,
    ),

  /** Prolongs a turn. */
  renewTurn: (key: string, turnId: string, options?: CallOptions) =>
    http.call("post", "/conversations/{key}/turns/{turn_id}/renew", { path: { key, turn_id: turnId }, body: {} }, options),

  /** Calls a tool of a bound workspace; a refused call is an answer too. */
  callTurnTool: (key: string, turnId: string, name: string, input: Record<string, unknown>, options?: CallOptions) =>
    http.call(
      "post",
      "/conversations/{key}/turns/{turn_id}/tools",
      { path: { key, turn_id: turnId }, body: { name, input: input as Record<string, never> } },
      options,
    ),

  /** Turns of a conversation as they start and end. */
  async *conversationEvents(key: string, options: StreamOptions = {}): AsyncGenerator<ConversationEvent, void, void> {
    for await (const { data } of stream(http, `/conversations/${encodeURIComponent(key)}/events`, options)) {
      const event = parsed(data);
      if (isConversationEvent(event)) yield event;
    }
  },
});

function isConversationEvent(value: unknown): value is ConversationEvent {
  if (typeof value !== "object" || value === null || !("data" in value) || !("type" in value)) return false;
  return typeof value.data === "object" && value.data !== null && "key" in value.data;
}
