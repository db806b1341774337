// Adds weights to the folder of a page, with cards beside them. It never overwrites weights, but it replaces the card
// and the signature beside them.

import { constants, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { explainRefusal, makeFolders } from "../../host/files.ts";
import { getCardPath, getSignaturePath, signCard } from "./card-file.ts";
import { computeCardBytes, readWeightsHeader, type WeightsHeader } from "./weights-file.ts";

/**
 * Copies weights into a folder with their card, and returns their path. The function copies to a temporary name first,
 * so that a partial file is never visible. Fails if the weights are malformed, or if the folder already contains a file
 * of this name.
 */
export function addWeights(source: string, folder: string): Result<string> {
  const header = readWeightsHeader(source);
  if (!header.ok) return header;
  const place = join(folder, basename(source));
  if (existsSync(place)) return { ok: false, reason: `${place} is there already; no weights are ever replaced` };
  const scratch = join(folder, `.${basename(source)}.${process.pid}`);
  try {
    makeFolders(folder);
    copyFileSync(source, scratch, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const copied = readWeightsHeader(scratch);
    if (!copied.ok) return { ok: false, reason: `${source} changed while it was copied` };
    writeFileSync(getCardPath(place), computeCardBytes(scratch, copied.value));
    renameSync(scratch, place);
    return { ok: true, value: place };
  } catch (error) {
    return { ok: false, reason: explainRefusal(dirname(place), error) };
  } finally {
    rmSync(scratch, { force: true });
  }
}

/**
 * Signs a card that is computed from the current bytes of the file, and replaces the card beside the file. Fails if the
 * card or the signature cannot be written.
 */
export function signWeights(path: string, header: WeightsHeader, key: SigningKey): Result<Uint8Array> {
  const card = computeCardBytes(path, header);
  try {
    writeFileSync(getCardPath(path), card);
    writeFileSync(getSignaturePath(path), signCard(card, key).signature);
    return { ok: true, value: card };
  } catch (error) {
    return { ok: false, reason: explainRefusal(dirname(path), error) };
  }
}
