/**
 * For a process that cannot do its work. Init shows what it said last, and starts it again as the manifest says. It ends at once:
 * connections of whoever holds it would keep it here, serving nobody.
 */
export function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
