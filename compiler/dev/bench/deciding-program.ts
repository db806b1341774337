// Measures the cost of one decision for different numbers of tools and of earlier sources. The program is bundled,
// because without its JIT compiler Node.js cannot read TypeScript.
import {
  decide,
  type IndexedTables,
  indexTables,
  openConversation,
  type Sources,
} from "../../../engine/lib/policy/index.ts";
import { addResult, createStrengthTest, SourceIndex, viewSources } from "../../../engine/lib/provenance/index.ts";
import type { Clause, PolicyTables, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { createRow } from "./large-tables.ts";
import { measureMicroseconds } from "./micro.ts";

const LABEL = { confidentiality: 0, integrity: 0, compartments: 0n };
const ARGUMENTS = '{"path":"/reports/today.txt"}';

function createTool(index: number): Tool {
  const provider = `s${String(index).padStart(5, "0")}`;
  return {
    name: `${provider}.write`,
    description: "writes a file",
    interfaceId: 1n,
    interfaceName: "Files",
    method: 0,
    methodName: "write",
    category: 0,
    readOnly: false,
    provider,
    paramSchema: "{}",
    params: [{ name: "path", type: { which: "text", text: { maxBytes: 131_072 } }, required: true }],
    result: { low: LABEL, high: LABEL },
    sink: LABEL,
    networked: false,
    redact: [],
    truncateBytes: 0,
    pageProgram: false,
    strong: [],
    layout: { dataWords: 0, pointers: 0, places: [] },
    servers: [],
    methodDenied: false,
  };
}

const PLAIN: Clause = { conditions: [], met: "consent", otherwise: "consent", rule: 0, group: 0 };
const UNDER: Clause = {
  conditions: [
    {
      path: ["path"],
      term: "value",
      operator: "under",
      literals: [{ which: "text", text: "/reports" }],
      each: "single",
      extract: "none",
      absentHolds: false,
      sources: [],
    },
  ],
  met: "auto",
  otherwise: "consent",
  rule: 0,
  group: 0,
};

const FROM: Clause = {
  ...UNDER,
  conditions: UNDER.conditions.map((condition) => ({
    ...condition,
    operator: "from",
    literals: [],
    sources: [{ which: "person" }],
  })),
};

/**
 * Returns the sources of a conversation that has read four hundred pages, and in which a person typed a line with the
 * path of a file.
 */
function hearConversation(tables: IndexedTables): Sources {
  const index = new SourceIndex("0".repeat(32));
  for (let page = 0; page < 400; page += 1) {
    const body = `page ${page} about topic${page}, see https://example.com/${page} and Some Words in it`;
    addResult(index, {
      ...{ tool: "s00001.read", service: "s00001", integrity: 0 },
      ...{ value: { body }, arguments: { path: `/pages/${page}` } },
    });
  }
  index.add({ which: "person" }, "please write today's figures to /reports/today.txt");
  return viewSources(index, createStrengthTest(tables));
}

function createTables(tools: number, clause: Clause): IndexedTables {
  const value: PolicyTables = {
    schemaVersion: 2,
    systemId: "bench",
    version: "1.0.0",
    lattice: { confidentiality: ["public"], integrity: ["untrusted"], compartments: [] },
    categories: [{ name: "mutatingLocal", parent: 65_535 }],
    tools: Array.from({ length: tools }, (_, index) => createTool(index)),
    rules: [{ id: "0", words: "consent mutatingLocal", place: "system.cap:1:1" }],
    decisions: [{ clauses: [clause], floors: [] }],
    rows: [
      createRow(
        "operator",
        Array.from({ length: tools }, () => 2),
      ),
    ],
    backends: [],
    principals: [],
    releases: [],
    ingresses: [],
    pageTexts: [],
    redactions: [],
    audit: { hasLimit: false, keep: "always", above: { confidentiality: 0, integrity: 0, compartments: 0n } },
  };
  const indexed = indexTables(value);
  if (!indexed.ok) throw new Error(indexed.reason);
  return indexed.value;
}

/** Returns the mean duration of one decision in microseconds. The calls use all tools in turn. */
function measureDecision(tools: number, clause: Clause): number {
  const tables = createTables(tools, clause);
  const opened = openConversation(tables, "operator");
  if (opened === undefined) throw new Error("there is no session");
  const conversation = clause === FROM ? { ...opened, sources: hearConversation(tables) } : opened;
  const calls = tables.tools.map(({ name }) => ({ tool: name, arguments: ARGUMENTS }));
  return measureMicroseconds((time) => {
    const call = calls[time % calls.length];
    const decision = call && decide(tables, conversation, call);
    if (decision?.kind !== "gated" || decision.gate !== clause.met) throw new Error("a call is decided otherwise");
  });
}

// During the first decisions the engine compiles the function, so they are not measured.
measureDecision(10, PLAIN);
measureDecision(10, UNDER);
measureDecision(10, FROM);
const plain = [10, 1000, 10_000].map((tools) => ({ tools, microseconds: measureDecision(tools, PLAIN) }));
const [where, from] = [measureDecision(10_000, UNDER), measureDecision(10_000, FROM)];
process.stdout.write(JSON.stringify({ plain, where, from }));
