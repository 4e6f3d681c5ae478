/** Listening in tests without guessing how long a line takes to open. */
import type { StreamOptions } from "../src/index.js";

/** The first event that fits, of those that come once the line is open and `act` is done; fails after 30 s. */
export async function heard<T>(
  listen: (options: StreamOptions) => AsyncGenerator<T>,
  act: () => Promise<unknown>,
  fits: (event: T) => boolean = () => true,
): Promise<T> {
  const signal = AbortSignal.timeout(30_000);
  let first = true;
  let acted: Promise<unknown> = Promise.resolve();
  const onOpen = () => {
    if (first) acted = act();
    first = false;
  };
  for await (const event of listen({ signal, onOpen })) {
    if (!fits(event)) continue;
    await acted;
    return event;
  }
  await acted;
  throw new Error("no such event within 30 s");
}
