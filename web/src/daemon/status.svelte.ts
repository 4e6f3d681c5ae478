/** How the home stands: scopes, switches, models. The daemon's document leaves the shape open; the part we read is here. */
import { door } from "./door.svelte";
import { Loaded } from "./loaded.svelte";

export interface ScopeStatus {
  scope: "global" | "project" | "workspace";
  available: boolean;
  reason?: string;
  place?: string | null;
  shared?: boolean;
  documents?: number;
  bytes?: number;
  untrusted?: number;
}

interface Upkeep {
  at: string;
  status: string;
  skippedReason?: string | null;
  entries?: number;
  topics?: string[];
}

export interface Status {
  version: string;
  home: string;
  switches: Record<string, boolean>;
  switchedOff: Record<string, string>;
  extract: Upkeep | null;
  dream: Upkeep | null;
  proposals: number;
  scopes: ScopeStatus[];
  hidden: string | null;
  models: { troubles: string[] } & Record<string, unknown>;
  embedder: string | null;
  warnings: string[];
  cost: { tokens: number; limit: number; limitReached: boolean } | null;
}

export const status = new Loaded(async () => (await door.client.status()) as unknown as Status);
