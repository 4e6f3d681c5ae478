/** Sessions to listen under, names for clients, and the talks that memory was taken from. */
import type { Body, Query } from "./contract.js";
import type { CallOptions, Http } from "./http.js";

export const sessionCalls = (http: Http) => ({
  /** A name of its own for this program; pass it as `clientId` and tasks are seen by it alone. */
  registerClient: (options?: CallOptions) => http.call("post", "/clients", { body: {} }, options),

  /** Opens a session to hear events under, and registers a client unless one asks. It holds no talk. */
  createSession: (body: Body<"/session", "post"> = {}, options?: CallOptions) =>
    http.call("post", "/session", { body }, options),

  /** Past talks with agents, newest first; with a query also what was said about it, best first. */
  pastSessions: (query: Query<"/sessions", "get"> = {}, options?: CallOptions) =>
    http.call("get", "/sessions", { query }, options),

  /** What was said in one of them. */
  pastSession: (id: string, options?: CallOptions) => http.call("get", "/sessions/{id}", { path: { id } }, options),
});
