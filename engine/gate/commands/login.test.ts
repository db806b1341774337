// What a person is told of a login that comes to nothing, and of another passphrase.
import { expect, test, vi } from "vitest";
import { row } from "../../policy/testing/sample.ts";
import { never } from "../testing/calls.ts";
import { Shelf } from "../testing/shelf.ts";
import { Stage, type Surroundings } from "../testing/stage.ts";
import { answerCommand, vocabulary } from "./index.ts";

const SALT = { salt: new Uint8Array(16), newSalt: new Uint8Array() };

function session(login: "none" | "key" | "passphrase", said: Surroundings["said"] = []) {
  const principals = [{ name: "alice", keys: [], passphrase: "alice" }];
  const rows = [row("operator", [2], login === "none" ? {} : { login, principals: [0] })];
  const stage = new Stage({ tables: { rows, principals }, said });
  const parts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  const say = (name: string, argument = "") => answerCommand(parts, name, argument, never);
  const events = () =>
    stage.entries.flatMap((entry) =>
      entry.which === "session" ? [`${entry.session.event}: ${entry.session.detail}`] : [],
    );
  return { stage, parts, say, events };
}

test("where the page asks for no login there is none, no logout and no passphrase", async () => {
  const { say, stage } = session("none");
  for (const name of ["login", "logout", "passphrase"]) {
    expect(await say(name)).toEqual(["nobody logs in to this session: its page does not ask for it"]);
  }
  expect([stage.steps, stage.questions]).toEqual([[], []]);
});

test("a login that nobody signs for says what was missing", async () => {
  const { stage, say } = session("key", ["denied", "denied"]);
  expect(await say("login", "alice")).toEqual(["refused: no signature was given"]);
  expect(stage.questions[0]).toMatchObject({ tool: "/login", sentence: "log in to session operator", isLogin: true });
  stage.passphrase = SALT;
  expect(await say("login", " alice ")).toEqual(["refused: no passphrase was given"]);
  expect(stage.questions[1]).toMatchObject({ sentence: "log in to session operator as alice", mode: "stepUp" });
});

test("a login by a signature that is wrong is refused with the broker's words, which are on record", async () => {
  const { stage, say, events } = session("key", ["granted"]);
  stage.principal = "";
  expect(await say("login")).toEqual(["refused: wrong key"]);
  expect(events()).toEqual(["login refused: wrong key"]);
});

test("nobody is asked to log in where it could not be put on record, or where the broker has no line to sign", async () => {
  const { stage, say } = session("key", ["granted"]);
  stage.refusal = "the disk is full";
  expect(await say("login")).toEqual(["refused: nothing can be recorded, so nothing may run: the disk is full"]);
  stage.refusal = "";
  stage.challengeFault = "five refused proofs wait five minutes";
  expect(await say("login")).toEqual(["refused: five refused proofs wait five minutes"]);
  expect(stage.questions).toEqual([]);
});

test("who is in may log out, and choose another passphrase behind the one that there is", async () => {
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

test("/lock closes the session until its person logs in again", async () => {
  const { stage, say, events } = session("key", ["granted", "granted"]);
  await say("login");
  expect(await say("lock")).toEqual([]);
  expect(await say("tools")).toEqual(["session operator is locked: /login opens it"]);
  expect(events()).toEqual(["login: alice", "logout: alice: locked"]);
  expect(await say("login")).toEqual(["alice is logged in"]);
  expect(stage.questions.length).toBe(2);
  expect(await session("none").say("lock")).toEqual(["nobody logs in to this session: its page does not ask for it"]);
});

test("/lock with a number locks the session once nothing was typed for so many minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { stage, say, events } = session("key", ["granted", "granted", "granted"]);
    await say("login");
    for (const wrong of ["0", "1441", "-1", "x", "1 2"])
      expect(await say("lock", wrong)).toEqual([
        "/lock takes a number of minutes from 1 to 1440, or off, or nothing to lock now",
      ]);
    expect(await say("lock", "10")).toEqual(["the session locks when nothing is typed for 10 min"]);
    for (const word of [() => say("tools"), async () => stage.gate.beginTurn()]) {
      await vi.advanceTimersByTimeAsync(599_000);
      expect(stage.gate.seat.isLocked).toBe(false);
      await word();
    }
    await vi.advanceTimersByTimeAsync(599_000);
    expect(stage.gate.seat.isLocked).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stage.gate.seat.isLocked).toBe(true);
    expect(events()).toContain("logout: alice: nothing was typed for a while");
    // It held for that login alone, and may be taken back.
    await say("login");
    await vi.advanceTimersByTimeAsync(3_000_000);
    expect(stage.gate.seat.isLocked).toBe(false);
    await say("lock", "1");
    expect(await say("lock", "off")).toEqual(["the session does not lock by itself any more"]);
    await vi.advanceTimersByTimeAsync(3_000_000);
    expect(stage.gate.seat.isLocked).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test("what can be typed about a login is offered where it can be done", async () => {
  const about = async ({ parts }: ReturnType<typeof session>) => {
    const names = (await vocabulary(parts)).commands.map(({ name }) => name);
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

test("who comes back goes on in their conversation", async () => {
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
