// Converts types of a schema to types of JSON values that the gate checks (Param of policy.capnp). The conversion
// returns a refusal for types that JSON cannot express without loss: unions, bytes, capabilities, and structs that
// contain themselves.

import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { applyLimits } from "./annotations.ts";
import { type DescribedParam, type DescribedType, MAX_TEXT_BYTES, SAFE_INTEGER } from "./described.ts";
import { explainUnseen } from "./hidden.ts";
import type { Bindings, SchemaField, SchemaRequest, SchemaType } from "./request.ts";

const MAX_DEPTH = 16;

/** A use of a struct: the bindings of its type parameters, and the structs around it. */
interface Use {
  readonly bound: Bound;
  readonly around: readonly bigint[];
}

/**
 * Bindings of the type parameters of each node. Each bound type has its own `bound`, for the type parameters that it
 * names.
 */
export type Bound = ReadonlyMap<bigint, BoundTypes>;
type BoundTypes = readonly { readonly type: SchemaType; readonly bound: Bound }[];

export const UNBOUND: Bound = new Map();

/**
 * Returns the fields of a struct as parameters, in the order of their numbers; for a method this is the order in the
 * schema. `bindings` are the bindings of type parameters. Fails if a type has no JSON form.
 */
export function readParams(
  request: SchemaRequest,
  struct: bigint,
  bindings: Bindings,
): Result<readonly DescribedParam[]> {
  return recordOf(request, struct, { bound: bind(bindings, UNBOUND), around: [] });
}

/**
 * Returns the bindings of type parameters with `inherited` replaced by the types in `bound`, which are the bindings at
 * the place of use.
 */
export function bind(bindings: Bindings, bound: Bound): Bound {
  const inner = new Map<bigint, BoundTypes>();
  for (const [scope, types] of bindings) {
    const now = types === "inherited" ? bound.get(scope) : types.map((type) => ({ type, bound }));
    if (now !== undefined) inner.set(scope, now);
  }
  return inner;
}

function recordOf(request: SchemaRequest, id: bigint, { bound, around }: Use): Result<readonly DescribedParam[]> {
  const node = request.nodes.get(id);
  if (node?.kind !== "struct") return refuse("a type that is no struct stands where one belongs");
  const name = node.path.join(".");
  if (around.includes(id)) return refuse(`${name} holds itself, and a list of arguments must have an end`);
  if (around.length >= MAX_DEPTH) return refuse(`${name} is nested more than ${MAX_DEPTH} deep`);
  if (node.tagOffset !== undefined) return refuse(`${name} has a union, which arguments cannot carry yet`);
  const params: DescribedParam[] = [];
  for (const field of node.fields) {
    const shape = deriveFieldType(request, field, { bound, around: [...around, id] });
    const type = shape.ok ? applyLimits(shape.value, field.annotations) : shape;
    if (!type.ok) return refuse(`${field.name}: ${type.reason}`);
    const unseen = explainUnseen(field.doc);
    if (unseen !== undefined) return refuse(`${field.name}: ${unseen}`);
    const required = field.kind === "group" || !field.optional;
    params.push({ name: field.name, type: type.value, required, doc: field.doc });
  }
  return { ok: true, value: params };
}

function deriveFieldType(request: SchemaRequest, field: SchemaField, use: Use): Result<DescribedType> {
  return field.kind === "group" ? deriveStructType(request, field.id, use) : typeOf(request, field.type, use);
}

function deriveStructType(request: SchemaRequest, id: bigint, use: Use): Result<DescribedType> {
  const record = recordOf(request, id, use);
  return record.ok ? { ok: true, value: { which: "record", record: record.value } } : record;
}

function typeOf(request: SchemaRequest, type: SchemaType, use: Use): Result<DescribedType> {
  switch (type.kind) {
    case "bool":
      return { ok: true, value: { which: "boolean" } };
    case "float32":
    case "float64":
      return { ok: true, value: { which: "number" } };
    case "text":
      return { ok: true, value: { which: "text", text: { maxBytes: MAX_TEXT_BYTES } } };
    case "enum":
      return deriveChoiceType(request, type.id);
    case "struct":
      return deriveStructType(request, type.id, { ...use, bound: bind(type.bindings, use.bound) });
    case "parameter":
      return deriveBoundType(request, type, use);
    case "list":
      return listOf(request, type.element, use);
    case "void":
    case "data":
    case "interface":
    case "anyPointer":
      return refuse(`JSON has no form for ${WORDS[type.kind]}`);
    default:
      return { ok: true, value: { which: "integer", integer: computeBounds(type.kind) } };
  }
}

const WORDS = { void: "Void", data: "Data", interface: "a capability", anyPointer: "AnyPointer" } as const;

function deriveBoundType(
  request: SchemaRequest,
  { scope, index }: Extract<SchemaType, { readonly kind: "parameter" }>,
  { bound, around }: Use,
): Result<DescribedType> {
  const put = scope === undefined ? undefined : bound.get(scope)?.[index];
  if (put === undefined) return refuse("nothing says which type stands for a type parameter");
  return typeOf(request, put.type, { bound: put.bound, around });
}

function listOf(request: SchemaRequest, element: SchemaType, use: Use): Result<DescribedType> {
  const type = typeOf(request, element, use);
  return type.ok ? { ok: true, value: { which: "list", list: type.value } } : type;
}

function deriveChoiceType(request: SchemaRequest, id: bigint): Result<DescribedType> {
  const node = request.nodes.get(id);
  if (node?.kind !== "enum") return refuse("a type that is no enum stands where one belongs");
  return { ok: true, value: { which: "choice", choice: node.members.map((member) => member.name) } };
}

function computeBounds(kind: string): { readonly low: bigint; readonly high: bigint } {
  const bits = BigInt(kind.replace(/\D/g, ""));
  const signed = kind.startsWith("int");
  const low = signed ? -(2n ** (bits - 1n)) : 0n;
  const high = signed ? 2n ** (bits - 1n) - 1n : 2n ** bits - 1n;
  return { low: low < -SAFE_INTEGER ? -SAFE_INTEGER : low, high: high > SAFE_INTEGER ? SAFE_INTEGER : high };
}

/** Returns the parameters without descriptions, in the form of the tables. */
export function removeWords(params: readonly DescribedParam[]): readonly Param[] {
  return params.map(({ name, type, required }) => ({ name, type: removeTypeWords(type), required }));
}

function removeTypeWords(type: DescribedType): Type {
  switch (type.which) {
    case "list":
      return { which: "list", list: removeTypeWords(type.list) };
    case "record":
      return { which: "record", record: removeWords(type.record) };
    case "either":
      return { which: "either", either: type.either.map(removeTypeWords) };
    default:
      return type;
  }
}
