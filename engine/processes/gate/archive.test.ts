// Tests conversations with the real broker and the real store. Whatever is forked, resumed or forgotten, no conversation resumes below the
// label that it has seen.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { formatLabel } from "../../lib/policy/index.ts";
import { always, answered, PUBLIC, row, tool } from "../../lib/policy/testing/sample.ts";
import type { PolicyTables } from "../../lib/wire/generated/policy.ts";
import { answerCommand } from "./commands/index.ts";
import { never } from "./testing/calls.ts";
import { Machine, type Run } from "./testing/machine.ts";

const SEEN = { ...PUBLIC, confidentiality: 1 };

/** Returns a page on which `notes.read` returns internal data; no session of this page reaches a higher label. */
function page(changes: Partial<PolicyTables> = {}): PolicyTables {
  return answered({
    tools: [tool("notes.read", { readOnly: true, result: { low: PUBLIC, high: SEEN } })],
    decisions: [{ clauses: [always("auto")], floors: [] }],
    rows: [row("operator", [2])],
    ...changes,
  });
}
/** A page in which no tool reads internal data. */
const LOWER = page({ tools: [tool("notes.read", { readOnly: true })] });

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-archive-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (run: Run, name: string, argument = "") => answerCommand(run.parts, name, argument, never);
const labelOf = ({ gate }: Run) => formatLabel(gate.parts.tables.lattice, gate.conversation.label);
const READ = { id: "1", name: "notes.read", arguments: '{"path":"a"}' };

/** Returns a machine with one conversation that has a saying and has read internal data. */
async function seen(): Promise<{ readonly machine: Machine; readonly run: Run; readonly name: string }> {
  const machine = new Machine(folder);
  const run = machine.start(page());
  const name = await run.opened();
  speak(run, name);
  expect(await run.gate.personCalls.call(READ, never)).toMatchObject({ outcome: "ok" });
  expect(labelOf(run)).toBe("internal/reviewed");
  return { machine, run, name };
}

function speak(run: Run, name: string): void {
  const saying = { sequence: 0n, turn: 1, role: "user", text: "hello", calls: [], callId: "", source: "" } as const;
  const said = run.store.append("operator", name, [{ ...saying, outcome: "ok", through: 0n, saidMs: 0n }]);
  if (!said.ok) throw new Error(said.reason);
}

test("a copy has the label of its source, even if the source is not open", async () => {
  const { run, name } = await seen();
  await say(run, "new");
  expect(labelOf(run)).toBe("public/reviewed");
  expect(await say(run, "fork", name)).toEqual([
    expect.stringMatching(/, at internal\/reviewed, in session operator$/),
  ]);
  const copy = run.gate.place.conversation;
  expect([copy === name, labelOf(run)]).toEqual([false, "internal/reviewed"]);
  await say(run, "new");
  await say(run, "resume", copy);
  expect(labelOf(run)).toBe("internal/reviewed");
});

test("a resumed copy has the label that it got when it was made, not the label of the conversation open before", async () => {
  const { run, name } = await seen();
  await say(run, "new");
  speak(run, run.gate.place.conversation);
  await say(run, "fork");
  const copy = run.gate.place.conversation;
  await say(run, "resume", name);
  await say(run, "resume", copy);
  expect([run.gate.place.conversation, labelOf(run)]).toEqual([copy, "public/reviewed"]);
});

test("a copy keeps the label, whether it copies the open conversation, another copy or only the first sayings", async () => {
  const { run } = await seen();
  for (const argument of ["", "", "2"]) {
    const of = argument === "" ? "" : `${run.gate.place.conversation} 1`;
    expect(await say(run, "fork", of)).toHaveLength(1);
    expect(labelOf(run)).toBe("internal/reviewed");
  }
});

test("if the broker lost the record of a conversation's label, the conversation and a copy have the highest label", async () => {
  const { machine, name } = await seen();
  machine.disk.files.clear();
  for (const command of ["fork", "resume"]) {
    const run = machine.start(page());
    await run.opened();
    await say(run, command, name);
    expect([command, labelOf(run)]).toEqual([command, "secret:{finance, hr}/untrusted"]);
  }
});

test("if the broker does not answer, no conversation resumes, and a new copy has the highest label", async () => {
  const { machine, run, name } = await seen();
  await say(run, "new");
  run.lost.add("broker.kept");
  expect(await say(run, "fork", name)).toEqual(["refused: the broker does not tell where it stands"]);
  expect(labelOf(run)).toBe("public/reviewed");
  run.lost.clear();
  const listed = run.store.list("operator", 9);
  const copy = listed.ok ? (listed.value.conversations.find(({ parent }) => parent === name)?.conversation ?? "") : "";
  const later = machine.start(page());
  await later.opened();
  await say(later, "resume", copy);
  expect([later.gate.place.conversation, labelOf(later)]).toEqual([copy, "secret:{finance, hr}/untrusted"]);
});

test("a page whose tools read less does not lower the label of an older conversation", async () => {
  const { machine, name } = await seen();
  for (const command of ["fork", "resume"]) {
    const run = machine.start(LOWER);
    await run.opened();
    await say(run, command, name);
    expect([command, labelOf(run)]).toEqual([command, "internal/reviewed"]);
  }
});

test("returns no result that raises the label before the label is recorded, even if the write may have reached the disk", async () => {
  const machine = new Machine(folder);
  const run = machine.start(page());
  const name = await run.opened();
  run.lost.add("broker.keep");
  run.gate.session.beginTurn();
  speak(run, name);
  const failing = run.gate.personCalls.call(READ, never);
  // The broker writes the conversation's first state, with the label public. Then the disk fails, so the state with the
  // raised label is not written.
  machine.disk.fails = 1;
  expect(await failing).toMatchObject({ outcome: "refusedByPolicy", error: expect.stringMatching(/^it ran, and its/) });
  machine.disk.fails = Number.POSITIVE_INFINITY;
  const later = machine.start(page());
  await later.opened();
  await say(later, "resume", name);
  expect(labelOf(later)).toBe("public/reviewed");
});

test("after a label could not be recorded, returns no result until it can be recorded", async () => {
  const machine = new Machine(folder);
  const run = machine.start(page());
  const name = await run.opened();
  run.gate.session.beginTurn();
  speak(run, name);
  while (machine.disk.files.size === 0) await say(run, "budget");
  machine.disk.fails = 0;
  for (const _ of ["the first", "the second"]) {
    expect(await run.gate.personCalls.call(READ, never)).toMatchObject({ outcome: "refusedByPolicy" });
  }
  machine.disk.fails = Number.POSITIVE_INFINITY;
  expect(await run.gate.personCalls.call(READ, never)).toMatchObject({ outcome: "ok" });
  const later = machine.start(page());
  await later.opened();
  await say(later, "resume", name);
  expect(labelOf(later)).toBe("internal/reviewed");
});

test("/forget erases the sayings first and then the broker's records, or erases nothing", async () => {
  const { machine, run, name } = await seen();
  const states = () => [...machine.disk.files.keys()].filter((file) => file.startsWith("state-")).length;
  await say(run, "new");
  expect(states()).toBe(2);
  expect(await say(run, "forget", name)).toEqual(["refused: nobody could be asked"]);
  expect(states()).toBe(2);
  run.said = ["granted"];
  run.requests.length = 0;
  expect(await say(run, "forget", name)).toEqual([`${name} is forgotten`]);
  expect(run.requests.filter((one) => one.endsWith("forget"))).toEqual(["store.forget", "broker.forget"]);
  expect(states()).toBe(1);
  const desk = run.desks.get("operator");
  expect([
    desk?.kept.getState(name).length,
    (desk?.kept.getState(run.gate.place.conversation).length ?? 0) > 0,
  ]).toEqual([0, true]);
});

test("/forget keeps the broker's record if the store fails, and reports a record that remains", async () => {
  const { machine, run, name } = await seen();
  await say(run, "new");
  const { forget } = run.store;
  run.store.forget = () => ({ ok: false, reason: "the disk has failed" });
  run.said = ["granted", "granted"];
  expect(await say(run, "forget", name)).toEqual(["the disk has failed"]);
  expect([...machine.disk.files.keys()].some((file) => file.startsWith("state-"))).toBe(true);
  run.store.forget = forget;
  machine.disk.fails = 0;
  expect(await say(run, "forget", name)).toEqual([
    `${name} is forgotten`,
    "where it stood is still on record: it cannot be taken from the data disk: no space left",
  ]);
});
