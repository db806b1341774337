import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { anyLog } from "../../../engine/processes/audit/testing/sample.ts";
import { type Finding, Replay, ReplayResultBuilder } from "./index.ts";
import { SampleLog, WITHHELD } from "./testing/log.ts";
import { bent, PAGE, type Rules, replayed, rulesOf, TASK, told } from "./testing/page.ts";

let rules: Rules;
beforeAll(async () => {
  rules = await rulesOf(PAGE);
});

const WRITE = { content: "x", path: "a.txt" };
const CONSENTED = { decision: "consented" } as const;
test("reports a widening with the new rule, the old rule and the record", async () => {
  const log = new SampleLog()
    .boot()
    .ran("notes.write", WRITE, { ...CONSENTED, rule: "operator/consent mutatingLocal" });
  const wider = await bent("consent mutatingLocal", "auto mutatingLocal");
  const { otherwise, counts, prompts } = replayed(wider, log);
  expect(otherwise).toMatchObject([
    {
      at: { log: 0, sequence: 4n, isInOrder: true },
      place: "operator",
      tool: "notes.write",
      recorded: { decision: "consented", rule: "operator/consent mutatingLocal" },
      now: { answer: "auto", reason: 'auto by "auto mutatingLocal"' },
      direction: "widened",
    },
  ]);
  expect(counts).toMatchObject({ widened: 1, mayWiden: 1 });
  expect(prompts.days).toEqual([{ day: "2027-01-30", before: 1, after: 0, open: 0 }]);
  expect(prompts.tools).toEqual([{ session: "operator", tool: "notes.write", before: 1, after: 0, open: 0 }]);
});

test("replay under the same rules reports no difference", () => {
  const log = new SampleLog()
    .boot()
    .ran("notes.read", { path: "a" })
    .denied("notes.write", WRITE)
    .ended("notes.nothing", "{}", { decision: "notReached", outcome: "unknownTool", error: "no such tool" })
    .ended("notes.read", '{"path":7}', { decision: "notReached", outcome: "invalidArguments", error: "path" })
    .ended("notes.read", '{"path":', { decision: "notReached", outcome: "invalidArguments", error: "no JSON" })
    .sent("notes.list", { path: "" });
  const { decisions, same } = replayed(rules, log);
  expect([decisions, same]).toEqual([6, 6]);
});

test("a call with withheld arguments cannot be decided under another policy, and the reason says so", async () => {
  const unknown = { decision: "notReached", outcome: "unknownTool", error: "", ...WITHHELD } as const;
  const log = new SampleLog()
    .boot()
    .withheld("notes.write", CONSENTED)
    .withheld("notes.read")
    .ended("withheld", "", unknown);
  const { undecided, counts, otherwise } = replayed(await bent("consent mutatingLocal", "auto mutatingLocal"), log);
  expect(otherwise).toEqual([]);
  expect(undecided.map(({ tool, now, arguments: args, isWithheld }) => [tool, now, args, isWithheld])).toMatchObject([
    ["notes.write", { because: "its arguments are withheld: the log has only their digest" }, "", true],
    ["notes.read", { because: "its arguments are withheld: the log has only their digest" }, "", true],
    ["withheld", { because: "its name is withheld, and no tool of that policy had it" }, "", true],
  ]);
  expect(counts).toMatchObject({ undecided: 3, mayWiden: 2 });
});

test("a refusal with another reason counts as moved, and a call in a session that the new page lacks counts as narrowed", async () => {
  const unknown = { decision: "notReached", outcome: "unknownTool", error: "no such tool" } as const;
  const log = new SampleLog().boot().ended("notes.delete", '{"path":"a"}', unknown).ran("notes.read", { path: "a" });
  expect(told(replayed(await bent("auto readOnly", "auto readOnly  forbidden destructive"), log))).toEqual([
    "notes.delete: unknownTool → refusedByPolicy, moved",
  ]);
  const other = await rulesOf(PAGE.replaceAll("operator", "keeper").replace("kind keeper", "kind operator"));
  expect(told(replayed(other, log))).toEqual([
    "notes.delete: unknownTool → notThere, moved",
    "notes.read: auto → notThere, narrowed",
  ]);
});

test("a call is decided with its conversation's label under the replayed policy", async () => {
  const stepUp = { decision: "stepUpSucceeded", principal: "alice" } as const;
  const log = new SampleLog()
    .boot()
    .ran("desk.write", WRITE, CONSENTED)
    .ran("desk.write", WRITE, stepUp)
    .ran("notes.write", WRITE, CONSENTED);
  const narrowed = "notes.write: consent → refusedByPolicy, narrowed";
  expect(told(replayed(rules, log))).toEqual([narrowed]);
  const trusting = await bent("state 1 MiB  label internal/untrusted", "state 1 MiB  label internal/reviewed");
  expect(told(replayed(trusting, log))).toEqual(["desk.write: stepUp → consent, widened", narrowed]);
});

test("if the only record of a call says that the call was sent, its result raises the label", () => {
  const withheld = "it ran, and its result is above what this session is cleared for";
  const log = (fields: { readonly sent: boolean; readonly outcome?: "refusedByPolicy"; readonly error?: string }) =>
    new SampleLog().boot().ended("desk.read", '{"path":"a"}', fields).ran("notes.write", WRITE, CONSENTED);
  const narrowed = "notes.write: consent → refusedByPolicy, narrowed";
  expect(told(replayed(rules, log({ sent: true })))).toEqual([narrowed]);
  expect(told(replayed(rules, log({ sent: false })))).toEqual([]);
  const above = { outcome: "refusedByPolicy", error: withheld } as const;
  expect(told(replayed(rules, log({ sent: true, ...above }))).at(-1)).toBe(narrowed);
});

test("unknown facts make a call undecided only if they change its decision", async () => {
  const log = new SampleLog()
    .boot()
    .ran("desk.write", WRITE, CONSENTED)
    .ran("desk.read", { path: "a" })
    .ran("desk.write", WRITE, { decision: "stepUpSucceeded", principal: "alice" })
    .ran("notes.list", { path: "" });
  expect(told(replayed(rules, log))).toEqual([]);
  const seen = "what the conversation had seen";
  const row = "in which task or phase it was";
  expect(told(replayed(await rulesOf(PAGE.replace(TASK, "")), log, 3))).toEqual([
    `desk.write: consent → (${seen}, is not on record)`,
  ]);
  expect(told(replayed(rules, log, 3))).toEqual([
    `desk.write: consent → (${row}, and ${seen}, is not on record)`,
    `desk.read: auto → (${row}, is not on record)`,
    `desk.write: stepUp → (${row}, is not on record)`,
    `notes.list: auto → (${row}, and whether anybody was there, is not on record)`,
  ]);
});

test("steps into a task or phase change the row, and are themselves decided and counted", async () => {
  const log = new SampleLog()
    .boot()
    .event("task", "triage in phase look: auto")
    .ended("desk.read", '{"path":"a"}', { decision: "notReached", outcome: "unknownTool", error: "no such tool" })
    .event("phase refused", "mend of task triage: the person said no")
    .event("phase", "mend of task triage: consented")
    .ran("notes.list", { path: "" }, CONSENTED);
  const whole = replayed(rules, log);
  expect([told(whole), whole.decisions]).toEqual([[], 5]);
  expect(whole.prompts.tools).toEqual([
    { session: "operator", tool: "/phase mend", before: 2, after: 2, open: 0 },
    { session: "operator", tool: "notes.list", before: 1, after: 1, open: 0 },
  ]);
  const signed = await bent("phase mend after consent", "phase mend after stepUp");
  expect(told(replayed(signed, log))).toEqual([
    "/phase mend: consent → stepUp, narrowed",
    "/phase mend: consent → stepUp, narrowed",
  ]);
  const other = await bent("phase look", "phase watch");
  expect(told(replayed(other, log))).toEqual([
    "/task triage: auto → notThere, narrowed",
    "desk.read: unknownTool → notThere, moved",
  ]);
});

test("a call with truncated arguments is undecided, and counts as a possible widening if the new decision may be looser", async () => {
  const long = `{"content":"${"x".repeat(5000)} sha256 ${"0".repeat(64)}`;
  const denied = { decision: "denied", outcome: "deniedByUser", error: "the person said no" } as const;
  const log = (digest?: Uint8Array) => new SampleLog(digest).boot().ended("notes.write", long, denied);
  const some = await bent("mutatingLocal }", 'mutatingLocal  auto notes.write where path under "/a" else stepUp }');
  expect(replayed(some, log())).toMatchObject({
    undecided: [{ now: { answers: ["auto", "stepUp", "refusedByPolicy", "invalidArguments"] } }],
    counts: { mayWiden: 1 },
  });
  // Under the same tables, the replayed decision must be the recorded decision.
  expect(replayed(some, log(some.digest))).toMatchObject({ same: 1, undecided: [] });
});

test("a withheld result that the new page would show is a possible widening, even if the call has another gate or cannot be decided", async () => {
  const error = "it ran, and its result is above what this session is cleared for";
  const log = new SampleLog().boot().ran("desk.read", { path: "a" }, { outcome: "refusedByPolicy", error });
  const asked = replayed(await bent("auto readOnly", "consent readOnly"), log);
  expect(told(asked)).toEqual(["desk.read: auto → consent, moved"]);
  expect(asked.counts.mayWiden).toBe(1);
  const cut = replayed(rules, log, 3);
  expect(told(cut)).toEqual(["desk.read: auto → (in which task or phase it was, is not on record)"]);
  expect(cut.counts.mayWiden).toBe(1);
});

test("arguments longer than a person can review need a signature, as at the gate", () => {
  const long = { content: "x".repeat(9000), path: "a" };
  const log = new SampleLog().boot().ran("notes.write", long, { decision: "stepUpSucceeded", principal: "alice" });
  expect(told(replayed(rules, log))).toEqual([]);
});

test("an absent user gets no prompt", () => {
  const nobody = "nobody is there to be asked";
  const refused = { decision: "notReached", outcome: "refusedByPolicy", error: nobody } as const;
  const log = new SampleLog()
    .boot()
    .event("away", "c1")
    .ended("notes.write", JSON.stringify(WRITE), refused)
    .ran("notes.write", WRITE, { ...CONSENTED, runner: "person" })
    .event("back", "c1")
    .ran("notes.write", WRITE, CONSENTED);
  expect([told(replayed(rules, log)), replayed(rules, log).prompts.days]).toMatchObject([
    [],
    [{ before: 2, after: 2 }],
  ]);
});

test("a resumed conversation has its recorded label if the log was written under the same tables", () => {
  const taken = (digest?: Uint8Array) =>
    new SampleLog(digest)
      .boot()
      .event("conversation", "c7 at internal/untrusted, in session operator")
      .ran("desk.write", WRITE, { decision: "stepUpSucceeded", principal: "alice", conversation: "c7" });
  expect(told(replayed(rules, taken(rules.digest)))).toEqual([]);
  expect(replayed(rules, taken(rules.digest)).prompts.days).toMatchObject([{ before: 1, after: 1 }]);
  expect(told(replayed(rules, taken()))).toEqual([
    "desk.write: stepUp → (what the conversation had seen, is not on record)",
  ]);
});

test("a conversation that is resumed before the machine restarts keeps its label", () => {
  const log = new SampleLog()
    .boot()
    .ran("desk.read", { path: "a" })
    .event("conversation", "c2 at public/reviewed, in session operator")
    .event("conversation", "c1 at internal/untrusted, in session operator")
    .ran("desk.write", WRITE, { decision: "stepUpSucceeded", principal: "alice" });
  expect(told(replayed(rules, log))).toEqual([]);
});

test("refusals by the machine are counted separately, by their text", () => {
  const revoked = { decision: "notReached", outcome: "refusedByPolicy", error: "notes was revoked" } as const;
  const log = new SampleLog().boot();
  for (let count = 0; count < 3; count += 1) log.ended("notes.read", '{"path":"a"}', revoked);
  const { beyond, decisions, same } = replayed(rules, log);
  expect([...beyond, decisions, same]).toEqual([["notes was revoked", 3], 3, 0]);
});

test("after a gap in the log, it is unknown what a conversation had read, and a call without its outcome is still decided", async () => {
  const flat = await rulesOf(PAGE.replace(TASK, ""));
  const log = new SampleLog().boot().ran("notes.read", { path: "a" }).ran("desk.write", WRITE, CONSENTED);
  const collected = new ReplayResultBuilder();
  const replay = new Replay(flat.tables, flat.digest, collected.add);
  replay.beginLog();
  const records = log.links.map(({ record }) => record).filter(({ sequence }) => sequence !== 4n);
  for (const record of records) replay.take(record, "unvouched");
  replay.end();
  expect(told(collected)).toEqual(["desk.write: consent → (what the conversation had seen, is not on record)"]);
  expect([collected.decisions, collected.inOrder]).toEqual([2, 0]);
});

test("each decision of a random log is reported once, and the counts add up", () => {
  fc.assert(
    fc.property(fc.array(anyLog, { maxLength: 3 }), fc.array(fc.nat({ max: 30 })), (logs, left) => {
      const found: Finding[] = [];
      const collected = new ReplayResultBuilder();
      const replay = new Replay(rules.tables, rules.digest, (finding) => {
        found.push(finding);
        collected.add(finding);
      });
      let calls = 0;
      for (const links of logs) {
        const kept = links.filter((_, index) => !left.includes(index)).map(({ record }) => record);
        replay.beginLog();
        for (const record of kept) replay.take(record, "vouched");
        const intents = new Set(kept.flatMap(({ sequence, entry }) => (entry.which === "intent" ? [sequence] : [])));
        for (const { entry } of kept) {
          if (entry.which === "outcome") intents.delete(entry.outcome.intent);
          if (entry.which === "outcome") calls += 1;
        }
        calls += intents.size;
      }
      replay.end();
      const { decisions, same, counts, beyond } = collected;
      const machine = [...beyond.values()].reduce((sum, count) => sum + count, 0);
      expect(found).toHaveLength(calls);
      expect(decisions).toBe(same + counts.widened + counts.moved + counts.narrowed + counts.undecided + machine);
    }),
    { numRuns: 100 },
  );
});
