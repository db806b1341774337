import { expect, test } from "vitest";
import type { BackendChoice } from "../wire/generated/policy.ts";
import { chooseBackend, evaluateBackends, findEmbedder, isOpened, listRedactions } from "./backend.ts";
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
  const standings = evaluateBackends(tablesOf(choices), now, new Set(leases));
  return [chooseBackend(tablesOf(choices), now, new Set(leases))?.backend, standings.map(({ use }) => use)];
};

test("ruling 9: the first usable backend answers, and a backend behind a gate answers only while its lease is valid", () => {
  expect(uses(FIRST_GATED)).toEqual([1, ["gated", "now"]]);
  expect(uses(FIRST_GATED, [0])).toEqual([0, ["now", "now"]]);
  expect(uses(FIRST_GATED, [2])).toEqual([1, ["gated", "now"]]);
});

test("ruling 9: a backend that is not cleared for the conversation never answers, even with a lease", () => {
  expect(uses(FIRST_GATED, [0], { label: SECRET })).toEqual([1, ["never", "now"]]);
  expect(uses(FIRST_GATED, [0], { label: { ...SECRET, compartments: FINANCE } })).toEqual([
    undefined,
    ["never", "never"],
  ]);
});

test("an unattended conversation skips gated backends, and a forbidden backend never answers", () => {
  expect(uses(FIRST_GATED, [], { unattended: true })).toEqual([1, ["never", "now"]]);
  expect(uses([{ backend: 1, mode: "forbidden" }], [1])).toEqual([undefined, ["never"]]);
  expect(uses([])).toEqual([undefined, []]);
});

test("each backend's status has a reason", () => {
  const choices: readonly BackendChoice[] = [
    { backend: 0, mode: "forbidden" },
    { backend: 0, mode: "consent" },
    { backend: 1, mode: "auto" },
    { backend: 2, mode: "stepUp" },
    { backend: 1, mode: "consent" },
  ];
  const reasons = (now: object) =>
    evaluateBackends(tablesOf(choices), { ...conversation, ...now }, new Set([2])).map(({ reason }) => reason);
  const leaks = "this conversation has seen what may not flow to this backend";
  const [shut, open] = ["forbidden in this session", "stepUp, and open"];
  expect(reasons({})).toEqual([shut, "consent first", "auto", open, "consent first"]);
  expect(reasons({ label: SECRET })).toEqual([shut, leaks, "auto", open, "consent first"]);
  const alone = "nobody is there to be asked";
  expect(reasons({ unattended: true })).toEqual([shut, alone, "auto", open, alone]);
});

test("a backend needs a lease only if its rule requires approval of a person", () => {
  const modes = ["auto", "consent", "stepUp", "forbidden"] as const;
  expect(modes.filter((mode) => isOpened({ mode }))).toEqual(["consent", "stepUp"]);
});

test("the first backend that needs no approval determines the session's embedder", () => {
  const tables = indexed({
    backends: ["asked", "first", "next"].map((name) => backend(name, { embedder: `of-${name}` })),
    rows: [],
  });
  const choices = ["consent", "auto", "auto"] as const;
  const backends = choices.map((mode, at) => ({ backend: at, mode }));
  expect(findEmbedder(tables, { backends })).toBe("of-first");
  expect(findEmbedder(tables, { backends: backends.slice(0, 1) })).toBe("");
  expect(findEmbedder(tables, undefined)).toBe("");
});

test("a conversation outside every row has no backend", () => {
  expect(evaluateBackends(tablesOf(FIRST_GATED), { ...conversation, row: 1 }, new Set())).toEqual([]);
});

test("if the session requires a task, no backend receives the conversation before a task begins", () => {
  const backends: readonly BackendChoice[] = [
    { backend: 0, mode: "auto" },
    { backend: 0, mode: "consent" },
  ];
  const rows = [
    row("operator", [1], { backends, requiresTask: true }),
    row("operator", [2], { backends, task: "pay" }),
  ];
  const tables = indexed({ backends: [hearing("local")], rows });
  const standings = (at: number) => evaluateBackends(tables, { ...conversation, row: at }, new Set([0]));
  const reason = "session operator requires a task, and none has begun; a person begins one with /task NAME: pay";
  expect(standings(0)).toEqual(backends.map((choice) => ({ ...choice, use: "never", reason })));
  expect(standings(1).map(({ use }) => use)).toEqual(["now", "now"]);
});

test("lists the redactions that a backend's clearance requires, in the order of the page", () => {
  const none = { patterns: [], results: [], arguments: [] };
  const redactions = [
    { ...none, name: "cards", label: SECRET },
    { ...none, name: "names", label: PUBLIC },
    { ...none, name: "wages", label: { ...PUBLIC, compartments: FINANCE } },
  ];
  const names = (clearance: typeof PUBLIC) =>
    listRedactions({ redactions }, { clearance: { ...clearance, integrity: 0 } }).map(({ name }) => name);
  expect(names(PUBLIC)).toEqual(["cards", "wages"]);
  expect(names(SECRET)).toEqual(["wages"]);
  expect(names({ ...SECRET, compartments: FINANCE })).toEqual([]);
});
