/** Curation: the files of memory under a person's own hand. Nothing is overwritten that the caller has not seen. */
import type { Body, Query } from "./contract.js";
import type { CallOptions, Http } from "./http.js";

export const fileCalls = (http: Http) => ({
  /** Every document of every scope that is there. */
  listFiles: (options?: CallOptions) => http.call("get", "/memory/files", {}, options),

  /** A document with its version; reading here does not count as use. */
  readFile: (path: string, options?: CallOptions) => http.call("get", "/memory/file", { query: { path } }, options),

  /** A document as it was after a change; `history` lists them. */
  readFileAt: (path: string, at: string, options?: CallOptions) =>
    http.call("get", "/memory/file", { query: { path, at } }, options),

  /** Saves a document over the version that the caller saw (`null` = a new one); else a `ConflictError`. */
  saveFile: (body: Body<"/memory/file", "put">, options?: CallOptions) =>
    http.call("put", "/memory/file", { body }, options),

  /** Removes the version that the caller saw; `undo` brings it back. */
  removeFile: (query: Query<"/memory/file", "delete">, options?: CallOptions) =>
    http.call("delete", "/memory/file", { query }, options),

  /** Moves a document or a folder within its scope. */
  renameFile: (body: Body<"/memory/rename", "post">, options?: CallOptions) =>
    http.call("post", "/memory/rename", { body }, options),

  /** Pinned: always in context, and no machine changes it. */
  pinFile: (body: Body<"/memory/pin", "put">, options?: CallOptions) =>
    http.call("put", "/memory/pin", { body }, options),

  /** Whether a person stands behind a document's bytes as they are now. */
  trustFile: (body: Body<"/memory/trust", "put">, options?: CallOptions) =>
    http.call("put", "/memory/trust", { body }, options),

  /** One call of the six-command memory tool; without `mode: "exec"` it only looks. A refused call is an answer too. */
  callTool: (body: Body<"/memory/tool", "post">, options?: CallOptions) =>
    http.call("post", "/memory/tool", { body }, options),
});
