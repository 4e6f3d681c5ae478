/**
 * The header of a document, as far as a form can show it.
 *
 * Only the lines of `name`, `description` and `type` are ever written; every other byte stays as it is. A header that
 * says them in a way that one line cannot (blocks, lists, anchors, comments) is odd, and is left to the text.
 */
export const FIELDS = ["name", "description", "type"] as const;
export type Field = (typeof FIELDS)[number];

export interface Front {
  /** Header with both fences and the line break after them; empty when there is none. */
  head: string;
  body: string;
  fields: Record<Field, string | undefined>;
  odd: boolean;
}

const FENCE = /^(\uFEFF?)---[ \t]*(\r?\n)/;
const ENTRY = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*?))?[ \t]*$/;

export function split(text: string): Front {
  const fields: Front["fields"] = { name: undefined, description: undefined, type: undefined };
  const opening = FENCE.exec(text);
  if (!opening) return { head: "", body: text, fields, odd: false };
  const closing = /(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text.slice(opening[0].length));
  if (!closing) return { head: "", body: text, fields, odd: true };
  const end = opening[0].length + closing.index + closing[0].length;
  const head = text.slice(0, end);
  let odd = false;
  const lines = inside(head);
  lines.forEach((line, at) => {
    const [, key, raw = ""] = ENTRY.exec(line) ?? [];
    const field = FIELDS.find((known) => known === key);
    if (!field) return;
    const value = scalar(raw);
    const goesOn = /^[ \t]+\S/.test(lines[at + 1] ?? "");
    if (value === undefined || goesOn || fields[field] !== undefined) odd = true;
    else fields[field] = value;
  });
  return { head, body: text.slice(end), fields, odd };
}

/** The text with one field changed; an empty value takes the line out. */
export function withField(text: string, field: Field, value: string): string {
  const { head, body } = split(text);
  if (head === "") return value === "" ? text : `---\n${field}: ${quoted(value)}\n---\n${body}`;
  const lines = head.split("\n");
  const at = lines.findIndex((line) => ENTRY.exec(line.replace(/\r$/, ""))?.[1] === field);
  const cr = lines[0]?.endsWith("\r") ? "\r" : "";
  const line = `${field}: ${quoted(value)}${cr}`;
  if (at >= 0) lines.splice(at, 1, ...(value === "" ? [] : [line]));
  else if (value !== "") {
    const closing = lines.findLastIndex((one) => /^---[ \t]*\r?$/.test(one));
    lines.splice(closing, 0, line);
  }
  return lines.join("\n") + body;
}

/** A whole new document. */
export function written(fields: Record<Field, string>, body: string): string {
  const lines = FIELDS.filter((field) => fields[field] !== "").map((field) => `${field}: ${quoted(fields[field])}\n`);
  const text = body.trim();
  return `---\n${lines.join("")}---\n${text}${text === "" ? "" : "\n"}`;
}

function inside(head: string): string[] {
  return head.split(/\r?\n/).slice(1, -1);
}

/** What a value of one line says; `undefined` = more than we read. */
function scalar(raw: string): string | undefined {
  if (raw.startsWith('"')) {
    try {
      const value: unknown = JSON.parse(raw);
      return typeof value === "string" ? value : undefined;
    } catch {
      return undefined;
    }
  }
  if (raw.startsWith("'")) return /^'(?:[^']|'')*'$/.test(raw) ? raw.slice(1, -1).replaceAll("''", "'") : undefined;
  if (/^[|>&*![{%@`#]/.test(raw) || / #|: |:$/.test(raw)) return undefined;
  return raw;
}

/** A value as YAML: bare where nothing can be misread, else in double quotes. */
function quoted(value: string): string {
  const line = value.replace(/\s*[\r\n]+\s*/g, " ");
  const bare = /^[\p{L}][\p{L}\p{N} ,.()'/_+–—-]*$/u.test(line) && line === line.trim();
  return bare && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(line) ? line : JSON.stringify(line);
}
