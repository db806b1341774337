// Weights into the folder of a page, and cards beside them. Nothing that is there already is replaced but a signature.

import { constants, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { type FileRead, makeFolders, whyNot } from "../../host/files.ts";
import { cardPath, signaturePath, signCard } from "./card-file.ts";
import { cardBytesOf, headerOf, type WeightsHeader } from "./weights-file.ts";

/** Where they lie now. They are copied beside their place first, so that half of them is never there. */
export function addWeights(source: string, folder: string): FileRead<string> {
  const header = headerOf(source);
  if (!header.ok) return header;
  const place = join(folder, basename(source));
  if (existsSync(place)) return { ok: false, reason: `${place} is there already; no weights are ever replaced` };
  const scratch = join(folder, `.${basename(source)}.${process.pid}`);
  try {
    makeFolders(folder);
    copyFileSync(source, scratch, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const copied = headerOf(scratch);
    if (!copied.ok) return { ok: false, reason: `${source} changed while it was copied` };
    writeFileSync(cardPath(place), cardBytesOf(scratch, copied.value));
    renameSync(scratch, place);
    return { ok: true, value: place };
  } catch (error) {
    return { ok: false, reason: whyNot(dirname(place), error) };
  } finally {
    rmSync(scratch, { force: true });
  }
}

/** The card is made of what the file is now, whatever lay beside it; a signature belongs to it alone. */
export function signWeights(path: string, header: WeightsHeader, key: SigningKey): FileRead<Uint8Array> {
  const card = cardBytesOf(path, header);
  try {
    writeFileSync(cardPath(path), card);
    writeFileSync(signaturePath(path), signCard(card, key).signature);
    return { ok: true, value: card };
  } catch (error) {
    return { ok: false, reason: whyNot(dirname(path), error) };
  }
}
