/** What lies over the page, and where the search is: keys and commands reach them from anywhere. */
import { go, route } from "./route.svelte";

class Overlay {
  shown = $state<"palette" | "help" | "create" | null>(null);
  /** The search field is asked for; it takes the focus as soon as it is there, and clears this. */
  wantsSearch = $state(false);

  show(what: "palette" | "help" | "create"): void {
    if (what === "create" && route.view !== "memory") go("memory");
    this.shown = what;
  }

  close(): void {
    this.shown = null;
  }

  /** Puts the person into the search field of memory. */
  search(): void {
    this.close();
    if (route.view !== "memory") go("memory");
    // On a narrow page the list is behind the open document.
    else if (matchMedia("(max-width: 46rem)").matches && route.rest) go("memory");
    this.wantsSearch = true;
  }
}

export const overlay = new Overlay();
