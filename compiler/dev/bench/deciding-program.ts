// Program of the bench, bundled, for without a compiler at run time Node reads no TypeScript. Says what one decision
// costs, by the number of tools and by what stands before it.
import { decide, type IndexedTables, indexTables, openConversation } from "../../../engine/lib/policy/index.ts";
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
  };
  const indexed = indexTables(value);
  if (!indexed.ok) throw new Error(indexed.reason);
  return indexed.value;
}

/** Microseconds of one decision, over all tools in turn. */
function measureDecision(tools: number, clause: Clause): number {
  const tables = createTables(tools, clause);
  const conversation = openConversation(tables, "operator");
  if (conversation === undefined) throw new Error("there is no session");
  const calls = tables.tools.map(({ name }) => ({ tool: name, arguments: ARGUMENTS }));
  return measureMicroseconds((time) => {
    const call = calls[time % calls.length];
    if (call === undefined || decide(tables, conversation, call).kind !== "gated") throw new Error("a call is refused");
  });
}

// The first decisions compile the function itself.
measureDecision(10, PLAIN);
measureDecision(10, UNDER);
const plain = [10, 1000, 10_000].map((tools) => ({ tools, microseconds: measureDecision(tools, PLAIN) }));
process.stdout.write(JSON.stringify({ plain, where: measureDecision(10_000, UNDER) }));
