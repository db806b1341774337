// What stands around the root in an image: the kernel, the loader and the initrd.

import { join } from "node:path";
import { assembleInitrd } from "./initrd.ts";
import { PREBUILT } from "./prebuilt.ts";

export interface BootFiles {
  /** Path on this machine. */
  readonly kernel: string;
  readonly initrd: Uint8Array;
  /** Paths on this machine: the BIOS loader, its module, and what makes the image start from a disk too. */
  readonly loader: { readonly binary: string; readonly module: string; readonly hybrid: string };
}

/** `trust` is the bytes of trust.bin: whose signatures init accepts. */
export function bootFiles(checkout: string, trust: Uint8Array): BootFiles {
  const prebuilt = join(checkout, "engine/prebuilt");
  const { binary, module, hybrid } = PREBUILT.isolinux;
  return {
    kernel: join(prebuilt, PREBUILT.kernel),
    initrd: assembleInitrd(prebuilt, trust),
    loader: { binary: join(prebuilt, binary), module: join(prebuilt, module), hybrid: join(prebuilt, hybrid) },
  };
}
