/**
 * Ends a process that cannot do its work. init shows the reason, and restarts the process if the manifest says so. It
 * exits immediately, because open connections would otherwise keep the process alive although it does not serve them.
 */
export function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
