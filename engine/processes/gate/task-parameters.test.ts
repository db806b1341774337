// Tests a task's parameters with a console, a gate and a real broker. The tests show who can choose values, which values are
// refused, and which values survive a restart.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { always, answered, check, row, tool } from "../../lib/policy/testing/sample.ts";
import type { Condition, PolicyTables } from "../../lib/wire/generated/policy.ts";
import { Session, ToolProxy } from "../../lib/wire/generated/wire.ts";
import { connect } from "../../lib/wire/index.ts";
import { answerCommand } from "./commands/index.ts";
import { serveGate } from "./serve.ts";
import { never } from "./testing/calls.ts";
import { Machine, type Run } from "./testing/machine.ts";

const RECIPIENT: Condition = {
  ...check("path", "equal", ""),
  literals: [{ which: "parameter", parameter: { name: "recipient", kind: "text" } }],
};
const FROM_PAGE: Condition = { ...check("content", "from"), sources: [{ which: "page" }] };
const USAGE = 'usage: /task pay recipient="TEXT" limit="AMOUNT EUR"';

/**
 * Returns a page with a task `pay`: notes.write runs if its path is the recipient, and notes.send runs if its path comes from the page or
 * the task.
 */
function page(entry: "auto" | "consent" = "auto"): PolicyTables {
  const clause = (condition: Condition) =>
    ({ conditions: [condition], met: "auto", otherwise: "forbidden", rule: 0, group: 0 }) as const;
  const own = {
    task: "pay",
    parameters: [
      { name: "recipient", kind: "text", currency: "" },
      { name: "limit", kind: "money", currency: "EUR" },
    ],
  } as const;
  return answered({
    tools: [tool("notes.send", { method: 1 }), tool("notes.write", { method: 2 })],
    decisions: [
      { clauses: [clause(RECIPIENT)], floors: [] },
      { clauses: [clause({ ...FROM_PAGE, path: ["path"] })], floors: [] },
      { clauses: [always("consent")], floors: [] },
    ],
    rows: [
      row("operator", [4, 4]),
      row("operator", [3, 2], { ...own, phase: "look", entry, entryRule: 0 }),
      row("operator", [3, 2], { ...own, phase: "late", phaseIndex: 1 }),
      row("operator", [4, 4], { task: "triage" }),
    ],
  });
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-parameters-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function start(tables: PolicyTables, machine = new Machine(folder)): Promise<Run> {
  const run = machine.start(tables);
  await run.opened();
  return run;
}

const command = (run: Run, argument: string, name = "task") => answerCommand(run.parts, name, argument, never);

async function propose(run: Run, name: string, path: string) {
  const { conversation } = run.gate.place;
  const described = await run.gate.offering.describe(conversation);
  if (!described.ok) throw new Error(described.reason);
  const { turn, snapshot } = described.value;
  const call = { id: "1", name, arguments: JSON.stringify({ path }) };
  return (await run.gate.loopCalls.invoke({ conversation, turn, snapshot, call }, never)).outcome;
}

const write = (run: Run, path: string) => propose(run, "notes.write", path);
const BEGUN = "this conversation is in phase look of task pay";

test("a person begins a task with values, and the task's rules compare arguments with these values", async () => {
  const run = await start(page());
  expect(await command(run, "")).toEqual(["tasks: pay, triage", USAGE.slice("usage: ".length)]);
  expect(await command(run, 'pay recipient="ACME GmbH" limit="100 EUR"')).toEqual([
    BEGUN,
    "notes.send: consent",
    "notes.write: auto",
  ]);
  run.gate.session.beginTurn();
  expect([await write(run, "ACME GmbH"), await write(run, "ACME")]).toEqual(["ok", "refusedByPolicy"]);
  expect(await command(run, "late", "phase")).toContain("this conversation is in phase late of task pay");
  expect([await write(run, "ACME GmbH"), await write(run, "ACME")]).toEqual(["ok", "refusedByPolicy"]);
});

test.each([
  ["pay", "refused: no value for recipient, limit"],
  ["pay ACME", "refused: no value for limit"],
  ["pay ACME lots", "refused: limit: it is not an amount: 100.00 EUR"],
  ["pay ACME 5 6", "refused: more values than parameters; put a value of several words in quotes"],
  ['pay recipent="ACME" 5', "refused: there is no parameter recipent"],
])("/task %s begins no task, and explains how to begin one", async (argument, reason) => {
  const run = await start(page());
  expect(await command(run, argument)).toEqual([reason, USAGE]);
  expect(run.gate.conversation.row).toBe(0);
  expect(run.machine.records).toEqual([]);
});

test("a task without parameters accepts no values, and the refusal of an unknown parameter names the parameter", async () => {
  const run = await start(page());
  expect(await command(run, "triage 5")).toEqual([
    "refused: more values than parameters; put a value of several words in quotes",
    "usage: /task triage",
  ]);
  expect(await command(run, "tour 5")).toEqual(["refused: no task tour in session operator"]);
});

test("the audit record and the question at the task's gate contain the values", async () => {
  const run = await start(page("consent"));
  run.said = ["granted"];
  expect(await command(run, 'pay "ACME GmbH" "100 EUR"')).toContain(BEGUN);
  expect(run.questions.map(({ arguments: asked }) => asked)).toEqual([
    '{"parameters":{"limit":"100","recipient":"ACME GmbH"},"phase":"look","task":"pay"}',
  ]);
  expect(run.machine.records.at(-1)).toMatchObject({
    session: {
      event: "task",
      detail: 'pay in phase look with {"limit":"100","recipient":"ACME GmbH"}: consented after 900 ms at console',
    },
  });
});

test("a typed value of a task counts as text of the page if a rule asks for the source; a pasted value does not", async () => {
  const run = await start(page());
  await command(run, 'pay "ada@example.com" 5');
  run.gate.session.beginTurn();
  const source = run.gate.conversation.sources?.trace("ada@example.com")?.words;
  expect([source, await propose(run, "notes.send", "ada@example.com")]).toEqual(["the task's recipient", "ok"]);
  expect(await propose(run, "notes.send", "eve@example.com")).toBe("refusedByPolicy");
  const other = await start(page(), new Machine());
  await answerCommand({ ...other.parts, entry: "pasted" }, "task", 'pay "ada@example.com" 5', never);
  other.gate.session.beginTurn();
  expect(await propose(other, "notes.send", "ada@example.com")).toBe("refusedByPolicy");
  expect(await write(other, "ada@example.com")).toBe("ok");
});

function speak(run: Run, name: string): void {
  const saying = { sequence: 0n, turn: 1, role: "user", text: "hello", calls: [], callId: "", source: "" } as const;
  run.store.append("operator", name, [{ ...saying, outcome: "ok", through: 0n, saidMs: 0n }]);
}

test("values survive a restart and a copy of the conversation, but not a new conversation or other policy tables", async () => {
  const machine = new Machine(folder);
  const run = await start(page(), machine);
  const name = run.gate.place.conversation;
  await command(run, "pay ada@example.com 5");
  run.gate.session.beginTurn();
  speak(run, name);
  const later = await start(page(), machine);
  expect(await command(later, name, "resume")).toEqual([expect.stringContaining(`conversation ${name}, at`)]);
  const outcomes = async (of: Run) => {
    of.gate.session.beginTurn();
    return [
      await write(of, "ada@example.com"),
      await write(of, "eve@example.com"),
      await propose(of, "notes.send", "ada@example.com"),
    ];
  };
  expect(await outcomes(later)).toEqual(["ok", "refusedByPolicy", "ok"]);
  await command(later, "", "fork");
  expect(await outcomes(later)).toEqual(["ok", "refusedByPolicy", "ok"]);
  await command(later, "", "new");
  expect(later.gate.conversation.parameters).toBeUndefined();
  const other = await start({ ...page(), version: "2.0.0" }, machine);
  await command(other, name, "resume");
  expect(other.gate.conversation.parameters).toBeUndefined();
});

test("stores even the longest values that are accepted", async () => {
  const machine = new Machine(folder);
  const parameters = Array.from({ length: 8 }, (_, at) => {
    return { name: `${"n".repeat(63)}${at}`, kind: "text", currency: "" } as const;
  });
  const tables = answered({ rows: [row("operator", [2]), row("operator", [2], { task: "pay", parameters })] });
  const run = await start(tables, machine);
  const name = run.gate.place.conversation;
  const values = parameters.map((_, at) => `${"ä".repeat(127)}${at}`);
  expect(await command(run, `pay ${values.join(" ")}`)).toContain("this conversation is in task pay");
  run.gate.session.beginTurn();
  speak(run, name);
  const later = await start(tables, machine);
  await command(later, name, "resume");
  const kept = [...(later.gate.conversation.parameters?.values() ?? [])];
  expect(kept.map((value) => (value.which === "text" ? value.text : ""))).toEqual(values);
});

test("a compromised loop cannot choose a task's value: it has no commands, and the calls that it proposes cannot set a value", async () => {
  const run = await start(page());
  const [mine, theirs] = duplexPair();
  serveGate(theirs, ToolProxy.id, run.parts);
  const loop = connect(mine);
  const { conversation } = run.gate.place;
  run.gate.session.beginTurn();
  const described = await loop.call(ToolProxy.methods.describeTools, { conversation });
  if (!described.ok) throw new Error(described.reason);
  const { turn, snapshot } = described.value;
  for (const name of ["/task", "task", "notes.write /task", "operator.pay"]) {
    const call = { id: name, name, arguments: '{"task":"pay","parameters":{"recipient":"eve","limit":"1"}}' };
    const reply = await loop.call(ToolProxy.methods.invokeTool, { conversation, turn, snapshot, call });
    expect([name, reply.ok ? reply.value.result.outcome : reply.code]).toEqual([
      name,
      expect.stringMatching(/^(unknownTool|malformed)$/),
    ]);
  }
  const asked = { name: "task", argument: "pay eve 1", isPasted: false };
  expect(await loop.call(Session.methods.command, asked)).toMatchObject({ ok: false });
  expect([run.gate.conversation.row, run.gate.conversation.parameters]).toEqual([0, undefined]);
});

test("after a task has begun, neither the person nor a model can change its values", async () => {
  const run = await start(page());
  await command(run, "pay ada 5");
  run.gate.session.beginTurn();
  expect(await command(run, "pay eve 5")).toEqual([
    "refused: this conversation is in phase look of task pay; type /new, then repeat the command",
  ]);
  expect([await write(run, "ada"), await write(run, "eve")]).toEqual(["ok", "refusedByPolicy"]);
});
