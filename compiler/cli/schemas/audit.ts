import { Type } from "typebox";
import { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { createRecordSchema, HEX, LONG } from "./record.ts";

const closed = { additionalProperties: false };

const fault = Type.Object({ sequence: LONG, offset: LONG, reason: Type.String() }, closed);

export const SEALED = Type.Union(
  [Type.Object({ key: HEX, epoch: Type.Integer(), sequence: LONG }, closed), Type.Null()],
  {
    description: "the audit key, and the newest seal with the record that it is",
  },
);
const known = Type.Union([Type.Object({ hash: HEX, sequence: Type.Union([LONG, Type.Null()]) }, closed), Type.Null()]);

/** Output of `capc audit verify --json` for a log. */
const verdict = Type.Object(
  {
    inOrder: Type.Boolean(),
    records: LONG,
    boots: Type.Integer(),
    bytes: LONG,
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

/** Output of `capc audit verify --json` and `capc audit show --json`. */
export const auditSchema = Type.Union(
  [verdict, exported, Type.Object({ records: Type.Array(record), verdict }, closed)],
  {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "what capc says of an audit log",
  },
);
