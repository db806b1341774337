// Code for the values of the data section: it writes them, reads them, and compares them with zero. An absent field reads as zero, so a
// zero value is never written.

import { bug } from "../result/bug.ts";
import type { EnumLayout, FieldLayout, ScalarKind } from "./layout.ts";

/**
 * The code that writes and reads values of one kind, such as 16-bit integers. The value is `offset` sizes of a value
 * after the byte `at`.
 */
interface ScalarCode {
  readonly bits: 1 | 8 | 16 | 32 | 64;
  readonly zero: unknown;
  /** Returns whether the value fits; if it does not, the code that made it has a defect. */
  readonly fits: (value: unknown) => boolean;
  readonly isZero: (value: unknown) => boolean;
  readonly put: (view: DataView, at: number, offset: number, value: unknown) => void;
  /** Returns the value, or `undefined` if the bits are not a value, which is possible only for enums. */
  readonly get: (view: DataView, at: number, offset: number) => unknown;
}

function makeIntegerCode(bits: 8 | 16 | 32, low: number, put: ScalarCode["put"], get: ScalarCode["get"]): ScalarCode {
  const high = low + 2 ** bits - 1;
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high;
  return { bits, zero: 0, fits, isZero: (value) => value === 0, put, get };
}

function makeLongIntegerCode(low: bigint, put: ScalarCode["put"], get: ScalarCode["get"]): ScalarCode {
  const high = low + 2n ** 64n - 1n;
  const fits = (value: unknown) => typeof value === "bigint" && value >= low && value <= high;
  return { bits: 64, zero: 0n, fits, isZero: (value) => value === 0n, put, get };
}

const bool: ScalarCode = {
  bits: 1,
  zero: false,
  fits: (value) => typeof value === "boolean",
  isZero: (value) => value === false,
  put: (view, at, offset, value) => {
    const byte = at + (offset >>> 3);
    const bit = 1 << (offset & 7);
    view.setUint8(byte, value === true ? view.getUint8(byte) | bit : view.getUint8(byte) & ~bit);
  },
  get: (view, at, offset) => (view.getUint8(at + (offset >>> 3)) & (1 << (offset & 7))) !== 0,
};

const isNumber = (value: unknown) => typeof value === "number";
/** Returns whether a number has no bit set, which negative zero has. */
const isPlainZero = (value: unknown) => Object.is(value, 0);

/** All NaNs get the same bits: otherwise engines could write different bytes for the same value. */
const float32: ScalarCode = {
  bits: 32,
  zero: 0,
  fits: (value) => isNumber(value) && (Number.isNaN(value) || Object.is(Math.fround(Number(value)), value)),
  isZero: isPlainZero,
  put: (view, at, offset, value) => {
    if (Number.isNaN(value)) view.setUint32(at + offset * 4, 0x7fc00000, true);
    else view.setFloat32(at + offset * 4, value as number, true);
  },
  get: (view, at, offset) => view.getFloat32(at + offset * 4, true),
};

const float64: ScalarCode = {
  bits: 64,
  zero: 0,
  fits: isNumber,
  isZero: isPlainZero,
  put: (view, at, offset, value) => {
    if (Number.isNaN(value)) view.setBigUint64(at + offset * 8, 0x7ff8000000000000n, true);
    else view.setFloat64(at + offset * 8, value as number, true);
  },
  get: (view, at, offset) => view.getFloat64(at + offset * 8, true),
};

const SCALARS: Readonly<Record<ScalarKind, ScalarCode>> = {
  bool,
  int8: makeIntegerCode(
    8,
    -128,
    (view, at, offset, value) => view.setInt8(at + offset, value as number),
    (view, at, offset) => view.getInt8(at + offset),
  ),
  int16: makeIntegerCode(
    16,
    -32_768,
    (view, at, offset, value) => view.setInt16(at + offset * 2, value as number, true),
    (view, at, offset) => view.getInt16(at + offset * 2, true),
  ),
  int32: makeIntegerCode(
    32,
    -(2 ** 31),
    (view, at, offset, value) => view.setInt32(at + offset * 4, value as number, true),
    (view, at, offset) => view.getInt32(at + offset * 4, true),
  ),
  int64: makeLongIntegerCode(
    -(2n ** 63n),
    (view, at, offset, value) => view.setBigInt64(at + offset * 8, value as bigint, true),
    (view, at, offset) => view.getBigInt64(at + offset * 8, true),
  ),
  uint8: makeIntegerCode(
    8,
    0,
    (view, at, offset, value) => view.setUint8(at + offset, value as number),
    (view, at, offset) => view.getUint8(at + offset),
  ),
  uint16: makeIntegerCode(
    16,
    0,
    (view, at, offset, value) => view.setUint16(at + offset * 2, value as number, true),
    (view, at, offset) => view.getUint16(at + offset * 2, true),
  ),
  uint32: makeIntegerCode(
    32,
    0,
    (view, at, offset, value) => view.setUint32(at + offset * 4, value as number, true),
    (view, at, offset) => view.getUint32(at + offset * 4, true),
  ),
  uint64: makeLongIntegerCode(
    0n,
    (view, at, offset, value) => view.setBigUint64(at + offset * 8, value as bigint, true),
    (view, at, offset) => view.getBigUint64(at + offset * 8, true),
  ),
  float32,
  float64,
};

function makeEnumCode(layout: EnumLayout): ScalarCode {
  const ordinals = new Map<unknown, number>(layout.members.map((member, ordinal) => [member, ordinal]));
  const zero = layout.members[0] ?? bug(`the enum ${layout.name} has no members`);
  return {
    bits: 16,
    zero,
    fits: (value) => ordinals.has(value),
    isZero: (value) => value === zero,
    put: (view, at, offset, value) => view.setUint16(at + offset * 2, ordinals.get(value) ?? 0, true),
    get: (view, at, offset) => layout.members[view.getUint16(at + offset * 2, true)],
  };
}

/** Returns the code that writes and reads a scalar or an enum in a list, or in a field without a default. */
export function getScalarCode(type: { readonly kind: ScalarKind } | EnumLayout): ScalarCode {
  return type.kind === "enum" ? makeEnumCode(type) : SCALARS[type.kind];
}

/**
 * Returns the code that writes and reads a field. The stored bits of a field are the bits of its value, combined (xor)
 * with the bits of its default.
 */
export function makeFieldCode(field: FieldLayout, plain: ScalarCode): ScalarCode {
  const { standard } = field;
  if (standard === undefined) return plain;
  const perWord = 64 / plain.bits;
  const scratch = new DataView(new ArrayBuffer(8));
  const mask = maskOf(field, plain, perWord);
  const zero = getDefaultValue(field, plain);
  return {
    ...plain,
    zero,
    isZero: (value) => Object.is(value, zero),
    put: (view, at, offset, value) => {
      plain.put(view, at, offset, value);
      const word = at + Math.floor(offset / perWord) * 8;
      view.setBigUint64(word, view.getBigUint64(word, true) ^ mask, true);
    },
    get: (view, at, offset) => {
      const word = at + Math.floor(offset / perWord) * 8;
      scratch.setBigUint64(0, view.getBigUint64(word, true) ^ mask, true);
      return plain.get(scratch, 0, offset % perWord);
    },
  };
}

/** Returns a word with the bits of the field's default at the position of the field; all other bits are zero. */
function maskOf(field: FieldLayout, plain: ScalarCode, perWord: number): bigint {
  const word = new DataView(new ArrayBuffer(8));
  plain.put(word, 0, field.offset % perWord, getDefaultValue(field, plain));
  return word.getBigUint64(0, true);
}

/** Returns the default of a field. Defaults of enums are stated as ordinals. */
function getDefaultValue(field: FieldLayout, plain: ScalarCode): unknown {
  const { type, standard } = field;
  const value = type.kind === "enum" ? type.members[Number(standard)] : standard;
  return plain.fits(value) ? value : bug(`the default of ${field.name} does not fit its type`);
}

/** Returns how many words of the data section a field needs, counted from the start of the section. */
export function reachOf(bits: number, offset: number): number {
  return Math.floor((offset * bits + bits - 1) / 64) + 1;
}
