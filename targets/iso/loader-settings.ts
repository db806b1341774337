// Renders the settings of isolinux. The settings are not authenticated; init compares the kernel's command line with the signed manifest.

import { IMAGE_PATHS } from "../contract/artifact.ts";

/** Renders the settings: no menu, no prompt, no wait. The loader prints nothing, because the serial port belongs to the conversation. */
export function renderLoaderSettings(kernelParameters: readonly string[]): string {
  return [
    "DEFAULT capos",
    "PROMPT 0",
    "TIMEOUT 0",
    "NOESCAPE 1",
    "LABEL capos",
    `  KERNEL ${IMAGE_PATHS.kernel}`,
    `  INITRD ${IMAGE_PATHS.initrd}`,
    `  APPEND ${kernelParameters.join(" ")}`,
    "",
  ].join("\n");
}
