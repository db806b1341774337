import { Type } from "typebox";
import { LOSSES, TARGETS } from "../../queries/export/index.ts";
import { REPORT } from "./diagnostics.ts";

const closed = { additionalProperties: false };

const line = Type.Union([Type.Object({ words: Type.String(), place: Type.String() }, closed), Type.Null()], {
  description: "the line of the page that is lost",
});

const loss = Type.Object(
  {
    code: Type.Enum(Object.keys(LOSSES)),
    effect: Type.Enum(["stricter", "unheld"], {
      description: "stricter: it refuses or asks more than the page; unheld: whoever runs it has to keep this bound",
    }),
    general: Type.Boolean({ description: "the target lacks it whatever stands on a page" }),
    what: Type.String(),
    line,
    at: Type.Array(Type.Object({ place: Type.String(), tools: Type.Array(Type.String()) }, closed)),
  },
  closed,
);

const file = Type.Object({ name: Type.String(), text: Type.String() }, closed);

const exported = Type.Object(
  {
    target: Type.Enum([...TARGETS]),
    system: Type.String(),
    version: Type.String(),
    place: Type.Union([Type.String(), Type.Null()], { description: "null: all of the page's" }),
    losses: Type.Array(loss),
    files: Type.Optional(Type.Array(file, { description: "the policy itself first; not in report.json" })),
  },
  closed,
);

/** Output of `capc export --to TARGET --json`, and content of report.json. */
export const exportSchema = Type.Union([exported, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "a policy for an engine or agent of others, or the findings of a page with errors",
});
