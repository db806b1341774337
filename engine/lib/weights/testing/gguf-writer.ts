// Writes files of weights for tests: valid ones, and ones that a test spoils.

export type Value =
  | { readonly kind: "u32"; readonly value: number }
  | { readonly kind: "f32"; readonly value: number }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "texts"; readonly value: readonly string[] }
  | { readonly kind: "i32s"; readonly value: readonly number[] }
  | { readonly kind: "f32s"; readonly value: readonly number[] };

export interface Tensor {
  readonly name: string;
  readonly dimensions: readonly number[];
  /** Format number of the tensors; 0 means plain 32-bit numbers. */
  readonly type: number;
  readonly bytes: Uint8Array;
  /** Offset of the tensor, as the header states it; by default right after the previous tensor. */
  readonly offset?: number;
}

export interface GgufPlan {
  readonly version?: number;
  readonly entries: readonly (readonly [key: string, value: Value])[];
  readonly tensors: readonly Tensor[];
}

const ALIGNMENT = 32;

const encodeU32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const encodeU64 = (value: number | bigint): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const encodeText = (value: string): Buffer => Buffer.concat([encodeU64(Buffer.byteLength(value)), Buffer.from(value)]);
const list = (kind: number, items: readonly Uint8Array[]): Buffer =>
  Buffer.concat([encodeU32(9), encodeU32(kind), encodeU64(items.length), ...items]);

function encodeValue({ kind, value }: Value): Buffer {
  switch (kind) {
    case "u32":
      return Buffer.concat([encodeU32(4), encodeU32(value)]);
    case "f32":
      return Buffer.concat([encodeU32(6), Buffer.from(Float32Array.of(value).buffer)]);
    case "bool":
      return Buffer.concat([encodeU32(7), Buffer.of(value ? 1 : 0)]);
    case "text":
      return Buffer.concat([encodeU32(8), encodeText(value)]);
    case "texts":
      return list(8, value.map(encodeText));
    case "i32s":
      return list(
        5,
        value.map((one) => Buffer.from(Int32Array.of(one).buffer)),
      );
    case "f32s":
      return list(
        6,
        value.map((one) => Buffer.from(Float32Array.of(one).buffer)),
      );
  }
}

const padToTensorAlignment = (bytes: Uint8Array): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(-bytes.length & (ALIGNMENT - 1))]);

/** Returns the bytes of a whole GGUF file with these entries and tensors. */
export function encodeGguf({ version = 3, entries, tensors }: GgufPlan): Buffer {
  let end = 0;
  const described = tensors.map(({ name, dimensions, type, bytes, offset }) => {
    const at = offset ?? end;
    end = at + padToTensorAlignment(bytes).length;
    return Buffer.concat([
      encodeText(name),
      encodeU32(dimensions.length),
      ...dimensions.map(encodeU64),
      encodeU32(type),
      encodeU64(at),
    ]);
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    encodeU32(version),
    encodeU64(tensors.length),
    encodeU64(entries.length),
    ...entries.map(([key, value]) => Buffer.concat([encodeText(key), encodeValue(value)])),
    ...described,
  ]);
  return Buffer.concat([padToTensorAlignment(head), ...tensors.map(({ bytes }) => padToTensorAlignment(bytes))]);
}
