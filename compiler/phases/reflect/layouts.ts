// Describes where the parameters of a method are in a message, as the Cap'n Proto compiler placed them.

import type { Layout, Place } from "../../../engine/lib/wire/generated/policy.ts";
import type { Bindings, SchemaField, SchemaRequest, SchemaType } from "./request.ts";
import { type Bound, bind, UNBOUND } from "./shapes.ts";

type Stored = Place extends infer P ? (P extends Place ? Omit<P, "offset" | "standard"> : never) : never;

/**
 * Returns the layout of a struct that `readParams` accepts, or `undefined` if its messages cannot be read as arguments.
 * The messages cannot be read if the struct has an enum without members. They also cannot be read if a pointer field
 * has a default other than the empty text, because the tables cannot contain such a default.
 */
export function deriveLayout(request: SchemaRequest, struct: bigint, bindings: Bindings): Layout | undefined {
  return layoutOf(request, struct, bind(bindings, UNBOUND));
}

function layoutOf(request: SchemaRequest, id: bigint, bound: Bound): Layout | undefined {
  const node = request.nodes.get(id);
  if (node?.kind !== "struct") return undefined;
  const places = node.fields.flatMap((field) => placeOf(request, field, bound) ?? []);
  const { dataWords, pointers } = node;
  return places.length === node.fields.length ? { dataWords, pointers, places } : undefined;
}

function placeOf(request: SchemaRequest, field: SchemaField, bound: Bound): Place | undefined {
  if (field.kind === "group") {
    const group = layoutOf(request, field.id, bound);
    return group && { offset: 0, standard: 0n, which: "group", group };
  }
  const stored = field.pointerDefault && !field.emptyDefault ? undefined : storedAs(request, field.type, bound);
  return stored && { offset: field.offset, standard: encodeDefault(field), ...stored };
}

function storedAs(request: SchemaRequest, type: SchemaType, bound: Bound): Stored | undefined {
  switch (type.kind) {
    case "text":
      return { which: "text" };
    case "enum": {
      const node = request.nodes.get(type.id);
      return node?.kind === "enum" && node.members.length > 0 ? { which: "choice" } : undefined;
    }
    case "list": {
      const element = storedAs(request, type.element, bound);
      return element && { which: "list", list: { offset: 0, standard: 0n, ...element } };
    }
    case "struct": {
      const record = layoutOf(request, type.id, bind(type.bindings, bound));
      return record && { which: "record", record };
    }
    case "parameter": {
      const put = type.scope === undefined ? undefined : bound.get(type.scope)?.[type.index];
      return put && storedAs(request, put.type, put.bound);
    }
    case "void":
    case "data":
    case "interface":
    case "anyPointer":
      return undefined;
    default:
      return { which: "scalar", scalar: type.kind };
  }
}

/** Returns the default value of a field as bits. */
function encodeDefault({ type, standard }: Extract<SchemaField, { readonly kind: "slot" }>): bigint {
  if (standard === undefined) return 0n;
  const view = new DataView(new ArrayBuffer(8));
  if (type.kind === "float32") view.setFloat32(0, Number(standard), true);
  else if (type.kind === "float64") view.setFloat64(0, Number(standard), true);
  else {
    const width = Number(/\d+$/.exec(type.kind)?.[0] ?? 16);
    view.setBigUint64(0, BigInt.asUintN(width, BigInt(standard)), true);
  }
  return view.getBigUint64(0, true);
}
