import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalizeArguments,
  checkRecord,
  computeMode,
  FIRST_DECISION,
  type IndexedTables,
  indexTables,
  isStricter,
  join,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";
import { anyConversation, anyScene, anyTables } from "../../../engine/lib/policy/testing/arbitrary.ts";
import { always, check, row, tables as tablesOf, where } from "../../../engine/lib/policy/testing/sample.ts";
import type {
  Clause,
  Condition,
  Decision,
  PolicyTables,
  Row,
  Tool,
} from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import type { DecisionChange } from "./compare-decisions.ts";
import { computeDifference, type Difference } from "./diff.ts";
import { reverseDirection } from "./direction.ts";
import { placeKey } from "./places.ts";
import { applied, cellKey, cellTexts } from "./testing/applied.ts";

const RUNS = { numRuns: 100 };

function indexed(tables: PolicyTables): IndexedTables {
  const made = indexTables(tables);
  return made.ok ? made.value : bug(made.reason);
}

function between(before: PolicyTables, after: PolicyTables): Difference {
  const [one, other] = [before, after].map((tables) => ({ tables: indexed(tables), machine: [], flows: undefined }));
  return one === undefined || other === undefined ? bug("two sides") : computeDifference(one, other);
}

test("tables that differ only in their version and the texts of rules count as equal", () => {
  fc.assert(
    fc.property(anyTables, (tables) => {
      const reworded = { ...tables, version: "9.9.9", rules: tables.rules.map((rule) => ({ ...rule, words: "x" })) };
      expect(between(tables, tables)).toMatchObject({ cells: [], facts: [], flows: [] });
      expect(between(tables, reworded)).toMatchObject({ cells: [], facts: [], flows: [] });
    }),
    RUNS,
  );
});

test("applying the reported cells to the older tables gives the newer tables", () => {
  fc.assert(
    fc.property(anyTables, anyTables, (before, after) => {
      const made = applied(cellTexts(indexed(before)), between(before, after).cells);
      expect(new Map([...made].sort())).toEqual(new Map([...cellTexts(indexed(after))].sort()));
    }),
    RUNS,
  );
});

/**
 * Returns a text for every changed decision and fact, which names its place and the direction of the change, such as
 * `widened`. It returns a list and not a map, because in tables that another program made two places may have the same
 * name.
 */
function directions({ cells, facts }: Difference, told = (direction: string) => direction): readonly string[] {
  const ofCells = cells.flatMap(({ direction, at }) =>
    at.flatMap(({ place, tools }) => tools.map((tool) => `${cellKey(placeKey(place), tool)}: ${told(direction)}`)),
  );
  const ofFacts = facts.flatMap(({ direction, what, places }) =>
    places.map((place) => `${place}: ${what}: ${told(direction)}`),
  );
  return [...ofCells, ...ofFacts].sort();
}

test("a widening becomes a narrowing if the two systems are exchanged", () => {
  fc.assert(
    fc.property(anyTables, anyTables, (before, drawn) => {
      // A call is compared by the arguments of the newer tool, so the comparison is symmetric only if both tools have
      // the same arguments.
      const after = { ...drawn, tools: drawn.tools.map((tool) => ({ ...tool, params: paramsOf(before, tool) })) };
      const there = directions(between(before, after), mirror);
      expect(there).toEqual(directions(between(after, before)));
    }),
    RUNS,
  );
});

test("a session with a weaker login and a person with a new passphrase are widenings", () => {
  const opened = (login: Row["login"], passphrase = "hers"): PolicyTables => {
    const principals = [{ name: "alice", keys: ["ssh-ed25519 AAAA"], passphrase }];
    return tablesOf({ principals, rows: [row("operator", [2], { login, principals: [0] })] });
  };
  const loosened = (before: PolicyTables, after: PolicyTables) =>
    [between(before, after), between(after, before)].map(({ facts }) =>
      facts.map(({ what, direction }) => [what, direction]),
    );
  for (const [strict, loose] of [
    ["key", "passphrase"],
    ["passphrase", "none"],
    ["key", "none"],
  ] as const) {
    expect(loosened(opened(strict), opened(loose))).toEqual([[["login", "widened"]], [["login", "narrowed"]]]);
  }
  const [added, gone] = loosened(opened("key", ""), opened("key"));
  expect([added, gone]).toEqual([[["passphrase hers", "widened"]], [["passphrase hers", "narrowed"]]]);
});

function paramsOf({ tools }: PolicyTables, { name, params }: Tool): Tool["params"] {
  return tools.find((tool) => tool.name === name)?.params ?? params;
}

function mirror(direction: string): string {
  return direction === "widened" || direction === "narrowed" ? reverseDirection(direction) : direction;
}

const FORBIDDEN: Decision = {
  clauses: [{ conditions: [], met: "forbidden", otherwise: "forbidden", rule: 0, group: 0 }],
  floors: [],
};

function listAt(tables: PolicyTables, place: string, tool: string): Decision {
  const row = tables.rows.find((one) => placeKey(one) === place);
  const at = tables.tools.findIndex(({ name }) => name === tool);
  return tables.decisions[(row?.cells[at] ?? 0) - FIRST_DECISION] ?? FORBIDDEN;
}

test("a rule that is added beside rules with the same pattern is reported if it loosens or tightens decisions", () => {
  const [a, b] = [check("path", "under", "/a"), check("path", "under", "/b")];
  const group = (...clauses: readonly Clause[]) => {
    const numbered = clauses.map((clause) => ({ ...clause, group: clauses.length > 1 ? 1 : 0 }));
    return tablesOf({ decisions: [{ clauses: numbered, floors: [] }] });
  };
  const line = where([a], "auto", "consent");
  const compare = (...more: readonly Clause[]) => {
    const [cell] = between(group(line), group(line, ...more)).cells;
    const [[wider] = [], [narrower] = []] = [cell?.widens, cell?.narrows];
    return [wider?.before, wider?.after, narrower?.before, narrower?.after];
  };
  expect(compare(where([b], "auto", "consent"))).toEqual(["consent", "auto", undefined, undefined]);
  expect(compare(where([b], "consent", "forbidden"))).toEqual([undefined, undefined, "consent", "forbidden"]);
  expect(compare(where([a, check("path", "under", "/a/c")], "stepUp", "consent"))).toEqual([
    undefined,
    undefined,
    "auto",
    "stepUp",
  ]);
});

test("a floor with other or fewer conditions is reported with an example call and conversation", () => {
  const floor = { confidentialityAtLeast: 0, integrityAtMost: 0, compartments: 0n, unattended: false, rule: 1 };
  const floored = (...conditions: readonly Condition[]) =>
    tablesOf({
      decisions: [{ clauses: [always("auto")], floors: [{ ...floor, mode: "stepUp", conditions } as const] }],
    });
  const [a, b] = [check("path", "under", "/a"), check("path", "under", "/b")];
  const compare = (before: PolicyTables, after: PolicyTables) => {
    const [cell] = between(before, after).cells;
    return [
      cell?.direction,
      cell?.widens[0]?.arguments,
      cell?.widens[0]?.situation?.label.integrity,
      cell?.narrows[0]?.arguments,
    ];
  };
  expect(compare(floored(), floored(a))).toEqual(["widened", '{"path":""}', 0, undefined]);
  expect(compare(floored(a), floored())).toEqual(["narrowed", undefined, undefined, '{"path":""}']);
  expect(compare(floored(a), floored(b))).toEqual(["moved", '{"path":"a"}', 0, '{"path":"b"}']);
});

/**
 * Expects that the reported changes cover the change from `was` to `is`. If this change loosens, the new mode of some
 * reported change must be `is` or looser; if it tightens, `is` or stricter. The old and the new mode of some reported
 * change must be at least as far apart as `was` and `is`.
 */
function expectCovered(told: readonly DecisionChange[] | undefined, was: PermissionMode, is: PermissionMode): void {
  const measure = (before: PermissionMode, after: PermissionMode) => MODES.indexOf(after) - MODES.indexOf(before);
  const isFar = ({ after }: DecisionChange) => (isStricter(was, is) ? !isStricter(after, is) : !isStricter(is, after));
  expect(told?.some(isFar)).toBe(true);
  expect(told?.some(({ before, after }) => Math.abs(measure(before, after)) >= Math.abs(measure(was, is)))).toBe(true);
}

test("no call changes further, or by more modes, than the reported changes", () => {
  fc.assert(
    fc.property(anyScene, anyTables, anyConversation, ({ tables: before, call }, after, { label, unattended }) => {
      const { cells } = between(before, {
        ...after,
        tools: after.tools.map((tool) => ({ ...tool, params: paramsOf(before, tool) })),
      });
      const read = canonicalizeArguments(call.arguments);
      const tool = before.tools.find(({ name }) => name === call.tool);
      if (!read.ok || tool === undefined || checkRecord(tool.params, read.value.value) !== undefined) return;
      for (const row of before.rows) {
        const place = placeKey(row);
        const seen = join(label, row.starts);
        const [was = "auto", is = "auto"] = [before, after].map(
          (tables) => computeMode(listAt(tables, place, call.tool), read.value.value, { label: seen, unattended }).mode,
        );
        const told = cells.find(({ at }) =>
          at.some((one) => placeKey(one.place) === place && one.tools.includes(call.tool)),
        );
        if (isStricter(was, is)) expectCovered(told?.widens, was, is);
        if (isStricter(is, was)) expectCovered(told?.narrows, was, is);
      }
    }),
    { numRuns: 200 },
  );
});

test("the tables before and after a change decide its example call as reported", () => {
  fc.assert(
    fc.property(anyTables, anyTables, (before, after) => {
      for (const { widens, narrows, at } of between(before, after).cells) {
        for (const shown of [...widens, ...narrows]) {
          const first = at[0];
          if (shown.arguments === undefined || first === undefined) continue;
          const read = canonicalizeArguments(shown.arguments);
          if (!read.ok) throw new Error(read.reason);
          const place = placeKey(first.place);
          const { label, unattended } = shown.situation ?? { label: PLAIN, unattended: false };
          const modes = [before, after].map((tables): PermissionMode => {
            const list = listAt(tables, place, first.tools[0] ?? "");
            const asked = shown.situation === undefined ? { ...list, floors: [] } : list;
            return computeMode(asked, read.value.value, { label, unattended }).mode;
          });
          expect(modes).toEqual([shown.before, shown.after]);
        }
      }
    }),
    RUNS,
  );
});

const PLAIN = { confidentiality: 0, integrity: 2, compartments: 0n };
