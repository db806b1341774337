// Layouts of Cap'n Proto values, as the generated files state them. A layout is plain data: on first use the writer and the reader each
// turn it into their own code.

import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** Types whose values are stored in the data section of a struct. */
export type ScalarKind =
  | "bool"
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float32"
  | "float64";

/** A number or a bit. */
export interface ScalarType {
  readonly kind: ScalarKind;
}

/** An enum is sent as the ordinal of its name, in 16 bits. */
export interface EnumLayout<E extends string = string> {
  readonly kind: "enum";
  readonly name: string;
  /** Members in the order of their ordinals. */
  readonly members: readonly E[];
}

/** Type of a field. A struct's layout is given by a function, because the struct may be declared further down. */
export type FieldType =
  | ScalarType
  | EnumLayout
  | { readonly kind: "void" | "text" | "data" | "interface" }
  | { readonly kind: "list"; readonly element: FieldType }
  | { readonly kind: "struct"; readonly layout: () => StructLayout<unknown> }
  | { readonly kind: "group"; readonly shape: Shape };

/** One field. `offset` counts units of the type's size; for pointers it is the index of the pointer. */
export interface FieldLayout {
  readonly name: string;
  readonly type: FieldType;
  readonly offset: number;
  /** The default, which is combined with the stored bits by XOR; absent if its bits are all zero. */
  readonly standard?: number | bigint | boolean;
}

/** Fields that are always present, and the members of the unnamed union in order of their tags. */
export interface Shape {
  readonly fields: readonly FieldLayout[];
  readonly union?: {
    /** Offset of the tag, in units of 16 bits. */
    readonly tagOffset: number;
    readonly members: readonly FieldLayout[];
  };
}

/** Generated code of one struct. It replaces the general code and has the same effect. */
export interface StructCodec {
  /** Returns whether the whole value is the default, so that a pointer to it is null. */
  readonly isBlank: (value: unknown, depth: number) => boolean;
  /** Writes the struct if it is not blank, and makes the pointer at byte `at` point to the struct. */
  readonly put: (writer: Writer, at: number, value: unknown, depth: number) => void;
  /**
   * Returns the value, or `undefined` if the pointer at byte `at` is null or wrong. If the pointer is wrong, the
   * reader stores the reason.
   */
  readonly get: (reader: Reader, at: number, depth: number) => unknown;
}

/** The layout of a struct whose values have the type T. */
export interface StructLayout<T> {
  readonly kind: "structLayout";
  readonly name: string;
  readonly id: bigint;
  readonly dataWords: number;
  readonly pointers: number;
  readonly shape: () => Shape;
  /** Generated code, for the most frequent structs; see quick.ts. */
  readonly quick?: StructCodec | undefined;
  /** Never set: this member only connects the layout with the type of its values. */
  readonly example?: T;
}

/** A method of an interface, with the layouts of its parameters and of its results. */
export interface MethodLayout<P, R> {
  readonly interfaceId: bigint;
  readonly ordinal: number;
  readonly name: string;
  readonly params: StructLayout<P>;
  readonly results: StructLayout<R>;
}

/** Methods of any interface, by name. */
export type Methods = Readonly<Record<string, MethodLayout<unknown, unknown>>>;

/** An interface with its methods by name. */
export interface InterfaceLayout<M extends Methods = Methods> {
  readonly kind: "interfaceLayout";
  readonly id: bigint;
  readonly name: string;
  readonly methods: M;
}

// ---- constructors that the generated files use ----

export const bool: ScalarType = { kind: "bool" };
export const int8: ScalarType = { kind: "int8" };
export const int16: ScalarType = { kind: "int16" };
export const int32: ScalarType = { kind: "int32" };
export const int64: ScalarType = { kind: "int64" };
export const uint8: ScalarType = { kind: "uint8" };
export const uint16: ScalarType = { kind: "uint16" };
export const uint32: ScalarType = { kind: "uint32" };
export const uint64: ScalarType = { kind: "uint64" };
export const float32: ScalarType = { kind: "float32" };
export const float64: ScalarType = { kind: "float64" };
export const nothing: FieldType = { kind: "void" };
export const text: FieldType = { kind: "text" };
export const bytes: FieldType = { kind: "data" };
export const capability: FieldType = { kind: "interface" };

/** The property that distinguishes the members of a union. */
export const WHICH = "which";

/** Returns the type of a list whose elements have this type. */
export function list(element: FieldType): FieldType {
  return { kind: "list", element };
}

/** Returns the type of a struct behind a pointer. `of` takes a function, because the struct may be declared further down. */
export function of(layout: () => StructLayout<unknown>): FieldType {
  return { kind: "struct", layout };
}

/** Returns the type of a group: fields that share the sections of the struct around them. */
export function group(shape: Shape): FieldType {
  return { kind: "group", shape };
}

/** Returns the layout of one field; see FieldLayout. */
export function field(
  name: string,
  type: FieldType,
  offset: number,
  standard?: number | bigint | boolean,
): FieldLayout {
  return standard === undefined ? { name, type, offset } : { name, type, offset, standard };
}

/** The parts of the layout of a struct; `sizes` counts words and pointers. */
interface StructParts {
  readonly name: string;
  readonly id: bigint;
  readonly sizes: readonly [number, number];
  readonly shape: () => Shape;
  readonly quick?: StructCodec;
}

/** Returns the layout of a struct with the sizes of its sections, in words and pointers. */
export function struct<T>({ name, id, sizes: [dataWords, pointers], shape, quick }: StructParts): StructLayout<T> {
  return { kind: "structLayout", name, id, dataWords, pointers, shape, quick };
}

/** Returns the layout of an enum; `members` are in the order of their ordinals. */
export function enumeration<E extends string>(name: string, members: readonly E[]): EnumLayout<E> {
  return { kind: "enum", name, members };
}

/** The parts of a method: its numbers, its name, and the structs that it takes and returns. */
interface MethodParts<P, R> {
  readonly interfaceId: bigint;
  readonly ordinal: number;
  readonly name: string;
  readonly params: StructLayout<P>;
  readonly results: StructLayout<R>;
}

/** Returns the layout of a method; see MethodLayout. */
export function method<P, R>({ interfaceId, ordinal, name, params, results }: MethodParts<P, R>): MethodLayout<P, R> {
  return { interfaceId, ordinal, name, params, results };
}

/** Returns the layout of an interface with these methods. */
export function capabilityOf<M extends Methods>(name: string, id: bigint, methods: M): InterfaceLayout<M> {
  return { kind: "interfaceLayout", id, name, methods };
}
