// Made by `loci connect opencode`; `loci disconnect opencode` takes it away.
import { spawn } from "node:child_process";

const program = "PROGRAM";
const environment = "ENVIRONMENT";
const patience = 10_000;

/** Runs a hook of Loci; whatever goes wrong, the answer is nothing and OpenCode goes on. */
const hook = (event, input, cwd) =>
  new Promise((answer) => {
    const nothing = () => answer({});
    try {
      const child = spawn(program, ["hook", event, "--agent", "opencode"], {
        cwd,
        env: { ...process.env, ...environment },
        stdio: ["pipe", "pipe", "ignore"],
      });
      const late = setTimeout(() => (child.kill(), nothing()), patience);
      let text = "";
      child.stdout.on("data", (part) => (text += part));
      child.stdin.on("error", nothing);
      child.on("error", () => (clearTimeout(late), nothing()));
      child.on("close", () => {
        clearTimeout(late);
        try {
          const said = JSON.parse(text || "{}");
          const context = said.hookSpecificOutput?.additionalContext ?? said.additionalContext ?? said.context;
          answer({ context, message: said.message });
        } catch {
          nothing();
        }
      });
      child.stdin.end(JSON.stringify({ hook_event_name: event, cwd, ...input }));
    } catch {
      nothing();
    }
  });

const words = (parts) =>
  parts
    .filter((part) => part.type === "text" && !part.synthetic && part.text)
    .map((part) => part.text)
    .join("\n");

export const Loci = async ({ client, directory }) => {
  /** What each session was given at its start: the same bytes until it is compacted. */
  const given = new Map();

  const transcript = async (id) => {
    try {
      const { data } = await client.session.messages({ path: { id } });
      return (data ?? []).map(({ info, parts }) => ({
        id: info.id,
        role: info.role,
        content: words(parts),
        at: new Date(info.time?.created ?? Date.now()).toISOString(),
        toolCalls: parts
          .filter((part) => part.type === "tool")
          .map((part) => ({ name: part.tool, arguments: part.state?.input ?? {} })),
      }));
    } catch {
      return [];
    }
  };

  /** Runs a hook, shows the person what it says to them, and answers what is for the model. */
  const told = async (event, input) => {
    const { context, message } = await hook(event, input, directory);
    try {
      // Not waited for: where no screen is, nobody takes it.
      if (message) client.tui.showToast({ body: { message, variant: "info" } }).catch(() => {});
    } catch {}
    return context ?? "";
  };

  const finished = async (event, id) => told(event, { session_id: id, messages: await transcript(id) });

  return {
    event: async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id;
      if (!id) return;
      if (event.type === "session.deleted") given.delete(id);
      if (event.type === "session.compacted") given.set(id, told("session.compacted", { session_id: id }));
      // Not waited for: the session is over for now, and nobody should wait for memory.
      if (event.type === "session.idle") void finished("session.idle", id);
    },

    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (!sessionID) return;
      if (!given.has(sessionID)) given.set(sessionID, told("session.created", { session_id: sessionID }));
      const context = await given.get(sessionID);
      if (context) system.push(context);
    },

    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = words(parts);
      const last = parts.at(-1);
      if (!prompt || !last?.id) return;
      const recalled = await told("chat.message", { session_id: sessionID, prompt });
      if (!recalled) return;
      // Parts are kept in the order of their ids; this one comes behind the last.
      const id = `${last.id}loci`;
      parts.push({ id, sessionID, messageID: message.id, type: "text", text: recalled, synthetic: true });
    },

    "experimental.session.compacting": async ({ sessionID }) => {
      void finished("session.compacting", sessionID);
    },
  };
};
