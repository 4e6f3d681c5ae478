/** Light, dark, or as the system says. */
const KEY = "loci.theme";
const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

class Look {
  theme = $state<Theme>("system");

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
    const dark = this.theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : this.theme === "dark";
    this.choose(dark ? "light" : "dark");
  }
}

export const look = new Look();
