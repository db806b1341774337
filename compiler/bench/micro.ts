// CPU time of something short, in a program of its own: what it says is one line of JSON.

/** What is done again and again has to take so long in all, in microseconds, for the clock to be fine enough. */
const LEAST = 600_000;
const TRIES = 15;

/** CPU microseconds of one time of `work`: the least of several tries, for others on the machine only ever add to it. */
export function microsecondsOf(work: (time: number) => void): number {
  let times = 1;
  while (spentOn(work, times) < LEAST / TRIES) times *= 2;
  return Math.min(...Array.from({ length: TRIES }, () => spentOn(work, times))) / times;
}

function spentOn(work: (time: number) => void, times: number): number {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time++) work(time);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
