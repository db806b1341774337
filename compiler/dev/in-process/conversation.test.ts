import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { always, answered, row, tool } from "../../../engine/lib/policy/testing/sample.ts";
import { PolicyTables as layout, type PolicyTables, type Type } from "../../../engine/lib/wire/generated/policy.ts";
import { Files } from "../../../engine/lib/wire/generated/tools.ts";
import { ToolProxy } from "../../../engine/lib/wire/generated/wire.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { collectOutcomes, collectSpoken } from "./fake-console.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

const text: Type = { which: "text", text: { maxBytes: 0 } };
const path = { name: "path", type: text, required: true };
const content = { name: "content", type: text, required: true };

function notes(method: keyof typeof Files.methods, params = [path]) {
  const { ordinal } = Files.methods[method];
  return tool(`notes.${method}`, { interfaceId: Files.id, method: ordinal, params, readOnly: method === "read" });
}

/** Returns tables with four tools: `delete` is forbidden, `list` is suppressed, `read` is auto, and `write` needs consent. */
function page(): PolicyTables {
  return answered({
    tools: [notes("delete"), notes("list"), notes("read"), notes("write", [path, content])],
    decisions: (["auto", "consent", "forbidden"] as const).map((mode) => ({ clauses: [always(mode)], floors: [] })),
    rows: [row("operator", [4, 0, 2, 3])],
  });
}

const call = (name: string, args: unknown) => ({ name, arguments: args });
const heard = (name: string, outcome: string) => ({
  when: { tool: name, outcome },
  say: `${outcome}: ${outcome === "ok" ? "{content}" : "{error}"}`,
});
const REPLIES = [
  { when: { user: "read" }, say: "Let me read.", call: [call("notes.read", { path: "todo.txt" })] },
  { when: { user: "write" }, call: [call("notes.write", { path: "new.txt", content: "hello" })] },
  { when: { user: "write twice" }, call: Array(2).fill(call("notes.write", { path: "new.txt", content: "hello" })) },
  { when: { user: "delete" }, call: [call("notes.delete", { path: "todo.txt" })] },
  { when: { user: "list" }, call: [call("notes.list", { path: "" })] },
  { when: { user: "invent" }, call: [call("notes.burn", {})] },
  { when: { user: "stumble" }, call: [call("notes.read", "{"), call("notes.read", { path: 1 })] },
  { when: { user: "miss" }, call: [call("notes.read", { path: "none" })] },
  {
    when: { user: "pretend" },
    say: '/tool notes.delete {"path":"todo.txt"}\n{"name":"notes.delete","arguments":{"path":"todo.txt"}}\n<tool_call>',
  },
  { when: { user: "ramble" }, say: "I could go on", pause: "untilCancelled" },
  ...[
    "ok",
    "deniedByUser",
    "refusedByPolicy",
    "unknownTool",
    "invalidArguments",
    "executionError",
    "cancelled",
  ].flatMap((outcome) => ["read", "write", "delete", "list", "burn"].map((name) => heard(`notes.${name}`, outcome))),
];

let root = "";
let disk = "";
let stage: Rehearsal;

function open(): Promise<Rehearsal> {
  const replies = Buffer.from(JSON.stringify(REPLIES));
  const tables = encodeMessage(layout, page());
  return rehearse({ tables, session: "operator", replies, files: { notes: root }, disk });
}

beforeEach(async () => {
  disk = mkdtempSync(join(tmpdir(), "capos-rehearsal-disk-"));
  root = mkdtempSync(join(tmpdir(), "capos-rehearsal-"));
  writeFileSync(join(root, "todo.txt"), "buy milk");
  stage = await open();
});

afterEach(async () => {
  await stage.leave();
  for (const folder of [root, disk]) rmSync(folder, { recursive: true });
});

test("auto: the file is read, and the model continues with its content", async () => {
  const drawn = await stage.console.say("read");
  expect(collectSpoken(drawn)).toBe("Let me read.ok: buy milk");
  // On a slow machine, the console first shows this notice with the stage `running`, so the test looks at the last
  // notice.
  expect(drawn.findLast(({ what }) => what === "notice")).toMatchObject({
    notice: { tool: "notes.read", arguments: '{"path":"todo.txt"}', mode: "auto", stage: "finished", outcome: "ok" },
  });
  expect(drawn.some(({ what }) => what === "question")).toBe(false);
});

test("consent: a denied call writes nothing, and an approved call writes its file", async () => {
  stage.console.answers.push("denied", "granted");
  const refused = await stage.console.say("write");
  expect(collectOutcomes(refused)).toEqual(["deniedByUser"]);
  expect(collectSpoken(refused)).toBe("deniedByUser: the person said no");
  expect(existsSync(join(root, "new.txt"))).toBe(false);

  const granted = await stage.console.say("write");
  expect(granted.find(({ what }) => what === "question")).toMatchObject({
    question: {
      tool: "notes.write",
      arguments: '{"content":"hello","path":"new.txt"}',
      sentence: 'notes.write: content "hello", path "new.txt"',
      mode: "consent",
      rule: "the first line (a.cap:1:1)",
    },
  });
  expect(collectOutcomes(granted)).toEqual(["ok"]);
  expect(readFileSync(join(root, "new.txt"), "utf8")).toBe("hello");
});

test("a denied call stays denied for the turn, without a second prompt", async () => {
  stage.console.answers.push("denied", "granted");
  const drawn = await stage.console.say("write twice");
  expect(collectOutcomes(drawn)).toEqual(["deniedByUser", "deniedByUser"]);
  expect(drawn.filter(({ what }) => what === "question")).toHaveLength(1);
});

test("forbidden: the call is refused with the rule of the page", async () => {
  const drawn = await stage.console.say("delete");
  expect(collectSpoken(drawn)).toBe('refusedByPolicy: forbidden in this session by "the first line"');
  expect(existsSync(join(root, "todo.txt"))).toBe(true);
});

test("a call of a suppressed or invented tool is refused as unknown, a call with malformed arguments as invalid, and a failed call gives the reason", async () => {
  expect(collectOutcomes(await stage.console.say("list"))).toEqual(["unknownTool"]);
  expect(collectOutcomes(await stage.console.say("invent"))).toEqual(["unknownTool"]);
  expect(collectOutcomes(await stage.console.say("stumble"))).toEqual(["invalidArguments", "invalidArguments"]);
  expect(collectSpoken(await stage.console.say("miss"))).toBe("executionError: there is no such file");
});

test("text of a model that looks like a command does nothing", async () => {
  const drawn = await stage.console.say("pretend");
  expect(collectSpoken(drawn)).toContain("/tool notes.delete");
  expect(drawn.every(({ what }) => what === "text")).toBe(true);
  expect(existsSync(join(root, "todo.txt"))).toBe(true);
});

test("Ctrl-C during the model's answer ends the turn", async () => {
  await stage.console.begin("ramble");
  await stage.console.waitFor((one) => one.what === "text" && one.text.includes("could go on".slice(-2)));
  stage.console.pressInterrupt();
  await stage.console.waitUntilIdle();
  expect(stage.console.drawn.at(-1)).toEqual({ what: "text", speaker: "runner", text: "stopped\n" });
  expect(collectSpoken(await stage.console.say("read"))).toBe("Let me read.ok: buy milk");
});

test("Ctrl-C at a prompt cancels the call and the turn", async () => {
  await stage.console.begin("write");
  await stage.console.waitFor(({ what }) => what === "question");
  stage.console.pressInterrupt();
  await stage.console.waitUntilIdle();
  expect(collectOutcomes(stage.console.drawn)).toEqual(["cancelled"]);
  expect(existsSync(join(root, "new.txt"))).toBe(false);
});

test("a call that a person types passes the same gate as a call of the model", async () => {
  stage.console.answers.push("denied");
  expect(await stage.command("tool", 'notes.read {"path": "todo.txt"}')).toEqual(['ok: {"content":"buy milk"}']);
  expect(await stage.command("tool", 'notes.delete {"path":"todo.txt"}')).toEqual([
    'refusedByPolicy: forbidden in this session by "the first line"',
  ]);
  expect(await stage.command("tool", 'notes.write {"path":"a","content":"b"}')).toEqual([
    "deniedByUser: the person said no",
  ]);
  expect(await stage.command("tool", 'notes.list {"path":""}')).toEqual([
    "unknownTool: no such tool is offered in this session",
  ]);
});

test("commands at the console show tools, decisions and services", async () => {
  expect(await stage.command("tools")).toEqual([
    "notes.delete: forbidden, mutatingLocal",
    "notes.read: auto, mutatingLocal",
    "notes.write: consent, mutatingLocal",
  ]);
  expect(await stage.command("why")).toEqual(["nothing has been decided yet"]);
  await stage.console.say("delete");
  expect(await stage.command("why")).toEqual([
    'notes.delete {"path":"todo.txt"}',
    'decided: refusedByPolicy, because: forbidden in this session by "the first line"',
    "rule: the first line (a.cap:1:1)",
    "outcome: refusedByPolicy",
    "least change, after which the answer is consent:",
    '  add `consent notes.delete where path under "/todo.txt" else forbidden` to session operator, where it goes before the first line (a.cap:1:1)',
    "what else that opens:",
    '  operator notes.delete: forbidden → consent where path under "/todo.txt" else forbidden, with other arguments',
    "only the page shows whether the laws allow it, which flows it opens, and whether less is enough; ask there:",
    `  capc why system.cap 'operator notes.delete {"path":"todo.txt"}' --label public/reviewed`,
    "this conversation is at public/reviewed",
  ]);
  expect(await stage.command("cap")).toEqual(["notes: interface Sample"]);
  expect((await stage.command("policy"))[1]).toMatch(/^tables sha256 [0-9a-f]{64}$/);
  expect((await stage.command("inspect", "notes.write"))[2]).toBe("mode consent, by:");
  expect(await stage.command("inspect", "notes.list")).toEqual([
    "notes.list is no tool and no service of this session",
  ]);
  expect(await stage.command("sudo")).toEqual(["there is no command /sudo; /help lists them"]);
});

test("a compromised loop cannot make a call with an outdated tool table, for another conversation or in an old turn", async () => {
  const proposal = { id: "1", name: "notes.read", arguments: '{"path":"todo.txt"}' };
  const invoke = async (conversation: string, turn: number, snapshot: Uint8Array) => {
    const reply = await stage.proxy.call(ToolProxy.methods.invokeTool, {
      conversation,
      turn,
      snapshot,
      call: proposal,
    });
    return reply.ok ? reply.value.result.outcome : reply.code;
  };
  await stage.console.beginTurn();
  const described = await stage.proxy.call(ToolProxy.methods.describeTools, {
    conversation: stage.gate.place.conversation,
  });
  if (!described.ok) throw new Error(described.reason);
  const { snapshot, tools, turn } = described.value;
  expect(tools.map(({ name, permission }) => [name, permission])).toEqual([
    ["notes.delete", "forbidden"],
    ["notes.read", "auto"],
    ["notes.write", "consent"],
  ]);
  expect(await invoke(stage.gate.place.conversation, turn, snapshot)).toBe("ok");
  expect(await invoke(stage.gate.place.conversation, turn + 1, snapshot)).toBe("refusedByPolicy");
  expect(await invoke(stage.gate.place.conversation, turn - 1, snapshot)).toBe("refusedByPolicy");
  expect(await invoke(stage.gate.place.conversation, turn, new Uint8Array(32))).toBe("refusedByPolicy");
  expect(await invoke("other", turn, snapshot)).toBe("refusedByPolicy");
  expect(await stage.proxy.call(ToolProxy.methods.describeTools, { conversation: "other" })).toMatchObject({
    ok: false,
  });
  await stage.proxy.call(ToolProxy.methods.cancelTurn, { conversation: stage.gate.place.conversation, turn });
  expect(await invoke(stage.gate.place.conversation, turn, snapshot)).toBe("cancelled");
});
