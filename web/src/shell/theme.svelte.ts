/** Light, dark, or as the system says. */
import { MediaQuery } from "svelte/reactivity";

const KEY = "loci.theme";
const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

class Look {
  theme = $state<Theme>("system");
  #system = new MediaQuery("prefers-color-scheme: dark");
  /** What is seen now. */
  dark = $derived(this.theme === "system" ? this.#system.current : this.theme === "dark");

  start(): void {
    this.choose(THEMES.find((known) => known === localStorage.getItem(KEY)) ?? "system");
  }

  choose(theme: Theme): void {
    this.theme = theme;
    localStorage.setItem(KEY, theme);
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }

  /** To the other one of what is seen now. */
  turn(): void {
    this.choose(this.dark ? "light" : "dark");
  }
}

export const look = new Look();
