import fc from "fast-check";
import { expect, test } from "vitest";
import { decide, indexTables } from "../../../engine/lib/policy/index.ts";
import { anyScene } from "../../../engine/lib/policy/testing/arbitrary.ts";
import { tool } from "../../../engine/lib/policy/testing/sample.ts";
import { resolveToolTarget } from "../../../engine/lib/reach/tool.ts";
import { Fetch, HttpEndpoint } from "../../../engine/lib/wire/generated/tools.ts";
import { callOf } from "../../../engine/processes/audit/testing/sample.ts";
import { buildOutcome } from "../../../engine/processes/gate/record.ts";
import { Turn } from "../../../engine/processes/gate/turn.ts";
import { MAX_WHOLE_BYTES } from "./index.ts";
import { classifyRecord, classifySent, findAttendance } from "./recorded-outcome.ts";

const refusal = (outcome: "refusedByPolicy" | "cancelled", error: string) =>
  callOf({ decision: "notReached", outcome, error });

test("property: a refusal by `decide` is recognized by its text as a refusal by the page", () => {
  fc.assert(
    fc.property(anyScene, ({ tables, conversation, call }) => {
      const indexed = indexTables(tables);
      if (!indexed.ok) throw new Error(indexed.reason);
      const decision = decide(indexed.value, conversation, call);
      fc.pre(decision.kind === "refused");
      if (decision.kind !== "refused") return;
      const isForbidden = decision.mode === "forbidden";
      const record = callOf({
        decision: isForbidden ? "forbidden" : "notReached",
        outcome: decision.outcome,
        error: decision.reason,
      });
      expect(classifyRecord(record, "outcome")).toMatchObject({
        kind: "decided",
        answer: decision.outcome,
        asked: false,
      });
    }),
    { numRuns: 300 },
  );
});

const SERVER = { scheme: "https", host: "a.example", port: 443, path: "/api" };
const reaching = (interfaceId: bigint) => tool("web.get", { interfaceId, methodName: "get", servers: [SERVER] });

test.each([
  [reaching(HttpEndpoint.id), { path: "/other" }],
  [reaching(HttpEndpoint.id), {}],
  [{ ...reaching(HttpEndpoint.id), methodDenied: true }, { path: "/api" }],
  [reaching(Fetch.id), {}],
  [reaching(Fetch.id), { url: "no address" }],
  [reaching(Fetch.id), { url: "https://user@a.example/api" }],
  [reaching(Fetch.id), { url: `https://a.example/${"x".repeat(4090)}` }],
  [reaching(HttpEndpoint.id), { path: `/${"x".repeat(4096)}` }],
  [reaching(HttpEndpoint.id), { path: "api" }],
  [reaching(HttpEndpoint.id), { path: "/api/../etc" }],
  [reaching(HttpEndpoint.id), { path: "/api/%2" }],
])("a refusal by the grant of a service is recognized as a refusal by the page: %#", (asked, args) => {
  const target = resolveToolTarget(asked, JSON.stringify(args));
  if (target?.ok !== false) throw new Error("the grant covers the call");
  expect(classifyRecord(refusal("refusedByPolicy", target.reason), "outcome")).toMatchObject({
    kind: "decided",
    answer: "refusedByPolicy",
    asked: false,
  });
});

test.each([
  "notes was revoked",
  "the call is of turn 2, and this is turn 3",
  "nothing is recorded durably, so only reading that asks nobody may run",
  "the page's time for a turn is over",
  "12 questions were asked in this turn; a page may set another number",
  "words that a later machine may say",
])("a refusal by the machine is not attributed to a rule: %s", (error) => {
  expect(classifyRecord(refusal("refusedByPolicy", error), "outcome")).toEqual({ kind: "beyond", reason: error });
});

test("a call cancelled before its decision is not attributed to a rule", () => {
  expect(classifyRecord(refusal("cancelled", "the person stopped the turn"), "outcome")).toMatchObject({
    kind: "beyond",
  });
});

test("a call that is denied without a question, because of earlier denials in the same turn, does not count as a prompt", () => {
  const turn = new Turn(1, "loop");
  turn.deny("notes.write", "{}");
  turn.deny("notes.write", "{1}");
  const again = turn.findEarlierDenial("notes.write", "{}");
  turn.deny("notes.write", "{2}");
  const tooOften = turn.findEarlierDenial("notes.write", "{3}");
  for (const error of ["the person said no", again, tooOften]) {
    const was = classifyRecord(callOf({ decision: "denied", outcome: "deniedByUser", error: error ?? "" }), "outcome");
    expect(was).toMatchObject({ answer: "consent", asked: error === "the person said no" });
  }
});

test("a call with remembered consent does not count as a prompt, and a call that waits for a person has an unknown gate", () => {
  expect(classifyRecord(callOf({ decision: "remembered", consent: 1 }), "outcome")).toMatchObject({
    answer: "consent",
    asked: false,
  });
  const parked = refusal("refusedByPolicy", "nobody is there to be asked: it waits for a person as number 1 (/parked)");
  expect([classifyRecord(parked, "outcome"), findAttendance(parked)]).toMatchObject([{ answer: "parked" }, false]);
});

test.each([
  ["was not sent", 0, "refusedByPolicy", "", "no"],
  ["returned", 2, "ok", "", "yes"],
  ["failed", 2, "executionError", "no such file", "yes"],
  ["was cancelled before or while it ran", 2, "cancelled", "the person stopped the turn", "unknown"],
  ["was revoked before it was sent", 2, "refusedByPolicy", "notes was revoked", "no"],
  ["ran with a withheld result", 2, "refusedByPolicy", "it ran, and its result is not told: no", "yes"],
] as const)("the log says whether the service received a call that %s", (_, intent, outcome, error, sent) => {
  expect(classifySent(callOf({ intent: BigInt(intent), outcome, error }))).toBe(sent);
});

test("a withheld result is recognized by the gate's text, but only for calls that returned", () => {
  const error = "it ran, and its result is above what this session is cleared for";
  expect(classifyRecord(callOf({ intent: 2n, outcome: "refusedByPolicy", error }), "outcome")).toMatchObject({
    withheld: true,
  });
  expect(classifyRecord(callOf({ intent: 2n }), "outcome")).toMatchObject({ withheld: false });
  expect(classifyRecord(callOf(), "intent")).toMatchObject({ withheld: undefined });
});

test("arguments up to the limit are recorded whole, and longer arguments are truncated", () => {
  const recorded = (bytes: number) => {
    const scene = fc.sample(anyScene, 1)[0];
    if (scene === undefined) throw new Error("no scene");
    const indexed = indexTables(scene.tables);
    if (!indexed.ok) throw new Error(indexed.reason);
    const call = { id: "c", name: "no.tool", arguments: "x".repeat(bytes) };
    const writer = { tables: indexed.value, session: "operator" };
    const place = { conversation: "c1", turn: 1, principal: "", consent: 0, inquiry: { surface: "", askedMs: 0 } };
    const said = {
      decision: undefined,
      state: scene.conversation,
      label: scene.conversation.label,
      origin: { by: "person" },
      permission: "notReached",
    } as const;
    const ending = { outcome: "unknownTool", content: "", error: "" } as const;
    const told = { ending, label: said.label, isOwnWords: true };
    return buildOutcome(writer, { ...place, ...said, call }, told, 0n).arguments;
  };
  expect(recorded(MAX_WHOLE_BYTES)).toHaveLength(MAX_WHOLE_BYTES);
  expect(recorded(MAX_WHOLE_BYTES + 1).length).toBeGreaterThan(MAX_WHOLE_BYTES + 1);
});
