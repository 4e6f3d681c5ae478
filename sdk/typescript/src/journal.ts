/** The journal: what changed, taking it back, and what a dream would change if a person agrees. */
import type { Body, Query } from "./contract.js";
import type { CallOptions, Http } from "./http.js";

export const journalCalls = (http: Http) => ({
  /** Changes of all scopes, or of one document, newest first. */
  log: (query: Query<"/memory/log", "get"> = {}, options?: CallOptions) =>
    http.call("get", "/memory/log", { query }, options),

  /** The changes of one document; each can be restored. */
  history: (path: string, options?: CallOptions) => http.call("get", "/memory/history", { query: { path } }, options),

  /** Takes a change or a group back; without an id the last one. */
  undo: (id?: string, options?: CallOptions) =>
    http.call("post", "/memory/undo", { body: id === undefined ? {} : { id } }, options),

  /** Brings a document back as it was after a change. */
  restore: (body: Body<"/memory/restore", "post">, options?: CallOptions) =>
    http.call("post", "/memory/restore", { body }, options),

  /** What dreams would do, and wait for a person's word. */
  proposals: (options?: CallOptions) => http.call("get", "/memory/proposals", {}, options),

  applyProposal: (id: string, options?: CallOptions) =>
    http.call("post", "/memory/proposals/{id}/apply", { path: { id } }, options),

  discardProposal: (id: string, options?: CallOptions) =>
    http.call("post", "/memory/proposals/{id}/discard", { path: { id } }, options),
});
