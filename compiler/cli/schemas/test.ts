import { Type } from "typebox";
import { MUTANT_KINDS } from "../../queries/mutants/kinds.ts";
import { FINDING, REPORT } from "./diagnostics.ts";

const closed = { additionalProperties: false };
const count = Type.Integer({ minimum: 0 });
const texts = Type.Array(Type.String());

/** Place where a line begins. */
const place = { file: Type.String(), line: Type.Integer({ minimum: 1 }), column: Type.Integer({ minimum: 1 }) };

const coverage = Type.Object(
  {
    rules: Type.Array(Type.Object({ id: Type.String(), words: Type.String(), ...place, times: count }, closed), {
      description: "lines of the page, and how often each decided",
    }),
    pairs: Type.Array(Type.Object({ session: Type.String(), tool: Type.String(), times: count }, closed), {
      description: "tools that can be called in a session, and how often each was",
    }),
  },
  closed,
);

const line = Type.Union([Type.String(), Type.Null()]);
const golden = Type.Object(
  {
    file: Type.String(),
    moved: Type.Array(Type.Object({ before: line, after: line }, closed), { description: "lines that differ" }),
  },
  { ...closed, description: "the decisions that somebody accepted" },
);

const mutant = Type.Object(
  {
    kind: Type.Enum([...MUTANT_KINDS]),
    change: Type.String(),
    words: Type.String({ description: "the line of the page that would say something else" }),
    ...place,
    places: Type.Array(Type.String(), { description: "session, task and phase" }),
    tools: texts,
    tests: Type.Array(Type.String(), { description: "titles of tests that would fail" }),
    proofs: Type.Array(Type.String(), { description: "assertions that would not be proved any more" }),
    golden: Type.Boolean({ description: "whether an accepted decision would differ" }),
  },
  closed,
);

const mutation = Type.Object(
  {
    noticed: count,
    survived: count,
    percent: Type.Integer({ minimum: 0, maximum: 100 }),
    golden: Type.Union([Type.String(), Type.Null()]),
    mutants: Type.Array(mutant),
  },
  { ...closed, description: "with --mutate, of a page whose tests hold" },
);

const results = Type.Object(
  {
    passed: count,
    failed: count,
    tests: Type.Array(Type.Object({ title: Type.String(), passed: Type.Boolean() }, closed)),
    failures: Type.Array(FINDING),
    coverage,
    golden: Type.Union([golden, Type.Null()]),
    mutation: Type.Optional(mutation),
  },
  closed,
);

/** Output of `capc test --json`. */
export const testSchema = Type.Union([results, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "what the tests of a page came to, or the findings of a page with errors",
});
