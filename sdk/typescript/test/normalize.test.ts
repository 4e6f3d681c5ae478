import { expect, test } from "vitest";
import { type DaemonEvent, normalizeEvent } from "../src/index.js";

const data = {
  scope: "managed",
  source: "workspace_memory_remember",
  taskId: "remember-1",
  touchedScopes: ["user", "project"],
};
const changed: DaemonEvent = { id: 3, v: 1, type: "memory_changed", data, originatorClientId: "client-1" };

test("memory_changed is workspace.memory.changed with its fields", () => {
  expect(normalizeEvent(changed)).toEqual({
    type: "workspace.memory.changed",
    eventId: 3,
    originatorClientId: "client-1",
    ...data,
  });
});

test("what this version does not know passes through", () => {
  const event: DaemonEvent = { v: 1, type: "slow_client", data: { missed: 2 } };
  expect(normalizeEvent(event)).toEqual({ type: "unknown", event });
});

test.each([
  ["no data", null],
  ["another scope", { ...data, scope: "other" }],
  ["another source", { ...data, source: "workspace_memory_invent" }],
  ["a name of no task", { ...data, taskId: "1" }],
  ["no scopes", { ...data, touchedScopes: "user" }],
])("memory_changed with %s is unknown, not half understood", (_, wrong) => {
  const event = { ...changed, data: wrong };
  expect(normalizeEvent(event)).toEqual({ type: "unknown", event });
});

test("a scope of a newer daemon does not hide the rest", () => {
  const event = { ...changed, data: { ...data, touchedScopes: ["galaxy", "project"] } };
  expect(normalizeEvent(event)).toMatchObject({ touchedScopes: ["project"] });
});
