/**
 * Shapes that the daemon's document leaves open: it calls them an object, a text or a stream. They stand here once,
 * built on what it does say.
 */
import type { Schemas } from "./contract.js";

/** What a task does. */
export type TaskKind = "remember" | "forget" | "dream";

/** How far a task is; the last three are final. */
export type TaskStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

/** A task's name, which tells its kind. */
export type TaskId<K extends TaskKind = TaskKind> = `${K}-${string}`;

/** A scope as tasks call it: the person's own memory is `user`. */
export type TaskScope = "user" | "project" | "workspace";

/** The scopes that a task can be told to keep to. */
export type AskedScope = Schemas["TaskScope"];

interface Outcome {
  /** For people. */
  summary: string;
  touchedScopes: TaskScope[];
}

export interface RememberResult extends Outcome {
  /** Files as a person finds them on disk. */
  filesTouched: string[];
}

export interface ForgetResult extends Outcome {
  removedEntries: { id: string; topic: string; summary: string; filePath: string }[];
  touchedTopics: string[];
}

export interface DreamResult extends Outcome {
  touchedTopics: string[];
  dedupedEntries: number;
}

interface Results {
  remember: RememberResult;
  forget: ForgetResult;
  dream: DreamResult;
}

/** A task that was just accepted. */
export type AcceptedTask<K extends TaskKind = TaskKind> = Omit<Schemas["Accepted"], "taskId" | "status"> & {
  taskId: TaskId<K>;
  status: TaskStatus;
};

/** A task, and what came of it once it is over. */
export type Task<K extends TaskKind = TaskKind> = AcceptedTask<K> & {
  result: Results[K] | null;
  error: Schemas["TaskError"] | null;
};

/** An event of a session's stream. */
export interface DaemonEvent {
  /** Missing on what concerns this listener alone. */
  id?: number;
  v: number;
  type: string;
  data: unknown;
  /** Who made it happen, if that was a registered client. */
  originatorClientId?: string;
}

/** A change of memory, whoever made it. */
export interface MemoryEvent {
  kind: "created" | "modified" | "deleted";
  scope: Schemas["FileRow"]["scope"];
  path: string;
  actor: "agent" | "user" | "dream" | "extract" | "remember" | "forget" | "import" | "editor";
  at: string;
}

/** A setting; its values are whatever JSON the key takes. */
export type Setting = Omit<Schemas["SettingRow"], "value" | "default"> & { value: unknown; default: unknown };

interface Cost {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Both together. */
  tokens: number;
}

/** What models cost on one UTC day. */
export interface CostDay extends Cost {
  day: string;
  models: (Cost & { model: string })[];
}

/** What a recall showed and left out, and why. */
export interface Receipt {
  id: string;
  at: string;
  /** The digest of the question; its words are not kept. */
  query: string;
  session?: string | null;
  shown: { path: string; score: number; why: Schemas["Reasons"] }[];
  cut: { path: string; reason: string }[];
}
