/** Events of the daemon in the words of a user interface. */
import type { DaemonEvent, TaskId, TaskKind, TaskScope } from "./shapes.js";

/** A task changed memory. */
export interface MemoryChanged {
  type: "workspace.memory.changed";
  eventId: number | undefined;
  scope: "managed";
  source: `workspace_memory_${TaskKind}`;
  taskId: TaskId;
  touchedScopes: TaskScope[];
  originatorClientId: string | undefined;
}

/** An event that this version does not know; newer daemons may tell more. */
export interface UnknownEvent {
  type: "unknown";
  event: DaemonEvent;
}

export type NormalizedEvent = MemoryChanged | UnknownEvent;

const SOURCES = ["workspace_memory_remember", "workspace_memory_forget", "workspace_memory_dream"] as const;
const SCOPES = ["user", "project", "workspace"] as const;

/** The event in words that can be switched over; what does not fit passes through as `unknown`. */
export function normalizeEvent(event: DaemonEvent): NormalizedEvent {
  return (event.type === "memory_changed" ? memoryChanged(event) : undefined) ?? { type: "unknown", event };
}

function memoryChanged({ id, data, originatorClientId }: DaemonEvent): MemoryChanged | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(data));
  const source = SOURCES.find((known) => known === fields.get("source"));
  const taskId = fields.get("taskId");
  const touched = fields.get("touchedScopes");
  if (fields.get("scope") !== "managed" || !source || !isTaskId(taskId) || !Array.isArray(touched)) return undefined;
  // A scope of a newer daemon is left out rather than the whole event.
  const touchedScopes = SCOPES.filter((known) => touched.includes(known));
  return {
    type: "workspace.memory.changed",
    eventId: id,
    scope: "managed",
    source,
    taskId,
    touchedScopes,
    originatorClientId,
  };
}

export function isTaskId(value: unknown): value is TaskId {
  return typeof value === "string" && /^(remember|forget|dream)-/.test(value);
}
