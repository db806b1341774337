// Settings of isolinux. They are not authenticated: init compares the words that the kernel got with the signed manifest.

import { IMAGE_PATHS } from "../contract/artifact.ts";

/** No menu, no prompt, no wait; the loader says nothing, since the serial port belongs to the conversation. */
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
