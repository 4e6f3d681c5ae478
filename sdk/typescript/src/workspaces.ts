/** What an account holds: workspaces with their files, agents, sandboxes; and the accounts themselves, for the owner. */
import type { Body } from "./contract.js";
import { LociError } from "./errors.js";
import type { CallOptions, Http } from "./http.js";
import type { Schemas } from "./contract.js";

export const workspaceCalls = (http: Http) => ({
  /** Whose token this is. */
  me: (options?: CallOptions) => http.call("get", "/accounts/me", {}, options),

  /** All accounts but `local`; only the owner may ask. */
  listAccounts: (options?: CallOptions) => http.call("get", "/accounts", {}, options),

  /** Makes an account; its key is in this answer and nowhere else. */
  addAccount: (name: string, options?: CallOptions) => http.call("post", "/accounts", { body: { name } }, options),

  /** Removes an account with its files, conversations and memory. */
  removeAccount: (id: string, options?: CallOptions) =>
    http.call("delete", "/accounts/{id}", { path: { id } }, options),

  listWorkspaces: (options?: CallOptions) => http.call("get", "/accounts/me/workspaces", {}, options),

  addWorkspace: (body: Body<"/accounts/me/workspaces", "post">, options?: CallOptions) =>
    http.call("post", "/accounts/me/workspaces", { body }, options),

  workspace: (id: string, options?: CallOptions) =>
    http.call("get", "/accounts/me/workspaces/{id}", { path: { id } }, options),

  /** What is not named stays. */
  changeWorkspace: (id: string, body: Body<"/accounts/me/workspaces/{id}", "patch">, options?: CallOptions) =>
    http.call("patch", "/accounts/me/workspaces/{id}", { path: { id }, body }, options),

  /** Removes a workspace, its files and its memory for good. */
  removeWorkspace: (id: string, options?: CallOptions) =>
    http.call("delete", "/accounts/me/workspaces/{id}", { path: { id } }, options),

  /** The files of a workspace by path. */
  async workspaceFiles(id: string, options?: CallOptions): Promise<Schemas["FileEntries"]> {
    const answer = await http.call("get", "/accounts/me/workspaces/{id}/files", { path: { id } }, options);
    if ("files" in answer) return answer;
    throw new LociError(200, "invalid_answer", "the daemon answered with a file instead of a list");
  },

  /** One file with its version. */
  async readWorkspaceFile(id: string, path: string, options?: CallOptions): Promise<Schemas["FileText"]> {
    const sent = { path: { id }, query: { path } };
    const answer = await http.call("get", "/accounts/me/workspaces/{id}/files", sent, options);
    if ("content" in answer) return answer;
    throw new LociError(200, "invalid_answer", "the daemon answered with a list instead of a file");
  },

  /** Writes over the version that the caller saw (`null` = a new file); else a `ConflictError`. */
  writeWorkspaceFile: (
    id: string,
    body: Body<"/accounts/me/workspaces/{id}/files", "put">,
    options?: CallOptions,
  ) => http.call("put", "/accounts/me/workspaces/{id}/files", { path: { id }, body }, options),

  renameWorkspaceFile: (
    id: string,
    body: Body<"/accounts/me/workspaces/{id}/files", "patch">,
    options?: CallOptions,
  ) => http.call("patch", "/accounts/me/workspaces/{id}/files", { path: { id }, body }, options),

  /** Removes a file; with a version, only that one. */
  removeWorkspaceFile: (id: string, path: string, expectedSha256?: string, options?: CallOptions) => {
    const query = expectedSha256 === undefined ? { path } : { path, expectedSha256 };
    return http.call("delete", "/accounts/me/workspaces/{id}/files", { path: { id }, query }, options);
  },

  listAgents: (options?: CallOptions) => http.call("get", "/accounts/me/agents", {}, options),

  addAgent: (body: Body<"/accounts/me/agents", "post">, options?: CallOptions) =>
    http.call("post", "/accounts/me/agents", { body }, options),

  agent: (id: string, options?: CallOptions) =>
    http.call("get", "/accounts/me/agents/{id}", { path: { id } }, options),

  /** What is not named stays; lists are replaced as a whole. */
  changeAgent: (id: string, body: Body<"/accounts/me/agents/{id}", "patch">, options?: CallOptions) =>
    http.call("patch", "/accounts/me/agents/{id}", { path: { id }, body }, options),

  removeAgent: (id: string, options?: CallOptions) =>
    http.call("delete", "/accounts/me/agents/{id}", { path: { id } }, options),

  listSandboxes: (options?: CallOptions) => http.call("get", "/accounts/me/sandboxes", {}, options),

  addSandbox: (body: Body<"/accounts/me/sandboxes", "post">, options?: CallOptions) =>
    http.call("post", "/accounts/me/sandboxes", { body }, options),

  removeSandbox: (id: string, options?: CallOptions) =>
    http.call("delete", "/accounts/me/sandboxes/{id}", { path: { id } }, options),
});
