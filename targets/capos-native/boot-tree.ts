// Collects the boot files of an image for upstream's kernel: the kernel, Limine and its settings, each at the path that Limine expects.

import { type Artifact, LIMINE_PATHS } from "../contract/artifact.ts";
import type { BootPlan } from "../contract/upstream-plan.ts";
import { renderLimineConf } from "./limine-conf.ts";

interface BootTreePlan {
  readonly boot: BootPlan;
  readonly systemId: string;
  readonly version: string;
  /** Bytes of manifest.bin. */
  readonly manifest: Uint8Array;
}

/** Returns the files of the boot tree, with their paths in the image. */
export function bootTree({ boot: { kernel, limine }, ...named }: BootTreePlan): readonly SmallFile[] {
  const settings = renderLimineConf({ ...named, kernel });
  return [
    { path: LIMINE_PATHS.kernel, bytes: kernel },
    { path: LIMINE_PATHS.settings, bytes: Buffer.from(settings, "latin1") },
    { path: LIMINE_PATHS.bios, bytes: limine["limine-bios-cd.bin"] },
    { path: LIMINE_PATHS.biosRest, bytes: limine["limine-bios.sys"] },
    { path: LIMINE_PATHS.efi, bytes: limine["limine-uefi-cd.bin"] },
    { path: LIMINE_PATHS.efiProgram, bytes: limine["BOOTX64.EFI"] },
  ];
}

export interface SmallFile extends Artifact {
  readonly bytes: Uint8Array;
}
