// A shape defines the form of one kind of node in YAML and JSON: how it is written, how it is read, and its published
// schema. YAML and JSON contain no spans, so imported nodes have no position.

import { type TSchema, Type } from "typebox";
import { findNearest } from "../../../lang/diagnostics/index.ts";
import { type Span, startOf } from "../../../lang/text/index.ts";

/** A value that both YAML and JSON can express. Amounts are not numbers but text, with exact decimals. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** Names and indexes from the root to a value. */
export type Path = readonly (string | number)[];

/** A fault at one place. `reason` is a clause, not a sentence. */
export interface Fault {
  readonly path: Path;
  readonly reason: string;
}

/** Reports a fault; reading continues after it. */
export type Report = (fault: Fault) => void;

/** Functions that write and read one kind of node, with the schema of this kind. */
export interface Shape<T> {
  readonly schema: TSchema;
  readonly write: (node: T) => Value;
  /** Returns the node, or `undefined` if it reported a fault. */
  readonly read: (value: Value, path: Path, report: Report) => { readonly node: T } | undefined;
  /**
   * The default value of a node, and a function that tests for it. Present only if nodes with the default value are not
   * written.
   */
  readonly blank?: { readonly is: (node: T) => boolean; readonly node: T };
}

/** The position of nodes that were never on a page. */
export const NOWHERE: Span = startOf("");

/**
 * Returns the shape of a node that is written as text. `parse` returns `undefined` for text that matches the pattern
 * but is invalid.
 */
export function textual<T>(
  form: { readonly pattern: RegExp; readonly what: string },
  print: (node: T) => string,
  parse: (text: string) => T | undefined,
): Shape<T> {
  const { pattern, what } = form;
  return {
    schema: Type.String({ pattern: pattern.source, description: what }),
    write: print,
    read: (value, path, report) => {
      const node = typeof value === "string" && pattern.test(value) ? parse(value) : undefined;
      if (node === undefined) report({ path, reason: `expected ${what}` });
      return node === undefined ? undefined : { node };
    },
  };
}

/** Returns the shape of a node that is converted to another node before it is written. */
export function mapped<T, Inner>(shape: Shape<Inner>, inner: (node: T) => Inner, outer: (node: Inner) => T): Shape<T> {
  return {
    schema: shape.schema,
    write: (node) => shape.write(inner(node)),
    read: (value, path, report) => {
      const read = shape.read(value, path, report);
      return read === undefined ? undefined : { node: outer(read.node) };
    },
  };
}

/** Returns the shape of a node that is one of the given words. */
export function oneOf<const T extends string>(...words: readonly T[]): Shape<T> {
  return {
    schema: Type.Enum([...words]),
    write: (word) => word,
    read: (value, path, report) => {
      const node = words.find((word) => word === value);
      if (node === undefined) {
        report({
          path,
          reason: typeof value === "string" ? describeUnknownWord(value, words) : `expected ${words.join(" or ")}`,
        });
      }
      return node === undefined ? undefined : { node };
    },
  };
}

/** Returns the message about an unknown word: the nearest known word, or all known words. */
export function describeUnknownWord(word: string, known: Iterable<string>): string {
  const near = findNearest(word, known);
  const hint = near === undefined ? `there are ${[...known].join(", ")}` : `did you mean ${near}?`;
  return `'${word}' means nothing here; ${hint}`;
}

/** A boolean that is not written if it is false. */
export const flag: Shape<boolean> = {
  schema: Type.Boolean(),
  write: (node) => node,
  read: (value, path, report) => {
    if (typeof value === "boolean") return { node: value };
    report({ path, reason: "expected true or false" });
    return undefined;
  },
  blank: { is: (node) => !node, node: false },
};

/** A boolean that must be present. */
export const truth: Shape<boolean> = { schema: flag.schema, write: flag.write, read: flag.read };

/** Returns the shape of a node that is not written if it is `undefined`. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return {
    schema: shape.schema,
    write: (node) => (node === undefined ? null : shape.write(node)),
    read: shape.read,
    blank: { is: (node) => node === undefined, node: undefined },
  };
}

/** Returns the shape of a list that is not written if it is empty. */
export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    schema: Type.Array(shape.schema),
    write: (nodes) => nodes.map(shape.write),
    read: (value, path, report) => {
      if (!Array.isArray(value)) {
        report({ path, reason: "expected a list" });
        return undefined;
      }
      const read = value.map((each, index) => shape.read(each, [...path, index], report));
      const nodes = read.flatMap((each) => (each === undefined ? [] : [each.node]));
      return nodes.length === value.length ? { node: nodes } : undefined;
    },
    blank: { is: (nodes) => nodes.length === 0, node: [] },
  };
}

/**
 * Returns the shape of nodes that can contain nodes of the same kind. The schema of such a node refers to itself by the
 * name, because it would otherwise be infinite.
 */
export function named<T>(name: string, shape: () => Shape<T>): Shape<T> {
  return {
    schema: Type.Unsafe<unknown>({ $ref: `#/$defs/${name}` }),
    write: (node) => shape().write(node),
    read: (value, path, report) => shape().read(value, path, report),
  };
}
