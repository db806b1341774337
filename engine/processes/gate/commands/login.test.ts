// Tests failed logins, and changes of a passphrase.
import { afterEach, expect, test, vi } from "vitest";
import { always, row } from "../../../lib/policy/testing/sample.ts";
import { direct, never, propose } from "../testing/calls.ts";
import { Shelf } from "../testing/shelf.ts";
import { Stage, type Surroundings } from "../testing/stage.ts";
import { answerCommand, describeVocabulary } from "./index.ts";

afterEach(() => {
  vi.useRealTimers();
});

const SALT = { salt: new Uint8Array(16), newSalt: new Uint8Array() };

const MINUTE_MS = 60_000;

function session(login: "none" | "key" | "passphrase", said: Surroundings["said"] = [], idle = 0, inTask = idle) {
  const principals = [{ name: "alice", keys: [], passphrase: "alice" }];
  const timeouts = (minutes: number) => ({ callMs: 0, turnMs: 0, loginMs: 0, idleMs: minutes * MINUTE_MS });
  const closed = { login, principals: [0], timeouts: timeouts(idle) } as const;
  const rows = [
    row("operator", [2], login === "none" ? {} : closed),
    row("operator", [2], login === "none" ? { task: "t" } : { ...closed, task: "t", timeouts: timeouts(inTask) }),
  ];
  const decisions = [{ clauses: [always("consent")], floors: [] }];
  const stage = new Stage({ tables: { rows, principals, decisions }, said });
  const parts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  const say = (name: string, argument = "") => answerCommand(parts, name, argument, never);
  const events = () =>
    stage.entries.flatMap((entry) =>
      entry.which === "session" ? [`${entry.session.event}: ${entry.session.detail}`] : [],
    );
  return { stage, parts, say, events };
}

test("on a page without a login, refuses login, logout and change of passphrase", async () => {
  const { say, stage } = session("none");
  for (const name of ["login", "logout", "passphrase"]) {
    expect(await say(name)).toEqual(["nobody logs in to this session: its page does not ask for it"]);
  }
  expect([stage.steps, stage.questions]).toEqual([[], []]);
});

test("a login without a signature or a passphrase says which one was missing", async () => {
  const { stage, say } = session("key", ["denied", "denied"]);
  expect(await say("login", "alice")).toEqual(["refused: no signature was given"]);
  expect(stage.questions[0]).toMatchObject({ tool: "/login", sentence: "log in to session operator", isLogin: true });
  stage.passphrase = SALT;
  expect(await say("login", " alice ")).toEqual(["refused: no passphrase was given"]);
  expect(stage.questions[1]).toMatchObject({ sentence: "log in to session operator as alice", mode: "stepUp" });
});

test("a login with a wrong signature is refused with the broker's reason, and recorded", async () => {
  const { stage, say, events } = session("key", ["granted"]);
  stage.principal = "";
  expect(await say("login")).toEqual(["refused: wrong key"]);
  expect(events()).toEqual(["login refused: wrong key"]);
});

test("does not ask for a login if it cannot be recorded or there is no challenge", async () => {
  const { stage, say } = session("key", ["granted"]);
  stage.refusal = "the disk is full";
  expect(await say("login")).toEqual(["refused: nothing can be recorded, so nothing may run: the disk is full"]);
  stage.refusal = "";
  stage.challengeFault = "five refused proofs wait five minutes";
  expect(await say("login")).toEqual(["refused: five refused proofs wait five minutes"]);
  expect(stage.questions).toEqual([]);
});

test("a person who is logged in can log out, and can change the passphrase with the current passphrase", async () => {
  const { stage, say, events } = session("key", ["granted", "granted", "denied", "granted"]);
  expect(await say("login")).toEqual(["alice is logged in"]);
  expect(await say("login")).toEqual(["alice is logged in"]);
  stage.passphrase = SALT;
  expect(await say("passphrase")).toEqual(["alice has another passphrase"]);
  expect(stage.questions[1]).toMatchObject({ tool: "/passphrase", sentence: "choose another passphrase for alice" });
  expect(await say("passphrase")).toEqual(["refused: no passphrase was given"]);
  stage.principal = "";
  expect(await say("passphrase")).toEqual(["refused: wrong passphrase"]);
  stage.refusal = "the disk is full";
  expect(await say("passphrase")).toEqual(["refused: nothing can be recorded, so nothing may run: the disk is full"]);
  stage.refusal = "";
  expect(await say("logout")).toEqual(["alice is logged out"]);
  expect(events()).toEqual([
    "login: alice",
    "passphrase changed: alice",
    "passphrase refused: wrong passphrase",
    "logout: alice: logout",
  ]);
});

test("/lock locks the session until its person logs in again", async () => {
  const { stage, say, events } = session("key", ["granted", "granted"]);
  await say("login");
  expect(await say("lock")).toEqual([]);
  expect(await say("tools")).toEqual(["session operator is locked: /login opens it"]);
  expect(events()).toEqual(["login: alice", "logout: alice: locked"]);
  expect(await say("login")).toEqual(["alice is logged in"]);
  expect(stage.questions.length).toBe(2);
  expect(await session("none").say("lock")).toEqual(["nobody logs in to this session: its page does not ask for it"]);
});

test("/lock with a number locks the session after that many minutes without input", async () => {
  fakeClock();
  const { stage, say, events } = session("key", ["granted", "granted", "granted"]);
  await say("login");
  for (const wrong of ["0", "1441", "-1", "x", "1 2"])
    expect(await say("lock", wrong)).toEqual([
      "/lock takes a number of minutes from 1 to 1440, or off, or nothing to lock now",
    ]);
  expect(await say("lock", "10")).toEqual(["the session locks when nothing is typed for 10 min"]);
  for (const word of [() => say("tools"), async () => stage.gate.session.beginTurn()]) {
    await vi.advanceTimersByTimeAsync(599_000);
    expect(stage.gate.seat.isLocked).toBe(false);
    await word();
  }
  await vi.advanceTimersByTimeAsync(599_000);
  expect(stage.gate.seat.isLocked).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stage.gate.seat.isLocked).toBe(true);
  expect(events()).toContain("logout: alice: nothing was typed for a while");
  // The lock time of the previous login no longer applies. `/lock off` removes the lock time that `/lock 1` set.
  await say("login");
  await vi.advanceTimersByTimeAsync(3_000_000);
  expect(stage.gate.seat.isLocked).toBe(false);
  await say("lock", "1");
  expect(await say("lock", "off")).toEqual(["the session does not lock by itself any more"]);
  await vi.advanceTimersByTimeAsync(3_000_000);
  expect(stage.gate.seat.isLocked).toBe(false);
});

function fakeClock() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  return (minutes: number) => vi.advanceTimersByTimeAsync(minutes * MINUTE_MS);
}

test("the page's idle time locks the session, counted from the login and from each input, also after the next login", async () => {
  const pass = fakeClock();
  const { stage, say, events } = session("key", ["granted", "granted"], 15);
  await pass(60);
  expect(events()).toEqual([]);
  for (const _ of [1, 2]) {
    await say("login");
    for (const word of [() => say("tools"), async () => stage.gate.session.beginTurn()]) {
      await pass(14.9);
      expect(stage.gate.seat.isLocked).toBe(false);
      await word();
    }
    await pass(14.9);
    expect(stage.gate.seat.isLocked).toBe(false);
    await pass(0.1);
    expect(stage.gate.seat.isLocked).toBe(true);
  }
  expect(events().filter((event) => event.startsWith("logout"))).toEqual(
    Array.from({ length: 2 }, () => "logout: alice: the page's idle time is over"),
  );
});

test("/lock can shorten the page's idle time; /lock off and the next login restore it", async () => {
  const pass = fakeClock();
  const { stage, say, events } = session("key", ["granted", "granted"], 15);
  const held = async () => (await say("status"))[1];
  await say("login");
  expect(await held()).toBe("alice is logged in; the session locks when nothing is typed for 15 min, as the page says");
  expect(await say("lock", "16")).toEqual(["the page locks the session after 15 min: /lock can only shorten that"]);
  expect(await say("lock", "10")).toEqual(["the session locks when nothing is typed for 10 min"]);
  expect(await held()).toBe("alice is logged in; the session locks when nothing is typed for 10 min");
  expect(await say("lock", "off")).toEqual(["the session locks when nothing is typed for 15 min, as the page says"]);
  await pass(14);
  expect(await say("lock", "10")).toEqual(["the session locks when nothing is typed for 10 min"]);
  await pass(10);
  await say("login");
  await pass(14.9);
  expect(stage.gate.seat.isLocked).toBe(false);
  await pass(0.1);
  expect(stage.gate.seat.isLocked).toBe(true);
  expect(events().filter((event) => event.startsWith("logout"))).toEqual([
    "logout: alice: nothing was typed for a while",
    "logout: alice: the page's idle time is over",
  ]);
});

test("in a task with a shorter idle time than the session, the idle time of the task applies", async () => {
  const pass = fakeClock();
  const { stage, say } = session("key", ["granted"], 15, 5);
  await say("login");
  await say("task", "t");
  expect((await say("lock", "6"))[0]).toBe("the page locks the session after 5 min: /lock can only shorten that");
  await pass(5);
  expect(stage.gate.seat.isLocked).toBe(true);
});

test("the idle time does not end a waiting question; the lock follows when no answer arrives in time", async () => {
  const pass = fakeClock();
  const { stage, say, events } = session("key", ["granted", "timedOut"], 15);
  await say("login");
  stage.gate.session.beginTurn();
  await pass(14.5);
  const thought = Promise.withResolvers<void>();
  stage.thinking = thought.promise;
  const call = propose(stage);
  await pass(1.9);
  expect([stage.gate.seat.isLocked, stage.questions.length]).toEqual([false, 2]);
  thought.resolve();
  expect(await call).toMatchObject({ outcome: "deniedByUser", error: "nobody answered" });
  await pass(0);
  expect(stage.gate.seat.isLocked).toBe(true);
  expect(events()).toContain("logout: alice: the page's idle time is over");
});

test("an answer to a question counts as input, but a question without an answer does not", async () => {
  const pass = fakeClock();
  const { stage, say } = session("key", ["granted", "denied", "timedOut"], 15);
  await say("login");
  await pass(14);
  const thought = Promise.withResolvers<void>();
  stage.thinking = thought.promise;
  const call = direct(stage);
  await pass(2);
  thought.resolve();
  expect((await call).outcome).toBe("deniedByUser");
  stage.gate.session.beginTurn();
  await pass(14);
  expect((await propose(stage)).error).toBe("nobody answered");
  expect(stage.gate.seat.isLocked).toBe(false);
  await pass(1);
  expect(stage.gate.seat.isLocked).toBe(true);
});

test("the vocabulary offers login commands only when they can be used", async () => {
  const about = async ({ parts }: ReturnType<typeof session>) => {
    const names = (await describeVocabulary(parts)).commands.map(({ name }) => name);
    return names.filter((name) => ["login", "logout", "passphrase", "tools"].includes(name));
  };
  expect(await about(session("none"))).toEqual(["tools"]);
  for (const [login, open] of [
    ["key", ["logout", "tools"]],
    ["passphrase", ["logout", "passphrase", "tools"]],
  ] as const) {
    const opened = session(login, ["granted"]);
    expect(await about(opened)).toEqual(["login"]);
    await opened.say("login");
    expect(await about(opened)).toEqual(open);
  }
});

test("a person who logs in again continues the same conversation; another person gets a new conversation", async () => {
  const principals = [{ name: "alice", keys: [], passphrase: "" }];
  const rows = [row("operator", [2], { login: "key", principals: [0] })];
  const shelf = new Shelf({ tables: { rows, principals }, said: ["granted", "granted", "granted"] });
  for (const name of ["login", "logout", "login"]) await shelf.say(name);
  expect([shelf.stage.gate.seat.principal, shelf.asked]).toEqual(["alice", []]);
  await shelf.say("logout");
  shelf.stage.principal = "bob";
  await shelf.say("login");
  expect([shelf.stage.gate.seat.principal, shelf.asked[0]]).toEqual(["bob", "begin"]);
});
