import { expect, test } from "vitest";
import type { BackendChoice } from "../wire/generated/policy.ts";
import { backendStandings, chooseBackend } from "./backend.ts";
import { backend, FINANCE, indexed, PUBLIC, row, SECRET } from "./testing/sample.ts";

const hearing = (name: string, clearance = SECRET) => backend(name, { clearance: { ...clearance, integrity: 0 } });

function tablesOf(backends: readonly BackendChoice[]) {
  return indexed({
    backends: [hearing("frontier", PUBLIC), hearing("local"), hearing("spare")],
    rows: [row("operator", [2], { backends })],
  });
}

const FIRST_GATED = [
  { backend: 0, mode: "stepUp" },
  { backend: 1, mode: "auto" },
] as const;
const conversation = { row: 0, label: PUBLIC, unattended: false, spent: [] };
const uses = (choices: readonly BackendChoice[], leases: readonly number[] = [], changes: object = {}) => {
  const now = { ...conversation, ...changes };
  const standings = backendStandings(tablesOf(choices), now, new Set(leases));
  return [chooseBackend(tablesOf(choices), now, new Set(leases))?.backend, standings.map(({ use }) => use)];
};

test("ruling 9: the first backend that may be used answers, one behind a gate only while its lease holds", () => {
  expect(uses(FIRST_GATED)).toEqual([1, ["gated", "now"]]);
  expect(uses(FIRST_GATED, [0])).toEqual([0, ["now", "now"]]);
  expect(uses(FIRST_GATED, [2])).toEqual([1, ["gated", "now"]]);
});

test("ruling 9: the whole prompt flows to a backend, lease or not", () => {
  expect(uses(FIRST_GATED, [0], { label: SECRET })).toEqual([1, ["never", "now"]]);
  expect(uses(FIRST_GATED, [0], { label: { ...SECRET, compartments: FINANCE } })).toEqual([
    undefined,
    ["never", "never"],
  ]);
});

test("nobody there, nobody asked; a forbidden backend never answers", () => {
  expect(uses(FIRST_GATED, [], { unattended: true })).toEqual([1, ["never", "now"]]);
  expect(uses([{ backend: 1, mode: "forbidden" }], [1])).toEqual([undefined, ["never"]]);
  expect(uses([])).toEqual([undefined, []]);
});
