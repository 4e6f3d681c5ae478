/**
 * The parts of the page that are not there at the first paint.
 *
 * They are fetched as soon as the page has nothing to do, and not when they are asked for: by then the daemon that
 * serves them may be away, and a browser does not ask twice for a part that did not come.
 */
export const later = {
  context: () => import("../context/Context.svelte"),
  activity: () => import("../activity/Activity.svelte"),
  sessions: () => import("../sessions/Sessions.svelte"),
  settings: () => import("../settings/Settings.svelte"),
  code: () => import("../editor/Code.svelte"),
  conflict: () => import("../editor/Conflict.svelte"),
  history: () => import("../editor/History.svelte"),
};

/** At the latest after so many milliseconds, however busy the page is. */
const PATIENCE = 2_000;

/** Fetches all of them in a quiet moment. One that does not come says so where it is shown. */
export function fetchLater(): void {
  const fetchAll = () => void Promise.allSettled(Object.values(later).map((part) => part()));
  // Safari has no such callback.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(fetchAll, { timeout: PATIENCE });
  else setTimeout(fetchAll, PATIENCE);
}
