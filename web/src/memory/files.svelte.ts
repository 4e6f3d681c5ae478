/** Every document, as the daemon lists them; looked at again whenever something changes. */
import type { Schemas } from "@loci/sdk";
import { door } from "../daemon/door.svelte";
import { live } from "../daemon/live.svelte";
import { Loaded } from "../daemon/loaded.svelte";

export type FileRow = Schemas["FileRow"];
export type Scope = FileRow["scope"];

class Files extends Loaded<FileRow[]> {
  /** The generated indexes are no memories. */
  rows = $derived((this.value ?? []).filter((file) => !file.path.endsWith("/MEMORY.md")));
  #byPath = $derived(new Map(this.rows.map((file) => [file.path, file])));

  constructor() {
    super(async () => (await door.client.listFiles()).files);
  }

  at(path: string): FileRow | undefined {
    return this.#byPath.get(path);
  }

  start(): () => void {
    return live.listen({ open: () => this.soon(0), change: () => this.soon() });
  }
}

export const files = new Files();
