import { Type } from "typebox";
import { Condition } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { REPORT } from "./diagnostics.ts";
import { PLAYED } from "./proofs.ts";
import { createRecordSchema } from "./record.ts";

const closed = { additionalProperties: false };

const MODE = Type.Enum([...MODES]);
const DECIDED = Type.Enum([...MODES, "not there", "refusedByPolicy"]);
const DIRECTION = Type.Enum(["widened", "narrowed", "moved"], {
  description: "more authority, less, or both, or neither",
});
const LIST = Type.Array(Type.String());

const DIGEST = { pattern: "^[0-9a-f]{64}$" };
/** One side of a comparison. */
export const SIDE = Type.Object(
  {
    name: Type.String(),
    system: Type.String(),
    version: Type.String(),
    tables: Type.String({ ...DIGEST, description: "SHA-256 of its policy tables, which its audit quotes" }),
    meaning: Type.String({ ...DIGEST, description: "SHA-256 of what they mean: no comment and no order changes it" }),
  },
  closed,
);

const call = Type.Object(
  {
    tool: Type.String(),
    arguments: Type.Union([Type.String(), Type.Null()], {
      description: "canonical JSON text; null: none was found, and none can be ruled out",
    }),
    assumptions: Type.Array(Type.String(), {
      description: "what its decision takes for granted: the sources of values, and how the task was begun",
    }),
    label: Type.Union([Type.String(), Type.Null()], {
      description: "what the conversation has seen; null: any is decided so",
    }),
    unattended: Type.Boolean(),
    earlier: Type.Union([Type.String(), Type.Null()], {
      description: "session or task, and the call before it, because of whose label it is decided so; null: none",
    }),
    before: DECIDED,
    after: DECIDED,
    likewise: Type.Array(Type.String(), { description: "other calls and answers that changed in the same direction" }),
  },
  closed,
);

const way = Type.Object(
  {
    possible: Type.Enum(["now", "before"]),
    source: Type.String({ description: "a level, compartments, or anything" }),
    sink: Type.String({ description: "a service or a backend" }),
    story: Type.Array(Type.String(), { description: "the shortest conversations for a person, a line each step" }),
    witness: Type.Union([Type.Array(PLAYED), Type.Null()], { description: "null: it can only not be ruled out" }),
  },
  closed,
);

/** One change. */
export const CHANGE = Type.Object(
  {
    direction: DIRECTION,
    widens: Type.Boolean({ description: "more authority, certainly or possibly" }),
    at: Type.Array(Type.Object({ place: Type.String(), tools: LIST }, closed)),
    what: Type.String({ description: "empty: how tools are decided" }),
    before: Type.String(),
    after: Type.String(),
    clauses: Type.Array(Type.Object({ mark: Type.Enum(["same", "removed", "added"]), text: Type.String() }, closed), {
      description: "lines of two long decisions, in the order of the pages; empty: both fit into one line",
    }),
    parts: Type.Array(
      Type.Object(
        { direction: DIRECTION, what: Type.String(), before: Type.String(), after: Type.String(), tools: LIST },
        closed,
      ),
      { description: "aspects of the change; empty: it has one" },
    ),
    details: Type.Array(Type.String(), {
      description: "limits and other properties of a new session, task, phase, worker or tool",
    }),
    notes: Type.Array(Type.String(), { description: "sentences that explain the change to a reader" }),
    witnesses: Type.Array(call, { description: "calls that show it" }),
    ways: Type.Array(way, { description: "of a flow: conversations that show it" }),
    lines: Type.Array(
      Type.Object(
        {
          words: Type.String(),
          place: Type.String(),
          applies: Type.Union([Type.Enum(["more", "less", "gone"]), Type.Null()], {
            description:
              "more, less: the rule itself is unchanged, and applies to more or fewer conversations; gone: a line of the older side; null: the line states the change",
          }),
        },
        closed,
      ),
      { description: "lines of the newer side that say so" },
    ),
    because: LIST,
  },
  closed,
);

const clause = Type.Object(
  {
    conditions: Type.Array(createRecordSchema(Condition)),
    met: MODE,
    otherwise: MODE,
    group: Type.Optional(Type.Integer({ minimum: 1, description: "clauses with one number decide together" })),
  },
  { ...closed, description: "the strictest of all clauses, and of all floors that are met, decides" },
);

const NAME = Type.Union([Type.String(), Type.Null()]);
const floor = Type.Object(
  {
    confidentiality: NAME,
    integrity: NAME,
    compartments: LIST,
    unattended: Type.Boolean(),
    conditions: Type.Array(createRecordSchema(Condition), { description: "of the arguments; all must hold" }),
    mode: MODE,
  },
  { ...closed, description: "met at or above the confidentiality, at or below the integrity; null: not asked" },
);

const cell = Type.Union(
  [Type.Object({ clauses: Type.Array(clause), floors: Type.Array(floor) }, closed), Type.Null()],
  { description: "null: the tool does not exist there" },
);

const place = Type.Object(
  { session: Type.String(), task: Type.String(), phase: Type.String(), worker: Type.String() },
  closed,
);

const cells = Type.Object(
  {
    direction: Type.Enum(["widened", "narrowed", "moved", "alike"], {
      description: "alike: said in other lines, and decided as before",
    }),
    before: cell,
    after: cell,
    at: Type.Array(Type.Object({ place, tools: LIST }, closed)),
  },
  closed,
);

const difference = Type.Object(
  {
    before: SIDE,
    after: SIDE,
    changes: Type.Array(CHANGE, { description: "widened first, then moved, then narrowed" }),
    cells: Type.Array(cells, { description: "made on the older tables, these give the cells of the newer ones" }),
    alike: Type.Integer({ minimum: 0 }),
    notCompared: Type.Array(Type.String(), { description: "what may be different all the same" }),
  },
  closed,
);

/** Output of `capc diff --json`. */
export const diffSchema = Type.Union([difference, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "what two systems mean differently, or the findings of a page with errors",
});
