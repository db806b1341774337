// CPU time of something short, in a program of its own: what it says is one line of JSON.

/** A try has to take so long, in microseconds, for the clock to be fine enough. */
const LEAST = 25_000;
const TRIES = 15;

/** CPU microseconds of one time of `work`: the least of several tries, for others on the machine only ever add to it. */
export function measureMicroseconds(work: (time: number) => void): number {
  let times = 1;
  let least = 0;
  // All attempts start again, because code that was compiled in the meantime is faster.
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
