// Tests of the gate against a compromised loop. The loop has connections to the gate, a model and the terminal, and
// knows everything that a loop can know. It can propose calls. But it cannot run a call without a required approval,
// exceed the page's quotas, or keep a call out of the log.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Label, mayFlow } from "../../../engine/lib/policy/index.ts";
import { join as joined } from "../../../engine/lib/policy/label.ts";
import { always, answered, PUBLIC, row, SECRET, tool } from "../../../engine/lib/policy/testing/sample.ts";
import { encodeFrameBytes } from "../../../engine/lib/wire/frame.ts";
import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { LanguageModel, TokenStream } from "../../../engine/lib/wire/generated/capos.ts";
import { PolicyTables as layout, type Quota, type Tool, type Type } from "../../../engine/lib/wire/generated/policy.ts";
import { Files } from "../../../engine/lib/wire/generated/tools.ts";
import { ToolProxy, ToolProxyDescribeToolsParams } from "../../../engine/lib/wire/generated/wire.ts";
import { connect, encode, encodeMessage } from "../../../engine/lib/wire/index.ts";
import { createLogBytes } from "../../../engine/processes/audit/device.ts";
import { verify } from "../../../engine/processes/audit/verify.ts";
import { MAX_RECORDED_BYTES } from "../../../engine/processes/gate/flood.ts";
import type { OwnService } from "../../../engine/processes/services/own/serve.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

const text: Type = { which: "text", text: { maxBytes: 0 } };
const params = (...names: readonly string[]) => names.map((name) => ({ name, type: text, required: true }));
const notes = (method: keyof typeof Files.methods, ...names: readonly string[]) =>
  tool(`notes.${method}`, {
    interfaceId: Files.id,
    method: Files.methods[method].ordinal,
    params: params(...names),
    readOnly: method === "read",
  });
const calls = (amount: bigint, scope: Quota["scope"], rule: number): Quota => {
  return { amount, unit: "calls", name: "", scope, rule };
};
const [PER_TURN, PER_LOGIN] = [3, 7];

const OWN_ID = 0x9a5dn;
const own = (name: string, changes: Partial<Tool>) =>
  tool(name, { interfaceId: OWN_ID, params: params("path"), pageProgram: true, ...changes });

/**
 * Tables of the test. The tool `read` is allowed; `write` needs consent; `delete` needs a signature, which nobody
 * gives; `list` does not exist. The tool `look` is allowed and returns secrets. The tool `put` is allowed and may
 * receive public data.
 */
const TABLES = encodeMessage(
  layout,
  answered({
    tools: [
      ...[notes("delete", "path"), notes("list", "path"), notes("read", "path"), notes("write", "path", "content")],
      own("outbox.put", { sink: { ...PUBLIC, integrity: 0 } }),
      own("vault.look", { readOnly: true, result: { low: SECRET, high: SECRET } }),
    ],
    decisions: (["auto", "consent", "stepUp"] as const).map((mode) => ({ clauses: [always(mode)], floors: [] })),
    rows: [
      row("operator", [4, 0, 2, 3, 2, 2], {
        quotas: [calls(BigInt(PER_TURN), "turn", 0), calls(BigInt(PER_LOGIN), "login", 1)],
      }),
    ],
  }),
);
const READ = { id: "1", name: "notes.read", arguments: '{"path":"todo.txt"}' };

let folder = "";
let stage: Rehearsal;
let watch: Watch;

const SECRET_WORDS = "the keys are under the third stone";

/**
 * Records the calls that the services received and the replies to the loop, in order. At each entry, expects that the
 * conversation's label at the gate is at least the label of everything that was sent to the loop.
 */
class Watch {
  /** Label of everything that was sent to the loop. */
  #told: Label = PUBLIC;
  /** Highest label of the conversation so far. */
  #highest: Label = PUBLIC;
  readonly got: ("put" | "look")[] = [];
  /** Number of calls of `put` that were refused after the loop had received a secret. */
  refused = 0;
  tellings = 0;

  /**
   * Records a reply. The content of the reply shows which service sent it, because the loop may call a tool under a
   * wrong name.
   */
  sent(reply: unknown): void {
    const content = JSON.stringify(reply, (_, value) => (typeof value === "bigint" ? `${value}` : value));
    if (content.includes(SECRET_WORDS)) {
      this.#told = joined(this.#told, SECRET);
      this.tellings += 1;
    } else if (mayFlow(SECRET, this.#told) && content.includes("refusedByPolicy")) this.refused += 1;
    this.expectHigh();
  }

  put(): void {
    this.expectHigh();
    expect(this.#told).toEqual(PUBLIC);
    this.got.push("put");
  }

  look(): void {
    this.expectHigh();
    this.got.push("look");
  }

  /**
   * Expects that the conversation's label at the gate is at least the label of all replies, and never lower than
   * before.
   */
  expectHigh(): void {
    const { label } = stage.gate.conversation;
    for (const below of [this.#told, this.#highest]) expect(mayFlow(below, label)).toBe(true);
    this.#highest = joined(this.#highest, label);
  }
}

/** Returns a program with one method. */
function program(name: "put" | "look", answer: () => unknown): OwnService {
  const method = { ordinal: 0, name, readOnly: name === "look", params: params("path"), results: params("content") };
  const methods = new Map([[0, { method, answer }]]);
  return { interfaceId: OWN_ID, interfaceName: "Own", methods, directory: undefined, stateBytes: 0, now: () => 0 };
}

/** Errors inside a program. The gate treats them as failed calls, so the test throws them again. */
const failures: unknown[] = [];
function watched(name: "put" | "look", content: string): OwnService {
  return program(name, () => {
    try {
      watch[name]();
    } catch (failed) {
      failures.push(failed);
    }
    return { content };
  });
}

async function open(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), "capos-hostile-"));
  for (const name of ["notes", "audit"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "notes/todo.txt"), "buy milk\n");
  const files = { notes: join(folder, "notes") };
  const replies = Buffer.from("[]");
  watch = new Watch();
  failures.length = 0;
  const own = { outbox: watched("put", "it is there"), vault: watched("look", SECRET_WORDS) };
  stage = await rehearse({ tables: TABLES, session: "operator", replies, files, own, disk: join(folder, "audit") });
}

async function close(): Promise<void> {
  await stage.leave();
  rmSync(folder, { recursive: true });
}

beforeEach(open);
afterEach(close);

/** Returns the records in the log on the disk, except those of seals and model responses. */
function records(): readonly AuditRecord[] {
  const found: AuditRecord[] = [];
  const verdict = verify(createLogBytes(readFileSync(join(folder, "audit/audit.log"))), ({ record }) =>
    found.push(record),
  );
  expect([verdict.fault, verdict.torn]).toEqual([undefined, 0]);
  return found.filter(({ entry }) => entry.which !== "seal" && entry.which !== "inference");
}

async function described(conversation = stage.gate.place.conversation) {
  const reply = await stage.proxy.call(ToolProxy.methods.describeTools, { conversation });
  return reply.ok ? reply.value : undefined;
}

/**
 * Expects that no call changed anything without approval and no more calls ran than the page allows. The log must
 * contain the beginning and the end of every call. No call of `put` may run after the conversation has read a secret.
 */
function expectHarmless(turns: number): void {
  expect(readdirSync(join(folder, "notes"))).toEqual(["todo.txt"]);
  expect(readFileSync(join(folder, "notes/todo.txt"), "utf8")).toBe("buy milk\n");
  const entries = records().map(({ entry }) => entry);
  const ended = entries.flatMap((entry) => (entry.which === "outcome" ? [entry.outcome] : []));
  const intents = entries.flatMap((entry) => (entry.which === "intent" ? [entry.intent] : []));
  // A read-only call of a service that capc itself provides, such as `notes.read`, has no record before it runs. It has
  // one record when it ends, which states whether the call was sent.
  const alone = ended.filter(({ sent }) => sent);
  const begun = [...alone, ...intents];
  expect(begun.length).toBeLessThanOrEqual(Math.min(PER_LOGIN, PER_TURN * turns));
  for (const { turn, decision, model } of begun) {
    expect([decision, model]).toEqual(["auto", "stub:sha256-0"]);
    expect(begun.filter((other) => other.turn === turn).length).toBeLessThanOrEqual(PER_TURN);
  }
  for (const { descriptor } of alone) expect(descriptor.name).toBe("notes.read");
  // The programs must have received only calls that have an intent in the log, in the order of the log. A call that was
  // stopped directly after its intent was recorded never reached a program.
  const intended = intents.map(({ descriptor }) => descriptor.name);
  for (const got of watch.got) {
    const at = intended.indexOf(got === "put" ? "outbox.put" : "vault.look");
    expect(at).not.toBe(-1);
    intended.splice(0, at + 1);
  }
  expect(failures).toEqual([]);
  const look = watch.got.indexOf("look");
  if (look >= 0) {
    expect(watch.got.lastIndexOf("put")).toBeLessThan(look);
    expect(mayFlow(SECRET, stage.gate.conversation.label)).toBe(true);
  }
}

type Act =
  | { readonly kind: "turn" }
  | { readonly kind: "describe"; readonly conversation: string }
  | { readonly kind: "cancel"; readonly turn: number }
  | {
      readonly kind: "invoke";
      readonly conversation: string;
      readonly turn: number;
      readonly snapshot: "newest" | "old" | "none";
      readonly name: string;
      readonly id: string;
      readonly args: string;
      readonly waits: boolean;
    };

/**
 * Generates the right value far more often than a wrong value. A call with several faults is refused for one of them,
 * so it would not test the others.
 */
function mostly<T>(right: T, ...wrong: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(right) }, { weight: 2, arbitrary: fc.constantFrom(...wrong) });
}

/** Generates the name of a conversation; "open" stands for the current conversation. */
const conversation = mostly("open", "other", "");
const named = (name: string) => (name === "open" ? stage.gate.place.conversation : name);
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: "turn" as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("describe" as const), conversation }) },
  fc.record({ kind: fc.constant("cancel" as const), turn: fc.integer({ min: -1, max: 1 }) }),
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("invoke" as const),
      conversation,
      // Turn of the proposed call: 0 is the current turn, -1 the previous one, and 1 the next one. The last number is a
      // turn that never existed.
      turn: mostly(0, -1, 1, 0xffff_0000),
      snapshot: mostly<"newest" | "old" | "none">("newest", "old", "none"),
      name: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom("notes.read", "outbox.put", "vault.look") },
        { weight: 2, arbitrary: fc.constantFrom("notes.write", "notes.delete", "notes.list", "__proto__") },
      ),
      id: fc.constantFrom("1", "1", "call-1", "", "typed"),
      args: mostly('{"path":"todo.txt"}', '{"path":"new.txt","content":"x"}', '{"path":"a","path":"b"}', "{"),
      waits: fc.boolean(),
    }),
  },
);

/** Performs all acts on one connection, and returns the number of turns that the person began. */
async function perform(acts: readonly Act[]): Promise<number> {
  let turns = 1;
  await stage.console.beginTurn();
  let offer = await described();
  const old = offer?.snapshot;
  const pending: Promise<unknown>[] = [];
  for (const act of acts) {
    watch.expectHigh();
    if (act.kind === "turn") {
      turns += 1;
      await stage.console.beginTurn();
    } else if (act.kind === "describe") offer = (await described(named(act.conversation))) ?? offer;
    else if (act.kind === "cancel") {
      const turn = Math.max(0, (offer?.turn ?? 0) + act.turn);
      await stage.proxy.call(ToolProxy.methods.cancelTurn, { conversation: stage.gate.place.conversation, turn });
    } else {
      const snapshots = { newest: offer?.snapshot, old, none: undefined };
      const snapshot = snapshots[act.snapshot] ?? new Uint8Array(32);
      const turn = Math.max(0, (offer?.turn ?? 0) + act.turn);
      const call = { id: act.id, name: act.name, arguments: act.args };
      const conversation = named(act.conversation);
      // The simulated person approves nothing, so every prompt is denied.
      stage.console.answers.push("denied");
      const invoked = stage.proxy.call(ToolProxy.methods.invokeTool, { conversation, turn, snapshot, call });
      const sent = invoked.then((reply) => watch.sent(reply));
      if (act.waits) await sent;
      else pending.push(sent);
    }
  }
  await Promise.all(pending);
  return turns;
}

test("property: a hostile loop cannot run a gated call without approval, exceed a quota or lower a label, whatever it proposes", async () => {
  const seen = { ran: 0, tellings: 0, refused: 0, put: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 40 }), async (acts) => {
      await close();
      await open();
      expectHarmless(await perform(acts));
      seen.ran += records().filter(({ entry }) => entry.which === "outcome" && entry.outcome.sent).length;
      seen.put += watch.got.filter((one) => one === "put").length;
      seen.tellings += watch.tellings;
      seen.refused += watch.refused;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  // Checks that the test covered all cases: secrets were read, the tool `put` received public data, and `put` was
  // refused after a secret was read.
  for (const [what, count] of Object.entries(seen)) expect([what, count > 5]).toEqual([what, true]);
});

test("a repeated call id does not run a second call, and does not affect other calls", async () => {
  await stage.console.beginTurn();
  const { turn = 0, snapshot = new Uint8Array() } = (await described()) ?? {};
  const invoke = async (name: string) => {
    const call = { ...READ, name };
    const reply = await stage.proxy.call(ToolProxy.methods.invokeTool, {
      conversation: stage.gate.place.conversation,
      turn,
      snapshot,
      call,
    });
    return reply.ok ? [reply.value.result.callId, reply.value.result.outcome] : reply.code;
  };
  stage.console.answers.push("denied");
  expect([await invoke("notes.read"), await invoke("notes.delete"), await invoke("notes.read")]).toEqual([
    ["1", "ok"],
    ["1", "stepUpFailed"],
    ["1", "ok"],
  ]);
  expectHarmless(1);
});

test("a call with an ambiguous call id is refused as malformed, and only the first refusal of a turn is recorded", async () => {
  await stage.console.beginTurn();
  const { turn = 0, snapshot = new Uint8Array() } = (await described()) ?? {};
  const invoke = async (id: string) => {
    const call = { ...READ, id };
    const reply = await stage.proxy.call(ToolProxy.methods.invokeTool, {
      conversation: stage.gate.place.conversation,
      turn,
      snapshot,
      call,
    });
    return reply.ok ? reply.value.result.outcome : reply.code;
  };
  for (const id of ["", " ", "1 of person", "é", "1\n", "\u202e", "a".repeat(65), "1→"])
    expect(await invoke(id)).toBe("malformed");
  for (const id of ["a".repeat(64), "call_1.b-2"]) expect(await invoke(id)).toBe("ok");
  const kinds = records().map(({ entry }) => (entry.which === "session" ? entry.session.event : entry.which));
  expect(kinds).toEqual(["boot", "malformed", "outcome", "outcome"]);
  expectHarmless(1);
});

test("/audit shows who sent a call, whatever the call id claims", async () => {
  await stage.command("tool", 'notes.read {"path":"todo.txt"}');
  await stage.console.beginTurn();
  const { turn = 0, snapshot = new Uint8Array() } = (await described()) ?? {};
  const call = { ...READ, id: "typed" };
  await stage.proxy.call(ToolProxy.methods.invokeTool, {
    conversation: stage.gate.place.conversation,
    turn,
    snapshot,
    call,
  });
  const lines = (await stage.command("audit", "2")).map((line) => line.replace(/ \{.*/, ""));
  expect(lines.slice(0, 2)).toEqual([
    "3 outcome: typed of person notes.read",
    "4 outcome: typed of capos-side notes.read",
  ]);
});

test("a flood of proposals in a turn leaves a limited number of records and one flood event, and the next turn continues", async () => {
  await stage.console.beginTurn();
  const { turn = 0, snapshot = new Uint8Array() } = (await described()) ?? {};
  const call = { ...READ, name: "notes.list" };
  const outcomes = await Promise.all(
    Array.from({ length: 300 }, () =>
      stage.proxy.call(ToolProxy.methods.invokeTool, {
        conversation: stage.gate.place.conversation,
        turn,
        snapshot,
        call,
      }),
    ),
  );
  expect(outcomes.every((reply) => reply.ok && reply.value.result.outcome !== "ok")).toBe(true);
  const kinds = records().map(({ entry }) => (entry.which === "session" ? entry.session.event : entry.which));
  expect(kinds.filter((kind) => kind === "outcome")).toHaveLength(128);
  expect(kinds.filter((kind) => kind === "flooded")).toHaveLength(1);
  expectHarmless(1);
  expect(await stage.console.say("hello")).not.toEqual([]);
  expect((await described())?.turn).toBe(turn + 1);
});

test("a flood of model requests with thousands of messages leaves a limited number of records for one turn", async () => {
  await stage.console.beginTurn();
  const [[, model] = []] = stage.models;
  let answers = 0;
  for (let nonce = (await described())?.nonce; nonce !== undefined; nonce = (await described())?.nonce) {
    const said = (content: string) => ({ role: "user" as const, content, toolCallId: "", toolCalls: [] });
    const messages = Array.from({ length: 2000 }, (_, at) => said(`${answers} ${at}`));
    const bounds = { maxTokens: 1, temperature: 0, stopSequences: [], responseSchema: "" };
    await model?.call(LanguageModel.methods.stream, { req: { messages, tools: [], nonce, ...bounds } });
    await model?.call(TokenStream.methods.cancel, {});
    answers += 1;
  }
  expect(answers).toBeGreaterThan(1);
  await stage.console.beginTurn();
  // The audit process answers `/audit 1` after all earlier messages, so their records are in the log by then.
  await stage.command("audit", "1");
  const kept = records().map(({ entry }) => (entry.which === "session" ? entry.session.event : entry.which));
  expect(kept.filter((kind) => kind === "flooded")).toHaveLength(1);
  let bytes = 0;
  verify(createLogBytes(readFileSync(join(folder, "audit/audit.log"))), ({ length }) => {
    bytes += length;
  });
  // The gate only estimates the bytes of a record, so the log may exceed `MAX_RECORDED_BYTES` a little.
  expect(bytes).toBeLessThan(2 * MAX_RECORDED_BYTES);
  expect(await described()).toBeDefined();
});

for (const [what, bytes] of [
  ["a frame that claims two mebibytes", Buffer.from([0, 0, 0, 0, 0, 0, 4, 0])],
  ["a frame of many segments", Buffer.from([9, 0, 0, 0, 1, 0, 0, 0])],
  ["bytes that are not a frame", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["more concurrent calls than a connection allows", floodFrames()],
] as const) {
  test(`the gate closes a connection with ${what}, records this, and serves the other connections`, async () => {
    const raw = stage.rawProxy();
    const isClosed = new Promise((resolve) => raw.once("end", resolve));
    raw.resume();
    raw.write(bytes);
    await isClosed;
    await stage.console.beginTurn();
    expect(await described()).toBeDefined();
    // The audit process might not have written the event `cut off` yet. The gate sends `/audit 1` over the same
    // connection, so the audit process answers it after it has written the event.
    await stage.command("audit", "1");
    expect(records().map(({ entry }) => (entry.which === "session" ? entry.session.event : entry.which))).toEqual([
      "boot",
      "cut off",
    ]);
  });
}

/** Returns nine calls in one buffer, so that the gate cannot answer any of them before all have arrived. */
function floodFrames(): Uint8Array {
  const { interfaceId, ordinal: method } = ToolProxy.methods.describeTools;
  const message = encode(ToolProxyDescribeToolsParams, { conversation: "main" });
  const frames = Array.from({ length: 9 }, (_, index) => {
    const payload = { which: "message", message } as const;
    const bytes = encodeFrameBytes({ callId: BigInt(index), which: "call", call: { interfaceId, method, payload } });
    return bytes.ok ? bytes.value : expect.unreachable(bytes.reason);
  });
  return Buffer.concat(frames);
}

test("the gate refuses arguments as large as a frame, and truncates them in the log", async () => {
  await stage.console.beginTurn();
  const { turn = 0, snapshot = new Uint8Array() } = (await described()) ?? {};
  const huge = `{"path":"${"x".repeat(900_000)}"}`;
  const call = { ...READ, arguments: huge };
  const reply = await stage.proxy.call(ToolProxy.methods.invokeTool, {
    conversation: stage.gate.place.conversation,
    turn,
    snapshot,
    call,
  });
  expect(reply).toMatchObject({ ok: true, value: { result: { outcome: "invalidArguments" } } });
  expect(verify(createLogBytes(readFileSync(join(folder, "audit/audit.log")))).length).toBeLessThan(20_000);
  expectHarmless(1);
});

test("the gate disconnects a loop that calls the interface of a file service", async () => {
  const raw = stage.rawProxy();
  const other = connect(raw);
  expect(await other.callTool(Files.id, 0, "{}")).toMatchObject({ ok: false, code: "closed" });
});
