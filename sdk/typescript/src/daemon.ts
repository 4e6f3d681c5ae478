/** The daemon itself: what it can do, how it is set up, what its models cost, what it does in the background. */
import type { Body } from "./contract.js";
import type { CallOptions, Http } from "./http.js";
import type { CostDay, Setting } from "./shapes.js";

export const daemonCalls = (http: Http) => ({
  /** That it lives; the only call that needs no token. */
  health: (options?: CallOptions) => http.call("get", "/health", {}, options),

  capabilities: (options?: CallOptions) => http.call("get", "/capabilities", {}, options),

  /** What `loci status --json` says. */
  status: (options?: CallOptions) => http.call("get", "/status", {}, options),

  /** Every setting: its value, its default, and who set it. */
  settings: async (options?: CallOptions) =>
    (await http.call("get", "/settings", {}, options)) as { settings: Setting[] },

  /** Changes settings by their dotted keys, all or none; `null` = back to the default. */
  changeSettings: async (body: Body<"/settings", "patch">, options?: CallOptions) =>
    (await http.call("patch", "/settings", { body }, options)) as { settings: Setting[] },

  /** Whether a model answers; without a role the default one. */
  testModel: (role?: string, options?: CallOptions) =>
    http.call("post", "/models/test", { body: role === undefined ? {} : { role } }, options),

  /** Every agent that can be connected, and how it stands. */
  connections: (options?: CallOptions) => http.call("get", "/agents/connections", {}, options),

  /** Puts Loci into an agent's configuration; `dryRun` only tells what would change. */
  connectAgent: (agent: string, body: Body<"/agents/connections/{agent}", "post"> = {}, options?: CallOptions) =>
    http.call("post", "/agents/connections/{agent}", { path: { agent }, body }, options),

  /** Takes exactly that out again. */
  disconnectAgent: (agent: string, query: { level?: string; dryRun?: boolean } = {}, options?: CallOptions) =>
    http.call("delete", "/agents/connections/{agent}", { path: { agent }, query }, options),

  /** What models cost, day by day, today first. */
  costs: async (days?: number, options?: CallOptions) => {
    const query = days === undefined ? {} : { days };
    return (await http.call("get", "/costs", { query }, options)) as unknown as { days: CostDay[] };
  },

  /** Background jobs of all projects, the one that changed last first. */
  jobs: (options?: CallOptions) => http.call("get", "/pipeline/jobs", {}, options),

  /** Has a job tried again that failed. */
  retryJob: (id: string, options?: CallOptions) =>
    http.call("post", "/pipeline/jobs/{id}/retry", { path: { id } }, options),
});
