/** A home as one has after some weeks, for pictures and for views that want something to show. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { doc, type Stage } from "./page";

const GLOBAL: [string, string, string, string, string][] = [
  ["user/editor.md", "Editor and shell", "Neovim, fish, tabs of four", "user", "Uses Neovim with fish as shell.\n\n- Tabs, width four, in every language that allows them.\n- Dislikes trailing whitespace more than long lines."],
  ["user/terse.md", "Terse replies", "Keep answers short, no trailing summary", "feedback", "Keep replies short; no summary at the end.\n\nWhy: reads diffs, not prose.\nHow to apply: every answer, unless asked to explain."],
  ["user/time.md", "Working hours", "Berlin time, mornings for deep work", "user", "Works from Berlin. Mornings until 11 are for deep work; meetings after lunch."],
  ["feedback/tests.md", "Tests first", "A bug gets a failing test before its fix", "feedback", "Write the failing test first, then the fix.\n\nWhy: two regressions in spring came back without one."],
  ["feedback/commits.md", "Small commits", "One idea per commit, imperative subject", "feedback", "- One idea per commit.\n- Subject says what is now true, at most 72 signs."],
  ["reference/board.md", "Where work is tracked", "The team's board and its columns", "reference", "Work is tracked on the board at https://example.com/board. `Doing` holds at most three cards."],
];

const PROJECT: [string, string, string, string, string][] = [
  ["project/atlas.md", "Atlas ships in March", "Deadline and what is left for it", "project", "Atlas ships on the 14th of March.\n\n- Billing export is the last open part.\n- The freeze starts a week before."],
  ["project/db.md", "Database decisions", "Why SQLite, and where it ends", "project", "SQLite with WAL is the default store.\n\nWhy: one file, no service, and `kill -9` safe.\nPostgres is for more than one node."],
  ["reference/api.md", "API conventions", "Names, errors and versions of the HTTP API", "reference", "Errors are `{error, code}`. Codes never change; texts may."],
];

/** Fills a home: documents by a person, changes by agents, tasks, sessions, a proposal. */
export async function furnish(stage: Stage): Promise<void> {
  const { client, daemon } = stage;
  const save = (path: string, content: string) => client.saveFile({ path, content, expectedSha256: null });
  for (const [path, ...rest] of GLOBAL) await save(`/memories/global/${path}`, doc(...rest));
  for (const [path, ...rest] of PROJECT) await save(`/memories/project/${path}`, doc(...rest));
  await client.pinFile({ path: "/memories/global/user/terse.md", pinned: true });
  await client.callTool({
    mode: "exec",
    command: "create",
    path: "/memories/project/project/flaky.md",
    file_text: doc("Flaky upload test", "Fails on slow disks; wait for the event", "project", "`upload_resumes` fails when the disk is slow.\n\nHow to apply: wait for the event, never for a time."),
  } as never);
  for (const query of ["when does atlas ship", "how should replies look", "which database"]) await client.recall(query);
  for (const content of ["I prefer walking meetings.", "Our staging host is called heron."]) {
    const { taskId } = await client.rememberWorkspaceMemory(content);
    await client.waitForTask(taskId);
  }
  const talk = join(daemon.place, "planning.jsonl");
  mkdirSync(daemon.place, { recursive: true });
  const said = [
    ["user", "Where were we with the billing export?"],
    ["assistant", "The CSV writer is done; amounts still need the currency of the invoice."],
    ["user", "Right. Remember that invoices are always in the customer's currency."],
    ["assistant", "Noted. I will use the invoice's own currency and add a test for JPY, which has no minor unit."],
  ];
  writeFileSync(talk, said.map(([role, content], at) => JSON.stringify({ role, content, at: `2026-11-0${at + 1}T09:0${at}:00Z` })).join("\n"));
  daemon.run(["session", "import", talk, "--format", "loci"]);
}
