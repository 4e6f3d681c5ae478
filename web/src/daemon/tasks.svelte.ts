/** Tasks of the lane, and whether a dream runs. Nobody tells of tasks, so they are looked at: often while some are open. */
import type { Task } from "@loci/sdk";
import { door, trouble } from "./door.svelte";
import { live } from "./live.svelte";

const IDLE = 4_000;
const BUSY = 700;

class Tasks {
  all = $state.raw<Task[]>([]);
  error = $state<string | null>(null);
  loaded = $state(false);
  open = $derived(this.all.filter((task) => task.status === "queued" || task.status === "running"));
  dreaming = $derived(this.open.some((task) => task.status === "running" && task.taskId.startsWith("dream-")));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;

  start(): () => void {
    this.#running = true;
    const wake = () => document.visibilityState === "visible" && this.soon();
    document.addEventListener("visibilitychange", wake);
    const deaf = live.listen({ open: () => this.soon() });
    this.soon();
    return () => {
      this.#running = false;
      clearTimeout(this.#timer);
      document.removeEventListener("visibilitychange", wake);
      deaf();
    };
  }

  soon(): void {
    clearTimeout(this.#timer);
    void this.#look();
  }

  async #look(): Promise<void> {
    if (document.visibilityState === "visible") {
      try {
        this.all = (await door.client.listTasks()).tasks;
        this.error = null;
        this.loaded = true;
      } catch (error) {
        this.error = trouble(error);
      }
    }
    clearTimeout(this.#timer);
    if (this.#running) this.#timer = setTimeout(() => void this.#look(), this.open.length > 0 ? BUSY : IDLE);
  }
}

export const tasks = new Tasks();
