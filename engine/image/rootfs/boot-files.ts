// Collects the files around the root in an image: the kernel, the loaders and the initrd.

import { join } from "node:path";
import { assembleInitrd } from "./initrd.ts";
import { type Machine, PREBUILT } from "./prebuilt.ts";

export interface BootFiles {
  /** Path of the kernel on this machine. */
  readonly kernel: string;
  readonly initrd: Uint8Array;
  /** Paths on this machine: the BIOS loader, its module, and the code that makes the image also start from a disk. */
  readonly loader: { readonly binary: string; readonly module: string; readonly hybrid: string };
  /** Path on this machine of the stub that precedes the kernel in a program for UEFI. */
  readonly stub: string;
}

interface BootPlan {
  readonly machine: Machine;
  /** Whether the data disk is encrypted. */
  readonly encrypted: boolean;
  /** Whether the page has a network. */
  readonly networked: boolean;
  /** Whether the console is the screen. */
  readonly screen: boolean;
  /** The bytes of trust.bin: the keys whose signatures init accepts. */
  readonly trust: Uint8Array;
  /** Function that compresses the initrd; by default `compressReproducibly`. */
  readonly pack?: (archive: Uint8Array) => Buffer;
}

export function bootFiles(checkout: string, plan: BootPlan): BootFiles {
  const prebuilt = join(checkout, "engine/prebuilt");
  const { binary, module, hybrid } = PREBUILT.isolinux;
  return {
    kernel: join(prebuilt, PREBUILT.kernel(plan.machine)),
    initrd: assembleInitrd({ prebuilt, ...plan }),
    loader: { binary: join(prebuilt, binary), module: join(prebuilt, module), hybrid: join(prebuilt, hybrid) },
    stub: join(prebuilt, PREBUILT.stub),
  };
}
