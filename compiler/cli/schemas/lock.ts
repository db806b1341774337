import { Type } from "typebox";

const closed = { additionalProperties: false };
const texts = Type.Record(Type.String(), Type.String());

/** Facts that a person accepted about one method, or the reason why it does not become a tool. */
const method = Type.Union([
  Type.Object(
    {
      ordinal: Type.Integer({ minimum: 0 }),
      description: Type.String(),
      arguments: texts,
      results: texts,
      facts: Type.Optional(Type.String({ description: "what the importing page says of it" })),
    },
    closed,
  ),
  Type.Object({ "left out": Type.String(), facts: Type.Optional(Type.String()) }, closed),
]);

const pin = Type.Object(
  {
    what: Type.Enum(["capnp", "mcp"]),
    files: Type.Record(Type.String(), Type.String({ pattern: "^sha256:[0-9a-f]{64}$" }), {
      description: "digests by path; they decide, the outline is for people",
    }),
    interfaces: Type.Record(Type.String(), Type.Record(Type.String(), method)),
  },
  closed,
);

/** Schema of the file cap.lock. */
export const lockSchema = Type.Object(
  { "//": Type.String(), version: Type.Literal(1), imports: Type.Record(Type.String(), pin) },
  { ...closed, $schema: "https://json-schema.org/draft/2020-12/schema", title: "cap.lock of capc" },
);
