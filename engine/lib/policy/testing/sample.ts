// Small valid tables, which tests modify.
import type {
  Backend,
  Clause,
  Condition,
  Label,
  Literal,
  PolicyTables,
  Row,
  Tool,
  Type,
} from "../../wire/generated/policy.ts";
import { type IndexedTables, indexTables } from "../tables.ts";

export const PUBLIC: Label = { confidentiality: 0, integrity: 1, compartments: 0n };
export const SECRET: Label = { confidentiality: 2, integrity: 1, compartments: 0n };
export const FINANCE = 1n;
export const HR = 2n;

const ROOTS = 65_535;
export const CATEGORY = { readOnly: 0, mutatingLocal: 1, destructive: 2, payments: 3 } as const;

const text: Type = { which: "text", text: { maxBytes: 64 } };

export function tool(name: string, changes: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `${name} for tests`,
    interfaceId: 0x9a5dn,
    interfaceName: "Sample",
    method: 0,
    methodName: name.split(".")[1] ?? "",
    category: CATEGORY.mutatingLocal,
    readOnly: false,
    provider: name.split(".")[0] ?? "",
    paramSchema: "{}",
    params: [{ name: "path", type: text, required: true }],
    result: { low: PUBLIC, high: PUBLIC },
    sink: { ...SECRET, integrity: 0, compartments: FINANCE | HR },
    networked: false,
    redact: [],
    truncateBytes: 0,
    pageProgram: false,
    strong: [],
    layout: { dataWords: 0, pointers: 0, places: [] },
    servers: [],
    methodDenied: false,
    ...changes,
  };
}

/** Returns a backend that answers in the machine itself, and is cleared for public data only. */
export function backend(name: string, changes: Partial<Backend> = {}): Backend {
  return {
    name,
    kind: "stub",
    clearance: PUBLIC,
    local: true,
    quotas: [],
    logRequired: false,
    currency: "",
    contextTokens: 0,
    inputMicros: 0n,
    outputMicros: 0n,
    embedder: "",
    ...changes,
  };
}

export function always(met: Clause["met"], rule = 0): Clause {
  return { conditions: [], met, otherwise: met, rule, group: 0 };
}

export function where(
  conditions: readonly Condition[],
  met: Clause["met"],
  otherwise: Clause["met"],
  rule = 0,
): Clause {
  return { conditions, met, otherwise, rule, group: 0 };
}

export function check(
  name: string,
  operator: Condition["operator"],
  ...values: readonly (string | number | boolean)[]
): Condition {
  return { path: [name], term: "value", operator, literals: values.map(literal), ...PLAIN };
}

/** Fields of a condition that tests one value, which must be present and is used unchanged. */
export const PLAIN = {
  each: "single",
  extract: "none",
  absentHolds: false,
  sources: [],
} as const satisfies Partial<Condition>;

function literal(value: string | number | boolean): Literal {
  if (typeof value === "boolean") return { which: "boolean", boolean: value };
  return typeof value === "number" ? { which: "decimal", decimal: String(value) } : { which: "text", text: value };
}

export function row(session: string, cells: readonly number[], changes: Partial<Row> = {}): Row {
  return {
    session,
    task: "",
    phase: "",
    worker: "",
    kind: "operator",
    principals: [],
    cells,
    clearance: { confidentiality: 2, integrity: 0, compartments: FINANCE | HR },
    starts: PUBLIC,
    backends: [],
    quotas: [],
    timeouts: { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 0 },
    phaseIndex: 0,
    entry: "auto",
    entryRule: 0,
    remember: "none",
    login: "none",
    loginRule: 0,
    requiresTask: false,
    taskRule: 0,
    parameters: [],
    releases: [],
    ...changes,
  };
}

export function tables(changes: Partial<PolicyTables> = {}): PolicyTables {
  return {
    schemaVersion: 2,
    systemId: "sample",
    version: "1.0.0",
    lattice: {
      confidentiality: ["public", "internal", "secret"],
      integrity: ["untrusted", "reviewed", "system"],
      compartments: ["finance", "hr"],
    },
    categories: [
      { name: "readOnly", parent: ROOTS },
      { name: "mutatingLocal", parent: ROOTS },
      { name: "destructive", parent: ROOTS },
      { name: "payments", parent: CATEGORY.destructive },
    ],
    tools: [tool("notes.write")],
    rules: [
      { id: "0", words: "the first line", place: "a.cap:1:1" },
      { id: "1", words: "the second line", place: "a.cap:2:1" },
    ],
    decisions: [{ clauses: [always("auto")], floors: [] }],
    rows: [row("operator", [2])],
    backends: [],
    principals: [],
    releases: [],
    ingresses: [],
    pageTexts: [],
    redactions: [],
    audit: { hasLimit: false, keep: "always", above: { confidentiality: 0, integrity: 0, compartments: 0n } },
    ...changes,
  };
}

export const CANNED = "canned";

/** Returns tables in which one backend answers in every row and is cleared for everything. */
export function answered(changes: Partial<PolicyTables> = {}): PolicyTables {
  const page = tables(changes);
  const { confidentiality, compartments } = page.lattice;
  const all = (1n << BigInt(compartments.length)) - 1n;
  const clearance: Label = { confidentiality: confidentiality.length - 1, integrity: 0, compartments: all };
  return {
    ...page,
    backends: [backend(CANNED, { clearance })],
    rows: page.rows.map((one) => ({ ...one, backends: [{ backend: 0, mode: "auto" }] })),
  };
}

/** Returns indexed sample tables. Throws if the sample is wrong, which is a defect of the test. */
export function indexed(changes: Partial<PolicyTables> = {}): IndexedTables {
  const result = indexTables(tables(changes));
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}
