/** Returns a time of a page as text, in the largest unit that holds it as a whole number: `15 min`, `90 s`, `1500 ms`. */
export function durationText(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
