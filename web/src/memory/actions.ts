/** What a person does to a document as a whole; each says that it is done, and how to take it back. */
import { ConflictError } from "@loci/sdk";
import { door, trouble } from "../daemon/door.svelte";
import { drafts } from "../editor/drafts.svelte";
import { asking } from "../shell/asking.svelte";
import { go, openFile, route } from "../shell/route.svelte";
import { toasts } from "../shell/toasts.svelte";
import { words } from "../words";
import { type FileRow, files } from "./files.svelte";

/** The last change of a document, so that an undo takes back this one, whatever else happens meanwhile. */
async function lastChange(path: string): Promise<string | undefined> {
  const { changes } = await door.client.log({ path, limit: 1 });
  return changes[0]?.id;
}

/** Says what was done, with a button that takes it back. */
export async function offerUndo(text: string, path: string, after?: () => unknown): Promise<void> {
  const id = await lastChange(path).catch(() => undefined);
  if (id === undefined) return toasts.say(text);
  toasts.say(text, { label: words.general.undo, run: () => undo(id, after) });
}

export async function undo(id: string, after?: () => unknown): Promise<void> {
  try {
    await door.client.undo(id);
    toasts.say(words.general.undone);
    await files.refresh();
    after?.();
  } catch (error) {
    toasts.complain(trouble(error));
  }
}

export async function remove(file: Pick<FileRow, "path" | "name" | "sha256">): Promise<void> {
  const { title, text, yes, done, changed } = words.memory.remove;
  if ((await asking.ask({ title: title(file.name), text, yes, danger: true })) === null) return;
  try {
    await door.client.removeFile({ path: file.path, expectedSha256: file.sha256 });
    const resume = drafts.lift(file.path);
    if (isOpen(file.path)) go("memory");
    await offerUndo(`${done}: ${file.name}`, file.path, () => {
      resume();
      openFile(file.path);
    });
  } catch (error) {
    toasts.complain(error instanceof ConflictError ? changed : trouble(error));
  }
  await files.refresh();
}

export async function rename(file: Pick<FileRow, "path" | "name" | "scope">): Promise<void> {
  const { title, label, hint, yes, done, scope } = words.memory.rename;
  const root = `/memories/${file.scope}/`;
  const check = (path: string) => (path.startsWith(root) ? null : scope(file.scope));
  const newPath = await asking.ask({ title, yes, input: { label, value: file.path, hint, check } });
  if (newPath === null || newPath === file.path) return;
  try {
    await door.client.renameFile({ path: file.path, newPath });
    drafts.move(file.path, newPath);
    await files.refresh();
    if (isOpen(file.path)) openFile(newPath);
    await offerUndo(`${done}: ${file.name}`, newPath, () => openFile(file.path));
  } catch (error) {
    toasts.complain(trouble(error));
  }
}

export async function pin(file: Pick<FileRow, "path" | "pinned">): Promise<void> {
  try {
    await door.client.pinFile({ path: file.path, pinned: !file.pinned });
  } catch (error) {
    toasts.complain(trouble(error));
  }
  await files.refresh();
}

export async function trust(path: string): Promise<void> {
  try {
    await door.client.trustFile({ path, trusted: true });
    toasts.say(words.editor.trusted);
  } catch (error) {
    toasts.complain(trouble(error));
  }
  await files.refresh();
}

const isOpen = (path: string) => route.view === "memory" && `/memories/${route.rest}` === path;
