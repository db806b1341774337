// Meanings of the annotations in stdlib/import/annotations.capnp. Limits become part of the type of an argument. Facts
// about methods are texts in the syntax of the page, which compiler/phases/bind reads like lines of a page.

import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { DescribedType } from "./described.ts";
import type { Annotations, InterfaceNode, SchemaMethod, SchemaRequest } from "./request.ts";

/** Ids of the annotations in their schema. The ids must never change. */
export const ANNOTATIONS = {
  category: 0xf2a61e94c07b3d85n,
  label: 0x9c47e5d2106fb3a8n,
  truncate: 0x8e1b5f7a93c4d026n,
  redact: 0xb3d8024c6ef19a57n,
  meaning: 0xa5c9731fd40be862n,
  least: 0xc80f36b9a2e7d514n,
  most: 0xdb94c17e05f8a32dn,
  maxBytes: 0xee52a4078cd1f693n,
} as const;

/**
 * Returns the type with the limits that the annotations of its field state, or the reason why the limits do not fit the
 * type.
 */
export function applyLimits(type: DescribedType, annotations: Annotations): Result<DescribedType> {
  const least = annotations.get(ANNOTATIONS.least);
  const most = annotations.get(ANNOTATIONS.most);
  const maxBytes = annotations.get(ANNOTATIONS.maxBytes);
  if (least !== undefined || most !== undefined) {
    if (type.which !== "integer") return refuse("`least` and `most` are for integers");
    const low = typeof least === "bigint" && least > type.integer.low ? least : type.integer.low;
    const high = typeof most === "bigint" && most < type.integer.high ? most : type.integer.high;
    if (low > high) return refuse(`no integer of its type is at least ${low} and at most ${high}`);
    if (high < 0n) return refuse("`most` is at least 0: the policy's tables hold no range that ends below zero");
    return { ok: true, value: { which: "integer", integer: { low, high } } };
  }
  if (maxBytes === undefined) return { ok: true, value: type };
  if (type.which !== "text") return refuse("`maxBytes` is for text");
  if (typeof maxBytes !== "number" || maxBytes === 0) return refuse("a text of at most 0 bytes says nothing");
  return { ok: true, value: { which: "text", text: { maxBytes: Math.min(maxBytes, type.text.maxBytes) } } };
}

/** Annotations of one method in a schema, as texts in the syntax of the page. */
export interface MethodAnnotations {
  readonly category: string | undefined;
  readonly label: string | undefined;
  readonly truncate: number | undefined;
  readonly redact: readonly string[];
  readonly meanings: readonly (readonly [argument: string, meaning: string])[];
}

export function readAnnotations(request: SchemaRequest, face: InterfaceNode, method: SchemaMethod): MethodAnnotations {
  const truncate = method.annotations.get(ANNOTATIONS.truncate);
  return {
    category: getWords(method.annotations, ANNOTATIONS.category),
    label: getWords(method.annotations, ANNOTATIONS.label) ?? getWords(face.annotations, ANNOTATIONS.label),
    truncate: typeof truncate === "number" ? truncate : undefined,
    redact: getFields(request, method.results).flatMap(({ name, annotations }) =>
      annotations.has(ANNOTATIONS.redact) ? [name] : [],
    ),
    meanings: getFields(request, method.params).flatMap(({ name, annotations }) => {
      const meaning = getWords(annotations, ANNOTATIONS.meaning);
      return meaning === undefined ? [] : [[name, meaning] as const];
    }),
  };
}

function getFields(request: SchemaRequest, struct: bigint) {
  const node = request.nodes.get(struct);
  return node?.kind === "struct" ? node.fields : [];
}

function getWords(annotations: Annotations, id: bigint): string | undefined {
  const said = annotations.get(id);
  return typeof said === "string" ? said : undefined;
}
