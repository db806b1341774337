// Files of weights for tests: honest ones, and parts that a test spoils.

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
  /** As files number the ways of writing; 0: plain 32-bit numbers. */
  readonly type: number;
  readonly bytes: Uint8Array;
  /** Where the header says that it lies; behind the one before it where nothing is said. */
  readonly offset?: number;
}

export interface GgufPlan {
  readonly version?: number;
  readonly entries: readonly (readonly [key: string, value: Value])[];
  readonly tensors: readonly Tensor[];
}

const ALIGNMENT = 32;

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number | bigint): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const list = (kind: number, items: readonly Uint8Array[]): Buffer =>
  Buffer.concat([u32(9), u32(kind), u64(items.length), ...items]);

function valueBytes({ kind, value }: Value): Buffer {
  switch (kind) {
    case "u32":
      return Buffer.concat([u32(4), u32(value)]);
    case "f32":
      return Buffer.concat([u32(6), Buffer.from(Float32Array.of(value).buffer)]);
    case "bool":
      return Buffer.concat([u32(7), Buffer.of(value ? 1 : 0)]);
    case "text":
      return Buffer.concat([u32(8), text(value)]);
    case "texts":
      return list(8, value.map(text));
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

const filled = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (ALIGNMENT - 1))]);

/** The whole file. */
export function ggufBytes({ version = 3, entries, tensors }: GgufPlan): Buffer {
  let end = 0;
  const described = tensors.map(({ name, dimensions, type, bytes, offset }) => {
    const at = offset ?? end;
    end = at + filled(bytes).length;
    return Buffer.concat([text(name), u32(dimensions.length), ...dimensions.map(u64), u32(type), u64(at)]);
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    u32(version),
    u64(tensors.length),
    u64(entries.length),
    ...entries.map(([key, value]) => Buffer.concat([text(key), valueBytes(value)])),
    ...described,
  ]);
  return Buffer.concat([filled(head), ...tensors.map(({ bytes }) => filled(bytes))]);
}
