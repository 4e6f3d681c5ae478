/** What the palette can do. */
import { door, trouble } from "../daemon/door.svelte";
import { tasks } from "../daemon/tasks.svelte";
import { words } from "../words";
import { overlay } from "./overlay.svelte";
import { go, VIEWS } from "./route.svelte";
import { look } from "./theme.svelte";
import { toasts } from "./toasts.svelte";

export interface Command {
  label: string;
  run: () => unknown;
}

export const commands = (): Command[] => [
  { label: words.palette.create, run: () => overlay.show("create") },
  { label: words.palette.search, run: () => overlay.search() },
  ...VIEWS.map((view) => ({ label: words.palette.goTo(words.views[view]), run: () => go(view) })),
  { label: words.palette.undo, run: undoLast },
  { label: words.palette.dream, run: dream },
  { label: words.palette.theme, run: () => look.turn() },
  { label: words.palette.system, run: () => look.choose("system") },
  { label: words.palette.help, run: () => overlay.show("help") },
  { label: words.palette.leave, run: () => door.leave() },
];

async function undoLast(): Promise<void> {
  try {
    const { changes } = await door.client.undo();
    toasts.say(`${words.general.undone}: ${changes.map((change) => change.path).join(", ")}`);
  } catch (error) {
    toasts.complain(trouble(error));
  }
}

export async function dream(): Promise<void> {
  try {
    await door.client.dreamWorkspaceMemory();
    tasks.soon();
  } catch (error) {
    toasts.complain(trouble(error));
  }
}
