import { Type } from "typebox";
import { MODES } from "../../../lang/grammar/index.ts";
import { REPORT } from "./diagnostics.ts";
import { CHANGE, SIDE } from "./diff.ts";

const closed = { additionalProperties: false };
const LIST = Type.Array(Type.String());
const COUNT = Type.Integer({ minimum: 0 });
const DIGEST = { pattern: "^[0-9a-f]{64}$" };
const NAME = Type.Union([Type.String(), Type.Null()]);

const service = Type.Object(
  {
    name: Type.String(),
    interface: Type.String(),
    label: Type.String(),
    program: Type.Union([Type.Object({ path: Type.String(), bytes: COUNT }, closed), Type.Null()], {
      description: "of the page or the library; null: the runtime provides the service",
    }),
    stateBytes: Type.Integer({ minimum: 0, description: "at most so many bytes on the data disk" }),
    reaches: LIST,
  },
  closed,
);

const backend = Type.Object(
  {
    name: Type.String(),
    kind: Type.String(),
    clearance: Type.String(),
    model: NAME,
    bytes: Type.Integer({ minimum: 0, description: "of its file in the image" }),
    reaches: LIST,
  },
  closed,
);

const image = Type.Object(
  {
    processes: Type.Array(Type.Object({ name: Type.String(), role: Type.String() }, closed)),
    services: Type.Array(service),
    backends: Type.Array(backend),
    disk: Type.Union([
      Type.Object({ name: Type.String(), encrypted: Type.Boolean(), bytes: COUNT }, closed),
      Type.Null(),
    ]),
    network: NAME,
  },
  closed,
);

const gated = Type.Array(
  Type.Object(
    {
      name: Type.String({ description: "notes.* where all tools of a service have one gate" }),
      isConditional: Type.Boolean({ description: "arguments, the conversation or the phase decide" }),
    },
    closed,
  ),
);
const tools = Type.Object({ auto: gated, consent: gated, stepUp: gated, forbidden: gated } as const, {
  ...closed,
  description: "tools by the gate of their calls",
});

const session = Type.Object(
  {
    name: Type.String(),
    kind: Type.String(),
    boots: Type.Boolean(),
    principals: LIST,
    login: Type.Enum(["none", "key", "passphrase"]),
    backends: Type.Array(Type.Object({ name: Type.String(), mode: Type.Enum([...MODES]) }, closed)),
    quotas: LIST,
    requiresTask: Type.Boolean(),
    tools,
    within: Type.Array(Type.Object({ kind: Type.Enum(["task", "worker"]), name: Type.String(), tools }, closed)),
  },
  closed,
);

const memory = Type.Object(
  {
    machineBytes: COUNT,
    usedBytes: COUNT,
    sharedBytes: COUNT,
    roles: Type.Array(Type.Object({ role: Type.String(), processes: COUNT, bytes: COUNT }, closed)),
  },
  closed,
);

const against = Type.Object(
  { build: SIDE, isSame: Type.Boolean(), changes: Type.Array(CHANGE), notCompared: LIST },
  closed,
);

const planned = Type.Object(
  {
    page: Type.String(),
    system: Type.String(),
    version: Type.String(),
    tables: Type.String({ ...DIGEST, description: "SHA-256 of the policy tables, which the audit will quote" }),
    meaning: Type.String({ ...DIGEST, description: "SHA-256 of what they mean: no comment and no order changes it" }),
    target: Type.String(),
    image,
    proofs: Type.Object({ assertions: COUNT, unproved: COUNT }, closed),
    sessions: Type.Array(session),
    memory: Type.Union([memory, Type.Null()], { description: "as usually used; null for upstream's kernel" }),
    against: Type.Union([against, Type.Null()], { description: "the last build; null: there is none" }),
  },
  closed,
);

/** Output of `capc plan --json`. */
export const planSchema = Type.Union([planned, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "what a build would contain, allow, cost and change, or the findings of a page with errors",
});
