/**
 * Where the person is: the fragment of the address, which the daemon never sees.
 *
 * `#/memory/global/user/tea.md` is the view `memory` with the rest of the path.
 */
export const VIEWS = ["memory", "context", "activity", "sessions", "settings"] as const;
export type View = (typeof VIEWS)[number];

class Route {
  view = $state<View>("memory");
  rest = $state("");

  start(): () => void {
    const read = () => this.read();
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }

  /** Looks where the address leads now. */
  read(): void {
    const [view = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/");
    this.view = VIEWS.find((known) => known === view) ?? "memory";
    this.rest = rest.map(decoded).join("/");
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const route = new Route();

export function address(view: View, rest = ""): string {
  const segments = rest.split("/").filter((segment) => segment !== "");
  return `#/${[view, ...segments.map(encodeURIComponent)].join("/")}`;
}

export function go(view: View, rest = ""): void {
  location.hash = address(view, rest);
  // The browser tells of it only later; a key that is pressed until then is meant for the new view.
  route.read();
}

/** The address of a document. */
export const fileAddress = (path: string) => address("memory", path.replace(/^\/memories\//, ""));

export const openFile = (path: string) => go("memory", path.replace(/^\/memories\//, ""));
