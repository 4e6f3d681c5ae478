/** Memory tasks: asked for, waited for, cancelled. They run one at a time in the daemon and survive its restart. */
import type { Body, Schemas } from "./contract.js";
import { LociError } from "./errors.js";
import type { CallOptions, Http } from "./http.js";
import { isTaskId } from "./normalize.js";
import { pause, Pauses } from "./pauses.js";
import type { AcceptedTask, AskedScope, Task, TaskId, TaskKind } from "./shapes.js";

export interface ForgetOptions extends CallOptions {
  scope?: AskedScope | undefined;
}

export interface RememberOptions extends ForgetOptions {
  /** How much of what is there already may be looked at. */
  contextMode?: Schemas["ContextMode"] | undefined;
}

const OVER: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

export const taskCalls = (http: Http) => {
  const accepted = async <K extends TaskKind>(asked: Promise<Schemas["Accepted"]>) => (await asked) as AcceptedTask<K>;

  const task = async <K extends TaskKind>(kind: K, task_id: string, options?: CallOptions) =>
    (await http.call("get", "/workspace/memory/{kind}/{task_id}", { path: { kind, task_id } }, options)) as Task<K>;

  return {
    /** Remembers a statement. The answer is a task that waits its turn. */
    rememberWorkspaceMemory(content: string, { scope, contextMode, ...options }: RememberOptions = {}) {
      const body = { content, contextMode, scope } as Body<"/workspace/memory/remember", "post">;
      return accepted<"remember">(http.call("post", "/workspace/memory/remember", { body }, options));
    },

    /** Forgets what a query means. */
    forgetWorkspaceMemory(query: string, { scope, ...options }: ForgetOptions = {}) {
      const body = { query, scope } as Body<"/workspace/memory/forget", "post">;
      return accepted<"forget">(http.call("post", "/workspace/memory/forget", { body }, options));
    },

    /** Tidies memory up. */
    dreamWorkspaceMemory(options?: CallOptions) {
      return accepted<"dream">(http.call("post", "/workspace/memory/dream", {}, options));
    },

    getWorkspaceMemoryRememberTask: (taskId: string, options?: CallOptions) => task("remember", taskId, options),
    getWorkspaceMemoryForgetTask: (taskId: string, options?: CallOptions) => task("forget", taskId, options),
    getWorkspaceMemoryDreamTask: (taskId: string, options?: CallOptions) => task("dream", taskId, options),

    /** Cancels a task that waits or runs; one that is over is refused with `task_finished`. */
    async cancelTask<K extends TaskKind>(taskId: TaskId<K>, options?: CallOptions) {
      const path = { kind: kindOf(taskId), task_id: taskId };
      return (await http.call("delete", "/workspace/memory/{kind}/{task_id}", { path }, options)) as Task<K>;
    },

    /** The tasks that this client may see, newest first. */
    async listTasks(options?: CallOptions) {
      return (await http.call("get", "/workspace/memory/tasks", {}, options)) as { tasks: Task[] };
    },

    /** Waits until a task is over, however it ended: look at its `status`. */
    async waitForTask<K extends TaskKind>(taskId: TaskId<K>, options: CallOptions = {}): Promise<Task<K>> {
      const pauses = new Pauses(50, 2_000);
      for (;;) {
        let wait = pauses.next();
        try {
          const now = await task(kindOf(taskId), taskId, options);
          if (OVER.has(now.status)) return now;
        } catch (error) {
          // Asked too often: that says nothing about the task.
          if (!(error instanceof LociError && error.status === 429)) throw error;
          wait = Math.max(wait, (error.retryAfter ?? 1) * 1000);
        }
        await pause(wait, options.signal);
      }
    },
  };
};

/** The kind that stands in a task's name. */
function kindOf<K extends TaskKind>(taskId: TaskId<K>): K {
  if (!isTaskId(taskId)) throw new TypeError("that is no task id; they start with remember-, forget- or dream-");
  return taskId.slice(0, taskId.indexOf("-")) as K;
}
