/**
 * Ends a process that cannot do its work. Init shows its last output, and restarts it as the manifest says. It exits at once, because
 * open connections of holders would keep it alive without serving them.
 */
export function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
