// Tests that the reports about quotas agree with the broker's own counting. If no widening is reported, nobody can
// spend more than before.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { computeDifference, type Difference } from "./diff.ts";
import { type Happening, Machine } from "./testing/counted.ts";
import { anyHappenings, anySystems, type System, tablesOf } from "./testing/quota-systems.ts";

function between(before: System, after: System): Difference {
  const [one, other] = [tablesOf(before), tablesOf(after)];
  return computeDifference(
    { tables: one, machine: undefined, flows: undefined },
    { tables: other, machine: undefined, flows: undefined },
  );
}

const OF_THE_TASK = "operator.triage";
const LINE = { amount: 4n, unit: "calls", name: "", scope: "turn", owner: "operator" } as const;
const ALICE = { login: false, people: [0] };
const system = (...lines: readonly Partial<System["lines"][number]>[]): System => ({
  lines: lines.map((line) => ({ ...LINE, ...line })),
  operator: ALICE,
  night: { ...ALICE, inherits: false },
  hasJob: false,
});

const told = (before: System, after: System) =>
  between(before, after).facts.map(
    ({ direction, widens, what, before: was, after: is, places }) =>
      `${direction}${widens ? "!" : ""} ${places.join(", ")}: ${what} ${was ?? "none"} → ${is ?? "none"}`,
  );

const BOTH = { login: false, people: [0, 1] };
const CATEGORY = { unit: "category", name: "payments" } as const;
const BACKEND = { owner: "backend canned", scope: "principal", unit: "tokens" } as const;
const shared = (changes: Partial<System>): System => ({
  ...system({ scope: "principal" }),
  ...{ operator: BOTH, night: { ...BOTH, inherits: true } },
  ...changes,
});

test.each<[string, System, System, readonly string[]]>([
  [
    "a session and its task with exchanged amounts: no widening in the task",
    system({ amount: 3n }, { owner: OF_THE_TASK, amount: 6n }),
    system({ amount: 6n }, { owner: OF_THE_TASK, amount: 3n }),
    ["widened! operator: quota of calls per turn 3 → 6", "moved operator.triage: quota of calls per turn 6 → 3"],
  ],
  [
    "a task and its phase with exchanged amounts: no widening in the phase",
    system({ owner: OF_THE_TASK, amount: 3n }, { owner: `${OF_THE_TASK}.look`, amount: 2n }),
    system({ owner: OF_THE_TASK, amount: 2n }, { owner: `${OF_THE_TASK}.look`, amount: 3n }),
    [
      "narrowed operator.triage: quota of calls per turn 3 → 2",
      "moved operator.triage.look: quota of calls per turn 2 → 3",
    ],
  ],
  [
    "a task and its phase with exchanged amounts: a widening in the other phases",
    system(
      { owner: OF_THE_TASK, amount: 2n, scope: "hour" },
      { owner: `${OF_THE_TASK}.look`, amount: 3n, scope: "hour" },
    ),
    system(
      { owner: OF_THE_TASK, amount: 3n, scope: "hour" },
      { owner: `${OF_THE_TASK}.look`, amount: 2n, scope: "hour" },
    ),
    [
      "widened! operator.triage: quota of calls per hour 2 → 3",
      "moved operator.triage.look: quota of calls per hour 3 → 2",
    ],
  ],
  [
    "a session's quota that becomes a quota of each task",
    system({ scope: "conversation" }),
    system({ scope: "conversation", owner: OF_THE_TASK }),
    [
      "moved operator.triage: quota of calls per conversation none → 4",
      "widened! operator: quota of calls per conversation 4 → none",
    ],
  ],
  [
    "a longer period covers a shorter one",
    system({ scope: "turn" }),
    system({ scope: "conversation" }),
    ["narrowed operator: quota of calls per conversation none → 4", "moved operator: quota of calls per turn 4 → none"],
  ],
  [
    "a turn may be longer than an hour or a login",
    system({ scope: "turn" }),
    system({ scope: "hour" }, { scope: "login" }),
    [
      "narrowed operator: quota of calls per hour none → 4",
      "narrowed operator: quota of calls per login none → 4",
      "widened! operator: quota of calls per turn 4 → none",
    ],
  ],
  [
    "an hour may be longer than a login, and a login longer than a day",
    system({ scope: "hour" }, { scope: "login", amount: 3n }),
    system({ scope: "day", amount: 3n }),
    [
      "narrowed operator: quota of calls per day none → 3",
      "moved operator: quota of calls per hour 4 → none",
      "widened! operator: quota of calls per login 3 → none",
    ],
  ],
  [
    "a category covers its subcategories, and all calls cover every category",
    system(CATEGORY, { ...CATEGORY, scope: "hour" }),
    system({ ...CATEGORY, name: "destructive" }, { unit: "calls", scope: "hour" }),
    [
      "narrowed operator: quota of destructive calls per turn none → 4",
      "narrowed operator: quota of calls per hour none → 4",
      "moved operator: quota of payments calls per turn 4 → none",
      "moved operator: quota of payments calls per hour 4 → none",
    ],
  ],
  [
    "a subcategory does not cover its category, a category does not cover all calls, and calls do not cover prompts",
    system({ ...CATEGORY, name: "destructive" }, { unit: "prompts", scope: "hour" }),
    system(CATEGORY, { unit: "calls", scope: "hour" }),
    [
      "moved operator: quota of payments calls per turn none → 4",
      "narrowed operator: quota of calls per hour none → 4",
      "widened! operator: quota of destructive calls per turn 4 → none",
      "widened! operator: quota of prompts per hour 4 → none",
    ],
  ],
  [
    "sessions with a shared count that count separately",
    shared({}),
    shared({
      lines: [
        { ...LINE, scope: "principal" },
        { ...LINE, scope: "principal", owner: "night" },
      ],
      night: { ...BOTH, inherits: false },
    }),
    [
      "moved! night: quota of calls per principal 4, as operator, of alice and bob together, together with operator → 4, of alice and bob together",
      "widened! operator: quota of calls per principal 4, of alice and bob together, together with night → 4, of alice and bob together",
    ],
  ],
  [
    "sessions that no longer share a principal",
    shared({}),
    shared({ operator: { login: false, people: [0] }, night: { login: false, people: [1], inherits: true } }),
    [
      "widened! night: quota of calls per principal 4, as operator, of alice and bob together, together with operator → 4, as operator",
      "widened! operator: quota of calls per principal 4, of alice and bob together, together with night → 4",
      "narrowed night, night.triage.look, night.triage.mend: principal alice may use it → none",
      "narrowed operator, operator.triage.look, operator.triage.mend: principal bob may use it → none",
    ],
  ],
  [
    "separate counts per principal, of a session and a backend, after a login is required",
    { ...system({ scope: "principal" }, BACKEND), operator: BOTH },
    { ...system({ scope: "principal" }, BACKEND), operator: { login: true, people: [0, 1] } },
    [
      "narrowed operator, operator.triage.look, operator.triage.mend: login none → key",
      "widened! operator: quota of calls per principal 4, of alice and bob together → 4",
      "widened! backend canned: quota of tokens per principal 4, of all in night, operator together → 4, of all in night together",
    ],
  ],
  [
    "a durable quota under another name",
    { ...system({ scope: "day" }), night: { ...ALICE, inherits: true } },
    { ...system({ scope: "day" }, { scope: "day", owner: "night" }), night: { ...ALICE, inherits: false } },
    ["moved! night: quota of calls per day 4, as operator → 4"],
  ],
])("reports a changed quota for the session, task, phase or backend that counts it: %s", (_, before, after, facts) => {
  expect(told(before, after)).toEqual(facts);
});

const RUNS = { numRuns: 400 };

test("if no widening is reported, the broker lets no principal spend more than before", () => {
  const seen = { isMore: 0, isLike: 0 };
  fc.assert(
    fc.property(anySystems, fc.array(anyHappenings, { minLength: 2, maxLength: 2 }), ({ before, after }, tries) => {
      const isWidened = between(before, after).facts.some(({ widens }) => widens);
      const [one, other] = [tablesOf(before), tablesOf(after)];
      const isMore = tries.some((happenings) => spendsMore(one, other, happenings));
      if (!isWidened) seen.isLike += 1;
      if (isMore) seen.isMore += 1;
      if (isMore && !isWidened) throw new Error(JSON.stringify(told(before, after)));
    }),
    RUNS,
  );
  expect(seen.isLike).toBeGreaterThan(RUNS.numRuns / 4);
  expect(seen.isMore).toBeGreaterThan(RUNS.numRuns / 12);
});

/** Returns whether the newer tables allow a charge that the older tables refuse after the same earlier charges. */
function spendsMore(before: IndexedTables, after: IndexedTables, happenings: readonly Happening[]): boolean {
  const [old, now] = [new Machine(before), new Machine(after)];
  return happenings.some((happening) => {
    const taken = now.take(happening);
    return taken !== undefined && (old.take(askingFor(happening, taken)) ?? -1) < taken;
  });
}

function askingFor(happening: Happening, tokens: number): Happening {
  if (happening.kind !== "spend" || happening.on.kind !== "answer") return happening;
  return { ...happening, on: { ...happening.on, tokens } };
}
