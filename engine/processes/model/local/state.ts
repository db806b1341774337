// A prefilled state as the engine writes it into a file: the tokens and their computed state. The engine trusts the
// counts in the file, so the form is checked before the engine reads it. The form is: the magic, the tokens, one place
// for each token, and for every layer rows of one stated size. The numbers themselves are not checked: any value is
// valid.

import { createHash } from "node:crypto";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Token } from "./addon.ts";

/** Reads exactly `length` bytes at `offset`; they must lie within the file. */
type ReadAt = (offset: number, length: number) => Buffer;

/** Maximum size of one state in bytes: about what a model of 3 billion parameters computes for 2,000 tokens. */
const MOST_STATE_BYTES = 256 * 1024 * 1024;

const [MAGIC, VERSION] = [0x67677371, 3];
const MOST_LAYERS = 512;
/** Maximum bytes that one layer stores for a token. */
const MOST_ROW = 64 * 1024;
/**
 * Bytes of one value in each number format, by the engine's number of the format. Our states have numbers of half
 * precision.
 */
const BYTES_OF: ReadonlyMap<number, number> = new Map([
  [0, 4],
  [1, 2],
]);
const WORD = 4;
/**
 * Number of 32-bit words before a token's data. They are the token's position, the number of conversations that share
 * it (always 1), and the number of its conversation (always 0).
 */
const WORDS_OF_A_PLACE = 3;

/** Returns the key of a state: the exact tokens, and the weights that they were computed with. */
export function computeStateKey(model: string, tokens: readonly Token[]): string {
  return createHash("sha256").update(`${model}\0`).update(Uint32Array.from(tokens)).digest("hex");
}

/**
 * Returns the tokens of a state that is stored in the engine's file format. Fails for other bytes;
 * never throws.
 */
export function readStateTokens(readAt: ReadAt, size: number, mostTokens: number): Result<readonly Token[]> {
  if (size > MOST_STATE_BYTES) return refuse(`${size} bytes, the limit is ${MOST_STATE_BYTES}`);
  if (size < 3 * WORD) return refuse("it ends in its middle");
  const head = readAt(0, 3 * WORD);
  if (head.readUInt32LE(0) !== MAGIC || head.readUInt32LE(WORD) !== VERSION) return refuse("it is no state");
  const count = head.readUInt32LE(2 * WORD);
  if (count === 0 || count > mostTokens) return refuse(`${count} tokens, of which ${mostTokens} may be`);
  const places = 3 * WORD + count * WORD;
  const layers = places + 2 * WORD + count * WORDS_OF_A_PLACE * WORD;
  if (layers + 2 * WORD > size) return refuse("it ends in its middle");
  const tokens = readWords(readAt, 3 * WORD, count);
  const [conversations, cells, ...placed] = readWords(readAt, places, 2 + count * WORDS_OF_A_PLACE);
  if (conversations !== 1 || cells !== count || !placed.every(isInOrder)) return refuse("its places are not in order");
  const end = endOfLayers(readAt, layers, size, count);
  if (!end.ok) return end;
  return end.value === size ? accept(tokens) : refuse(`it has ${size} bytes, and ends at ${end.value}`);
}

function readWords(readAt: ReadAt, at: number, count: number): readonly number[] {
  const bytes = readAt(at, count * WORD);
  return Array.from({ length: count }, (_, index) => bytes.readUInt32LE(index * WORD));
}

/**
 * Returns whether the word with the index `at` has the only valid value: the token's position, 1 conversation, or
 * conversation number 0.
 */
function isInOrder(word: number, at: number): boolean {
  const [position, part] = [Math.floor(at / WORDS_OF_A_PLACE), at % WORDS_OF_A_PLACE];
  return word === (part === 0 ? position : part === 1 ? 1 : 0);
}

/**
 * Returns the offset at which the layers' cache ends. The cache has the keys of all layers, followed by the values of all layers. Fails if
 * the cache is malformed.
 */
function endOfLayers(readAt: ReadAt, start: number, size: number, count: number): Result<number> {
  const [turned = 0, layers = 0] = readWords(readAt, start, 2);
  if (turned > 1 || layers === 0 || layers > MOST_LAYERS) return refuse(`${layers} layers`);
  let at = start + 2 * WORD;
  for (let part = 0; part < 2 * layers; part += 1) {
    if (at + 3 * WORD > size) return refuse("it ends in its middle");
    const row = computeRowBytes(readWords(readAt, at, 3), part >= layers && turned === 1 ? "turned" : "plain");
    if (row === undefined) return refuse("a layer's rows have no size that is known");
    at += 3 * WORD + row * count;
  }
  return accept(at);
}

/**
 * Returns how many bytes a layer stores for a token. The state contains this number, or for transposed values the size
 * of one number and the count of numbers. Returns `undefined` if this size is invalid.
 */
function computeRowBytes(
  [form = 0, one = 0, two = 0]: readonly number[],
  layout: "turned" | "plain",
): number | undefined {
  const bytes = BYTES_OF.get(form);
  if (bytes === undefined || (layout === "turned" ? one !== bytes : two !== 0)) return undefined;
  const row = layout === "turned" ? one * two : one;
  return row > 0 && row <= MOST_ROW && row % bytes === 0 ? row : undefined;
}
