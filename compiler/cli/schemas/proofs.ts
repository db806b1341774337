import { Type } from "typebox";
import { REPORT } from "./diagnostics.ts";

const closed = { additionalProperties: false };
const makeNullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const LABEL = Type.String({ description: "what the conversation has seen after it" });
const GATE = Type.Enum(["auto", "consent", "stepUp"]);

const call = Type.Object(
  {
    kind: Type.Literal("call"),
    tool: Type.String(),
    arguments: Type.String({ description: "JSON text" }),
    heard: Type.Optional(
      Type.Array(
        Type.Object(
          {
            value: Type.String(),
            sources: Type.Array(Type.String(), { minItems: 1 }),
            standing: Type.Enum(["strong", "weak", "none", "unknown"]),
          },
          closed,
        ),
        { description: "what the conversation heard of values before" },
      ),
    ),
    gate: GATE,
    rule: makeNullable("the line that asks for the gate"),
    release: Type.Optional(Type.String({ description: "the line that lets its words out" })),
    returning: Type.Optional(Type.String({ description: "the label that the provider states" })),
    label: LABEL,
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    use: Type.Optional(
      Type.Object(
        { tool: Type.String(), by: Type.String({ description: "the service that holds the grant" }) },
        { ...closed, description: "what a service may use then by a grant, and breaks the assertion" },
      ),
    ),
  },
  closed,
);
const phase = Type.Object({ kind: Type.Literal("phase"), phase: Type.String(), gate: GATE, label: LABEL }, closed);
const ingress = Type.Object({ kind: Type.Literal("ingress"), name: Type.String(), label: LABEL }, closed);
const infer = Type.Object({ kind: Type.Literal("infer"), backend: Type.String(), gate: GATE, label: LABEL }, closed);
const flat = [call, phase, ingress, infer] as const;
const worker = Type.Object(
  {
    kind: Type.Literal("worker"),
    worker: Type.String(),
    steps: Type.Array(Type.Union([...flat])),
    label: LABEL,
  },
  closed,
);

/** One conversation, from its beginning. */
export const PLAYED = Type.Object(
  {
    session: Type.String(),
    task: Type.String(),
    begun: Type.Optional(Type.String({ description: "the command that begins the task with its values" })),
    steps: Type.Array(Type.Union([...flat, worker])),
  },
  closed,
);

const assertion = Type.Object(
  {
    assertion: Type.String({ description: "as the page writes it, or the name of one that is inherited" }),
    of: Type.Enum(["page", "conversations", "image"]),
    at: makeNullable("file:line:column"),
    verdict: Type.Enum(["proved", "refuted", "undetermined"]),
    sentence: Type.String({ description: "what holds under which premises, what is wrong, or why neither was found" }),
    releases: Type.Array(Type.String(), { description: "lines of releases that the proof counts with" }),
    uncounted: Type.Array(Type.String(), {
      description: "ways to the same by grants and plans, which an assertion about direct calls does not count",
    }),
    offline: Type.Array(Type.String(), {
      description: "tools in `outboundNet` that are not a way out, because no service behind them has a network",
    }),
    isVacuous: Type.Boolean({ description: "the page has no tool, and no backend, that the assertion is about" }),
    isUnlabelled: Type.Boolean({
      description: "the assertion holds only because no data of the page has a label to which the assertion applies",
    }),
    ignoresReleases: Type.Boolean({
      description: "the assertion ignores flows through releases, so `releases` do not count",
    }),
    size: Type.Union([Type.Object({ states: Type.Integer(), labels: Type.Integer() }, closed), Type.Null()], {
      description: "what a proof about conversations looked at",
    }),
    story: Type.Array(Type.String(), { description: "the conversations for a person, a line each step" }),
    witness: Type.Union([Type.Array(PLAYED), Type.Null()]),
  },
  closed,
);

const waived = Type.Object(
  { assertion: Type.String(), session: makeNullable("null: all"), because: Type.String() },
  closed,
);

const prompts = Type.Object(
  {
    place: Type.String(),
    wanted: Type.String({ description: "the most questions of a conversation if none were counted, or unbounded" }),
    asked: Type.String({ description: "the same with every quota" }),
    by: Type.Array(Type.String()),
    quotas: Type.Array(Type.String()),
  },
  closed,
);

const dead = Type.Object({ place: Type.String(), tool: Type.String(), why: Type.String() }, closed);

const loosened = Type.Object(
  {
    place: Type.String({ description: "a session, a task, a phase or a worker" }),
    line: Type.String({ description: "the stricter line, which does not hold there for these tools" }),
    by: Type.Array(Type.String(), { description: "lines that go before it" }),
    at: Type.String({ description: "file:line:column of the first of them" }),
    tools: Type.Array(Type.String()),
    shown: Type.String({ description: "a call that it would have kept back" }),
    because: makeNullable("why that may be, as the page says it"),
  },
  closed,
);

const report = Type.Object(
  {
    system: Type.String(),
    version: Type.String(),
    policy: Type.String({ description: "SHA-256 of the policy tables, in hexadecimal" }),
    assertions: Type.Array(assertion),
    waived: Type.Array(waived),
    prompts: Type.Array(prompts, { description: "how often a conversation may ask people, at worst" }),
    dead: Type.Array(dead, { description: "permissions that no conversation can use" }),
    loosened: Type.Array(loosened, { description: "lines that looser ones go before" }),
  },
  closed,
);

/** Output of `capc prove --json`, and content of proofs.json in a build. */
export const proofsSchema = Type.Union([report, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "what capc proved of a page, or the findings of a page with errors",
});
