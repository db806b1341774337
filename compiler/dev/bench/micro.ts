// Measures the CPU time of a short operation. Separate programs, which print one line of JSON, use this module.

/** Minimum microseconds of an attempt, so that the clock is precise enough. */
const LEAST = 25_000;
const TRIES = 15;

/**
 * Returns the CPU microseconds of one run of `work`: the minimum of several attempts, because other programs on the
 * machine can only increase the time.
 */
export function measureMicroseconds(work: (time: number) => void): number {
  let times = 1;
  let least = 0;
  // Doubles the number of runs in an attempt, until even the shortest attempt takes `LEAST` microseconds.
  do {
    times *= 2;
    least = Math.min(...Array.from({ length: TRIES }, () => measureSpent(work, times)));
  } while (least < LEAST);
  return least / times;
}

function measureSpent(work: (time: number) => void, times: number): number {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time++) work(time);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
