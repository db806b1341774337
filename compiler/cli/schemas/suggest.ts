import { Type } from "typebox";
import { LOG } from "./audit.ts";
import { RANGE, REPORT } from "./diagnostics.ts";
import { LONG } from "./record.ts";
import { DAYS } from "./replay.ts";

const closed = { additionalProperties: false };
const TEXT_OR_NULL = Type.Union([Type.String(), Type.Null()]);

const records = Type.Array(
  Type.Object(
    { log: Type.Integer({ minimum: 0 }), sequence: LONG, wallMs: LONG, isInOrder: Type.Boolean() },
    { ...closed, description: "a record of an approved call" },
  ),
);

const opened = Type.Object(
  {
    place: Type.String({ description: "session, task and phase" }),
    tool: Type.String(),
    arguments: Type.Union([Type.String(), Type.Null()], { description: "of a call that shows it" }),
    before: TEXT_OR_NULL,
    after: TEXT_OR_NULL,
  },
  closed,
);

const suggestion = Type.Object(
  {
    session: Type.String(),
    tool: Type.String(),
    line: Type.String({ description: "as it would stand on the page" }),
    edits: Type.Array(Type.Object({ ...RANGE.properties, replacement: Type.String() }, closed), {
      description: "of the page with all suggestions before this one made",
    }),
    records,
    opens: Type.Array(opened, { description: "all that is wider with it" }),
    free: Type.Array(Type.String(), { description: "arguments of which the line says nothing" }),
  },
  closed,
);

const left = Type.Object(
  { session: Type.String(), tool: Type.String(), because: Type.String(), records },
  { ...closed, description: "approved calls for which nothing is suggested" },
);

const suggested = Type.Object(
  {
    policy: Type.String(),
    logs: Type.Array(LOG),
    suggestions: Type.Array(suggestion),
    left: Type.Array(left),
    prompts: DAYS,
  },
  closed,
);

/** Output of `capc suggest --json`. */
export const suggestSchema = Type.Union([suggested, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "lines that let approved calls go without a prompt, or the findings of a page with errors",
});
