import fc from "fast-check";
import type { Decision, PolicyTables, Row } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Policy } from "../../policy/index.ts";

// Changes cells and clearances of tables, keeping everything else consistent. On a page, the lines of a worker or phase can only narrow the
// rights of its session. Tables can also express combinations that no page can express.

export const anyTwists = fc.array(
  fc.record({
    what: fc.constantFrom("cell", "cell", "cell", "clearance"),
    inWorker: fc.boolean(),
    row: fc.nat(20),
    tool: fc.nat(10),
    from: fc.nat(20),
  }),
  { maxLength: 6 },
);
export type Twist = typeof anyTwists extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

export function twisted(policy: Policy, twists: readonly Twist[]): Policy {
  let { tables } = policy;
  for (const twist of twists) tables = { ...tables, rows: rowsAfter(tables, twist) };
  return { ...policy, tables };
}

function rowsAfter({ rows, decisions }: PolicyTables, { what, inWorker, row, tool, from }: Twist): readonly Row[] {
  const workers = rows.filter(({ worker }) => worker !== "");
  const among = inWorker && workers.length > 0 ? workers : rows;
  const giver = rows[from % rows.length];
  return rows.map((one) => {
    if (one !== among[row % among.length] || giver === undefined) return one;
    // A row that requires a task stays unchanged, because none of its cells may let a call run.
    if (one.requiresTask) return one;
    if (what === "clearance") return { ...one, clearance: giver.clearance };
    const cell = from % (decisions.length + 2);
    // Conditions can name parameters of a task. A row without parameters must not get such conditions, so it stays
    // unchanged.
    const list = decisions[cell - 2];
    if (list !== undefined && one.parameters.length === 0 && namesParameters(list)) return one;
    return { ...one, cells: one.cells.map((before, at) => (at === tool % one.cells.length ? cell : before)) };
  });
}

function namesParameters({ clauses, floors }: Decision): boolean {
  return [...clauses, ...floors].some(({ conditions }) =>
    conditions.some(({ literals }) => literals.some(({ which }) => which === "parameter")),
  );
}
