// The scenarios of the public suite that need no fixture of a test server, by revision. README.md explains the others.

const LISTS = ["tools-list", "resources-list", "prompts-list", "completion-complete"];
const GREETED = ["server-initialize", "server-session-lifecycle", "ping", "logging-set-level"];
const STREAMS = ["server-sse-multiple-streams", "dns-rebinding-protection"];

export const SCENARIOS = {
  "2025-06-18": [...GREETED, ...LISTS],
  "2025-11-25": [...GREETED, ...STREAMS, "server-sse-polling", ...LISTS],
  "2026-07-28": [
    "server-stateless",
    ...STREAMS,
    "sep-2164-resource-not-found",
    "caching",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    ...LISTS,
  ],
};
