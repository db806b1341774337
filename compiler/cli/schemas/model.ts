import { Type } from "typebox";

const closed = { additionalProperties: false };
const makeNullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);
const fields = {
  file: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  name: Type.String({ description: "as the file calls itself: text of whoever made it" }),
  arch: Type.String(),
  quantisation: Type.String({
    description: "what its maker calls how the numbers are written, or how most of them are",
  }),
  contextTokens: Type.Integer({ minimum: 1 }),
  vocabulary: Type.Integer({ minimum: 0 }),
  knowsChatMl: Type.Boolean(),
  reluctance: Type.Number({
    minimum: 0,
    maximum: 10,
    description: "nats by which a call is less likely than they think",
  }),
  copying: Type.Number({
    minimum: 0,
    maximum: 20,
    description: "nats by which an argument is likelier to copy what was said than they think",
  }),
  id: makeNullable(Type.String({ description: "architecture and digest, as the card beside it says" })),
  signedBy: makeNullable(
    Type.String({ pattern: "^[0-9a-f]{64}$", description: "whose signature over the card holds" }),
  ),
};

const one = Type.Object({ ...fields, faults: Type.Array(Type.String()) }, closed);

const added = Type.Object({ ...fields, page: Type.String({ description: "what a page says to run it" }) }, closed);

const listed = Type.Object(
  {
    models: Type.Array(Type.Object(fields, closed)),
    faults: Type.Array(Type.String({ description: "files that are no weights" })),
  },
  closed,
);

const share = Type.Number({ minimum: 0, maximum: 1 });
const SHARE = Type.Object(
  { right: share, low: share, high: share },
  { ...closed, description: "with 95 % confidence" },
);

const measured = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          set: Type.Enum(["seen", "unseen", "none", "result"]),
          cases: Type.Integer({ minimum: 1 }),
          name: SHARE,
          full: SHARE,
          cpuSeconds: Type.Number({ minimum: 0, description: "of one case, on one thread" }),
          errors: Type.Record(Type.String(), Type.Integer({ minimum: 1 })),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** Output of `capc model --json`: `added` for add, `one` for sign and verify, `listed` for list, and `measured` for eval. */
export const modelSchema = Type.Union([added, one, listed, measured], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "what capc says of files of weights",
});
