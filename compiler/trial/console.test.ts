// Tests the console: a user interface that records output replaces the terminal, and connections of the test replace
// those of a gate and of a loop.

import { createHash } from "node:crypto";
import { duplexPair } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import {
  type Answer,
  Approval,
  type Notice,
  type Question,
  Session,
  Terminal,
} from "../../engine/lib/wire/generated/wire.ts";
import { connect, implement, serveInterface } from "../../engine/lib/wire/index.ts";
import { type PromptKind, type Said, TrialConsole } from "./console.ts";

afterEach(() => {
  vi.useRealTimers();
});

const QUESTION: Question = {
  tool: "notes.write",
  arguments: '{"path":"a"}',
  sentence: "Writes the note a.",
  mode: "consent",
  rule: "system.cap:9",
  timeoutMs: 0,
  challenge: "",
  mayRemember: false,
  remembers: "notes.write, whatever it is given",
  isLogin: false,
  passphrase: { salt: new Uint8Array(), newSalt: new Uint8Array() },
};

const CALL: Notice = {
  stage: "running",
  tool: "notes.read",
  arguments: "{}",
  mode: "auto",
  hasMode: true,
  outcome: "ok",
  detail: "",
  result: "",
} as Notice;

const STANDING = { isLocked: false, label: "", model: "", isModelAsked: false, task: "", phase: "", left: [] };

/** Opens a console with these sessions. Their gates accept every turn and command. */
function open(
  names: readonly string[] = ["a"],
  { isLive = true, isRewritable = false, isPainted = false, answers = Promise.resolve() } = {},
) {
  let drawn = "";
  let status = "";
  const standings: string[] = [];
  let prompt: { readonly text: string; readonly kind: PromptKind; readonly kept?: Said } | undefined;
  const left = vi.fn();
  const desk = new TrialConsole({
    write: (text) => {
      drawn += text;
    },
    columns: () => 400,
    rows: () => 24,
    status: (words) => {
      status = words;
    },
    attach: () => {},
    taken: () => {},
    prompt: (shown) => {
      prompt = shown;
    },
    isLive,
    isRewritable,
    isPainted,
    setColours: () => {},
    left,
  });
  const turns: string[] = [];
  const commands: string[] = [];
  const streams = names.map(() => duplexPair());
  for (const [index, [, far]] of streams.entries())
    serveInterface(far, [
      implement(Session, {
        beginTurn: async ({ said }) => {
          turns.push(Buffer.from(said).toString("hex"));
          return { turn: 1 };
        },
        command: async ({ name }) => {
          commands.push(name);
          await answers;
          return { lines: [`did ${name}`] };
        },
        vocabulary: async () => ({ commands: [], tools: [], tasks: [], phases: [], conversations: [] }),
        standing: async () => {
          standings.push(names[index] ?? "");
          return { standing: { ...STANDING, label: `at ${standings.length}` } };
        },
      }),
    ]);
  desk.connect(
    names.map((name, index) => {
      const near = streams[index]?.[0];
      if (near === undefined) throw new Error("no stream");
      return { name, connection: connect(near), hasLoop: true };
    }),
    connect(duplexPair()[0]),
  );
  const give = (holder: string, interfaceId: bigint) => {
    const [near, far] = duplexPair();
    desk.receive({ stream: near, holder, interfaceId, name: "console", badge: 1n });
    return { connection: connect(far), stream: near };
  };
  const endGate = (name: string) => streams[names.indexOf(name)]?.[1].destroy();
  const gate = give("gate.a", Approval.id).connection;
  const loop = give("loop.a", Terminal.id).connection;
  const see = (text: string) => vi.waitFor(() => expect(drawn).toContain(text));
  const seePrompt = (text: string) => vi.waitFor(() => expect(prompt?.text ?? "").toContain(text));
  const ask = async (question: Partial<Question> = {}) => {
    const reply = gate.call(Approval.methods.ask, { question: { ...QUESTION, ...question } });
    const answer = reply.then((given): Answer | string => (given.ok ? given.value.answer : given.reason));
    return { answer, signature: reply.then((given) => (given.ok ? given.value.signature : undefined)) };
  };
  const type = (text: string) => desk.enter({ text, pieces: [{ text, isPasted: false }] });
  /**
   * Returns the letters that approve the call, and the letters that approve all similar calls, from the text of the
   * prompt.
   */
  const letters = () =>
    [...(prompt?.text ?? "").matchAll(/\b([a-z]{3}) (?:to allow|for once|for all)/g)].map((m) => m[1]);
  const read = () => loop.call(Terminal.methods.readLine, {}).then((given) => (given.ok ? given.value : undefined));
  return {
    ...{ desk, give, gate, loop, see, seePrompt, ask, type, letters, read, turns, commands, left, endGate },
    ...{ drawn: () => drawn, prompt: () => prompt, status: () => status, standings },
  };
}

test("only the letters of the current question allow the call, and each question has different letters", async () => {
  const { ask, type, letters, seePrompt, drawn } = open();
  const { answer } = await ask();
  await seePrompt("to allow");
  const [word = ""] = letters();
  type(` ${word} `);
  expect(await answer).toBe("granted");
  expect(drawn()).toContain("* allowed");
  const next = await ask();
  await seePrompt("to allow");
  expect(letters()).not.toEqual([word]);
  type(word);
  type(word);
  expect(await next.answer).toBe("mistyped");
});

test.each(["y", "yes", "", "ok", "allow"])("the answer '%s' does not allow a call", async (word) => {
  const { ask, type, seePrompt } = open();
  const { answer } = await ask();
  await seePrompt("to allow");
  type(word);
  type(word);
  expect(await answer).toBe("mistyped");
});

test("letters that approve all similar calls exist only if the question offers this approval", async () => {
  const { ask, type, letters, seePrompt, see, drawn } = open();
  const { answer } = await ask({ mayRemember: true });
  await seePrompt("for all of that");
  await see(QUESTION.remembers);
  const [once, all = ""] = letters();
  expect(once).not.toBe(all);
  type(all);
  expect(await answer).toBe("grantedForConversation");
  const next = await ask();
  await seePrompt("to allow");
  expect(letters()).toHaveLength(1);
  expect(drawn().split(QUESTION.remembers)).toHaveLength(2);
  type(all);
  type(all);
  expect(await next.answer).toBe("mistyped");
});

test("the letters for one call approve only this call, even if the question also offers to remember an approval", async () => {
  const { ask, type, letters, seePrompt } = open();
  const { answer } = await ask({ mayRemember: true });
  await seePrompt("for all of that");
  type(letters()[0] ?? "");
  expect(await answer).toBe("granted");
});

test("a line that was typed before a question is not its answer, and is shown at the next prompt", async () => {
  const { ask, type, letters, seePrompt, read, turns, prompt } = open();
  type("before");
  const { answer } = await ask();
  await seePrompt("to allow");
  type(letters()[0] ?? "");
  expect(await answer).toBe("granted");
  const line = read();
  await seePrompt("you> ");
  expect(prompt()?.kept?.text).toBe("before");
  expect(turns).toEqual([]);
  type("before");
  expect(await line).toEqual({ line: "before", end: false });
  expect(turns).toEqual([createHash("sha256").update("before").digest("hex")]);
});

test("a question without an answer in time is denied as timed out", async () => {
  const { ask, see } = open();
  const { answer } = await ask({ timeoutMs: 20 });
  expect(await answer).toBe("timedOut");
  await see("* refused: nobody answered in time");
});

test("the time limit of a question starts when the question is shown, and does not apply after its answer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { ask, type, letters, seePrompt, prompt } = open();
  const first = await ask({ timeoutMs: 60_000 });
  await seePrompt("to allow");
  type(letters()[0] ?? "");
  expect(await first.answer).toBe("granted");
  const second = await ask();
  await seePrompt("to allow");
  const third = await ask({ timeoutMs: 60_000 });
  await vi.advanceTimersByTimeAsync(100_000);
  type(letters()[0] ?? "");
  expect(await second.answer).toBe("granted");
  await seePrompt("to allow");
  await vi.advanceTimersByTimeAsync(50_000);
  expect(prompt()?.text).toContain("to allow");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await third.answer).toBe("timedOut");
});

test("when the input ends, the open question and all later questions end without an answer", async () => {
  const { desk, ask, seePrompt, see, read } = open();
  const { answer } = await ask();
  await seePrompt("to allow");
  desk.end();
  expect(await answer).toBe("timedOut");
  const later = await ask();
  expect(await later.answer).toBe("timedOut");
  await see("* refused: nobody is there to answer");
  expect(await read()).toEqual({ line: "", end: true });
});

test("a question that its gate cancels is no longer shown", async () => {
  const { gate, see, seePrompt, prompt } = open();
  const taken = new AbortController();
  const reply = gate.call(Approval.methods.ask, { question: QUESTION }, { signal: taken.signal });
  await seePrompt("to allow");
  taken.abort();
  await see("* refused: the question was taken back");
  expect(prompt()).toBeUndefined();
  expect((await reply).ok).toBe(false);
});

test("Ctrl-C cancels the open question, and deletes waiting lines", async () => {
  const { desk, ask, type, seePrompt, turns, read } = open();
  type("first");
  const { answer } = await ask();
  await seePrompt("to allow");
  expect(desk.interrupt()).toBe(true);
  expect(await answer).toBe("cancelled");
  expect(desk.interrupt()).toBe(true);
  const line = read();
  await seePrompt("you> ");
  expect(desk.interrupt()).toBe(false);
  type("second");
  expect(await line).toEqual({ line: "second", end: false });
  expect(turns).toHaveLength(1);
});

test("Ctrl-C is reported to the gate and to the loop if they wait for an interrupt", async () => {
  const { desk, gate, loop } = open();
  const pressed = [
    gate.call(Approval.methods.awaitInterrupt, {}),
    loop.call(Terminal.methods.awaitInterrupt, {}),
    loop.call(Terminal.methods.write, { text: "", speaker: "model" }),
  ];
  await pressed[2];
  desk.interrupt();
  expect((await Promise.all(pressed)).map(({ ok }) => ok)).toEqual([true, true, true]);
});

test.each(["it's", "two\nlines", "é", "\u001b[2J"])(
  "a challenge with a quote, or with other characters than printable ASCII, is refused and not shown: %j",
  async (challenge) => {
    const { ask, drawn, prompt } = open();
    const { answer } = await ask({ challenge });
    expect(await answer).toBe("denied");
    expect(drawn()).not.toContain(QUESTION.tool);
    expect(prompt()).toBeUndefined();
  },
);

test("a signature is complete with its last line, and is passed on unchanged", async () => {
  const { ask, type, seePrompt, see } = open();
  const { answer, signature } = await ask({ challenge: "capos step-up 1" });
  await seePrompt("paste the signature> ");
  await see("'capos step-up 1'");
  await see("-n stepup@capos");
  for (const line of ["-----BEGIN SSH SIGNATURE-----", "AAAA", "-----END SSH SIGNATURE-----"]) type(line);
  expect(await answer).toBe("granted");
  expect(await signature).toBe("-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n");
});

test("the command that signs a login states another purpose than the command that signs a call", async () => {
  const { ask, see } = open();
  await ask({ challenge: "capos login 1", isLogin: true });
  await see("-n login@capos");
});

test("an empty line or an oversized text in place of a signature denies the call", async () => {
  const { ask, type, seePrompt, see } = open();
  const first = await ask({ challenge: "x" });
  await seePrompt("paste the signature> ");
  type("");
  expect(await first.answer).toBe("denied");
  const second = await ask({ challenge: "x" });
  await seePrompt("paste the signature> ");
  for (let count = 0; count < 5; count++) type("A".repeat(1000));
  expect(await second.answer).toBe("denied");
  await see("* refused: that is longer than any signature");
});

test("a question for a passphrase is refused, and the console shows the reason", async () => {
  const { ask, see } = open();
  const { answer } = await ask({ challenge: "x", passphrase: { salt: new Uint8Array(16), newSalt: new Uint8Array() } });
  expect(await answer).toBe("denied");
  await see("a passphrase is asked for in a machine alone");
});

test("nothing is drawn, and no other question is asked, while a question is open", async () => {
  const { gate, loop, ask, type, letters, seePrompt, see, drawn } = open();
  await ask();
  await seePrompt("to allow");
  const written = loop.call(Terminal.methods.write, { text: "from the model\n", speaker: "model" });
  const noted = gate.call(Approval.methods.announce, { notice: CALL });
  const other = await ask({ tool: "notes.remove" });
  await gate.call(Approval.methods.lock, {});
  expect(drawn()).not.toMatch(/from the model|notes\.read|notes\.remove/);
  expect(drawn().split(QUESTION.sentence)).toHaveLength(2);
  type(letters()[0] ?? "");
  await see("notes.remove");
  expect(drawn()).not.toMatch(/from the model|notes\.read/);
  type(letters()[0] ?? "");
  expect(await other.answer).toBe("granted");
  await Promise.all([written, noted]);
  await see("agent> from the model");
  await see("[tool] notes.read {} auto");
});

test("a loop cannot ask for approvals; only the gate of an existing session can", async () => {
  const { give } = open();
  for (const [holder, id] of [
    ["loop.a", Approval.id],
    ["gate.a", Terminal.id],
    ["service.a", Approval.id],
    ["a", Approval.id],
  ] as const)
    expect(give(holder, id).stream.destroyed, holder).toBe(true);
  const stranger = give("gate.b", Approval.id).connection;
  const reply = await stranger.call(Approval.methods.ask, { question: QUESTION });
  expect(reply.ok && reply.value.answer).toBe("denied");
});

test("an agent of a locked session cannot write until the next turn begins", async () => {
  const { gate, loop, type, read, see, seePrompt, drawn } = open();
  await gate.call(Approval.methods.lock, {});
  await see("* session a is locked");
  expect((await loop.call(Terminal.methods.write, { text: "secret\n", speaker: "model" })).ok).toBe(false);
  const line = read();
  await seePrompt("you> ");
  type("go on");
  await line;
  expect((await loop.call(Terminal.methods.write, { text: "answer\n", speaker: "model" })).ok).toBe(true);
  expect(drawn()).not.toContain("secret");
  expect(drawn()).toContain("agent> answer");
});

test("the gate locks the session to which the person changes, and the lines of this session contain its name", async () => {
  const { give, type, see, seePrompt, commands, drawn } = open(["a", "b"]);
  const other = give("loop.b", Terminal.id).connection;
  await other.call(Terminal.methods.write, { text: "hello\n", speaker: "model" });
  expect(drawn()).toContain("agent (b)> hello");
  type("/session a");
  type("/session b");
  await see("* session b");
  await vi.waitFor(() => expect(commands).toEqual(["lock"]));
  void other.call(Terminal.methods.readLine, {});
  await seePrompt("you (b)> ");
});

test("a command is executed while the agent works if the person sees the screen, and otherwise after the agent's turn", async () => {
  const live = open();
  live.type("/tools");
  await live.see("did tools");
  const piped = open(["a"], { isLive: false });
  piped.type("/tools");
  expect(piped.drawn()).not.toContain("/tools");
  void piped.read();
  await piped.see("did tools");
});

test("eight commands may wait for their responses, and the ninth is sent after one of these responses", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { type, commands, drawn, see } = open(["a"], { answers: promise });
  for (let count = 1; count <= 9; count++) type(`/tools ${count}`);
  await vi.waitFor(() => expect(commands).toHaveLength(8));
  expect(drawn()).not.toContain("/tools 9");
  resolve();
  await see("/tools 9");
  await vi.waitFor(() => expect(commands).toHaveLength(9));
});

test("the agent's input ends when the person leaves", async () => {
  const { type, left, seePrompt, read } = open();
  const line = read();
  await seePrompt("you> ");
  type("/exit");
  expect(left).toHaveBeenCalledOnce();
  expect(await line).toEqual({ line: "", end: true });
});

test("a session ends when its gate ends, and its agent gets no more lines", async () => {
  const { endGate, see, seePrompt, read, type } = open(["a", "b"]);
  const line = read();
  await seePrompt("you> ");
  endGate("a");
  await see("* session a has ended: gate stopped");
  expect(await line).toEqual({ line: "", end: true });
  type("/session a");
  await see("* session a has ended\n");
});

test("a terminal shows the session's state after each response, and without a terminal the state is not requested", async () => {
  const { type, seePrompt, read, status, standings, desk } = open(["a"], { isRewritable: true });
  void read();
  await seePrompt("you> ");
  await vi.waitFor(() => expect(status()).toMatch(/^a \| at \d \| no model$/));
  const before = standings.length;
  type("/tools");
  await vi.waitFor(() => expect(status()).toBe(`a | at ${before + 1} | no model`));
  desk.close();
  const piped = open(["a"]);
  void piped.read();
  await piped.seePrompt("you> ");
  piped.type("/tools");
  await piped.see("did tools");
  expect(piped.standings).toEqual([]);
});

test("a locked session does not show earlier output, even after a change of the window's size", async () => {
  const { gate, read, seePrompt, type, see, status, drawn, desk } = open(["a"], { isRewritable: true });
  void read();
  await seePrompt("you> ");
  type("/tools");
  await see("did tools");
  const from = drawn().length;
  desk.drawAgain();
  expect(drawn().slice(from)).toContain("you> /tools\n* did tools\n");
  await vi.waitFor(() => expect(status()).not.toBe(""));
  await gate.call(Approval.methods.lock, {});
  await see("session a is locked");
  const behind = drawn().length;
  desk.drawAgain();
  expect(drawn().slice(behind)).not.toContain("did tools");
  desk.close();
});

test("each lock forgets the drawn output, even if no turn has begun since the previous lock", async () => {
  const { gate, loop, read, seePrompt, type, see, drawn, desk } = open(["a"], { isRewritable: true });
  void read();
  await seePrompt("you> ");
  await gate.call(Approval.methods.lock, {});
  type("/tools");
  await see("did tools");
  await gate.call(Approval.methods.lock, {});
  await vi.waitFor(() => expect(drawn().split("session a is locked")).toHaveLength(3));
  const from = drawn().length;
  desk.drawAgain();
  expect(drawn().slice(from)).not.toContain("did tools");
  expect(await loop.call(Terminal.methods.write, { text: "x", speaker: "model" })).toMatchObject({ ok: false });
  desk.close();
});

test("after a lock, a redrawn window shows the whole open question, and the output that waited behind the question is discarded", async () => {
  const { gate, loop, read, seePrompt, type, see, drawn, desk, ask } = open(["a"], { isRewritable: true });
  void read();
  await seePrompt("you> ");
  const { answer } = await ask();
  await seePrompt("to allow");
  const held = loop.call(Terminal.methods.write, { text: "of before\n", speaker: "model" });
  await gate.call(Approval.methods.lock, {});
  const shown = (): string => {
    const from = drawn().length;
    desk.drawAgain();
    return drawn().slice(from);
  };
  expect(shown()).toContain(`* ${QUESTION.sentence} — ${QUESTION.rule}\n`);
  type("no");
  expect(await answer).toBe("denied");
  await held;
  await see("session a is locked");
  expect(shown()).toMatch(/2J\* session a is locked\n$/);
  desk.close();
});

test("a lock in the middle of a table discards the rows that are not yet drawn", async () => {
  const { gate, loop, read, seePrompt, type, see, drawn, desk } = open(["a"], { isRewritable: true, isPainted: true });
  void read();
  await seePrompt("you> ");
  type("hello");
  await loop.call(Terminal.methods.write, { text: "| secret |\n|---|\n| sec", speaker: "model" });
  await gate.call(Approval.methods.lock, {});
  await see("session a is locked");
  expect(drawn()).not.toContain("sec");
  desk.close();
});

test("when the gate of a session ends, the row below the prompt no longer shows this session", async () => {
  const { endGate, type, see, status, desk } = open(["a", "b"], { isRewritable: true });
  type("/session b");
  await vi.waitFor(() => expect(status()).toMatch(/^b \|/));
  endGate("b");
  await see("* session b has ended: gate stopped");
  expect(status()).not.toMatch(/^b/);
  desk.close();
});

test("/help lists the commands in the order of their names", async () => {
  const { type, see, drawn, read, seePrompt } = open();
  void read();
  await seePrompt("you> ");
  type("/help");
  await see("/help NAME");
  const names = [...drawn().matchAll(/\/([a-z]+)(?: \[[^\]]*\]| NAME)?(?= {3}|\n)/g)].map(([, name]) => name);
  expect(names.slice(0, 6)).toEqual(["colours", "exit", "help", "restart", "session", "stop"]);
});
