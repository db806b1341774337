import { LONGEST_TIMER_MS } from "../../lib/wire/index.ts";

/** Runs a function once after this many milliseconds. Returns a function that cancels the deadline. */
export function runAfter(ms: number, run: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    const step = Math.min(left, LONGEST_TIMER_MS);
    timer = setTimeout(() => (left > step ? wait(left - step) : run()), step);
    // A deadline must not keep the process alive.
    timer.unref();
  };
  wait(ms);
  return () => clearTimeout(timer);
}
