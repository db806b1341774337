// The engine's files laid out as in an image, for tests on the host.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { layEngine as layFor } from "../../../../image/rootfs/llama.ts";
import type { Addon } from "../addon.ts";
import { loadEngine } from "../engine.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../..", import.meta.url));

/** Copies the engine's files into `folder`, which stands for /capos/llama. */
export const layEngine = (folder: string): string => layFor(CHECKOUT, folder);

/** Returns the real engine, loaded from a folder inside `folder`. */
export async function engineIn(folder: string): Promise<Addon> {
  const loaded = await loadEngine(layEngine(join(folder, "llama")), () => {});
  if (!loaded.ok) throw new Error(loaded.reason);
  return loaded.value;
}
