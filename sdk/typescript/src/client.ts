/** The client: one object with every call. Each noun has its own file; this one only puts them together. */
import { conversationCalls } from "./conversations.js";
import { daemonCalls } from "./daemon.js";
import { eventCalls } from "./events.js";
import { fileCalls } from "./files.js";
import { type ClientOptions, Http } from "./http.js";
import { journalCalls } from "./journal.js";
import { recallCalls } from "./recall.js";
import { sessionCalls } from "./sessions.js";
import { taskCalls } from "./tasks.js";
import { workspaceCalls } from "./workspaces.js";

type Calls = ReturnType<typeof daemonCalls> &
  ReturnType<typeof taskCalls> &
  ReturnType<typeof fileCalls> &
  ReturnType<typeof recallCalls> &
  ReturnType<typeof journalCalls> &
  ReturnType<typeof sessionCalls> &
  ReturnType<typeof eventCalls> &
  ReturnType<typeof workspaceCalls> &
  ReturnType<typeof conversationCalls>;

export interface DaemonClient extends Calls {}

/** Talks to `loci serve`. Keeps nothing but where the daemon is and who asks, so one is enough for a program. */
export class DaemonClient {
  constructor(options: ClientOptions) {
    const http = new Http(options);
    // Named as a whole, so that a noun that the type promises cannot be left out.
    const calls: Calls = {
      ...daemonCalls(http),
      ...taskCalls(http),
      ...fileCalls(http),
      ...recallCalls(http),
      ...journalCalls(http),
      ...sessionCalls(http),
      ...eventCalls(http),
      ...workspaceCalls(http),
      ...conversationCalls(http),
    };
    Object.assign(this, calls);
  }
}
