/** Every setting as it holds now, and changing one. */
import type { Setting } from "@loci/sdk";
import { door, trouble } from "../daemon/door.svelte";
import { Loaded } from "../daemon/loaded.svelte";
import { status } from "../daemon/status.svelte";
import { toasts } from "../shell/toasts.svelte";
import { words } from "../words";

class Settings extends Loaded<Setting[]> {
  #byKey = $derived(new Map((this.value ?? []).map((row) => [row.key, row])));

  constructor() {
    super(async () => (await door.client.settings()).settings);
  }

  at(key: string): Setting | undefined {
    return this.#byKey.get(key);
  }

  /** Changes some, all or none; `null` = back to the default. */
  async change(changes: Record<string, unknown>): Promise<boolean> {
    try {
      this.value = (await door.client.changeSettings(changes as never)).settings;
      toasts.say(words.settings.saved);
      void status.refresh();
      return true;
    } catch (error) {
      toasts.complain(trouble(error));
      void this.refresh();
      return false;
    }
  }
}

export const settings = new Settings();

/** Whether the home may decide it: what a checkout, the environment or a flag says is stronger. */
export const isFixed = (row: Setting | undefined) =>
  row !== undefined && ["project", "environment", "flag"].includes(row.source);
