// Tests the reports about backends: which backend answers, in which order, for how long, and at which price. Also tests
// reports about indirect effects, where a changed line loosens the decisions of another line.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { indexTables } from "../../../engine/lib/policy/index.ts";
import { always, backend, HR, PUBLIC, row, SECRET, tables } from "../../../engine/lib/policy/testing/sample.ts";
import type { AuditKeep, Backend, PolicyTables, Release, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { computeDifference } from "./diff.ts";
import { OWN_LIMITS } from "./row-facts.ts";

function told(before: PolicyTables, after: PolicyTables): readonly string[] {
  const side = (made: PolicyTables) => {
    const read = indexTables(made);
    if (!read.ok) throw new Error(read.reason);
    return { tables: read.value, machine: undefined, flows: undefined };
  };
  return computeDifference(side(before), side(after)).facts.map(
    ({ direction, widens, what, places }) => `${direction}${widens ? "!" : ""} ${places.join(", ")}: ${what}`,
  );
}

const NAMES = ["near", "far"];

function answeredBy(
  chosen: readonly (readonly [string, Row["backends"][number]["mode"]])[],
  near = SECRET,
): PolicyTables {
  const backends = chosen.map(([name, mode]) => ({ backend: NAMES.indexOf(name), mode }));
  return tables({
    backends: [backend("near", { clearance: near }), backend("far", { clearance: SECRET })],
    rows: [row("operator", [2], { backends })],
  });
}

test("a backend receives more data if the backend before it is removed, gated, moved back or cleared for less data", () => {
  const both = answeredBy([
    ["near", "auto"],
    ["far", "auto"],
  ]);
  const [left, gated] = ["widened! operator: backend far hears what is left by", "narrowed operator: backend near"];
  const gone = told(both, answeredBy([["far", "auto"]]));
  expect(gone).toEqual([left, gated, "moved operator: order of backends"]);
  expect(
    told(
      both,
      answeredBy([
        ["near", "consent"],
        ["far", "auto"],
      ]),
    ),
  ).toEqual([gated, left]);
  expect(
    told(
      both,
      answeredBy([
        ["far", "auto"],
        ["near", "auto"],
      ]),
    ),
  ).toEqual([left, "narrowed operator: backend near hears what is left by", "moved operator: order of backends"]);
  const [first, second] = [
    ["near", "auto"],
    ["far", "auto"],
  ] as const;
  expect(told(answeredBy([first, second]), answeredBy([first, second], PUBLIC))).toEqual([
    "moved! operator: backend far hears what is left by",
    "narrowed backend near: clearance",
  ]);
});

test("a worker with the same name as a task has facts of its own", () => {
  const [task, worker] = [{ task: "helper" }, { worker: "helper" }];
  const both = (remember: Row["remember"]) =>
    tables({ rows: [row("operator", [2]), row("operator", [2], { ...task, remember }), row("operator", [2], worker)] });
  const alone = tables({ rows: [row("operator", [2]), row("operator", [2], { ...worker, remember: "turn" })] });
  expect(told(both("turn"), alone)).toEqual([
    "widened! operator.helper: consent is remembered for",
    "narrowed operator.helper: task",
  ]);
});

test("a phase that moves behind another phase is widened, because it starts with the data that the earlier phase has read", () => {
  const phases = (...names: readonly string[]) =>
    tables({
      rows: [
        row("operator", [2]),
        ...names.map((phase, phaseIndex) => row("operator", [2], { task: "triage", phase, phaseIndex })),
      ],
    });
  expect(told(phases("look", "mend"), phases("mend", "look"))).toEqual([
    "narrowed operator.triage.mend: phases before it",
    "widened! operator.triage.look: phases before it",
  ]);
  expect(told(phases("look", "mend"), phases("mend"))).toEqual([
    "narrowed operator.triage.mend: phases before it",
    "narrowed operator.triage.look: phase",
  ]);
});

test("a session that newly requires a task is narrowed, and a session that no longer requires one is widened", () => {
  const requiring = (requiresTask: boolean) =>
    tables({
      decisions: [{ clauses: [always("forbidden")], floors: [] }],
      rows: [row("operator", [2], { requiresTask }), row("operator", [2], { task: "pay" })],
    });
  expect(told(requiring(false), requiring(true))).toEqual(["narrowed operator: calls"]);
  expect(told(requiring(true), requiring(false))).toEqual(["widened! operator: calls"]);
});

test("reports a parameter that is new, removed or of another type, in each row of its task", () => {
  const having = (...parameters: Row["parameters"]) =>
    tables({ rows: [row("operator", [1]), row("operator", [2], { task: "pay", parameters })] });
  const limit = { name: "limit", kind: "money", currency: "EUR" } as const;
  expect(told(having(), having(limit))).toEqual(["moved operator.pay: parameter limit"]);
  expect(told(having(limit), having())).toEqual(["moved operator.pay: parameter limit"]);
  expect(told(having(limit), having({ ...limit, currency: "USD" }))).toEqual(["moved operator.pay: parameter limit"]);
  expect(told(having(limit), having(limit))).toEqual([]);
});

test.each<[string, Partial<Row["timeouts"]>, Partial<Row["timeouts"]>, readonly string[]]>([
  ["a call timeout longer than the gate's own", {}, { callMs: 30_001 }, ["widened! operator: milliseconds per call"]],
  ["a call timeout shorter than the gate's own", {}, { callMs: 29_999 }, ["narrowed operator: milliseconds per call"]],
  ["the gate's own call timeout", {}, { callMs: 30_000 }, []],
  ["a longer turn timeout", {}, { turnMs: 3_600_001 }, ["widened! operator: milliseconds per turn"]],
  ["a login without an expiry", { loginMs: 5 }, {}, ["widened! operator: milliseconds per login"]],
  ["a longer idle time", { idleMs: 5 }, { idleMs: 6 }, ["widened! operator: milliseconds per idle"]],
  ["no idle timeout any more", { idleMs: 5 }, {}, ["widened! operator: milliseconds per idle"]],
  ["a first idle timeout", {}, { idleMs: 5 }, ["narrowed operator: milliseconds per idle"]],
])("timeouts are compared with the gate's defaults: %s", (_, before, after, facts) => {
  const limited = (timeouts: Partial<Row["timeouts"]>) => {
    const closed = { login: "key", loginRule: 0, principals: [0] } as const;
    const limits = { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 0, ...timeouts };
    const principals = [{ name: "alice", keys: ["ssh-ed25519 A"], passphrase: "" }];
    return tables({ principals, rows: [row("operator", [2], { ...closed, timeouts: limits })] });
  };
  expect(told(limited(before), limited(after))).toEqual(facts);
});

test("the default timeouts in the diff equal the default timeouts of the gate", () => {
  const own = (file: string, name: string) =>
    new RegExp(`\\b${name} = ([\\d_]+);`).exec(
      readFileSync(new URL(`../../../engine/processes/gate/${file}`, import.meta.url), "utf8"),
    )?.[1];
  expect(own("call/sent.ts", "CALL_TIMEOUT_MS")?.replaceAll("_", "")).toBe(String(OWN_LIMITS.call));
  expect(own("turns.ts", "TURN_TIMEOUT_MS")?.replaceAll("_", "")).toBe(String(OWN_LIMITS.turn));
});

test.each<[string, Partial<Backend>, Partial<Backend>, readonly string[]]>([
  ["cheaper tokens", {}, { outputMicros: 1n }, ["widened! backend near: price of tokens that are answered, a million"]],
  ["dearer tokens", {}, { inputMicros: 9n }, ["narrowed backend near: price of tokens that are asked, a million"]],
  ["another currency", {}, { currency: "USD" }, ["moved! backend near: price in"]],
  ["another kind", {}, { kind: "gpu" }, ["moved! backend near: kind"]],
  [
    "a second backend that hears everything",
    {},
    { embedder: "vectors" },
    ["widened! backend near: is beside an embedder"],
  ],
])("a backend change is reported: %s", (_, before, after, facts) => {
  const priced = { currency: "EUR", inputMicros: 5n, outputMicros: 5n } as const;
  const made = (changes: Partial<Backend>) => tables({ backends: [backend("near", { ...priced, ...changes })] });
  expect(told(made(before), made(after))).toEqual(facts);
});

test("an audit log that records more text is reported as widened, and one that records less text as narrowed", () => {
  const limited = (confidentiality: number, compartments = 0n) =>
    tables({ audit: { hasLimit: true, keep: "always", above: { confidentiality, integrity: 0, compartments } } });
  const what = "audit: label above which the log keeps only digests";
  expect(told(limited(0), limited(1))).toEqual([`widened! ${what}`]);
  expect(told(limited(0), limited(0, 1n))).toEqual([`widened! ${what}`]);
  expect(told(limited(0), tables())).toEqual([`widened! ${what}`]);
  expect(told(tables(), limited(1))).toEqual([`narrowed ${what}`]);
  expect(told(limited(1), limited(0))).toEqual([`narrowed ${what}`]);
});

test("an audit log that newly releases old records is reported as widened, and another condition for the release as moved", () => {
  const above = { confidentiality: 0, integrity: 0, compartments: 0n };
  const keeping = (keep: AuditKeep) => tables({ audit: { hasLimit: false, keep, above } });
  const what = "audit: a full log releases its oldest records";
  expect(told(tables(), keeping("untilExported"))).toEqual([`widened! ${what}`]);
  expect(told(keeping("untilShipped"), tables())).toEqual([`narrowed ${what}`]);
  expect(told(keeping("untilShipped"), keeping("untilExported"))).toEqual([`moved! ${what}`]);
});

test("a declassification is reported with the least trust that it covers, and an endorsement with the highest secrecy", () => {
  const released = (release: Partial<Release>) =>
    tables({
      releases: [{ act: "declassify", tools: [0], from: SECRET, to: PUBLIC, gate: "stepUp", rule: 0, ...release }],
      rows: [row("operator", [2], { releases: [0] })],
    });
  const none = tables({ rows: [row("operator", [2])] });
  const whats = (release: Partial<Release>) => told(none, released(release)).filter((text) => / from /.test(text));
  const untrusted = { ...SECRET, integrity: 0, compartments: HR };
  expect(whats({ from: untrusted })).toEqual(["widened! operator: declassify notes.write from secret:{hr} to public"]);
  expect(whats({})).toEqual(["widened! operator: declassify notes.write from secret to public, at least reviewed"]);
  expect(whats({ act: "endorse", from: untrusted })).toEqual([
    "widened! operator: endorse notes.write from untrusted to reviewed, at most secret:{hr}",
  ]);
});

test("a timer with another schedule, time zone, choice for missed runs or message is reported", () => {
  const timing = (times: { address?: string; zone?: string; missed?: string; says?: string }) =>
    tables({
      rows: [row("operator", [2])],
      ingresses: [
        {
          name: "t",
          source: "timer",
          address: "0 3 * * *",
          row: 0,
          label: PUBLIC,
          zone: "UTC",
          missed: "skip",
          says: "Sum up.",
          ...times,
        },
      ],
    });
  const before = timing({});
  expect(told(before, timing({}))).toEqual([]);
  for (const times of [{ address: "0 4 * * *" }, { zone: "Europe/Berlin" }, { missed: "each" }])
    expect(told(before, timing(times))).toEqual(["moved! ingress t: words from"]);
  expect(told(before, timing({ says: "Send it." }))).toEqual(["moved! ingress t: message"]);
});
