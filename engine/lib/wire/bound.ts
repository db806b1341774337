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
  return 16 + boundStruct(layout, value);
}

/** Returns an upper bound of the bytes to which a pointer refers. */
type Bound = (value: unknown) => number;

type Members = Readonly<Record<string, unknown>>;

/** A pointer field, a group, or a member of a union. */
interface Part {
  readonly name: string;
  readonly bound: Bound;
}

const NOTHING: Bound = () => 0;

const BOUNDS = new WeakMap<StructLayout<unknown>, Bound>();

function boundStruct(layout: StructLayout<unknown>, value: unknown): number {
  return findBound(layout)(value);
}

function findBound(layout: StructLayout<unknown>): Bound {
  const known = BOUNDS.get(layout);
  if (known !== undefined) return known;
  const own = (layout.dataWords + layout.pointers) * 8;
  const made = makeShapeBound(layout.shape(), own);
  BOUNDS.set(layout, made);
  return made;
}

/** `own` is the number of bytes to add for the struct itself. */
function makeShapeBound({ fields, union }: Shape, own: number): Bound {
  const parts = fields.map(({ name, type }): Part => ({ name, bound: makeBound(type) }));
  const inside = parts.filter(({ bound }) => bound !== NOTHING);
  const names = inside.map(({ name }) => name);
  const bounds = inside.map(({ bound }) => bound);
  const members = new Map(union?.members.map(({ name, type }) => [name, makeBound(type)]));
  return (value) => {
    const record = value as Members;
    let bytes = own;
    // A loop by index adds the bounds, as in lists: a page of ten thousand tools has a hundred thousand structs.
    for (let index = 0; index < bounds.length; index++) bytes += bounds[index]?.(record[names[index] ?? ""]) ?? 0;
    if (union === undefined) return bytes;
    const which = record[WHICH] as string;
    return bytes + (members.get(which)?.(record[which]) ?? 0);
  };
}

function makeBound(type: FieldType): Bound {
  switch (type.kind) {
    case "text":
      return (value) => roundUp(Buffer.byteLength(value as string) + 1);
    case "data":
      return (value) => roundUp((value as Uint8Array).length);
    case "struct":
      return (value) => boundStruct(type.layout(), value);
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
      // The bound is computed on first use, because a struct may contain itself.
      let bound: Bound | undefined;
      // Each element takes as much space as the longest one, which the bound of a struct covers; a word before the elements
      // states that size.
      return (value) => {
        bound ??= findBound(element.layout());
        return 8 + addUp(value, bound);
      };
    }
    case "text":
    case "data":
    case "list": {
      const bound = makeBound(element);
      return (value) => 8 * (value as readonly unknown[]).length + addUp(value, bound);
    }
    default: {
      const { bits } = getScalarCode(element);
      return (value) => roundUp(Math.ceil(((value as readonly unknown[]).length * bits) / 8));
    }
  }
}

function addUp(value: unknown, bound: Bound): number {
  const elements = value as readonly unknown[];
  let bytes = 0;
  for (let index = 0; index < elements.length; index++) bytes += bound(elements[index]);
  return bytes;
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
