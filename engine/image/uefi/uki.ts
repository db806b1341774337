// The one program that UEFI firmware starts: systemd's stub with kernel, initrd and command line in it, so that one signature
// covers them all. The firmware gives a bare kernel neither an initrd nor a command line.

import type { Result } from "../../lib/result/result.ts";
import { appendSections, extractSection } from "./pe.ts";

interface UnifiedKernel {
  /** systemd's stub, as Debian ships it. */
  readonly stub: Buffer;
  readonly kernel: Uint8Array;
  readonly initrd: Uint8Array;
  /** The kernel's words, as the manifest signs them. */
  readonly kernelParameters: readonly string[];
  readonly systemId: string;
  readonly version: string;
}

/** Returns the program for UEFI, or the reason why the stub cannot take the sections. The same parts give the same bytes. */
export function assembleUki(parts: UnifiedKernel): Result<Buffer> {
  return appendSections(parts.stub, [
    { name: ".osrel", bytes: Buffer.from(release(parts), "utf8") },
    { name: ".cmdline", bytes: Buffer.from(parts.kernelParameters.join(" "), "latin1") },
    { name: ".linux", bytes: parts.kernel },
    { name: ".initrd", bytes: parts.initrd },
  ]);
}

/** The initrd of such a program; nothing where it is none of ours. */
export function extractInitrd(program: Buffer): Buffer | undefined {
  return extractSection(program, ".initrd");
}

/** Returns the text that boot managers show of it. Both words are a page's: letters, digits and `-_.+` alone. */
function release({ systemId, version }: UnifiedKernel): string {
  return `ID=${systemId}\nVERSION_ID="${version}"\nPRETTY_NAME="${systemId} ${version}"\n`;
}
