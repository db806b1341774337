// Defines how YAML and JSON represent a node of the syntax tree: a node with certain fields, or a node that may have
// several kinds.

import { type TSchema, Type } from "typebox";
import { bug } from "../../../lang/diagnostics/index.ts";
import { describeUnknownWord, NOWHERE, type Path, type Report, type Shape, type Value } from "./shape.ts";

/** Fields of a node that are not in YAML or JSON: its position, and whether it has a syntax error. */
type Unsaid = "span" | "damaged";

/** A shape for each exchanged field of a node. The type checker reports a missing shape. */
type Fields<T> = { readonly [Name in Exclude<keyof T, Unsaid>]: Shape<T[Name]> };

type Entry = readonly [string, Shape<unknown>];
type Named = Readonly<Record<string, Value>>;

/** Returns the shape of a node with exactly these fields, in this order. */
export function record<T>(fields: Fields<T>): Shape<T> {
  // Object.entries loses the types that relate shapes to fields. The type `Fields` has already checked this relation.
  const entries = Object.entries(fields) as unknown as readonly Entry[];
  return {
    schema: createSchema(entries),
    write: (node) => writeFields(entries, node as Readonly<Record<string, unknown>>),
    read: (value, path, report) => {
      const read = isNamed(value) ? readFields(entries, value, path, report) : undefined;
      if (!isNamed(value))
        report({ path, reason: `expected an object with ${entries.map(([name]) => name).join(", ")}` });
      return read === undefined ? undefined : { node: { ...read, span: NOWHERE, damaged: false } as T };
    },
  };
}

function createSchema(entries: readonly Entry[]): TSchema {
  const properties = entries.map(([name, { schema, blank }]) => [
    name,
    blank === undefined ? schema : Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

function writeFields(entries: readonly Entry[], node: Readonly<Record<string, unknown>>): Value {
  const said = entries.filter(([name, { blank }]) => blank?.is(node[name]) !== true);
  return Object.fromEntries(said.map(([name, shape]) => [name, shape.write(node[name])]));
}

function readFields(entries: readonly Entry[], value: Named, path: Path, report: Report): object | undefined {
  const names = entries.map(([name]) => name);
  let whole = true;
  for (const name of Object.keys(value).filter((each) => !names.includes(each))) {
    report({ path: [...path, name], reason: describeUnknownWord(name, names) });
    whole = false;
  }
  const read = entries.map(([name, shape]) => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const field =
      given === undefined ? readBlank(name, shape, path, report) : shape.read(given, [...path, name], report);
    whole &&= field !== undefined;
    return [name, field?.node];
  });
  return whole ? Object.fromEntries(read) : undefined;
}

function readBlank(name: string, { blank }: Shape<unknown>, path: Path, report: Report): { node: unknown } | undefined {
  if (blank !== undefined) return { node: blank.node };
  report({ path, reason: `${name} is missing` });
  return undefined;
}

function isNamed(value: Value): value is Named {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

type Words<T, Key extends keyof T> = T[Key] & string;

/** The members of a union that allow the value `Word` in their field `Key`. One member may allow several words. */
type Member<T, Key extends PropertyKey, Word> = T extends { readonly [K in Key]: infer Said }
  ? Word extends Said
    ? T
    : never
  : never;

/** Returns the shape of a node that can be of several kinds. The field `key` names its kind. */
export function either<T, Key extends keyof T & string>(
  key: Key,
  shapes: { readonly [Word in Words<T, Key>]: Shape<Member<T, Key, Word>> },
): Shape<T> {
  const known = new Map(Object.entries(shapes) as unknown as readonly (readonly [string, Shape<T>])[]);
  const shapeOf = (word: unknown): Shape<T> | undefined => (typeof word === "string" ? known.get(word) : undefined);
  return {
    schema: Type.Union([...new Set(known.values())].map(({ schema }) => schema)),
    write: (node) => (shapeOf(node[key]) ?? bug(`no shape for ${String(node[key])}`)).write(node),
    read: (value, path, report) => {
      const word = isNamed(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      const shape = shapeOf(word);
      if (shape !== undefined) return shape.read(value, path, report);
      if (typeof word === "string") report({ path: [...path, key], reason: describeUnknownWord(word, known.keys()) });
      else report({ path, reason: `${key} says which this is: ${[...known.keys()].join(", ")}` });
      return undefined;
    },
  };
}
