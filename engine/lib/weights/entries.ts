// Reads the metadata of a file of weights: names with numbers, texts and lists. The reader keeps short texts and whole numbers, and
// skips lists. The reader stores the size of the vocabulary, and whether the vocabulary contains ChatML's words.

import type { Cursor } from "./cursor.ts";

export interface Entries {
  readonly numbers: ReadonlyMap<string, number>;
  readonly texts: ReadonlyMap<string, string>;
  readonly vocabulary: number;
  readonly knowsChatMl: boolean;
}

/** Maximum number of entries of a header; known models have fewer than a hundred. */
const MOST_ENTRIES = 1024;
const MOST_KEY_BYTES = 128;
/** Maximum bytes of a text: chat templates are the longest, and the largest known has 20 kB. */
const MOST_TEXT_BYTES = 256 * 1024;
/** Maximum number of words of a vocabulary. The same limit applies to its merges, which may be slightly more than its words. */
const MOST_ITEMS = 2 ** 20;
/** Maximum bytes of a word of the vocabulary. Most words have a few bytes, but a word can be a long run of blanks. */
const MOST_WORD_BYTES = 4096;

const KEPT_TEXT_BYTES = 256;
const VOCABULARY = "tokenizer.ggml.tokens";
const CHATML = ["<|im_start|>", "<|im_end|>"].map((word) => Buffer.from(word));

const [U8, I8, U16, I16, U32, I32, F32, BOOL, TEXT, LIST, U64, I64, F64] = Array.from(
  { length: 13 },
  (_, kind) => kind,
);

/** Number of bytes of each kind of value that has a fixed size. */
const WIDTHS = new Map([
  [U8, 1],
  [I8, 1],
  [U16, 2],
  [I16, 2],
  [U32, 4],
  [I32, 4],
  [F32, 4],
  [BOOL, 1],
  [U64, 8],
  [I64, 8],
  [F64, 8],
]);

export function readEntries(cursor: Cursor, count: number): Entries {
  if (count > MOST_ENTRIES) cursor.fail(`${count} entries, the limit is ${MOST_ENTRIES}`);
  const seen = new Set<string>();
  const numbers = new Map<string, number>();
  const texts = new Map<string, string>();
  let vocabulary = 0;
  let knowsChatMl = false;
  for (let index = 0; index < count; index++) {
    const key = cursor.readText("a key", MOST_KEY_BYTES);
    if (key === "" || seen.has(key)) cursor.fail("a key is empty or stands twice");
    seen.add(key);
    const kind = cursor.u32();
    if (kind === LIST) {
      const list = readList(cursor, key === VOCABULARY ? "vocabulary" : "other");
      if (key === VOCABULARY) [vocabulary, knowsChatMl] = [list.items, list.knowsChatMl];
    } else if (kind === TEXT) {
      const bytes = cursor.readTextBytes("a text", MOST_TEXT_BYTES);
      if (bytes.length <= KEPT_TEXT_BYTES) texts.set(key, Buffer.from(bytes).toString("utf8"));
    } else {
      const number = readNumber(cursor, kind);
      if (number !== undefined) numbers.set(key, number);
    }
  }
  return { numbers, texts, vocabulary, knowsChatMl };
}

/** Reads one value: returns it if it is a whole number; otherwise skips it and returns `undefined`. */
function readNumber(cursor: Cursor, kind: number): number | undefined {
  if (kind === U16) return cursor.u16();
  if (kind === U32) return cursor.u32();
  if (kind === I32) return cursor.i32();
  if (kind === U64) return cursor.readSize("a number");
  cursor.skip(getKindWidth(cursor, kind));
  return undefined;
}

interface List {
  readonly items: number;
  /** Whether the list is the vocabulary and contains ChatML's words. */
  readonly knowsChatMl: boolean;
}

function readList(cursor: Cursor, holding: "vocabulary" | "other"): List {
  const kind = cursor.u32();
  const items = cursor.readSize("a length of a list");
  if (items > MOST_ITEMS) cursor.fail(`a list of ${items}, the limit is ${MOST_ITEMS}`);
  // A list of lists is refused: no entry needs one, and its depth would have to be bounded.
  if (kind !== TEXT) {
    cursor.skip(getKindWidth(cursor, kind) * items);
    return { items, knowsChatMl: false };
  }
  const found = new Set<Buffer>();
  for (let index = 0; index < items; index++) {
    const word = cursor.readTextBytes("a word", MOST_WORD_BYTES);
    const known = holding === "vocabulary" ? CHATML.find((wanted) => wanted.equals(word)) : undefined;
    if (known !== undefined) found.add(known);
  }
  return { items, knowsChatMl: found.size === CHATML.length };
}

function getKindWidth(cursor: Cursor, kind: number): number {
  return WIDTHS.get(kind) ?? cursor.fail(`a value of kind ${kind}`);
}
