// Computes an upper bound of the length of a message. Computing the bound is cheaper than encoding the message, and enough for
// a comparison with a limit.

import { bug } from "../result/bug.ts";
import { type FieldType, type Shape, type StructLayout, WHICH } from "./layout.ts";
import { getScalarCode } from "./scalar.ts";

/**
 * Returns the maximum number of bytes of a value as a message. The value's canonical form leaves out zeros at the end
 * of sections, and may be shorter.
 */
export function boundMessageBytes<T>(layout: StructLayout<T>, value: T): number {
  // The stream header and the root pointer are a word each.
  return 16 + findBound(layout)(value, new Map());
}

/** Returns an upper bound of the bytes to which a pointer refers. */
type Bound = (value: unknown, known: Known) => number;

/**
 * Bounds that were computed so far; the key is a list of structs. The tools of one method share one list of
 * parameters, whose bound is then computed once.
 */
type Known = Map<readonly unknown[], { readonly bound: Bound; readonly bytes: number }>;

type Members = Readonly<Record<string, unknown>>;

/** A part of a struct that may lead to pointers: a pointer field, a group, or a member of a union. */
interface Part {
  readonly name: string;
  readonly bound: Bound;
}

const NOTHING: Bound = () => 0;

const BOUNDS = new WeakMap<StructLayout<unknown>, Bound>();

function findBound(layout: StructLayout<unknown>): Bound {
  const known = BOUNDS.get(layout);
  if (known !== undefined) return known;
  const own = (layout.dataWords + layout.pointers) * 8;
  const made = makeShapeBound(layout.shape(), own);
  BOUNDS.set(layout, made);
  return made;
}

/**
 * Returns the bound of structs of this shape. It counts `own` bytes for the struct itself, and adds the bounds of all
 * parts.
 */
function makeShapeBound({ fields, union }: Shape, own: number): Bound {
  const parts = fields.map(({ name, type }): Part => ({ name, bound: makeBound(type) }));
  const inside = parts.filter(({ bound }) => bound !== NOTHING);
  const names = inside.map(({ name }) => name);
  const bounds = inside.map(({ bound }) => bound);
  const members = new Map(union?.members.map(({ name, type }) => [name, makeBound(type)]));
  return (value, known) => {
    const record = value as Members;
    let bytes = own;
    // An index is faster than an iterator, which matters here: a page of ten thousand tools has a hundred thousand
    // structs.
    for (let index = 0; index < bounds.length; index++)
      bytes += bounds[index]?.(record[names[index] ?? ""], known) ?? 0;
    if (union === undefined) return bytes;
    const which = record[WHICH] as string;
    return bytes + (members.get(which)?.(record[which], known) ?? 0);
  };
}

function makeBound(type: FieldType): Bound {
  switch (type.kind) {
    case "text":
      return (value) => roundUp(Buffer.byteLength(value as string) + 1);
    case "data":
      return (value) => roundUp((value as Uint8Array).length);
    case "struct": {
      // Look up the function for the inner struct only when it is first used: a struct may contain itself, so looking
      // it up here might never end.
      let bound: Bound | undefined;
      return (value, known) => {
        bound ??= findBound(type.layout());
        return bound(value, known);
      };
    }
    case "list":
      return makeListBound(type.element);
    case "group":
      return makeShapeBound(type.shape, 0);
    default:
      return NOTHING;
  }
}

function makeListBound(element: FieldType): Bound {
  switch (element.kind) {
    case "void":
    case "interface":
      return NOTHING;
    case "group":
      return bug("a list of groups");
    case "struct": {
      let bound: Bound | undefined;
      // All elements take as much space as the longest element. The bound of an element counts the full sections of the
      // layout, so it is never smaller than this space. A word before the elements states their size.
      return (value, known) => {
        const elements = value as readonly unknown[];
        if (elements.length === 0) return 8;
        bound ??= findBound(element.layout());
        const before = known.get(elements);
        if (before?.bound === bound) return before.bytes;
        const bytes = 8 + addUp(elements, bound, known);
        known.set(elements, { bound, bytes });
        return bytes;
      };
    }
    case "text":
    case "data":
    case "list": {
      const bound = makeBound(element);
      return (value, known) => {
        const elements = value as readonly unknown[];
        return 8 * elements.length + addUp(elements, bound, known);
      };
    }
    default: {
      const { bits } = getScalarCode(element);
      return (value) => {
        const { length } = value as readonly unknown[];
        return length === 0 ? 0 : roundUp(Math.ceil((length * bits) / 8));
      };
    }
  }
}

function addUp(elements: readonly unknown[], bound: Bound, known: Known): number {
  let bytes = 0;
  for (let index = 0; index < elements.length; index++) bytes += bound(elements[index], known);
  return bytes;
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
