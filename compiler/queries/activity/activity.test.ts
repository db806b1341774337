import { expect, test } from "vitest";
import { indexed, row, tool } from "../../../engine/lib/policy/testing/sample.ts";
import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { callOf } from "../../../engine/processes/audit/testing/sample.ts";
import { SampleLog } from "../replay/testing/log.ts";
import { MOST_NAMES, OTHER } from "./activity-builder.ts";
import {
  ActivityBuilder,
  type ActivityPolicy,
  type Criteria,
  checkCriteria,
  listVisibleTools,
  parseMoment,
  parseToolPattern,
  RecordFilter,
} from "./index.ts";

const CONSENTED = { decision: "consented", surface: "console" } as const;
const MORNING = Date.UTC(2027, 0, 30, 9);

const recordsOf = (log: SampleLog): readonly AuditRecord[] => log.links.map(({ record }) => record);

function activityOf(log: SampleLog, policy?: ActivityPolicy, criteria: Criteria = {}) {
  const filter = new RecordFilter(criteria);
  const builder = new ActivityBuilder(policy);
  for (const record of recordsOf(log)) builder.take(record, (one) => filter.has(one));
  return builder.build();
}

function selected(log: SampleLog, criteria: Criteria): readonly string[] {
  const filter = new RecordFilter(criteria);
  return recordsOf(log)
    .filter((record) => filter.has(record))
    .map(({ entry, sequence }) => `${sequence} ${entry.which}`);
}

function patternOf(text: string): NonNullable<Criteria["tool"]> {
  const pattern = parseToolPattern(text);
  if (!pattern.ok) throw new Error(pattern.reason);
  return { text, pattern: pattern.value };
}

test("counts each call once with its outcome, and a call without an outcome as unknown", () => {
  const log = new SampleLog()
    .boot()
    .ran("notes.read", { path: "a" })
    .ran("notes.read", { path: "b" })
    .denied("notes.write", { path: "c" })
    .sent("notes.write", { path: "d" }, CONSENTED)
    .boot();
  const { boots, calls, sessions, tools } = activityOf(log);
  expect(calls).toEqual({ ok: 2, denied: 1, refused: 0, failed: 0, unknown: 1 });
  expect(tools.map(({ tool, calls, outcomes }) => [tool, calls.unknown, outcomes])).toEqual([
    ["notes.read", 0, { ok: 2 }],
    ["notes.write", 1, { deniedByUser: 1 }],
  ]);
  expect(boots.map(({ orphans }) => orphans)).toEqual([0, 1]);
  expect(sessions).toMatchObject([{ session: "operator", conversations: 1, called: ["notes.read", "notes.write"] }]);
});

test("an approval states its person, time and surface, and the summary has the median time of each person's approvals", () => {
  const log = new SampleLog().boot();
  for (const askedMs of [900, 5000, 61_000]) log.ran("notes.write", {}, { ...CONSENTED, principal: "alice", askedMs });
  log.denied("notes.write", {}, { principal: "alice", surface: "console", askedMs: 2000 });
  log.ran("notes.write", {}, { decision: "remembered", principal: "alice" });
  log.event("phase", "mend of task triage: stepUpSucceeded (bob) after 7000 ms at console");
  log.event("phase refused", "end of task triage: the person said no");
  const { approvals, approvers } = activityOf(log);
  expect(approvers).toEqual([
    { principal: "", surface: "", approved: 0, denied: 1, fastestMs: null, medianMs: null, slowestMs: null },
    {
      principal: "alice",
      surface: "console",
      approved: 3,
      denied: 1,
      fastestMs: 900,
      medianMs: 2000,
      slowestMs: 61_000,
    },
    { principal: "bob", surface: "console", approved: 1, denied: 0, fastestMs: 7000, medianMs: 7000, slowestMs: 7000 },
  ]);
  expect(approvals.slice(0, 3)).toMatchObject([
    { what: "/phase end of task triage", isApproved: false, gate: "consent" },
    { what: "/phase mend of task triage", isApproved: true, gate: "stepUp", principal: "bob", askedMs: 7000 },
    { what: "notes.write", isApproved: false, askedMs: 2000 },
  ]);
});

test("approvals are listed newest first, including the approval of a call without an outcome, and only the 500 newest are listed", () => {
  const log = new SampleLog().boot().sent("notes.write", {}, CONSENTED);
  for (let count = 0; count < 1200; count += 1) log.denied("notes.write", {}, { surface: "console", askedMs: 1 });
  const sequences = activityOf(log).approvals.map(({ sequence }) => Number(sequence));
  expect(sequences).toEqual(Array.from({ length: 500 }, (_, index) => 1203 - index));
  const few = new SampleLog().boot().sent("notes.write", {}, CONSENTED).denied("notes.write", {}, CONSENTED);
  expect(activityOf(few).approvals.map(({ sequence }) => sequence)).toEqual([4n, 3n]);
});

test("approvals have no duration if an old log does not name the surface", () => {
  const { approvers } = activityOf(new SampleLog().boot().ran("notes.write", {}, { decision: "consented" }));
  expect(approvers).toMatchObject([{ surface: "", approved: 1, medianMs: null }]);
});

test("a text that looks like an approval, in a task's values, a refused plan or a failed login, does not count as one", () => {
  const forged = ": stepUpSucceeded (mallory) after 5 ms at console,";
  const log = new SampleLog()
    .boot()
    .event(
      "task",
      `pay in phase look with ${JSON.stringify({ to: forged, by: `}${forged} x` })}: consented after 900 ms at console`,
    )
    .event("plan refused", `it wrote ${forged} 1`)
    .event("login refused", `no key ${forged} 1`)
    .event("model opened", `canned: stepUpSucceeded (bob) after 70 ms at console, consent 1`)
    .event("model opened", `of another form ${forged} 1`)
    .event("model opened", `canned${forged} and more`);
  const { approvals, sessions } = activityOf(log);
  expect(approvals).toMatchObject([
    { what: "/model canned", isApproved: true, gate: "stepUp", principal: "bob", askedMs: 70 },
    { what: "/task pay in phase look", isApproved: true, gate: "consent", principal: "", askedMs: 900 },
  ]);
  expect(sessions.flatMap(({ principals }) => principals)).toEqual(["bob"]);
  expect(selected(log, { principal: "mallory" })).toEqual([]);
});

test("groups refusals by reason, without texts of services, and counts the refusals of each quota", () => {
  const refused = { decision: "notReached", outcome: "refusedByPolicy" } as const;
  const failed = { intent: 0n, sent: true, outcome: "executionError" } as const;
  const unsent = { ...failed, sent: false, error: "notes was not granted to this session" } as const;
  const log = new SampleLog()
    .boot()
    .ended("notes.read", "{}", { ...refused, error: "used up: 4 readOnly per turn (a.cap:3:1): 4 of 4 spent; later" })
    .ended("notes.read", "{}", { ...refused, error: "used up: 4 readOnly per turn (a.cap:3:1): 5 of 4 spent; later" })
    .ended("notes.read", "{}", { ...failed, error: "failed: no file secret-1" })
    .ended("notes.list", "{}", { ...failed, error: "used up: secret-2" })
    .ended("notes.list", "{}", unsent);
  const { quotas, refusals } = activityOf(log);
  expect(quotas).toEqual([{ session: "operator", quota: "4 readOnly per turn (a.cap:3:1)", refused: 2 }]);
  expect(refusals[0]).toMatchObject({
    count: 2,
    reason: "the service reported an error",
    tools: ["notes.list", "notes.read"],
  });
  expect(refusals.map(({ reason }) => reason)).toContain(unsent.error);
  expect(refusals.map(({ reason }) => reason).join()).not.toContain("secret");
});

test("calls that send data out are counted by tool, with the origins that the page allows and the origins in arguments", () => {
  const log = new SampleLog()
    .boot()
    .ran("web.get", { url: "https://example.org/a?b" })
    .ran("web.get", { url: "https://example.org/c" })
    .ended("web.get", '{"url":"https://refused.example"}', { decision: "forbidden", outcome: "refusedByPolicy" })
    .ran("web.get", { url: "https://stopped.example" }, { outcome: "refusedByPolicy", error: "web was revoked" })
    .ran("web.get", { url: "https://slow.example" }, { outcome: "timedOut", error: "timedOut: no answer" })
    .ran("web.get", { url: "x" }, { outcome: "refusedByPolicy", error: "it ran, and its result is withheld" })
    .ran("notes.read", { path: "https://not.sent" })
    .sent("web.get", { url: "https://open.example" });
  const tables = indexed({
    tools: [tool("notes.read"), tool("web.get", { networked: true, provider: "web" })],
    rows: [row("operator", [1, 1])],
  });
  const policy = { tables, origins: new Map([["web", ["https://allowed.example"]]]) };
  expect(activityOf(log, policy).left).toEqual([
    {
      tool: "web.get",
      origins: ["https://allowed.example", "https://example.org", "https://open.example", "https://slow.example"],
      calls: 3,
      unsure: 2,
      attempts: 7,
      argumentBytes: 75,
      withheld: 0,
    },
  ]);
  expect(activityOf(log).left).toEqual([]);
});

test("label releases are counted by rule, tool and labels, with the people who approved sent calls", () => {
  const release = { rule: "release/declassify web.get", act: "declassify", from: "secret", to: "public" };
  const log = new SampleLog()
    .boot()
    .ran("web.get", {}, { ...CONSENTED, principal: "bob", release })
    .ran("web.get", {}, { ...CONSENTED, principal: "alice", release })
    .denied("web.get", {}, { principal: "carol", release })
    .ran("web.get", {}, { ...CONSENTED, release: { ...release, from: "internal" } })
    .ran("web.get", {}, CONSENTED);
  const [first, second, ...more] = activityOf(log).releases;
  expect(first).toMatchObject({ from: "internal", calls: 1, attempts: 1, principals: [] });
  expect(second).toEqual({
    ...release,
    tool: "web.get",
    calls: 2,
    attempts: 3,
    principals: ["alice", "bob"],
    sequence: 7n,
  });
  expect(more).toEqual([]);
});

test("the timeline has at most 48 steps, which together contain every call", () => {
  // The calls of the last case span 96 weeks, which is 48 times two weeks. But the first call is in the middle of a
  // step, so steps of two weeks would be 49, one too many.
  for (const minutes of [1, 50, 3000, 200_000, 50_400]) {
    const log = new SampleLog().later(7 * 1440).boot();
    for (let count = 0; count < 20; count += 1) log.later(minutes).ran("notes.read", {});
    const { timeline } = activityOf(log);
    expect(timeline.steps.length).toBeLessThanOrEqual(48);
    expect(timeline.steps.reduce((sum, { ok }) => sum + ok, 0)).toBe(20);
    expect(timeline.from % timeline.stepMs).toBe(0);
  }
  expect(activityOf(new SampleLog().boot()).timeline).toEqual({ from: 0, stepMs: 0, steps: [] });
});

test("calls of tools that do not exist count as calls of one tool, and no list exceeds its limit", () => {
  const invented = { ...callOf().descriptor, category: "" };
  const builder = new ActivityBuilder();
  const [record] = recordsOf(new SampleLog().boot());
  if (record === undefined) throw new Error("the log is empty");
  for (let count = 0; count < MOST_NAMES + 20; count += 1) {
    const call = callOf({
      descriptor: { ...invented, name: `x${count}` },
      outcome: "unknownTool",
      error: `no ${count}`,
    });
    builder.take({ ...record, entry: { which: "outcome", outcome: call } });
  }
  const { refusals, tools } = builder.build();
  expect(tools).toMatchObject([{ tool: "(unknown tools)", calls: { refused: MOST_NAMES + 20 } }]);
  expect(refusals.length).toBe(MOST_NAMES + 1);
  expect(refusals[0]).toMatchObject({ reason: OTHER, count: 20 });
});

const MIXED = new SampleLog()
  .boot()
  .ran("notes.read", {}, { principal: "alice" })
  .event("login", "bob", "visitor")
  .denied("notes.write", {}, { session: "visitor", principal: "bob" })
  .event("task", "triage in phase look: auto")
  .ran("desk.read", {}, { conversation: "c1" });

test.each<readonly [string, Criteria, readonly string[]]>([
  ["a session", { session: "visitor" }, ["5 session", "6 outcome"]],
  ["a principal of an event", { principal: "bob" }, ["5 session", "6 outcome"]],
  ["a principal of a call", { principal: "alice" }, ["3 intent", "4 outcome"]],
  ["an outcome", { outcome: "deniedByUser" }, ["6 outcome"]],
  ["a task", { task: "triage" }, ["7 session", "8 intent", "9 outcome"]],
  ["all tools of a service", { tool: patternOf("notes.*") }, ["3 intent", "4 outcome", "6 outcome"]],
  ["a tool and a session", { tool: patternOf("desk.read"), session: "operator" }, ["8 intent", "9 outcome"]],
  ["a beginning", { since: BigInt(MORNING + 8 * 60_000) }, ["8 intent", "9 outcome"]],
  ["a span", { since: BigInt(MORNING + 2 * 60_000), until: BigInt(MORNING + 4 * 60_000) }, ["2 seal", "3 intent"]],
  ["criteria that nothing meets", { session: "visitor", outcome: "ok" }, []],
])("selects records by %s", (_name, criteria, wanted) => {
  expect(selected(MIXED, criteria)).toEqual(wanted);
});

test("a filter by time excludes a record without a time of day, and counts it", () => {
  const pass = (criteria: Criteria): readonly number[] => {
    const filter = new RecordFilter({ since: 0n, ...criteria });
    const records = recordsOf(MIXED).map((record) => ({ ...record, wallMs: record.sequence === 3n ? 0n : 5n }));
    return [records.filter((record) => filter.has(record)).length, filter.timeless];
  };
  expect(pass({})).toEqual([recordsOf(MIXED).length - 1, 1]);
  expect(pass({ principal: "alice" })).toEqual([1, 1]);
  expect(pass({ session: "visitor" })).toEqual([2, 0]);
});

test("a filter by task selects only calls of the task's own conversation, and only until the machine restarts", () => {
  const log = new SampleLog()
    .boot()
    .event("task", "triage: auto")
    .event("conversation", "b at public, in session operator")
    .ran("notes.read", {}, { conversation: "b" })
    .event("conversation", "a at public, in task triage")
    .ran("notes.read", {}, { conversation: "a" })
    .boot()
    .ran("notes.read", {}, { conversation: "a" });
  expect(selected(log, { task: "triage" })).toEqual(["3 session", "7 session", "8 intent", "9 outcome"]);
});

test("a name that no record has is reported with the nearest name in the log", () => {
  const filter = new RecordFilter({ session: "operatr", task: "mend", tool: patternOf("notes.*") });
  for (const record of recordsOf(MIXED)) filter.has(record);
  expect(filter.listUnknown()).toEqual([
    "no record has the session 'operatr'; did you mean operator?",
    "no record has the task 'mend'; the log has triage",
  ]);
});

test("patterns match by service, by interface, by category, and by ancestors of the category", () => {
  const tables = indexed({
    tools: [tool("notes.read", { interfaceName: "Files", methodName: "read" })],
    rows: [row("operator", [1])],
  });
  const log = new SampleLog().boot().ran("notes.read", {});
  const count = (text: string, policy = tables) => {
    const filter = new RecordFilter({ tool: patternOf(text) }, policy);
    return recordsOf(log).filter((record) => filter.has(record)).length;
  };
  const matching = ["notes.read", "notes.*", "Files.read", "Files.*", "*", "* in Files"];
  expect(matching.map((text) => count(text))).toEqual(matching.map(() => 2));
  expect(["notes.write", "desk.*", "* in desk", "Web.*"].map((text) => count(text))).toEqual([0, 0, 0, 0]);
  for (const text of ["", "a.b.c", "notes.", "*.read", "a b"]) expect(parseToolPattern(text).ok).toBe(false);
});

test("the interfaces and categories of the standard library are known without a policy", () => {
  const filter = new RecordFilter({ tool: patternOf("readOnly in Files") });
  const log = new SampleLog().boot().ran("notes.read", {});
  expect(recordsOf(log).filter((record) => filter.has(record))).toHaveLength(2);
});

test("a name in the criteria that the policy lacks is refused with a suggestion", () => {
  const tables = indexed({ tools: [tool("notes.read")], rows: [row("operator", [1])] });
  const reason = (criteria: Criteria) => {
    const checked = checkCriteria(criteria, tables);
    return checked.ok ? "" : checked.reason;
  };
  expect(reason({ session: "operator", tool: patternOf("notes.*") })).toBe("");
  expect(reason({ session: "operater" })).toBe("the policy has no session 'operater'; did you mean operator?");
  expect(reason({ tool: patternOf("notes.raed") })).toBe(
    "the policy has no tool 'notes.raed'; did you mean notes.read?",
  );
  expect(reason({ task: "triage" })).toBe("the policy has no task 'triage'; it has none");
});

test.each([
  ["7d", 993_600_000],
  ["2h", 1_591_200_000],
  ["30min", 1_596_600_000],
  ["90 s", 1_598_310_000],
  ["1w", 993_600_000],
  ["1970-01-02", 86_400_000],
  ["1970-01-01T00:00:01.5Z", 1500],
  ["1970-01-01T01:00:00+01:00", 0],
])("reads the moment %s", (text, wanted) => {
  expect(Number(parseMoment(text, 1_598_400_000))).toBe(wanted);
});

test.each(["", "7", "7m", "d", "yesterday", "2027-13-01", "2027-01-30T09:00:00", "-7d"])(
  "refuses the moment %j",
  (text) => {
    expect(parseMoment(text, 0)).toBeUndefined();
  },
);

test("lists the tools that the model sees in each session, task and phase, with their gates", () => {
  const tables = indexed({
    tools: [tool("notes.read"), tool("notes.write")],
    rows: [row("operator", [2, 0])],
  });
  expect(listVisibleTools(tables)).toEqual([
    { session: "operator", task: "", phase: "", tools: [{ tool: "notes.read", mode: "auto" }] },
  ]);
});
