/**
 * The way in: the token, and the client that carries it.
 *
 * The token comes in the fragment of a link, which browsers never send, or is pasted. It lives in this tab's session
 * storage and leaves the address bar at once.
 */
import { DaemonClient, LociError } from "@loci/sdk";

const KEY = "loci.token";

class Door {
  token = $state<string | null>(null);
  /** Why the last token did not open. */
  refused = $state<"unauthorized" | "unreachable" | null>(null);
  client = $derived(new DaemonClient({ baseUrl: "", token: this.token ?? "" }));

  /** Takes the token out of the address, or out of this tab's memory. */
  enter(): void {
    const given = /^#token=([^&]+)/.exec(location.hash)?.[1];
    if (given) {
      history.replaceState(null, "", `${location.pathname}#/memory`);
      this.#keep(decoded(given));
    } else {
      this.token = sessionStorage.getItem(KEY);
    }
  }

  /** Tries a pasted token; true = it opens. A whole link may be pasted, too. */
  async tryToken(pasted: string): Promise<boolean> {
    const linked = /#token=([^&\s]+)/.exec(pasted)?.[1];
    const token = linked === undefined ? pasted.trim() : decoded(linked);
    try {
      await new DaemonClient({ baseUrl: "", token }).capabilities();
      this.refused = null;
      this.#keep(token);
      return true;
    } catch (error) {
      this.refused = error instanceof LociError && error.status === 401 ? "unauthorized" : "unreachable";
      return false;
    }
  }

  /** Shuts the door; a token that is no longer good says so. */
  leave(why: "unauthorized" | null = null): void {
    sessionStorage.removeItem(KEY);
    this.refused = why;
    this.token = null;
  }

  #keep(token: string): void {
    sessionStorage.setItem(KEY, token);
    this.refused = null;
    this.token = token;
  }
}

/** A token out of a link; one that is badly written is tried as it stands, and refused by the daemon. */
function decoded(given: string): string {
  try {
    return decodeURIComponent(given);
  } catch {
    return given;
  }
}

export const door = new Door();

/** What went wrong, for a person; a token that no longer opens leads back to the door. */
export function trouble(error: unknown): string {
  if (error instanceof LociError) {
    if (error.status === 401) door.leave("unauthorized");
    return error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
