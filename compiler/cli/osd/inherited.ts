// Closes inherited descriptors that the parent process left open, because programs that this process starts would
// inherit them too. Node.js itself closes only those with low numbers.

import { closeSync, readdirSync, readFileSync } from "node:fs";

const ABOUT = "/proc/self/fdinfo";
const CLOSED_ON_EXEC = 0o2000000;

/** Closes each descriptor that a program would inherit. Apart from the standard streams, none of them belongs to this process. */
export function closeInherited(): void {
  for (const descriptor of readdirSync(ABOUT).map(Number)) {
    if (descriptor > 2 && isInheritable(descriptor)) closeSync(descriptor);
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${ABOUT}/${descriptor}`, "utf8")) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // `readdirSync` opened this descriptor to list the folder, and has closed it since.
    return false;
  }
}
