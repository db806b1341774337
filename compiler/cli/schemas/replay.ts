import { Type } from "typebox";
import { PermissionDecision } from "../../../engine/lib/wire/generated/audit.ts";
import { Outcome } from "../../../engine/lib/wire/generated/capos.ts";
import { LOG } from "./audit.ts";
import { REPORT } from "./diagnostics.ts";
import { LONG } from "./record.ts";

const closed = { additionalProperties: false };
const COUNT = Type.Integer({ minimum: 0 });
const NULL = Type.Null();

const ANSWER = Type.Enum(
  ["auto", "consent", "stepUp", "parked", "refusedByPolicy", "invalidArguments", "unknownTool", "notThere"],
  { description: "the gate that a call meets, or why it meets none; parked: it waits for a person" },
);

const before = Type.Object(
  {
    answer: Type.Union([ANSWER, NULL]),
    decision: Type.Enum([...PermissionDecision.members, ""]),
    outcome: Type.Enum([...Outcome.members, ""]),
    error: Type.String(),
    rule: Type.String(),
    principal: Type.String(),
  },
  { ...closed, description: "what the record says; empty words: nothing" },
);

const rule = Type.Object({ id: Type.String(), words: Type.String(), place: Type.String() }, closed);

const after = Type.Object(
  {
    answer: Type.Union([ANSWER, NULL], { description: "null: it cannot be decided" }),
    answers: Type.Union([Type.Array(ANSWER), NULL], { description: "what it may be then" }),
    reason: Type.String({ description: "of the decision, or why there is none" }),
    rule: Type.Union([rule, NULL]),
  },
  closed,
);

const finding = Type.Object(
  {
    log: Type.Integer({ minimum: 0, description: "place in logs" }),
    sequence: LONG,
    wallMs: LONG,
    isInOrder: Type.Boolean({ description: "the chain vouches for the record" }),
    kind: Type.Enum(["call", "step"]),
    session: Type.String(),
    place: Type.String({ description: "session.task.phase, as far as it is known" }),
    conversation: Type.String(),
    turn: COUNT,
    tool: Type.String(),
    arguments: Type.String({ description: "as they are on record, at most 4,096 characters" }),
    isWhole: Type.Boolean({ description: "the record holds all of them" }),
    isWithheld: Type.Boolean({ description: "the page keeps them out of the log, which has only their digest" }),
    before,
    after,
    direction: Type.Union([Type.Enum(["widened", "moved", "narrowed"]), NULL]),
    mayWiden: Type.Boolean({ description: "it is looser, or that cannot be ruled out" }),
  },
  closed,
);

const prompts = {
  before: COUNT,
  after: COUNT,
  open: Type.Integer({ minimum: 0, description: "calls that cannot be decided, any of which may ask" }),
};

export const DAYS = Type.Array(
  Type.Object({ day: Type.Union([Type.String(), NULL], { description: "by UTC" }), ...prompts }, closed),
);

const replayed = Type.Object(
  {
    policy: Type.Object({ name: Type.String(), system: Type.String(), version: Type.String() }, closed),
    logs: Type.Array(LOG),
    decisions: COUNT,
    inOrder: Type.Integer({ minimum: 0, description: "decisions of records that the chain vouches for" }),
    same: COUNT,
    counts: Type.Object({ widened: COUNT, moved: COUNT, narrowed: COUNT, undecided: COUNT, mayWiden: COUNT }, closed),
    otherwise: Type.Array(finding, { description: "at most 100,000; counts count all" }),
    undecided: Type.Array(finding, { description: "at most 100,000; counts count all" }),
    beyond: Type.Array(Type.Object({ reason: Type.String(), count: COUNT }, closed), {
      description: "what the machine refused by itself, under any page",
    }),
    prompts: Type.Object(
      {
        days: DAYS,
        tools: Type.Array(Type.Object({ session: Type.String(), tool: Type.String(), ...prompts }, closed)),
      },
      closed,
    ),
  },
  closed,
);

/** Output of `capc replay --json`. */
export const replaySchema = Type.Union([replayed, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "recorded decisions under another policy, or the findings of a page with errors",
});
