// The engine's files laid out as in an image, for tests on the host.

import { fileURLToPath } from "node:url";
import { layEngine as layFor } from "../../../rootfs/llama.ts";

const CHECKOUT = fileURLToPath(new URL("../../../..", import.meta.url));

/** `folder` stands for /capos/llama. */
export const layEngine = (folder: string): string => layFor(CHECKOUT, folder);
