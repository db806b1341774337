// The engine's files laid out as in an image, for tests on the host.

import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { placeOf } from "../../../rootfs/inputs.ts";
import { LLAMA_FILES, LLAMA_FOLDER } from "../../../rootfs/llama.ts";

const CHECKOUT = fileURLToPath(new URL("../../../..", import.meta.url));

/** `folder` stands for /capos/llama. */
export function layEngine(folder: string): string {
  for (const { path, input } of LLAMA_FILES) {
    const place = join(folder, path.slice(LLAMA_FOLDER.length));
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(placeOf(CHECKOUT, input), place);
  }
  return folder;
}
