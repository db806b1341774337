// Tests conversations that are resumed by commands at the console. The messages come from the store and the label from
// the broker; a new loop replaces the loop of the earlier conversation.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newSshKey, type SshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { compileExample, type Example } from "./example.ts";
import { collectOutcomes, collectSpoken } from "./fake-console.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

let folder = "";
let alice: SshKey;
let example: Example;

beforeAll(async () => {
  alice = newSshKey();
  example = await compileExample(alice.line);
});
afterAll(() => alice.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-resumed-"));
  for (const name of ["notes", "audit", "conversations"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "notes/todo.txt"), "buy milk\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

function machine(run: string): Promise<Rehearsal> {
  return rehearse({
    ...example,
    session: "operator",
    files: { notes: join(folder, "notes") },
    logs: "journal",
    status: "machine",
    disk: join(folder, "audit"),
    conversations: join(folder, "conversations"),
    bootId: run.repeat(32),
  });
}

const READ = "What is on my list?";
const LOG = "What does the log say?";
const WRITE = "Note that I must call Bob.";

/** Proposes a write, denies the prompt if there is one, and returns the outcomes. */
async function written({ console }: Rehearsal): Promise<readonly string[]> {
  console.answers.push("denied");
  const drawn = await console.say(WRITE);
  console.answers.splice(0);
  return collectOutcomes(drawn);
}

test("a resumed conversation has its earlier label, and a new conversation has the start label", async () => {
  const stage = await machine("1");
  await stage.console.say(LOG);
  expect(await written(stage)).toEqual(["refusedByPolicy"]);
  expect(await stage.command("new")).toEqual([
    expect.stringMatching(/^conversation a\d+, at public\/reviewed/),
    "the agent reads no word of other conversations",
  ]);
  const second = stage.gate.place.conversation;
  expect(await written(stage)).toEqual(["deniedByUser"]);
  const [first = ""] = (await stage.command("conversations", "5"))
    .filter((line) => line.includes("What does the log"))
    .map((line) => line.split(/[,:]/)[0]);
  expect(await stage.command("resume", first)).toEqual([
    `conversation ${first}, at internal/untrusted, in session operator`,
  ]);
  expect(await written(stage)).toEqual(["refusedByPolicy"]);
  expect(await stage.command("fork")).toEqual([expect.stringMatching(/^conversation a\d+, at internal\/untrusted/)]);
  expect(await written(stage)).toEqual(["refusedByPolicy"]);
  expect(await stage.command("resume", second)).toEqual([expect.stringMatching(/at public\/reviewed/)]);
  expect(await written(stage)).toEqual(["deniedByUser"]);
  await stage.leave();
});

test("the numbers of turns continue after a resume, and the audit log records the resume", async () => {
  const stage = await machine("1");
  await stage.console.say(READ);
  await stage.console.say(READ);
  const { conversation, turn } = stage.gate.place;
  await stage.command("new");
  expect(stage.gate.place.turn).toBe(0);
  await stage.command("resume", conversation);
  expect(stage.gate.place).toEqual({ conversation, turn });
  await stage.console.say(READ);
  expect((await stage.command("audit", "20")).some((line) => line.includes(`conversation ${conversation} at`))).toBe(
    true,
  );
  await stage.leave();
});

test("after a restart the messages are still stored, and a resumed conversation has its earlier label", async () => {
  const before = await machine("1");
  await before.console.say(LOG);
  const { conversation } = before.gate.place;
  await before.leave();
  const after = await machine("2");
  expect(after.gate.place.conversation).not.toBe(conversation);
  const resumed = `conversation ${conversation}, at internal/untrusted, in session operator`;
  expect(await after.command("resume")).toEqual([resumed]);
  expect(await written(after)).toEqual(["refusedByPolicy"]);
  const exported = await after.command("export", `${conversation} jsonl`);
  expect(exported.slice(0, 3).map((line) => JSON.parse(line))).toMatchObject([
    { role: "user", text: LOG },
    { role: "assistant", calls: [{ name: "journal.tail" }] },
    { role: "tool", source: "journal.tail", outcome: "ok" },
  ]);
  await after.leave();
});

test("if the broker's state is lost, a resumed conversation has the highest label, and can neither request a model response nor write", async () => {
  const before = await machine("1");
  await before.console.say(READ);
  await before.leave();
  // In the folder of the audit log, the broker's state is in the files other than `audit.log`.
  const kept = readdirSync(join(folder, "audit")).filter((name) => name !== "audit.log");
  expect(kept.length).toBeGreaterThan(0);
  for (const name of kept) rmSync(join(folder, "audit", name), { recursive: true });
  const after = await machine("2");
  expect(await after.command("resume")).toEqual([expect.stringMatching(/at secret\/untrusted, in session operator$/)]);
  expect(await written(after)).toEqual([]);
  expect(await after.command("tool", 'notes.write {"content":"x","path":"a.txt"}')).toEqual([
    expect.stringMatching(/^refusedByPolicy: /),
  ]);
  await after.leave();
});

test("a restarted loop continues with the messages in the store", async () => {
  const stage = await machine("1");
  await stage.console.say(READ);
  expect(await stage.command("context")).toEqual([
    expect.stringMatching(/^the agent says: \d+ of 64512 tokens are used, of a context of 65536; counted as four/),
    expect.stringMatching(/^system prompt \d+, tools \d+, conversation \d+$/),
    "all of it is shown as it was said",
  ]);
  const used = Number(/(\d+)$/.exec((await stage.command("context"))[1] ?? "")?.[1]);
  const { conversation } = stage.gate.place;
  await stage.command("new");
  await stage.command("resume", conversation);
  expect(collectSpoken(await stage.console.say(READ))).toContain("buy milk");
  const now = Number(/(\d+)$/.exec((await stage.command("context"))[1] ?? "")?.[1]);
  expect(now).toBeGreaterThan(used);
  await stage.leave();
});

test("a conversation cannot be resumed if it is unknown, is open, or belongs to another session", async () => {
  const stage = await machine("1");
  await stage.console.say(READ);
  const { conversation } = stage.gate.place;
  expect(await stage.command("resume", "a99")).toEqual(["refused: this session has no such conversation"]);
  expect(await stage.command("resume", conversation)).toEqual([`${conversation} is the conversation that is open`]);
  expect(await stage.command("resume")).toEqual(["no other conversation is kept"]);
  expect(collectSpoken(await stage.console.say(READ))).toContain("buy milk");
  const visitor = stage.scene("visitor");
  expect(await visitor.command("resume", conversation)).toEqual(["refused: this session has no such conversation"]);
  expect(await visitor.command("export", conversation)).toEqual(["this session has no such conversation"]);
  expect(await visitor.command("search", "milk")).toEqual(["nothing that is kept holds all of these words"]);
  await stage.leave();
});

test("conversations can be searched, compared and exported, and are deleted after two confirmations", async () => {
  const stage = await machine("1");
  await stage.console.say(READ);
  const { conversation: first } = stage.gate.place;
  expect(await stage.command("search", "milk")).toEqual([
    expect.stringMatching(new RegExp(`^${first} \\d+ (tool|assistant): .*buy milk`)),
    expect.anything(),
  ]);
  await stage.command("fork", `${first} 1`);
  const { conversation: second } = stage.gate.place;
  await stage.console.say("rm -rf /");
  const compared = await stage.command("compare", `${first} ${second}`);
  expect(compared[0]).toBe("the first 1 sayings are the same");
  expect(compared.filter((line) => line.startsWith(`${second} 2 user: rm -rf /`))).toHaveLength(1);
  expect((await stage.command("export")).slice(0, 4)).toEqual(["### 1 user", "", `    ${READ}`, ""]);
  stage.console.answers.push("denied", "granted");
  expect(await stage.command("forget", second)).toEqual([expect.stringMatching(/is open; \/new/)]);
  expect(await stage.command("forget", first)).toEqual(["refused: the person said no"]);
  expect(await stage.command("forget", first)).toEqual([`${first} is forgotten`]);
  expect(await stage.command("export", first)).toEqual(["this session has no such conversation"]);
  for (const [name, argument] of [
    ["compare", "a"],
    ["export", "a xml"],
    ["conversations", "0"],
    ["fork", "a b"],
    ["search", "!"],
  ] as const) {
    expect((await stage.command(name, argument)).length).toBe(1);
  }
  await stage.leave();
});
