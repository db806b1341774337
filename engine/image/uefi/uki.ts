// Assembles the only program that UEFI firmware starts: systemd's stub with kernel, initrd and command line in it, so that one signature
// covers all of them. The firmware passes neither an initrd nor a command line to a bare kernel.

import type { Result } from "../../lib/result/result.ts";
import { appendSections, extractSection } from "./pe.ts";

interface UnifiedKernel {
  /** systemd's stub from Debian. */
  readonly stub: Buffer;
  readonly kernel: Uint8Array;
  readonly initrd: Uint8Array;
  /** The kernel's parameters, as the manifest signs them. */
  readonly kernelParameters: readonly string[];
  readonly systemId: string;
  readonly version: string;
}

/** Returns the program for UEFI; fails if the sections cannot be added to the stub. The same parts give the same bytes. */
export function assembleUki(parts: UnifiedKernel): Result<Buffer> {
  return appendSections(parts.stub, [
    { name: ".osrel", bytes: Buffer.from(release(parts), "utf8") },
    { name: ".cmdline", bytes: Buffer.from(parts.kernelParameters.join(" "), "latin1") },
    { name: ".linux", bytes: parts.kernel },
    { name: ".initrd", bytes: parts.initrd },
  ]);
}

/** Returns the initrd of a program that capc made, or `undefined` for any other program. */
export function extractInitrd(program: Buffer): Buffer | undefined {
  return extractSection(program, ".initrd");
}

/**
 * Returns the text that boot managers display for the program. The system's name and version come from a page, and
 * contain only letters, digits and `-_.+`.
 */
function release({ systemId, version }: UnifiedKernel): string {
  return `ID=${systemId}\nVERSION_ID="${version}"\nPRETTY_NAME="${systemId} ${version}"\n`;
}
