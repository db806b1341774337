import { Type } from "typebox";
import { RANGE, REPORT } from "./diagnostics.ts";

const closed = { additionalProperties: false };

const ANSWER = Type.Enum(["auto", "consent", "stepUp", "unknownTool", "invalidArguments", "refusedByPolicy"], {
  description: "a mode that has to be passed, or the outcome of a refusal",
});

const question = Type.Object(
  {
    session: Type.String(),
    task: Type.Optional(Type.String()),
    phase: Type.Optional(Type.String()),
    values: Type.Optional(Type.String({ description: "values of the task's parameters, as a person types them" })),
    tool: Type.String(),
    arguments: Type.Optional(Type.String({ description: "JSON text, as it was asked" })),
    label: Type.Optional(Type.String({ description: "what the conversation has seen" })),
    unattended: Type.Optional(Type.Boolean()),
    heard: Type.Optional(
      Type.Object(
        {
          typed: Type.Optional(Type.String()),
          pasted: Type.Optional(Type.String()),
          result: Type.Optional(Type.Object({ tool: Type.String(), json: Type.String() }, closed)),
        },
        { ...closed, description: "what was said before the call" },
      ),
    ),
  },
  closed,
);

const check = Type.Object(
  {
    name: Type.Enum(["tool", "arguments", "mode", "flow", "quota", "gate"]),
    verdict: Type.Enum(["passes", "decides", "notAsked"]),
    words: Type.Array(Type.String()),
  },
  closed,
);

const moved = Type.Object(
  {
    place: Type.String({ description: "session, task and phase" }),
    what: Type.String({ description: "a tool, a quota, or a flow with the aspect of its data that changes" }),
    before: Type.String(),
    after: Type.String(),
  },
  closed,
);

const passed = Type.Object(
  {
    words: Type.String(),
    by: Type.String({ description: "the line that is preferred" }),
    why: Type.Enum(["closer", "own"], {
      description:
        "the other line has a closer pattern, or it is the session's own and replaces what it has from another",
    }),
    ...RANGE.properties,
  },
  closed,
);

const change = Type.Object(
  {
    edits: Type.Array(Type.Object({ ...RANGE.properties, replacement: Type.String() }, closed)),
    answer: ANSWER,
    opens: Type.Array(moved, {
      description: "what else means something else after it; first the same tool with other arguments, last flows",
    }),
    narrows: Type.Array(moved, {
      description: "decisions that the change makes stricter, so that it opens less",
    }),
    flowsSkipped: Type.Union([Type.String(), Type.Null()], {
      description: "the reason why flows were not compared, or null if they were",
    }),
  },
  closed,
);

const refusedChange = Type.Object(
  {
    edits: Type.Array(Type.Object({ ...RANGE.properties, replacement: Type.String() }, closed)),
    code: Type.String(),
    message: Type.String(),
  },
  closed,
);

const explanation = Type.Object(
  {
    question,
    answer: ANSWER,
    reason: Type.String(),
    arguments: Type.String({ description: "canonical JSON text where they could be read" }),
    label: Type.String({ description: "label of the conversation when the call is decided" }),
    checks: Type.Array(check, { description: "in the order in which they are made" }),
    rule: Type.Union([
      Type.Object({ id: Type.String(), words: Type.String(), ...RANGE.properties }, closed),
      Type.Null(),
    ]),
    passedOver: Type.Array(passed, { description: "lines that cover the tool and decide nothing" }),
    masked: Type.Array(Type.Object({ backend: Type.String(), redactions: Type.Array(Type.String()) }, closed), {
      description: "what is masked in the call and its result before a backend of the session hears them",
    }),
    refusedChange: Type.Union([refusedChange, Type.Null()], {
      description:
        "where no lawful change is known: one that would loosen the call, and the error of the page that it makes",
    }),
    change: Type.Union([change, Type.Null()], {
      description: "the least that is known; null: none, or none is needed",
    }),
  },
  closed,
);

/** Output of `capc why --json`. */
export const whySchema = Type.Union([explanation, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "why capc says that a call is allowed, gated or refused, or the findings of a page with errors",
});
