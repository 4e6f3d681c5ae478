/** Which lines of a long list are to be seen: heights are known beforehand, so only those are put into the page. */
export interface Slice {
  first: number;
  /** One past the last. */
  end: number;
  /** The pixels above the first. */
  above: number;
}

/** Where each line starts; one more for the end of the last. */
export function offsets(heights: number[]): number[] {
  const starts = [0];
  for (const height of heights) starts.push((starts.at(-1) ?? 0) + height);
  return starts;
}

/** The lines between two pixels, and a few more on both sides. */
export function slice(starts: number[], top: number, height: number, spare = 400): Slice {
  const first = Math.max(0, before(starts, top - spare));
  const end = Math.min(starts.length - 1, before(starts, top + height + spare) + 1);
  return { first, end: Math.max(first, end), above: starts[first] ?? 0 };
}

/** The last line that starts at or before a pixel. */
function before(starts: number[], pixel: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= pixel) low = middle;
    else high = middle - 1;
  }
  return low;
}
