// Generates pairs of small systems that differ in their quotas and in the people who may use their sessions.

import fc from "fast-check";
import { type IndexedTables, indexTables } from "../../../../engine/lib/policy/index.ts";
import { always, backend, CATEGORY, row, tables, tool } from "../../../../engine/lib/policy/testing/sample.ts";
import type { PolicyTables, Quota, Row } from "../../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../../lang/diagnostics/index.ts";
import { compareCodeUnits } from "../../../../lang/text/index.ts";
import type { Place } from "../places.ts";
import type { Happening, Spending } from "./counted.ts";

const OPERATOR = "operator";
const NIGHT = "night";
const PEOPLE = ["alice", "bob"];
const OWNERS = [
  OPERATOR,
  OPERATOR,
  `${OPERATOR}.triage`,
  `${OPERATOR}.triage.look`,
  `${OPERATOR}.triage.mend`,
  `${OPERATOR}.job`,
  NIGHT,
  "backend canned",
] as const;

/** A line of the page that states a quota. */
interface Line extends Omit<Quota, "rule"> {
  readonly owner: (typeof OWNERS)[number];
}

interface Session {
  readonly login: boolean;
  readonly people: readonly number[];
}

export interface System {
  readonly lines: readonly Line[];
  readonly operator: Session;
  readonly night: Session & { readonly inherits: boolean };
  readonly hasJob: boolean;
}

const TOOLS = [
  tool("bank.pay", { category: CATEGORY.payments }),
  tool("notes.read", { category: CATEGORY.readOnly, readOnly: true }),
  tool("notes.write"),
];

const anyCount = fc.constantFrom<Pick<Quota, "unit" | "name">>(
  { unit: "calls", name: "" },
  { unit: "calls", name: "" },
  { unit: "prompts", name: "" },
  { unit: "bytes", name: "" },
  { unit: "tokens", name: "" },
  { unit: "category", name: "destructive" },
  { unit: "category", name: "payments" },
);
const anyScope = fc.constantFrom<Quota["scope"]>(
  "call",
  "turn",
  "conversation",
  "task",
  "login",
  "principal",
  "hour",
  "day",
);

const anyLine: fc.Arbitrary<Line> = fc
  .record({ amount: fc.bigInt(1n, 3n), count: anyCount, scope: anyScope, owner: fc.constantFrom(...OWNERS) })
  .map(({ amount, count, scope, owner }) => ({ amount, ...count, scope, owner }));

const anySession = fc.record({ login: fc.boolean(), people: fc.subarray([0, 1], { minLength: 1 }) });

const anySystem: fc.Arbitrary<System> = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 3 }),
  operator: anySession,
  night: fc.record({ login: fc.boolean(), people: fc.subarray([0, 1], { minLength: 1 }), inherits: fc.boolean() }),
  hasJob: fc.boolean(),
});

type Change = (system: System) => System;

const onLine =
  (at: number, change: (line: Line) => readonly Line[]): Change =>
  (system) => {
    const { lines } = system;
    return { ...system, lines: lines.flatMap((line, index) => (index === at % lines.length ? change(line) : [line])) };
  };

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(9), fc.bigInt(1n, 3n)).map(([at, amount]) => onLine(at, (line) => [{ ...line, amount }])),
  fc.tuple(fc.nat(9), anyScope).map(([at, scope]) => onLine(at, (line) => [{ ...line, scope }])),
  fc.tuple(fc.nat(9), anyCount).map(([at, count]) => onLine(at, (line) => [{ ...line, ...count }])),
  fc.tuple(fc.nat(9), fc.constantFrom(...OWNERS)).map(([at, owner]) => onLine(at, (line) => [{ ...line, owner }])),
  fc.nat(9).map((at) => onLine(at, () => [])),
  anyLine.map(
    (line): Change =>
      (system) => ({ ...system, lines: [...system.lines, line] }),
  ),
  fc.constant<Change>((system) => ({ ...system, lines: swapped(system.lines) })),
  anySession.map(
    (operator): Change =>
      (system) => ({ ...system, operator }),
  ),
  anySession.map(
    (night): Change =>
      (system) => ({ ...system, night: { ...system.night, ...night } }),
  ),
  fc.boolean().map(
    (inherits): Change =>
      (system) => ({ ...system, night: { ...system.night, inherits } }),
  ),
  fc.boolean().map(
    (hasJob): Change =>
      (system) => ({ ...system, hasJob }),
  ),
);

/** Returns the quota lines with the amounts of the first two lines exchanged. */
function swapped([one, other, ...rest]: readonly Line[]): readonly Line[] {
  if (one === undefined || other === undefined) return one === undefined ? [] : [one];
  return [{ ...one, amount: other.amount }, { ...other, amount: one.amount }, ...rest];
}

export const anySystems = fc
  .record({ before: anySystem, changes: fc.array(anyChange, { minLength: 1, maxLength: 2 }) })
  .map(({ before, changes }) => ({ before, after: changes.reduce((system, change) => change(system), before) }));

const IN_SESSION: readonly Omit<Place, "session">[] = [
  { task: "", phase: "", worker: "" },
  { task: "job", phase: "", worker: "" },
  { task: "triage", phase: "look", worker: "" },
  { task: "triage", phase: "mend", worker: "" },
];

export function tablesOf(system: System): IndexedTables {
  const lines = [...new Map(system.lines.map((line) => [wordsOf(line), line])).values()];
  const rules = lines.map((line) => ({ id: wordsOf(line), words: wordsOf(line), place: "a.cap:1:1" }));
  const quotas = lines.map(({ owner, ...quota }, rule) => ({ ...quota, rule }));
  const held = (isHeld: (owner: string) => boolean) => quotas.filter((_, at) => isHeld(lines[at]?.owner ?? ""));
  const rowsOf = (session: string, { login, people }: Session, isOwn: (owner: string) => boolean): readonly Row[] =>
    IN_SESSION.filter(({ task }) => system.hasJob || task !== "job").map((within) =>
      row(session, [2, 2, 2], {
        ...within,
        phaseIndex: within.phase === "mend" ? 1 : 0,
        principals: people,
        login: login ? "key" : "none",
        backends: [{ backend: 0, mode: "auto" }],
        quotas: held((owner) => isOwn(owner) && isAround(owner, within)).filter(
          ({ scope }) => scope !== "task" || within.task !== "",
        ),
      }),
    );
  const made: PolicyTables = tables({
    tools: TOOLS,
    decisions: [{ clauses: [always("auto")], floors: [] }],
    rules: [...rules, { id: "x", words: "x", place: "a.cap:1:1" }],
    principals: PEOPLE.map((name) => ({ name, keys: [`ssh-ed25519 ${name}`], passphrase: "" })),
    backends: [backend("canned", { quotas: held((owner) => owner === "backend canned") })],
    rows: [
      ...rowsOf(NIGHT, system.night, (owner) => owner.split(".", 1)[0] === (system.night.inherits ? OPERATOR : NIGHT)),
      ...rowsOf(OPERATOR, system.operator, (owner) => owner.split(".", 1)[0] === OPERATOR),
    ].sort((one, other) => compareCodeUnits(one.session, other.session)),
  });
  const indexed = indexTables(made);
  return indexed.ok ? indexed.value : bug(indexed.reason);
}

function wordsOf({ owner, amount, unit, name, scope }: Line): string {
  return `${owner}/quota ${amount} ${unit}${name} per ${scope}`;
}

function isAround(owner: string, { task, phase }: Omit<Place, "session">): boolean {
  const [, outer = task, inner = phase] = owner.split(".");
  return outer === task && inner === phase;
}

const anyPlace = fc
  .tuple(fc.constantFrom(OPERATOR, OPERATOR, NIGHT), fc.constantFrom(...IN_SESSION))
  .map(([session, within]): Place => ({ session, ...within }));

const anySpending: fc.Arbitrary<Spending> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      tool: fc.constantFrom("bank.pay", "bank.pay", "notes.read", "notes.write", undefined),
      prompts: fc.nat(1),
      bytes: fc.nat(3),
    }),
  },
  fc.record({ kind: fc.constant("answer" as const), backend: fc.constant("canned"), tokens: fc.nat(2) }),
);

/**
 * Generates sequences of events. The events of a sequence concern few places and few kinds of charges, so that their
 * sums reach the limits of quotas.
 */
export const anyHappenings = fc
  .record({
    places: fc.array(anyPlace, { minLength: 1, maxLength: 3 }),
    ways: fc.array(anySpending, { minLength: 1, maxLength: 2 }),
  })
  .chain(({ places, ways }) => fc.array(happeningOf(places, ways), { minLength: 4, maxLength: 24 }));

function happeningOf(places: readonly Place[], ways: readonly Spending[]): fc.Arbitrary<Happening> {
  const spend = fc.record({
    kind: fc.constant("spend" as const),
    place: fc.constantFrom(...places),
    conversation: fc.nat(1),
    turn: fc.nat(1),
    on: fc.constantFrom(...ways),
  });
  const wait = fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1000, 3_700_000, 90_000_000) });
  const login = fc.record({
    kind: fc.constant("login" as const),
    session: fc.constantFrom(...places.map(({ session }) => session)),
    actor: fc.constantFrom(...PEOPLE),
  });
  return fc.oneof({ weight: 8, arbitrary: spend }, wait, { weight: 3, arbitrary: login });
}
