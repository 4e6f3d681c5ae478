/** The tree as a list of lines: scopes, folders first, then files; what is closed is left out. */
import type { FileRow, Scope } from "./files.svelte";

export interface Line {
  /** Of a folder or a scope: its path, which no file has. */
  key: string;
  kind: "scope" | "folder" | "file" | "note";
  label: string;
  level: number;
  /** Files below it, at any depth. */
  count: number;
  open: boolean;
  file?: FileRow;
  /** Its place among its siblings, from 1, and how many they are. */
  position: number;
  siblings: number;
}

interface Folder {
  folders: Map<string, Folder>;
  files: FileRow[];
  count: number;
}

export interface ScopeShown {
  scope: Scope;
  label: string;
  /** What stands there instead of files. */
  note: string | undefined;
}

export function lines(files: FileRow[], scopes: ScopeShown[], isClosed: (key: string) => boolean): Line[] {
  const roots = new Map<string, Folder>(scopes.map(({ scope }) => [scope, empty()]));
  for (const file of files) put(roots, file);
  const out: Line[] = [];
  scopes.forEach(({ scope, label, note }, index) => {
    const root = roots.get(scope) ?? empty();
    const key = `/memories/${scope}`;
    const open = !isClosed(key);
    out.push({ key, kind: "scope", label, level: 1, count: root.count, open, position: index + 1, siblings: scopes.length });
    if (!open) return;
    if (note !== undefined) {
      out.push({ key: `${key}#`, kind: "note", label: note, level: 2, count: 0, open: false, position: 1, siblings: 1 });
    }
    below(root, key, 2, isClosed, out);
  });
  return out;
}

function put(roots: Map<string, Folder>, file: FileRow): void {
  const root = roots.get(file.scope);
  if (!root) return;
  let folder: Folder = root;
  folder.count++;
  for (const segment of file.path.split("/").slice(3, -1)) {
    const next: Folder = folder.folders.get(segment) ?? empty();
    folder.folders.set(segment, next);
    next.count++;
    folder = next;
  }
  folder.files.push(file);
}

function below(folder: Folder, key: string, level: number, isClosed: (key: string) => boolean, out: Line[]): void {
  const folders = [...folder.folders].sort(([a], [b]) => compare(a, b));
  const files = folder.files.sort((a, b) => Number(b.pinned) - Number(a.pinned) || compare(a.name, b.name));
  const siblings = folders.length + files.length;
  folders.forEach(([label, inside], index) => {
    const path = `${key}/${label}`;
    const open = !isClosed(path);
    out.push({ key: path, kind: "folder", label, level, count: inside.count, open, position: index + 1, siblings });
    if (open) below(inside, path, level + 1, isClosed, out);
  });
  files.forEach((file, index) => {
    const position = folders.length + index + 1;
    out.push({ key: file.path, kind: "file", label: file.name, level, count: 0, open: false, file, position, siblings });
  });
}

/** As people count: 2 before 10. */
const { compare } = new Intl.Collator(undefined, { numeric: true });

const empty = (): Folder => ({ folders: new Map(), files: [], count: 0 });
