// Tests the gate with a console that is busy with a question of another session, and meanwhile draws and answers nothing.
import { hash } from "node:crypto";
import { duplexPair } from "node:stream";
import { expect, test, vi } from "vitest";
import { row } from "../../lib/policy/testing/sample.ts";
import { Approval, type Notice, type Question, Session, ToolProxy } from "../../lib/wire/generated/wire.ts";
import {
  type CallOptions,
  connect,
  implement,
  type MethodLayout,
  type Reply,
  serveInterface,
} from "../../lib/wire/index.ts";
import { connectPerson, serveGate } from "./serve.ts";
import { CALL, staged } from "./testing/calls.ts";
import { Stage } from "./testing/stage.ts";

const QUESTION: Question = {
  tool: "notes.write",
  arguments: "{}",
  sentence: "",
  mode: "consent",
  rule: "",
  timeoutMs: 1000,
  challenge: "",
  mayRemember: false,
  remembers: "",
  isLogin: false,
  passphrase: { salt: new Uint8Array(), newSalt: new Uint8Array() },
};
const never = new AbortController().signal;

function notice(tool: string): Notice {
  return {
    tool,
    arguments: "{}",
    mode: "auto",
    stage: "finished",
    outcome: "ok",
    detail: "",
    hasMode: true,
    result: "",
  };
}

/** Returns a console that approves every question, and draws no notice until the test calls `free`. */
function busyConsole() {
  const [mine, theirs] = duplexPair();
  const drawn: string[] = [];
  const free = Promise.withResolvers<void>();
  serveInterface(theirs, [
    implement(Approval, {
      ask: async () => ({ answer: "granted", signature: "" }),
      announce: async ({ notice: { tool } }) => {
        await free.promise;
        drawn.push(tool);
        return {};
      },
      awaitInterrupt: () => new Promise(() => {}),
      lock: async () => ({}),
    }),
  ]);
  return { person: connectPerson("console", connect(mine)), drawn, free: () => free.resolve() };
}

test("waiting notices do not delay a question or Ctrl-C, and are drawn later, in order", async () => {
  const { person, drawn, free } = busyConsole();
  void person.interrupted();
  const tools = Array.from({ length: 100 }, (_, index) => `notes.${index}`);
  for (const tool of tools) person.announce(notice(tool));
  expect(await person.ask(QUESTION, never)).toMatchObject({ answer: "granted", signature: "" });
  expect(drawn).toEqual([]);
  free();
  person.announce(notice("last"));
  await person.drawn();
  expect(drawn).toEqual([...tools, "last"]);
});

test("if too many notices wait for the console, drops the oldest of them", async () => {
  const { person, drawn, free } = busyConsole();
  for (let index = 0; index < 1000; index += 1) person.announce(notice(String(index)));
  await person.ask(QUESTION, never);
  free();
  await person.drawn();
  expect(drawn).toEqual([0, 1, 2, 3, ...Array.from({ length: 128 }, (_, index) => 872 + index)].map(String));
});

/** Returns a gate, a loop's connection to it, and a function that requests the loop's tools. */
function proxy() {
  const stage = staged("auto");
  const [mine, theirs] = duplexPair();
  serveGate(theirs, ToolProxy.id, { gate: stage.gate, held: new Map(), supervisor: stage.audit });
  const loop = connect(mine);
  const describe = () => loop.call(ToolProxy.methods.describeTools, { conversation: "main" });
  return { stage, loop, describe };
}

test("a loop gets its tools, or the reason why there are none", async () => {
  const { stage, describe } = proxy();
  expect(await describe()).toMatchObject({ ok: false, code: "failed", reason: "the turn is over" });
  stage.gate.session.beginTurn();
  expect(await describe()).toMatchObject({ ok: true, value: { turn: 1, tools: [{ name: "notes.write" }] } });
});

test("if a task is required, a person's line begins no turn, and the answer names the tasks", async () => {
  const closed = { requiresTask: true, taskRule: 1 };
  const stage = new Stage({ tables: { rows: [row("operator", [1], closed), row("operator", [2], { task: "pay" })] } });
  const [mine, theirs] = duplexPair();
  serveGate(theirs, Session.id, { gate: stage.gate, held: new Map(), supervisor: stage.audit });
  const said = { said: hash("sha256", "", "buffer"), pieces: [] };
  expect(await connect(mine).call(Session.methods.beginTurn, said)).toMatchObject({
    code: "failed",
    reason: "session operator requires a task, and none has begun; a person begins one with /task NAME: pay",
  });
  expect(stage.gate.place.turn).toBe(0);
});

test("a call with a malformed id is refused, not sent, and recorded once per turn", async () => {
  const { stage, loop, describe } = proxy();
  stage.gate.session.beginTurn();
  const described = await describe();
  if (!described.ok) throw new Error(described.reason);
  const { turn, snapshot } = described.value;
  const propose = (id: string) =>
    loop.call(ToolProxy.methods.invokeTool, { conversation: "main", turn, snapshot, call: { ...CALL, id } });
  const malformed = { ok: false, code: "malformed", reason: "the id of a call is 1 to 64 letters, digits, and _ . -" };
  for (const id of ["", "a b", "1 → ok", "x".repeat(65), "é"]) expect(await propose(id)).toMatchObject(malformed);
  expect(stage.sent).toEqual([]);
  expect(stage.entries).toMatchObject([{ session: { event: "malformed", detail: malformed.reason } }]);
  expect(await propose("x".repeat(64))).toMatchObject({ value: { result: { outcome: "ok" } } });
  expect(stage.sent).toHaveLength(1);
});

test("a turn that begins while the gate opens another conversation belongs to the new conversation", async () => {
  const { stage, describe } = proxy();
  const [mine, theirs] = duplexPair();
  serveGate(theirs, Session.id, { gate: stage.gate, held: new Map(), supervisor: stage.audit });
  const console = connect(mine);
  const chosen = Promise.withResolvers<void>();
  const switched = stage.gate.moves.switchTo(async () => {
    await chosen.promise;
    return stage.gate.moves.openNew("main");
  });
  const begun = console.call(Session.methods.beginTurn, { said: hash("sha256", "", "buffer"), pieces: [] });
  // This later request on the same connection is answered, so the gate has received the request for a turn.
  await console.call(Session.methods.vocabulary, {});
  chosen.resolve();
  expect(await switched).toBeUndefined();
  expect(await begun).toEqual({ ok: true, value: { turn: 1 } });
  expect(await describe()).toMatchObject({ ok: true, value: { turn: 1 } });
});

test("a loop can cancel its own turn, and no other", async () => {
  const { stage, loop, describe } = proxy();
  stage.gate.session.beginTurn();
  await describe();
  const cancel = (conversation: string, turn: number) =>
    loop.call(ToolProxy.methods.cancelTurn, { conversation, turn });
  await cancel("other", 1);
  await cancel("main", 2);
  expect(await describe()).toMatchObject({ ok: true });
  await cancel("main", 1);
  expect(await describe()).toMatchObject({ ok: false, reason: "the person stopped the turn" });
});

test("measures the time until the console's answer, which counts as at least one millisecond", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const takes = async (ms: number) => {
      const call = async <P, R>(_: MethodLayout<P, R>): Promise<Reply<R>> => {
        vi.advanceTimersByTime(ms);
        return { ok: true, value: { answer: "granted", signature: "" } as R };
      };
      return (await connectPerson("console", { ...connect(duplexPair()[0]), call }).ask(QUESTION, never))?.askedMs;
    };
    expect([await takes(0), await takes(3400)]).toEqual([1, 3400]);
  } finally {
    vi.useRealTimers();
  }
});

test("waits for the console ten seconds longer than the question's own limit, and then counts the person as not reached", async () => {
  const asked: (CallOptions | undefined)[] = [];
  const call = async <P, R>(_: MethodLayout<P, R>, __: P, options?: CallOptions): Promise<Reply<R>> => {
    asked.push(options);
    return { ok: false, code: "closed", reason: "it is gone" };
  };
  const person = connectPerson("console", { ...connect(duplexPair()[0]), call });
  expect(await person.ask(QUESTION, never)).toBeUndefined();
  expect(asked).toEqual([{ signal: never, timeoutMs: 11_000 }]);
  expect(await person.interrupted()).toBe(false);
});
