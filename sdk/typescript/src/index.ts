/** Client of the Loci daemon. Start at `DaemonClient`. */
export { DaemonClient } from "./client.js";
export type { BegunTurn, ConversationEvent } from "./conversations.js";
export type { Answer, Body, Query, Schemas } from "./contract.js";
export { ConflictError, LociError } from "./errors.js";
export type { CallOptions, ClientOptions } from "./http.js";
export { type MemoryChanged, type NormalizedEvent, normalizeEvent, type UnknownEvent } from "./normalize.js";
export type * from "./shapes.js";
export type { StreamOptions } from "./stream.js";
export type { ForgetOptions, RememberOptions } from "./tasks.js";
