// The common part of the measurements of steps in other durable engines.

/** Number of workflows that run at once, and number of steps of each. Each step returns a text of 200 characters. */
export const WORKFLOWS = 8;
export const STEPS = 100;

/**
 * Runs the workflows twice, and returns the CPU microseconds of one step of the second run. `readServer` returns the
 * CPU microseconds that a server of the engine has used so far.
 */
export async function measureSteps(run: () => Promise<unknown>, readServer: () => number): Promise<number> {
  const runAll = () => Promise.all(Array.from({ length: WORKFLOWS }, run));
  await runAll();
  const [own, theirs] = [process.cpuUsage(), readServer()];
  await runAll();
  const { user, system } = process.cpuUsage(own);
  return (user + system + readServer() - theirs) / (WORKFLOWS * STEPS);
}
