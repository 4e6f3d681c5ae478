/** Times as people say them; `now` ticks, so what is shown grows old by itself. */
import { words } from "../words";

class Clock {
  now = $state(Date.now());

  start(): () => void {
    const timer = setInterval(() => (this.now = Date.now()), 20_000);
    return () => clearInterval(timer);
  }
}

export const clock = new Clock();

const STEPS: [number, keyof typeof words.time][] = [
  [60, "seconds"],
  [60, "minutes"],
  [24, "hours"],
  [30, "days"],
  [12, "months"],
];

/** How long ago, as `3 h ago`. */
export function ago(at: string, now = clock.now): string {
  let span = Math.max(0, (now - Date.parse(at)) / 1000);
  if (span < 45) return words.time.seconds(0);
  for (const [size, unit] of STEPS) {
    if (span < size) return words.time[unit](Math.round(span));
    span /= size;
  }
  return words.time.years(Math.round(span));
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

export const whole = (at: string) => exact.format(new Date(at));

export const day = (at: string) => dayOnly.format(new Date(at));
