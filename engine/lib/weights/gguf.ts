// Reads the header of a GGUF 3 file of weights before any other code does. The compiler reads the header to tell a person what is
// wrong; the worker reads it so that its engine is not the first to parse it.
//
// The size of every part of the header is checked before the part is read. This reader accepts a subset:
// little-endian, version 3, tensors in sequence, types that the engine knows.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

import type { Result } from "../result/result.ts";
import { Cursor, MalformedHeaderError, padSize } from "./cursor.ts";
import { type Entries, readEntries } from "./entries.ts";
import { readTensors } from "./tensors.ts";

/** Maximum bytes of a header: vocabularies of 256,000 words take some 16 MB with their merges. */
export const MOST_HEAD_BYTES = 32 * 1024 * 1024;

/** Facts about a model, from the header of its file. */
export interface GgufHeader {
  /** Architecture, by the engine's name: "llama", "qwen2". */
  readonly arch: string;
  /** Name of the model in the file, or empty. The maker of the file chose it: escape it for people. */
  readonly name: string;
  /** The maker's name of the quantisation: "q4_k_m". If the file has no such name, the format of most of its numbers. */
  readonly quantisation: string;
  /** Format of most numbers: "q4_k". In small models this format often differs from the name of the quantisation. */
  readonly mostNumbers: string;
  /** Context in tokens for which the model was trained. */
  readonly contextTokens: number;
  readonly tensors: number;
  /** Number of words in the vocabulary. */
  readonly vocabulary: number;
  /** Whether the vocabulary has the words that begin and end messages in ChatML. */
  readonly knowsChatMl: boolean;
  /**
   * Nats by which the model overestimates the likelihood of a call, as its maker measured; 0 if the file does not state
   * them.
   */
  readonly reluctance: number;
  /**
   * Nats by which the model underestimates the likelihood that an argument repeats earlier words, as its maker measured; 0 if the
   * file does not state them.
   */
  readonly copying: number;
}

const MAGIC = 0x46554747;
const VERSION = 3;
const DEFAULT_ALIGNMENT = 32;
const MOST_ALIGNMENT = 4096;
const MOST_CONTEXT = 1 << 24;
/** Names that makers use for mixed formats, by the number in `general.file_type` (llama.cpp's `llama_ftype`). */
const FILE_TYPES: ReadonlyMap<number, string> = new Map(
  Object.entries({
    f32: 0,
    f16: 1,
    q4_0: 2,
    q4_1: 3,
    q8_0: 7,
    q5_0: 8,
    q5_1: 9,
    q2_k: 10,
    q3_k_s: 11,
    q3_k_m: 12,
    q3_k_l: 13,
    q4_k_s: 14,
    q4_k_m: 15,
    q5_k_s: 16,
    q5_k_m: 17,
    q6_k: 18,
    q2_k_s: 21,
    iq4_nl: 25,
    iq4_xs: 30,
    bf16: 32,
  }).map(([name, number]) => [number, name]),
);
/** Keys of two figures that the maker measured. `most` is the maximum of a figure, in thousandths of a nat. */
const RELUCTANCE = { key: "capc.call_reluctance", what: "a reluctance", most: 10_000 } as const;
const COPYING = { key: "capc.copy_preference", what: "a preference for copies", most: 20_000 } as const;

/**
 * Reads a header. `head` is the file's first `MOST_HEAD_BYTES` bytes, or the whole file if it is shorter; `fileBytes`
 * is the file's size. If the file is refused, the function fails with a short reason; it never throws.
 */
export function readGguf(head: Uint8Array, fileBytes: number): Result<GgufHeader> {
  try {
    return { ok: true, value: parseHeader(new Cursor(head), fileBytes) };
  } catch (error) {
    if (error instanceof MalformedHeaderError) return { ok: false, reason: error.message };
    throw error;
  }
}

function parseHeader(cursor: Cursor, fileBytes: number): GgufHeader {
  if (cursor.u32() !== MAGIC) cursor.fail("it is not GGUF");
  const version = cursor.u32();
  if (version !== VERSION) cursor.fail(`it is GGUF of version ${version}, version ${VERSION} is read`);
  const tensors = cursor.readSize("a count of tensors");
  const entries = readEntries(cursor, cursor.readSize("a count of entries"));
  refusePart(cursor, entries);
  refuseOtherKind(cursor, entries);
  const arch = readPlainWord(cursor, entries, "general.architecture");
  const { mostNumbers, bytes } = readTensors(cursor, tensors, readAlignment(cursor, entries));
  const start = padSize(cursor.at, readAlignment(cursor, entries));
  // A device is read in whole blocks, so bytes may follow the tensors; these bytes are not checked.
  if (start + bytes > fileBytes) cursor.fail(`its tensors end at ${start + bytes}, and it has ${fileBytes} bytes`);
  return {
    arch,
    name: getEntryText(entries, "general.name"),
    quantisation: FILE_TYPES.get(entries.numbers.get("general.file_type") ?? -1) ?? mostNumbers,
    mostNumbers,
    contextTokens: readContextLength(cursor, entries, arch),
    tensors,
    vocabulary: entries.vocabulary,
    knowsChatMl: entries.knowsChatMl,
    reluctance: readNats(cursor, entries, RELUCTANCE),
    copying: readNats(cursor, entries, COPYING),
  };
}

/** First words of the message that refuses one part of a split file. Callers recognise the message by these words, and add advice. */
export const ONE_PART = "it is part";

/**
 * Refuses one part of a split file. A person must join the parts first, because only the first part has the entries
 * that describe the model.
 */
function refusePart(cursor: Cursor, { numbers }: Entries): void {
  const parts = numbers.get("split.count") ?? 1;
  const part = (numbers.get("split.no") ?? 0) + 1;
  if (parts > 1 || part > 1) cursor.fail(`${ONE_PART} ${part} of ${parts} of its weights; parts are joined first`);
}

/** Refuses a GGUF file that is not a model, such as an adapter or an input encoder. A file that declares no type counts as a model. */
function refuseOtherKind(cursor: Cursor, { texts }: Entries): void {
  const kind = texts.get("general.type") ?? "model";
  if (kind !== "model")
    cursor.fail(`it holds no model but ${/^[a-z]{1,16}$/.test(kind) ? `what is called ${kind}` : "something else"}`);
}

function readAlignment(cursor: Cursor, { numbers }: Entries): number {
  const alignment = numbers.get("general.alignment") ?? DEFAULT_ALIGNMENT;
  const isPower = Number.isInteger(Math.log2(alignment));
  if (!isPower || alignment < 8 || alignment > MOST_ALIGNMENT) cursor.fail(`an alignment of ${alignment}`);
  return alignment;
}

function readContextLength(cursor: Cursor, { numbers }: Entries, arch: string): number {
  const tokens = numbers.get(`${arch}.context_length`);
  if (tokens === undefined) return cursor.fail(`it does not say ${arch}.context_length`);
  const isSane = Number.isInteger(tokens) && tokens > 0 && tokens <= MOST_CONTEXT;
  return isSane ? tokens : cursor.fail(`a context of ${tokens} tokens`);
}

function readNats(
  cursor: Cursor,
  { numbers }: Entries,
  { key, what, most }: typeof RELUCTANCE | typeof COPYING,
): number {
  const told = numbers.get(key) ?? 0;
  const isSane = told >= 0 && told <= most;
  return isSane ? told / 1000 : cursor.fail(`${what} of ${told}, the limit is ${most}`);
}

function readPlainWord(cursor: Cursor, entries: Entries, key: string): string {
  const text = getEntryText(entries, key);
  return /^[a-z0-9][a-z0-9_-]{0,31}$/.test(text) ? text : cursor.fail(`${key} is no plain word`);
}

function getEntryText({ texts }: Entries, key: string): string {
  return texts.get(key) ?? "";
}
