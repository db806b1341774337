// Reads the offsets and formats of a model's tensors: each tensor must follow the previous one, as the engine demands.

import type { Cursor } from "./cursor.ts";
import { padSize } from "./cursor.ts";

/** Maximum number of tensors; models of 400 billion numbers have fewer than 3,000. */
const MOST_TENSORS = 16_384;
/** Maximum bytes of a tensor's name: the engine allows 64, including the zero byte at the end. */
const MOST_NAME_BYTES = 63;
const MOST_DIMENSIONS = 4;
/** Maximum number of values of one tensor. No supported machine has memory for so many values. */
const MOST_NUMBERS = 2 ** 40;

interface Kind {
  readonly name: string;
  /** Number of values in one block; `bytes` is the size of the block. */
  readonly numbers: number;
  readonly bytes: number;
}

/** Formats by the numbers that files use for them. Formats that the engine no longer supports are left out. */
const KINDS = new Map<number, Kind>(
  (
    [
      [0, "f32", 1, 4],
      [1, "f16", 1, 2],
      [2, "q4_0", 32, 18],
      [3, "q4_1", 32, 20],
      [6, "q5_0", 32, 22],
      [7, "q5_1", 32, 24],
      [8, "q8_0", 32, 34],
      [10, "q2_k", 256, 84],
      [11, "q3_k", 256, 110],
      [12, "q4_k", 256, 144],
      [13, "q5_k", 256, 176],
      [14, "q6_k", 256, 210],
      [20, "iq4_nl", 32, 18],
      [23, "iq4_xs", 256, 136],
      [30, "bf16", 1, 2],
    ] as const
  ).map(([number, name, numbers, bytes]) => [number, { name, numbers, bytes }]),
);

interface Tensors {
  /** Name of the format of most numbers. */
  readonly mostNumbers: string;
  /** Bytes from the first tensor to the end of the last. */
  readonly bytes: number;
}

export function readTensors(cursor: Cursor, count: number, alignment: number): Tensors {
  if (count === 0 || count > MOST_TENSORS) cursor.fail(`${count} tensors, the limit is ${MOST_TENSORS}`);
  const names = new Set<string>();
  const shares = new Map<string, number>();
  let end = 0;
  let last = 0;
  for (let index = 0; index < count; index++) {
    const name = cursor.readText("a name of a tensor", MOST_NAME_BYTES);
    if (name === "" || names.has(name)) cursor.fail("a tensor has no name, or that of another");
    names.add(name);
    const { kind, numbers, bytes } = readShape(cursor);
    const offset = cursor.readSize("an offset");
    if (offset !== end) cursor.fail(`tensor ${index} lies at ${offset} and not at ${end}`);
    last = offset + bytes;
    end = padSize(last, alignment);
    if (end > Number.MAX_SAFE_INTEGER / 2) cursor.fail("tensors of more bytes than there are");
    shares.set(kind, (shares.get(kind) ?? 0) + numbers);
  }
  const [most] = [...shares].sort(([, left], [, right]) => right - left);
  return { mostNumbers: most?.[0] ?? "", bytes: last };
}

function readShape(cursor: Cursor): { readonly kind: string; readonly numbers: number; readonly bytes: number } {
  const dimensions = cursor.u32();
  if (dimensions === 0 || dimensions > MOST_DIMENSIONS) cursor.fail(`a tensor of ${dimensions} dimensions`);
  let row = 0;
  let numbers = 1;
  for (let index = 0; index < dimensions; index++) {
    const size = cursor.readSize("a dimension");
    if (index === 0) row = size;
    numbers *= size;
    if (size === 0 || numbers > MOST_NUMBERS) cursor.fail("a tensor without numbers, or with too many");
  }
  const number = cursor.u32();
  const kind = KINDS.get(number) ?? cursor.fail(`numbers are written in a way (${number}) that is not known`);
  // A tensor stores its numbers in blocks of a fixed size, and no block contains numbers of two rows.
  if (row % kind.numbers !== 0) cursor.fail(`rows of ${row} numbers, written in blocks of ${kind.numbers}`);
  return { kind: kind.name, numbers, bytes: (numbers / kind.numbers) * kind.bytes };
}
