/** Keys that work everywhere. Letters count only while nobody writes. */
export const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";

export interface Keys {
  palette: () => void;
  search: () => void;
  create: () => void;
  help: () => void;
  view: (index: number) => void;
}

export function listenToKeys(keys: Keys): () => void {
  const pressed = (event: KeyboardEvent) => {
    const mod = event.metaKey || event.ctrlKey;
    if (mod && event.key.toLowerCase() === "k") {
      event.preventDefault();
      keys.palette();
      return;
    }
    // The browser would offer to save the page itself.
    if (mod && event.key.toLowerCase() === "s") event.preventDefault();
    if (mod || event.altKey || isWriting(event.target) || document.querySelector("dialog[open]")) return;
    const act = letter(event.key, keys);
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

function letter(key: string, keys: Keys): (() => void) | undefined {
  if (key === "/") return keys.search;
  if (key === "n") return keys.create;
  if (key === "?") return keys.help;
  if (/^[1-5]$/.test(key)) return () => keys.view(Number(key) - 1);
  return undefined;
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
