// Schemas of tools, as the compiler makes them.

import fc from "fast-check";
import type { JsonRecord } from "../../../../../lib/policy/index.ts";

const name = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,6}$/);
const bound = fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.maxSafeInteger());
const leaf = fc.oneof(
  fc.constant({ type: "boolean" }),
  fc.constant({ type: "number" }),
  fc.tuple(bound, bound).map(([one, other]) => ({
    type: "integer",
    minimum: Math.min(one, other),
    maximum: Math.max(one, other),
  })),
  fc
    .oneof(fc.nat(12), fc.integer({ min: 250, max: 600 }), fc.constant(65_536))
    .map((maxLength) => ({ type: "string", maxLength })),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((options) => ({ type: "string", enum: options })),
  fc.uniqueArray(bound, { minLength: 1, maxLength: 4 }).map((options) => ({ type: "integer", enum: options })),
);
export const { schema } = fc.letrec<{ schema: JsonRecord; value: JsonRecord }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    leaf as fc.Arbitrary<JsonRecord>,
    tie("value").map((items) => ({ type: "array", items })),
    tie("schema"),
  ),
  schema: fc
    .uniqueArray(fc.tuple(name, tie("value"), fc.boolean()), { maxLength: 4, selector: ([key]) => key })
    .map((members) => ({
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(members.map(([key, value]) => [key, value])),
      required: members.filter(([, , is]) => is).map(([key]) => key),
    })),
}));
