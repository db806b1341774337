import { afterEach, expect, test, vi } from "vitest";
import { always, row, tool } from "../../../lib/policy/testing/sample.ts";
import { refuse } from "../../../lib/result/result.ts";
import type { PermissionMode } from "../../../lib/wire/generated/capos.ts";
import { explainClosed } from "../sentences.ts";
import { Stage, type Surroundings } from "../testing/stage.ts";
import { answerCommand, type CommandParts, describeVocabulary } from "./index.ts";

afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const READ = { id: "1", name: "notes.read", arguments: '{"path":"a"}' };

/**
 * Returns a page with a task of three phases. Phase look only reads; phase mend, which has the gate `entry`, may write
 * too; phase report, which needs a signature, deletes.
 */
function page(entry: Exclude<PermissionMode, "forbidden"> = "consent"): Surroundings["tables"] {
  const inTask = (phase: string, phaseIndex: number, cells: readonly number[], gate: typeof entry = "auto") =>
    row("operator", cells, { task: "triage", phase, phaseIndex, entry: gate, entryRule: 1 });
  return {
    tools: ["notes.delete", "notes.read", "notes.write"].map((name) => tool(name, { readOnly: name === "notes.read" })),
    decisions: (["auto", "consent"] as const).map((mode) => ({ clauses: [always(mode)], floors: [] })),
    rows: [
      row("operator", [3, 2, 3]),
      inTask("look", 0, [0, 2, 0]),
      inTask("mend", 1, [0, 2, 3], entry),
      inTask("report", 2, [2, 2, 0], "stepUp"),
      row("visitor", [0, 2, 0]),
    ],
  };
}

function session(surroundings: Surroundings = {}) {
  const stage = new Stage({ tables: page() ?? {}, ...surroundings });
  const parts: CommandParts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  const say = (name: string, argument = "") => answerCommand(parts, name, argument, never);
  const notes = () => stage.entries.flatMap((entry) => (entry.which === "session" ? [entry.session] : []));
  return { stage, say, notes, parts };
}

/** Starts a call of the loop in the task's first phase; it is under way until `answer` is called. */
async function underWay() {
  const answered = Promise.withResolvers<void>();
  const serve = async () => {
    await answered.promise;
    return { ok: true, value: "{}" } as const;
  };
  const opened = session({ tables: page("auto") ?? {}, serve });
  const { stage, say } = opened;
  await say("task", "triage");
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  const propose = () => stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: READ }, never);
  const isSent = stage.until("send");
  const first = propose();
  await isSent;
  return { ...opened, propose, first, answer: answered.resolve };
}

const IN_LOOK = ["this conversation is in phase look of task triage", "notes.read: auto"];

test("/task begins a task only at the start of a conversation, and then only the task's tools are available", async () => {
  const { stage, say, notes } = session();
  expect(await say("task")).toEqual(["tasks: triage"]);
  expect(await say("phase")).toEqual(["this conversation is in session operator", "no later phase"]);
  expect(await say("task", "tour")).toEqual(["refused: no task tour in session operator"]);
  expect(await say("task", "triage")).toEqual(IN_LOOK);
  expect(notes()).toMatchObject([{ name: "operator", event: "task", detail: "triage in phase look: auto" }]);
  expect(await say("task", "triage")).toEqual([
    "refused: this conversation is in phase look of task triage; type /new, then repeat the command",
  ]);
  expect(await say("task")).toEqual(["this conversation is in phase look of task triage", "tasks: triage"]);
  expect((await say("policy"))[0]).toBe("system sample 1.0.0, session operator, phase look of task triage");
  stage.gate.session.beginTurn();
  expect((await stage.described()).tools.map(({ name }) => name)).toEqual(["notes.read"]);
  expect((await say("tool", 'notes.write {"path":"a"}'))[0]).toMatch(/^unknownTool/);
  expect(await say("budget")).toEqual(["main in turn 2, triage look"]);
});

test("the vocabulary lists tasks, later phases, and the commands that take conversations", async () => {
  const { say, parts } = session();
  const names = async () => {
    const { tasks, phases, conversations } = await describeVocabulary(parts);
    return [tasks, phases, conversations];
  };
  expect(await names()).toEqual([["triage"], [], []]);
  await say("task", "triage");
  expect(await names()).toEqual([["triage"], ["mend", "report"], []]);
  const taking = (await describeVocabulary(parts)).commands.flatMap((one) =>
    one.namesConversations ? [one.name] : [],
  );
  expect(taking).toEqual(["resume", "fork", "compare", "export", "forget"]);
});

test("a task cannot begin after a person's line or a call", async () => {
  const refused = ["refused: a task needs a new conversation; type /new, then repeat the command"];
  const talked = session();
  talked.stage.gate.session.beginTurn();
  expect(await talked.say("task", "triage")).toEqual(refused);
  const called = session();
  await called.say("tool", 'notes.read {"path":"a"}');
  expect(await called.say("task", "triage")).toEqual(refused);
  expect(called.notes()).toEqual([]);
});

/** Returns the page of `page`, changed so that the session `operator` requires a task. */
function requiring(): Surroundings["tables"] {
  const { rows = [], decisions = [], ...rest } = page() ?? {};
  const closed = decisions.length + 2;
  return {
    ...rest,
    decisions: [...decisions, { clauses: [always("forbidden", 1)], floors: [] }],
    rows: rows.map((one) =>
      one.session === "operator" && one.task === ""
        ? { ...one, cells: [closed, closed, closed], requiresTask: true, taskRule: 1 }
        : one,
    ),
  };
}

test("if a task is required, refuses calls and lines outside of a task and names the tasks", async () => {
  const { say, stage, notes } = session({ tables: requiring() ?? {} });
  const closed = "session operator requires a task, and none has begun; a person begins one with /task NAME: triage";
  expect((await say("tool", 'notes.read {"path":"a"}'))[0]).toBe(`refusedByPolicy: ${closed}`);
  expect((await say("tool", 'nowhere.at {"path":"a"}'))[0]).toBe(`refusedByPolicy: ${closed}`);
  expect((await say("tools"))[0]).toBe(closed);
  expect(explainClosed(stage.gate.parts.tables, stage.gate.conversation)).toBe(closed);
  expect(stage.sent).toEqual([]);
  // Refused calls leave no state that would prevent the start of a task.
  expect(await say("task", "triage")).toEqual(IN_LOOK);
  expect(notes().at(-1)).toMatchObject({ name: "operator", event: "task", detail: "triage in phase look: auto" });
  expect(explainClosed(stage.gate.parts.tables, stage.gate.conversation)).toBeUndefined();
});

test("if a task is required, the loop gets no tools outside of a task", async () => {
  const { stage, say } = session({ tables: requiring() ?? {} });
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toEqual(
    refuse(
      "canned may not answer: session operator requires a task, and none has begun; a person begins one with /task NAME: triage",
    ),
  );
  await say("task", "triage");
  stage.gate.session.beginTurn();
  expect((await stage.described("main")).tools.map(({ name }) => name)).toEqual(["notes.read"]);
});

test("/phase asks, charges a prompt and records the new phase before the conversation enters it, and voids older tool tables", async () => {
  const { stage, say, notes } = session({ tables: page() ?? {}, said: ["granted"] });
  await say("task", "triage");
  expect(await say("phase")).toEqual([IN_LOOK[0], "later phases: mend, report"]);
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  const came = await say("phase", "mend");
  expect(came).toEqual([
    "this conversation is in phase mend of task triage",
    "notes.read: auto",
    "notes.write: consent",
  ]);
  expect(stage.questions).toMatchObject([
    {
      tool: "/phase",
      arguments: '{"phase":"mend","task":"triage"}',
      sentence: "enter phase mend of task triage; there may be called: notes.write (consent)",
      mode: "consent",
      rule: "the second line (a.cap:2:1)",
    },
  ]);
  expect(stage.steps).toEqual(["session", "reserve  in 1 with 1 of triage mend", "ask", "settle", "session"]);
  expect(notes().at(-1)).toMatchObject({
    event: "phase",
    detail: "mend of task triage: consented after 1200 ms at console",
  });
  expect(await stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: READ }, never)).toMatchObject({
    error: "the call was made from a tool table that is not the newest",
  });
  expect(
    (
      await stage.gate.loopCalls.invoke(
        { conversation: "main", turn, snapshot: (await stage.described()).snapshot, call: READ },
        never,
      )
    ).outcome,
  ).toBe("ok");
  expect(stage.steps.at(-3)).toBe("reserve notes.read in 1 with 0 of triage mend");
});

test("phases only go forward, and exist only in a task", async () => {
  const { say, stage } = session({ tables: page("auto") ?? {} });
  expect(await say("phase", "mend")).toEqual(["refused: this conversation is in no task"]);
  await say("task", "triage");
  expect((await say("phase", "mend"))[0]).toBe("this conversation is in phase mend of task triage");
  expect(await say("phase", "look")).toEqual(["refused: phases go forward only, and this is mend"]);
  expect(await say("phase", "nowhere")).toEqual(["refused: task triage has no phase nowhere"]);
  expect(stage.questions).toEqual([]);
});

test("if a phase requires a signature, the record of entering the phase names the signer", async () => {
  const { say, stage, notes } = session({ said: ["granted"] });
  await say("task", "triage");
  expect((await say("phase", "report"))[0]).toBe("this conversation is in phase report of task triage");
  expect(stage.steps).toContain("challenge");
  expect(stage.questions).toMatchObject([{ challenge: 'sign {"phase":"report","task":"triage"}', mode: "stepUp" }]);
  expect(notes().at(-1)?.detail).toBe("report of task triage: stepUpSucceeded (alice) after 1200 ms at console");
});

for (const [what, said, bend, reason] of [
  ["the person says no", ["denied"], () => {}, "the person said no"],
  ["nobody answers", ["timedOut"], () => {}, "nobody answered"],
  ["nobody can be asked", [], () => {}, "nobody could be asked"],
  [
    "the prompts are used up",
    [],
    (stage: Stage) => {
      stage.exhausted = "2 prompts per task";
    },
    "used up: 2 prompts per task",
  ],
  [
    "the broker has ended",
    [],
    (stage: Stage) => stage.broker.close(),
    "the broker does not answer: this side closed the connection",
  ],
] as const) {
  test(`if ${what}, the conversation stays in its phase, and the refusal is recorded`, async () => {
    const { say, stage, notes } = session({ said });
    await say("task", "triage");
    bend(stage);
    expect(await say("phase", "mend")).toEqual([`refused: ${reason}`]);
    expect(notes().at(-1)).toMatchObject({ event: "phase refused", detail: `mend of task triage: ${reason}` });
    expect((await say("phase"))[0]).toBe(IN_LOOK[0]);
  });
}

test("an approved change of phase that cannot be recorded does not happen", async () => {
  const { say, stage } = session({ said: ["granted"] });
  await say("task", "triage");
  stage.refuses = "sessions";
  expect(await say("phase", "mend")).toEqual([
    "refused: the audit does not record the step: the disk refused the record",
  ]);
  expect((await say("phase"))[0]).toBe(IN_LOOK[0]);
  stage.refusal = "the disk is full";
  expect(await say("phase", "mend")).toEqual([
    "refused: nothing can be recorded, so nothing may run: the disk is full",
  ]);
});

test("without a disk a task may begin without a question, and cannot reach a phase that asks", async () => {
  const { say, stage } = session({ said: ["granted"] });
  stage.isDurable = false;
  expect(await say("task", "triage")).toEqual(IN_LOOK);
  expect(await say("phase", "mend")).toEqual(["refused: nothing is recorded durably, so nobody is asked"]);
  expect(stage.questions).toEqual([]);
});

test("a change of phase that is cancelled while it waits for a call does not happen", async () => {
  const { parts, say, first, answer } = await underWay();
  const givenUp = new AbortController();
  const step = answerCommand(parts, "phase", "mend", givenUp.signal);
  givenUp.abort();
  answer();
  await first;
  expect(await step).toEqual(["refused: it was given up while a call was under way"]);
  expect((await say("phase"))[0]).toBe(IN_LOOK[0]);
});

test("after the page's session time, no task can begin", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const rows = (page()?.rows ?? []).map((one) => ({ ...one, timeouts: { ...one.timeouts, loginMs: 60_000 } }));
  const { say } = session({ tables: { ...page(), rows } });
  vi.advanceTimersByTime(60_000);
  expect(await say("task", "triage")).toEqual(["refused: the page's time for a session is over"]);
});

test("a change of phase waits for the running call, and later calls wait for the change of phase", async () => {
  const { say, stage, first, answer } = await underWay();
  const step = say("phase", "mend");
  const second = stage.gate.personCalls.call({ ...READ, name: "notes.delete" }, never);
  answer();
  await first;
  expect((await step)[0]).toBe("this conversation is in phase mend of task triage");
  expect((await second).outcome).toBe("unknownTool");
  expect(stage.steps.filter((one) => one.startsWith("reserve"))).toEqual([
    "reserve notes.read in 1 with 0 of triage look",
  ]);
});

test("a loop's call that waits for a change of phase is then refused, because its tool table is old", async () => {
  const { say, stage, propose, first, answer } = await underWay();
  const step = say("phase", "mend");
  const second = propose();
  answer();
  expect((await first).outcome).toBe("ok");
  expect((await step)[0]).toBe("this conversation is in phase mend of task triage");
  expect(await second).toMatchObject({
    outcome: "refusedByPolicy",
    error: "the call was made from a tool table that is not the newest",
  });
  expect(stage.sent).toHaveLength(1);
});

test("after a task has begun, the loop cannot name another conversation", async () => {
  const { stage, say } = session();
  await say("task", "triage");
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("other")).toEqual(
    refuse("this gate keeps one conversation, and it is another"),
  );
  expect((await stage.described("main")).turn).toBe(1);
});
