// Reads a file of weights: its header, its digests, and its signer.

import { deriveSalt, hashTree } from "../../../engine/image/rootfs/verity.ts";
import { type Content, makeCard, TREE_NAME } from "../../../engine/lib/weights/card.ts";
import { type GgufHeader, MOST_HEAD_BYTES, readGguf } from "../../../engine/lib/weights/gguf.ts";
import { Card } from "../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { readBytes, useFile } from "../../host/files.ts";
import { computeSha256At } from "../inspect/description.ts";

export interface WeightsHeader {
  readonly bytes: number;
  readonly header: GgufHeader;
}

type HeaderRead =
  | { readonly ok: true; readonly value: WeightsHeader }
  /** `isMalformed` is true if the file was read but does not contain weights. */
  | { readonly ok: false; readonly reason: string; readonly isMalformed: boolean };

/** Reads only the header of a file of weights. Fails with the reason if the file is malformed. */
export function readWeightsHeader(path: string): HeaderRead {
  const read = readBytes(path, MOST_HEAD_BYTES);
  if (!read.ok) return { ...read, isMalformed: false };
  const header = readGguf(read.value.bytes, read.value.size);
  if (!header.ok) return { ok: false, reason: `${path} is no file of weights: ${header.reason}`, isMalformed: true };
  return { ok: true, value: { bytes: read.value.size, header: header.value } };
}

/**
 * Returns the bytes of the card of these weights. The function reads the file twice, for the hash tree and for the digest that the card
 * contains.
 */
export function computeCardBytes(path: string, { header, bytes }: WeightsHeader): Uint8Array {
  return encodeMessage(Card, makeCard(header, hashContent(path, bytes)));
}

/** Computes the same digests as a build, but does not copy the file. */
function hashContent(path: string, bytes: number): Content {
  return useFile(path, (readAt) => {
    const salt = deriveSalt(TREE_NAME);
    const { rootHash } = hashTree((offset, length) => padBlock(readAt(offset, length), length), bytes, salt);
    const sha256 = Buffer.from(computeSha256At(readAt, 0, bytes), "hex");
    return { sha256, verity: { contentBytes: BigInt(bytes), salt, rootHash } };
  });
}

/** Fills the last block of the file with zeros, as the hash tree requires. */
function padBlock(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  const block = new Uint8Array(length);
  block.set(bytes);
  return block;
}
