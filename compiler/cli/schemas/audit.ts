import { Type } from "typebox";
import { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { Outcome, PermissionMode } from "../../../engine/lib/wire/generated/capos.ts";
import { createRecordSchema, HEX, LONG } from "./record.ts";

const closed = { additionalProperties: false };

const fault = Type.Object({ sequence: LONG, offset: LONG, reason: Type.String() }, closed);

const SEALED = Type.Union([Type.Object({ key: HEX, epoch: Type.Integer(), sequence: LONG }, closed), Type.Null()], {
  description: "the audit key, and the newest seal with the record that it is",
});
const known = Type.Union([Type.Object({ hash: HEX, sequence: Type.Union([LONG, Type.Null()]) }, closed), Type.Null()]);

/** Output of `capc audit verify --json` for a log. */
const verdict = Type.Object(
  {
    inOrder: Type.Boolean(),
    records: LONG,
    boots: Type.Integer(),
    bytes: LONG,
    released: Type.Union([Type.Object({ sequence: LONG, hash: HEX }, closed), Type.Null()], {
      description: "the last record that the log released; null: the log has all its records",
    }),
    lastHash: HEX,
    orphans: Type.Array(LONG, { description: "intents of earlier boots without an outcome" }),
    open: Type.Array(LONG, { description: "intents of the last boot without an outcome so far" }),
    torn: Type.Integer({ description: "bytes of blocks behind the last whole record" }),
    fault: Type.Union([fault, Type.Null()]),
    sealed: SEALED,
    estranged: Type.Union([Type.String(), Type.Null()], { description: "why the key on the disk is not the log's" }),
    known,
    limits: Type.String({ description: "what a chain in order does not show" }),
  },
  closed,
);

/** Output of `capc audit verify --json` for an export. */
const exported = Type.Object(
  {
    inOrder: Type.Boolean(),
    records: LONG,
    first: LONG,
    last: LONG,
    lastHash: HEX,
    previous: HEX,
    fault: Type.Union([Type.Object({ line: Type.Integer(), reason: Type.String() }, closed), Type.Null()]),
    sealed: SEALED,
    known,
    limits: Type.String({ description: "what an export in order does not show" }),
  },
  closed,
);

/** One record as `capc audit show --json` prints it: its place in the partition, its hash, and its content. */
const { properties } = createRecordSchema(AuditRecord) as {
  properties: Record<string, ReturnType<typeof createRecordSchema>>;
};
const record = Type.Object({ offset: LONG, length: Type.Integer(), hash: HEX, ...properties }, closed);

const COUNT = Type.Integer({ minimum: 0 });
const MOMENT = Type.Union([Type.Integer(), Type.Null()], {
  description: "milliseconds since 1970 by the machine's clock; null: no time of day is on record",
});
const MILLISECONDS = Type.Union([COUNT, Type.Null()], { description: "milliseconds; null: not on record" });
const WITHHELD = Type.Integer({ minimum: 0, description: "calls of which the log has only digests" });
const NAMES = Type.Array(Type.String());
const counts = Type.Object(
  { ok: COUNT, denied: COUNT, refused: COUNT, failed: COUNT, unknown: COUNT },
  { ...closed, description: "calls by outcome; unknown: sent, and without an outcome on record" },
);

const boot = { sequence: LONG, wallMs: MOMENT, system: Type.String(), version: Type.String(), orphans: COUNT };
const session = {
  session: Type.String(),
  principals: NAMES,
  conversations: COUNT,
  tasks: NAMES,
  calls: counts,
  called: NAMES,
};
const tool = {
  tool: Type.String(),
  category: Type.String(),
  calls: counts,
  outcomes: Type.Record(Type.String(), COUNT),
};
const refusal = {
  outcome: Type.Enum([...Outcome.members]),
  reason: Type.String(),
  count: COUNT,
  tools: NAMES,
  sequence: LONG,
};
const approver = {
  principal: Type.String({ description: "empty: the page demands neither a login nor a signature" }),
  surface: Type.String({ description: "empty: the log is older than the field" }),
  approved: COUNT,
  denied: COUNT,
  fastestMs: MILLISECONDS,
  medianMs: MILLISECONDS,
  slowestMs: MILLISECONDS,
};
const approval = {
  sequence: LONG,
  wallMs: MOMENT,
  session: Type.String(),
  what: Type.String({ description: "a tool, or a step such as /task triage" }),
  gate: Type.Enum(["consent", "stepUp"]),
  isApproved: Type.Boolean(),
  principal: Type.String(),
  surface: Type.String(),
  askedMs: MILLISECONDS,
};
const departure = {
  tool: Type.String(),
  origins: NAMES,
  calls: Type.Integer({ minimum: 0, description: "calls that ran" }),
  unsure: Type.Integer({
    minimum: 0,
    description: "calls that were sent and did not end well: their data may have left",
  }),
  attempts: Type.Integer({ minimum: 0, description: "all calls, also those that were refused" }),
  argumentBytes: COUNT,
  withheld: WITHHELD,
};
const release = {
  rule: Type.String({ description: "the line of the page" }),
  act: Type.String({ description: "declassify or endorse" }),
  tool: Type.String(),
  from: Type.String({ description: "label of the conversation" }),
  to: Type.String({ description: "label as which the arguments count" }),
  calls: Type.Integer({ minimum: 0, description: "calls that were sent under it" }),
  attempts: Type.Integer({ minimum: 0, description: "all calls that needed it" }),
  principals: NAMES,
  sequence: LONG,
};
const model = {
  backend: Type.String(),
  model: Type.String(),
  origins: NAMES,
  answers: COUNT,
  promptTokens: COUNT,
  outputTokens: COUNT,
  bytes: COUNT,
  masked: COUNT,
};
const listOf = (properties: Parameters<typeof Type.Object>[0]) => Type.Array(Type.Object(properties, closed));

/** Summary of the selected records. */
const activity = Type.Object(
  {
    records: COUNT,
    first: MOMENT,
    last: MOMENT,
    boots: listOf(boot),
    sessions: listOf(session),
    tools: listOf(tool),
    calls: counts,
    withheld: WITHHELD,
    timeline: Type.Object({ from: Type.Integer(), stepMs: COUNT, steps: Type.Array(counts) }, closed),
    refusals: listOf(refusal),
    approvers: listOf(approver),
    approvals: listOf(approval),
    quotas: listOf({ session: Type.String(), quota: Type.String(), refused: COUNT }),
    releases: listOf(release),
    left: listOf(departure),
    models: listOf(model),
    events: listOf({ session: Type.String(), event: Type.String(), count: COUNT }),
    policies: listOf({ digest: HEX, records: COUNT }),
  },
  closed,
);

const visible = {
  session: Type.String(),
  task: Type.String(),
  phase: Type.String(),
  tools: listOf({ tool: Type.String(), mode: Type.Enum([...PermissionMode.members]) }),
};

/** A log, and how far it can be trusted. */
export const LOG = Type.Object(
  {
    name: Type.String(),
    form: Type.Enum(["disk", "jsonl", "ocsf"]),
    records: COUNT,
    first: LONG,
    last: LONG,
    inOrder: Type.Boolean({ description: "the chain of its records is unbroken, and its seals are right" }),
    trouble: Type.Union([Type.String(), Type.Null()]),
    sealed: SEALED,
    unread: Type.Union([Type.Object({ count: COUNT, line: COUNT, reason: Type.String() }, closed), Type.Null()], {
      description: "lines that are no records, with the first of them",
    }),
  },
  closed,
);

/** Output of `capc audit summary --json`. */
const summary = Type.Object(
  {
    log: LOG,
    criteria: Type.Array(Type.String(), { description: "the options that selected records" }),
    timeless: Type.Integer({ description: "records without a time of day, which a span of time excludes" }),
    policy: Type.Union([
      Type.Object(
        { name: Type.String(), digest: HEX, visible: listOf(visible), otherRecords: COUNT },
        { ...closed, description: "otherRecords: records that were written under other policy tables" },
      ),
      Type.Null(),
    ]),
    activity,
  },
  closed,
);

/** Output of `capc audit verify --json`, `capc audit show --json` and `capc audit summary --json`. */
export const auditSchema = Type.Union(
  [verdict, exported, Type.Object({ records: Type.Array(record), verdict }, closed), summary],
  {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "what capc says of an audit log",
  },
);
