/** Short words at the edge of the page; some can be answered, as with undo. */
export interface Toast {
  id: number;
  text: string;
  kind: "done" | "bad";
  action: { label: string; run: () => unknown } | undefined;
}

const STAYS = 9_000;

class Toasts {
  all = $state<Toast[]>([]);
  #next = 1;

  say(text: string, action?: Toast["action"]): void {
    this.#add({ text, kind: "done", action });
  }

  complain(text: string): void {
    this.#add({ text, kind: "bad", action: undefined });
  }

  close(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }

  #add(toast: Omit<Toast, "id">): void {
    const id = this.#next++;
    this.all = [...this.all.slice(-2), { ...toast, id }];
    setTimeout(() => this.close(id), STAYS);
  }
}

export const toasts = new Toasts();
