import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { decodeMessage, encodeMessage } from "../../../engine/lib/wire/index.ts";
import { computeMedian, type Figure } from "./figure.ts";
import { createRow, createTablesOfRules } from "./large-tables.ts";

const RULES = 100_000;
const CELLS = 500_000;
const RUNS = 3;

/** Returns tables as large as those of a page with ten thousand tools and fifty sessions. */
function createLargeTables(): PolicyTables {
  const cells = Array.from({ length: CELLS }, (_, at) => at % 7);
  return { ...createTablesOfRules(RULES), rows: [createRow("operator", cells)] };
}

function measureCpuSeconds(work: () => unknown): number {
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1e6;
  });
  return computeMedian(runs);
}

/** Compares the codec with JSON of the same value, which Node.js implements in C++. */
export function measureCodec(): Figure[] {
  const value = createLargeTables();
  const message = encodeMessage(PolicyTables, value);
  const plain = { ...value, rows: value.rows.map((row) => ({ ...row, clearance: null, starts: null })), lattice: null };
  const json = JSON.stringify(plain, (_key, field) => (typeof field === "bigint" ? String(field) : field));
  const measurePeer = (name: string, work: () => unknown) =>
    ({ kind: "peer", name, value: measureCpuSeconds(work) }) as const;
  return [
    {
      name: `tables of ${RULES} rules and ${CELLS} cells written`,
      value: measureCpuSeconds(() => encodeMessage(PolicyTables, value)),
      unit: "CPU s",
      against: measurePeer("JSON.stringify", () => JSON.stringify(plain)),
    },
    {
      name: "the same read",
      value: measureCpuSeconds(() => decodeMessage(PolicyTables, message)),
      unit: "CPU s",
      against: measurePeer("JSON.parse", () => JSON.parse(json)),
    },
  ];
}
