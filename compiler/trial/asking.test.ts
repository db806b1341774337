// Tests the questions of the console of a trial. The test takes the part of the gate and of the person.

import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { Approval, type Question, Session, Terminal } from "../../engine/lib/wire/generated/wire.ts";
import { type Connection, connect, implement, serveInterface } from "../../engine/lib/wire/index.ts";
import { type Front, type Person, type Said, TrialConsole } from "./console.ts";

const STANDING = { isLocked: false, label: "", model: "", isModelAsked: false, task: "", phase: "", left: [] };
const QUESTION: Question = {
  tool: "notes.write",
  arguments: "{}",
  sentence: "write",
  mode: "consent",
  rule: "system.cap:4",
  timeoutMs: 0,
  challenge: "",
  mayRemember: false,
  remembers: "",
  isLogin: false,
  passphrase: { salt: new Uint8Array(), newSalt: new Uint8Array() },
};

interface Scene {
  readonly person: Person;
  readonly gate: Connection;
  readonly loop: Connection;
  readonly type: (text: string) => void;
  /** Waits until the text is drawn. Each call searches only the output after the text that the previous call found. */
  readonly see: (text: string | RegExp) => Promise<string>;
  readonly drawn: () => string;
}

function open(isLive = true): Scene {
  let drawn = "";
  let seen = 0;
  let wake = (): void => {};
  let person: Person | undefined;
  const write = (text: string): void => {
    drawn += text;
    wake();
  };
  const front: Front = {
    write,
    columns: () => 200,
    rows: () => 24,
    status: () => {},
    prompt: (next) => write(next === undefined ? "" : `${next.text}${next.kept?.text ?? ""}`),
    taken: (line) => write(`${line}\n`),
    attach: (given) => {
      person = given;
    },
    isLive,
    isRewritable: false,
    isPainted: false,
    setColours: () => {},
    left: () => {},
  };
  const console = new TrialConsole(front);
  front.attach(console);
  const hold = (role: string, interfaceId: bigint): Connection => {
    const [ours, theirs] = duplexPair();
    console.receive({ stream: theirs, holder: `${role}.operator`, interfaceId, badge: 0n, name: "" });
    return connect(ours);
  };
  const [asked, served] = duplexPair();
  serveInterface(served, [
    implement(Session, {
      command: async () => ({ lines: ["done"] }),
      beginTurn: async () => ({ turn: 1 }),
      vocabulary: async () => ({ commands: [], tools: [], tasks: [], phases: [], conversations: [] }),
      standing: async () => ({ standing: STANDING }),
    }),
  ]);
  console.connect([{ name: "operator", connection: connect(asked), hasLoop: true }], connect(duplexPair()[0]));
  const loop = hold("loop", Terminal.id);
  const gate = hold("gate", Approval.id);
  if (person === undefined) throw new Error("the console was not attached");
  const see = async (text: string | RegExp): Promise<string> => {
    for (;;) {
      const rest = drawn.slice(seen);
      const found = typeof text === "string" ? undefined : text.exec(rest);
      const [at, length] =
        typeof text === "string" ? [rest.indexOf(text), text.length] : [found?.index ?? -1, found?.[0].length ?? 0];
      if (at >= 0) {
        seen += at + length;
        return found?.[1] ?? "";
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const said = (text: string): Said => ({ text, pieces: [{ text, isPasted: false }] });
  return { person, gate, loop, see, drawn: () => drawn, type: (text) => person?.enter(said(text)) };
}

const ask = (gate: Connection, question: Partial<Question> = {}) =>
  gate.call(Approval.methods.ask, { question: { ...QUESTION, ...question } });
const read = (loop: Connection) => loop.call(Terminal.methods.readLine, {});
const answerOf = async (reply: ReturnType<typeof ask>) => {
  const got = await reply;
  return got.ok ? got.value.answer : got.reason;
};

test("after a mistyped answer the console states what to type, and a second mistyped answer refuses the call", async () => {
  for (const [second, answer] of [
    ["", "granted"],
    ["kmf", "mistyped"],
    ["no", "denied"],
  ] as const) {
    const { gate, see, type } = open();
    const reply = ask(gate);
    const letters = await see(/allow\? type (\w{3}) to allow, no to refuse> /);
    type("y");
    await see(
      `* not an answer: type ${letters} to allow, no to refuse; the next mistake refuses\nallow? type ${letters}`,
    );
    type(second === "" ? letters : `${second}${second === "kmf" ? letters : ""}`);
    expect(await answerOf(reply)).toBe(answer);
    await see(
      second === "kmf" ? "* refused: not understood twice" : answer === "granted" ? "* allowed" : "* refused\n",
    );
  }
});

test("the answer no refuses the call at once, even if the question offers to remember consent", async () => {
  const { gate, see, type } = open();
  const reply = ask(gate, { mayRemember: true, remembers: "every write" });
  await see(/type \w{3} for once, \w{3} for all of that, no to refuse> /);
  type("No");
  expect(await answerOf(reply)).toBe("denied");
});

test("lines that were typed before a question do not answer it, and are shown again at the prompts after the question", async () => {
  const { gate, loop, see, type } = open();
  type("yes");
  type("later");
  const reply = ask(gate);
  const letters = await see(/type (\w{3}) to allow/);
  type(letters);
  expect(await answerOf(reply)).toBe("granted");
  const first = read(loop);
  await see("* typed before the question: Enter sends it, Ctrl-U drops it\nyou> yes");
  type("no");
  expect(await first).toEqual({ ok: true, value: { line: "no", end: false } });
  const second = read(loop);
  await see("Ctrl-U drops it\nyou> later");
  type("later");
  expect(await second).toEqual({ ok: true, value: { line: "later", end: false } });
  void read(loop);
  await see(/\nyou> $/);
});

test("a line that is typed after a question waits behind lines that were typed before the question", async () => {
  const { gate, loop, see, type } = open();
  type("yes");
  const reply = ask(gate);
  type(await see(/type (\w{3}) to allow/));
  expect(await answerOf(reply)).toBe("granted");
  type("after");
  const first = read(loop);
  await see("Ctrl-U drops it\nyou> yes");
  type("yes");
  expect(await first).toEqual({ ok: true, value: { line: "yes", end: false } });
  const second = read(loop);
  await see("Ctrl-U drops it\nyou> after");
  type("after");
  expect(await second).toEqual({ ok: true, value: { line: "after", end: false } });
});

test("lines from a program that does not see the screen are executed in their order", async () => {
  const { gate, loop, see, type } = open(false);
  type("first");
  const reply = ask(gate);
  type((await see(/type (\w{3}) to allow/)) === "" ? "" : "no");
  expect(await answerOf(reply)).toBe("denied");
  expect(await read(loop)).toEqual({ ok: true, value: { line: "first", end: false } });
});

test("Ctrl-C deletes the lines that were typed before a question", async () => {
  const { gate, loop, person, see, type, drawn } = open();
  type("yes");
  const reply = ask(gate);
  await see("to allow");
  person.interrupt();
  expect(await answerOf(reply)).toBe("cancelled");
  person.interrupt();
  void read(loop);
  await see(/you> $/);
  expect(drawn()).not.toContain("yes");
});
