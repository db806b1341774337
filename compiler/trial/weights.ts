// Provides the weights of local models on this machine, and the engine of an image.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { placeOf } from "../../engine/image/rootfs/inputs.ts";
import { LLAMA_FILES, layEngine } from "../../engine/image/rootfs/llama.ts";
import { accept, type Result, refuse } from "../../engine/lib/result/result.ts";
import { Card } from "../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../engine/lib/wire/index.ts";
import type { ModelPlan } from "../../targets/contract/policy.ts";
import { readCardFiles } from "../artefacts/models/card-file.ts";
import { computeCardBytes } from "../artefacts/models/weights-file.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** Weights, with the card that describes them. */
export interface LocalWeights {
  /** Digest of the content, in the form "llama:sha256-…". */
  readonly id: string;
  readonly card: Uint8Array;
  /** Absolute path. */
  readonly file: string;
}

/**
 * Returns the weights of a model with their card. A card beside the weights is used without verification, because a
 * trial checks no signatures. If there is no card, the digests are computed from the whole file. Fails if the card is
 * malformed.
 */
export function openWeights({ file, path, header, bytes }: ModelPlan): Result<LocalWeights> {
  const card = readCardFiles(file).card ?? computeCardBytes(file, { header, bytes });
  const read = decodeMessage(Card, card);
  if (!read.ok) return refuse(`the card of ${path}: ${read.reason}`);
  return accept({ id: read.value.id, card, file });
}

/**
 * Links the files of the engine into a folder, in the layout of an image. Fails if this installation has no engine
 * for this machine.
 */
export function layOutEngine(folder: string): Result<string> {
  const isInstalled = LLAMA_FILES.every(({ input }) => existsSync(placeOf(CHECKOUT, input)));
  return isInstalled
    ? accept(layEngine(CHECKOUT, folder))
    : refuse("the engine of local models is not installed for this machine; `make setup` in the checkout installs it");
}
