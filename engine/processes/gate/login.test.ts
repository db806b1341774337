// Tests a locked session: which commands are answered before a login, and what ends with the login.
import { hash } from "node:crypto";
import { duplexPair } from "node:stream";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { always, answered, row } from "../../lib/policy/testing/sample.ts";
import { type Result, refuse } from "../../lib/result/result.ts";
import { ConversationStore } from "../../lib/wire/generated/conversations.ts";
import type { Row } from "../../lib/wire/generated/policy.ts";
import { type Answer, Approval, type Notice, Session } from "../../lib/wire/generated/wire.ts";
import { connect, implement, type MethodLayout, serveInterface } from "../../lib/wire/index.ts";
import { serveConversations } from "../conversations/serve.ts";
import { Archive } from "./archive.ts";
import { answerCommand, describeVocabulary } from "./commands/index.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";
import { connectPerson, serveGate } from "./serve.ts";
import { CALL, callIn, never, propose } from "./testing/calls.ts";
import { Machine } from "./testing/machine.ts";
import { Stage, type Surroundings } from "./testing/stage.ts";

afterEach(() => {
  vi.useRealTimers();
});

const LOCKED = "session operator is locked: /login opens it";

function closed(surroundings: Surroundings = {}, changes: Partial<Row> = {}) {
  const principals = [{ name: "alice", keys: [], passphrase: "alice" }];
  const rows = [row("operator", [2], { login: "key", principals: [0], ...changes })];
  const decisions = [{ clauses: [always("auto")], floors: [] }];
  const stage = new Stage({ ...surroundings, tables: { rows, decisions, principals, ...surroundings.tables } });
  const held = new Map([["notes", 0x9a5dn]]);
  const parts = { gate: stage.gate, held, supervisor: stage.broker };
  const say = (name: string, argument = "") => answerCommand(parts, name, argument, never);
  return { stage, parts, say };
}

/** Starts a simulated machine whose session needs a login; alice and bob have keys. */
function machine() {
  const made = new Machine();
  const principals = [made.key, made.otherKey].map(({ line }, index) => {
    return { name: index === 0 ? "alice" : "bob", keys: [line], passphrase: "" };
  });
  const rows = [row("operator", [2], { login: "key", principals: [0, 1] })];
  const run = made.start(answered({ rows, principals, decisions: [{ clauses: [always("auto")], floors: [] }] }));
  return { run, say: (name: string) => answerCommand(run.parts, name, "", never) };
}

const events = ({ entries }: Stage): readonly string[] =>
  entries.flatMap((entry) => (entry.which === "session" ? [`${entry.session.event}: ${entry.session.detail}`] : []));

test("before a login no turn begins, and only /login is answered", async () => {
  const { stage, parts, say } = closed();
  const [here, there] = duplexPair();
  serveGate(there, Session.id, parts);
  expect(
    await connect(here).call(Session.methods.beginTurn, { said: hash("sha256", "", "buffer"), pieces: [] }),
  ).toMatchObject({
    ok: false,
    reason: LOCKED,
  });
  for (const name of ["tools", "grants", "tool", "audit", "logout", "nothing"])
    expect(await say(name)).toEqual([LOCKED]);
  expect((await describeVocabulary(parts)).commands.map(({ name }) => name)).toEqual(["login"]);
  expect((await describeVocabulary(parts)).tools).toEqual([]);
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the session is locked"));
  expect(
    (
      await stage.gate.loopCalls.invoke(
        { conversation: "main", turn: 1, snapshot: new Uint8Array(32), call: CALL },
        never,
      )
    ).outcome,
  ).toBe("refusedByPolicy");
  expect((await stage.gate.personCalls.call(CALL, never)).outcome).toBe("refusedByPolicy");
  expect([stage.sent, stage.questions]).toEqual([[], []]);
});

test("/login asks for a signature and is recorded before a call runs, and every record names the principal", async () => {
  const { stage, say, parts } = closed({ said: ["granted"] });
  expect(await say("login")).toEqual(["alice is logged in"]);
  const [question] = stage.questions;
  expect(question).toMatchObject({ tool: "/login", isLogin: true, challenge: "log in", mode: "stepUp" });
  expect(stage.steps).toEqual(["challenge a login", "ask to sign", "login signed", "session"]);
  expect(events(stage)).toEqual(["login: alice"]);
  stage.gate.session.beginTurn();
  expect((await propose(stage)).outcome).toBe("ok");
  expect(stage.entries.slice(-2).map((entry) => callIn(entry).principal)).toEqual(["alice", "alice"]);
  expect(await say("login")).toEqual(["alice is logged in"]);
  const names = (await describeVocabulary(parts)).commands.map(({ name }) => name);
  expect([names.includes("login"), names.includes("logout")]).toEqual([false, true]);
});

test.each<[string, readonly Answer[], Partial<Record<"challengeFault" | "principal", string>>, readonly string[]]>([
  ["nobody signs", ["denied"], {}, []],
  ["nobody is reached", [], {}, []],
  ["consent is given instead of a signature", ["grantedForConversation"], {}, []],
  ["the broker issues no challenge", ["granted"], { challengeFault: "wait" }, []],
  ["the signature is another's", ["granted"], { principal: "" }, ["login refused: wrong key"]],
])("if %s, the session stays locked", async (_, said, broker, recorded) => {
  const { stage, say } = closed({ said });
  Object.assign(stage, broker);
  expect((await say("login"))[0]).toMatch(/^refused: /);
  expect(stage.gate.seat.isLocked).toBe(true);
  expect(events(stage)).toEqual(recorded);
});

test("a login that cannot be recorded fails, and the broker logs the principal out", async () => {
  const { stage, say } = closed({ said: ["granted"] });
  stage.refuses = "sessions";
  expect((await say("login"))[0]).toMatch(/^refused: the audit does not record the login/);
  expect([stage.gate.seat.isLocked, stage.steps.at(-1)]).toEqual([true, "logout"]);
});

test("/logout ends the running call, revokes consents, clears the console and locks the session", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { stage, say } = closed({
    said: ["granted"],
    serve: (_, { signal }) =>
      new Promise((answer) => {
        signal?.addEventListener("abort", () => answer({ ok: false, code: "cancelled", reason: "given up" }));
        resolve();
      }),
  });
  await say("login");
  stage.gate.session.beginTurn();
  const running = propose(stage);
  await asked;
  expect(await say("logout")).toEqual(["alice is logged out"]);
  expect(await running).toMatchObject({ outcome: "cancelled", error: "the session is locked" });
  expect(stage.steps.includes("lock") && stage.steps.includes("logout")).toBe(true);
  expect(events(stage)).toEqual(["login: alice", "logout: alice: logout"]);
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the session is locked"));
  expect(await say("audit")).toEqual([LOCKED]);
});

test("a locked screen shows neither a running call nor the loop's proposals", async () => {
  const answer = Promise.withResolvers<void>();
  const { stage, say } = closed({
    said: ["granted"],
    serve: async () => {
      await answer.promise;
      return { ok: true, value: '{"a":"a secret"}' };
    },
  });
  await say("login");
  stage.gate.session.beginTurn();
  const running = propose(stage);
  await stage.until("send");
  const drawn = stage.notices.length;
  await say("logout");
  answer.resolve();
  await running;
  await stage.gate.loopCalls.invoke({ conversation: "main", turn: 1, snapshot: new Uint8Array(32), call: CALL }, never);
  expect(stage.notices.slice(drawn)).toEqual([]);
});

test("notices that wait when a session locks are not drawn", async () => {
  const [here, there] = duplexPair();
  const drawn: string[] = [];
  const locked = Promise.withResolvers<void>();
  const forever = () => new Promise<never>(() => {});
  const lock = async () => {
    locked.resolve();
    return {};
  };
  const announce = ({ notice }: { readonly notice: Notice }) => {
    drawn.push(notice.tool);
    return forever();
  };
  serveInterface(there, [implement(Approval, { ask: forever, announce, awaitInterrupt: forever, lock })]);
  const person = connectPerson("console", connect(here));
  const notice = { arguments: "", mode: "auto", stage: "running", outcome: "ok", detail: "", hasMode: true } as const;
  for (const tool of "abcdef") person.announce({ ...notice, tool, result: "" });
  void person.lock();
  await Promise.all([person.drawn(), locked.promise]);
  expect(drawn.join("")).toBe("abcd");
});

test.each(["lock", "logout"])("/%s is answered after the console has shown the lock", async (command) => {
  const { stage, say } = closed({ said: ["granted"] });
  await say("login");
  const order: string[] = [];
  const said = Promise.withResolvers<void>();
  stage.told = said.promise.then(() => void order.push("told"));
  const answered = say(command).then(() => order.push("answered"));
  // Let the gate first do all work that does not need the console. Only then does the console confirm the lock.
  setImmediate(said.resolve);
  await answered;
  expect(order).toEqual(["told", "answered"]);
});

test("a lock completes when the console confirms it or fails to answer in time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const answers of [true, false]) {
    const [here, there] = duplexPair();
    const forever = () => new Promise<never>(() => {});
    const said = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const lock = async () => {
      asked.resolve();
      await said.promise;
      return {};
    };
    serveInterface(there, [implement(Approval, { ask: forever, announce: forever, awaitInterrupt: forever, lock })]);
    let isDone = false;
    const done = connectPerson("console", connect(here))
      .lock()
      .then(() => {
        isDone = true;
      });
    await asked.promise;
    expect(isDone).toBe(false);
    if (answers) said.resolve();
    else vi.advanceTimersByTime(NEIGHBOUR_MS);
    await done;
  }
});

test("the page's time per login starts with the login and then locks the session; the next login has its own time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const timeouts = { callMs: 0, turnMs: 0, loginMs: 60_000, idleMs: 0 };
  const { stage, say } = closed({ said: ["granted", "granted"] }, { timeouts });
  vi.advanceTimersByTime(120_000);
  for (const _ of [1, 2]) {
    expect(await say("login")).toEqual(["alice is logged in"]);
    vi.advanceTimersByTime(59_999);
    expect(stage.gate.seat.isLocked).toBe(false);
    vi.advanceTimersByTime(1);
    expect(stage.gate.seat.isLocked).toBe(true);
  }
  await say("login");
  expect(events(stage).filter((event) => event.startsWith("logout"))).toEqual(
    Array.from({ length: 2 }, () => "logout: alice: the page's time for a login is over"),
  );
});

test("a command that outlives its login shows only that the session is locked", async () => {
  const { stage, say } = closed({ said: ["granted"] });
  await say("login");
  const slow = Promise.withResolvers<void>();
  stage.drawn = slow.promise;
  const command = say("budget");
  const ended = say("logout");
  slow.resolve();
  expect([await command, await ended]).toEqual([[LOCKED], ["alice is logged out"]]);
});

test("a command that outlives its login shows no output to the next person", async () => {
  const { stage, parts, say } = closed({ said: ["granted", "granted"] });
  await say("login");
  const slow = Promise.withResolvers<void>();
  const store: Neighbour = {
    call: async () => {
      await slow.promise;
      return { ok: false, code: "failed", reason: "words of alice" };
    },
  };
  const archive = new Archive({ store, supervisor: stage.broker });
  const command = answerCommand({ ...parts, archive }, "search", "plan", never);
  await say("logout");
  stage.principal = "bob";
  expect(await say("login")).toEqual(["bob is logged in"]);
  slow.resolve();
  expect(await command).toEqual([LOCKED]);
});

test("a slow /resume does not move the next person out of their conversation", async () => {
  const { run, say } = machine();
  const first = await run.opened();
  const told = { turn: 1, role: "user", text: "a", calls: [], callId: "", source: "", outcome: "ok" } as const;
  run.store.append("operator", first, [{ ...told, sequence: 0n, through: 0n, saidMs: 0n }]);
  run.said = ["granted", "signs with another key"];
  await say("login");
  await say("new");
  const [here, there] = duplexPair();
  serveConversations({ stream: there, holder: "gate.operator", interfaceId: ConversationStore.id }, run.store);
  const slow = Promise.withResolvers<void>();
  class Slow extends Archive {
    override async ask<P, R>(method: MethodLayout<P, R>, params: P): Promise<Result<R>> {
      await slow.promise;
      return super.ask(method, params);
    }
  }
  const archive = new Slow({ store: connect(here), supervisor: run.parts.supervisor });
  const resumed = answerCommand({ ...run.parts, archive }, "resume", "", never);
  await say("logout");
  expect(await say("login")).toEqual(["bob is logged in"]);
  const own = run.gate.place.conversation;
  slow.resolve();
  expect([await resumed, run.gate.place.conversation]).toEqual([[LOCKED], own]);
  expect(own).not.toBe(first);
});

test.each(["bob", "alice"])(
  "a person who logs in counts as present, even if the session was left as away: %s",
  async (next) => {
    const tables = { decisions: [{ clauses: [always("consent")], floors: [] }] };
    const { stage, say } = closed({ said: ["granted", "granted", "granted"], tables });
    await say("login");
    await say("away");
    stage.gate.session.beginTurn();
    expect((await propose(stage)).error).toMatch(/^nobody is there to be asked/);
    await say("logout");
    stage.principal = next;
    await say("login");
    stage.gate.session.beginTurn();
    expect(await propose(stage)).toMatchObject({ outcome: "ok" });
    expect(events(stage)).toEqual([
      "login: alice",
      "away: main",
      "logout: alice: logout",
      `login: ${next}`,
      "back: main",
    ]);
    await say("logout");
    await say("login");
    await stage.gate.stop();
    expect(events(stage).filter((event) => event.startsWith("back"))).toEqual(["back: main"]);
  },
);

test("an /away that waited for a call does not affect the person who logs in next", async () => {
  const answer = Promise.withResolvers<void>();
  const serve = async () => {
    await answer.promise;
    return { ok: true as const, value: "{}" };
  };
  const { stage, say } = closed({ said: ["granted", "granted"], serve });
  await say("login");
  stage.gate.session.beginTurn();
  const sent = stage.until("send");
  const running = propose(stage);
  await sent;
  const left = say("away");
  await say("logout");
  stage.principal = "bob";
  await say("login");
  answer.resolve();
  await Promise.all([running, left]);
  await stage.gate.stop();
  expect(stage.gate.conversation.unattended).toBe(false);
});

test("a proof whose reply is lost opens no session, and the next login works", async () => {
  const { run, say } = machine();
  await run.opened();
  run.said = ["granted", "granted"];
  run.lost.add("broker.login");
  expect(await say("login")).toEqual(["refused: the broker does not answer: no answer came in time"]);
  expect(await say("tools")).toEqual([LOCKED]);
  run.lost.clear();
  expect(await say("login")).toEqual(["alice is logged in"]);
});

test("a login that its person stops does not take effect later", async () => {
  const { stage, parts, say } = closed({ said: ["granted", "granted"] });
  const pressed = new AbortController();
  void stage.until("login signed").then(() => pressed.abort());
  expect((await answerCommand(parts, "login", "", pressed.signal))[0]).toMatch(/^refused: /);
  expect([stage.gate.seat.isLocked, stage.steps.at(-1), events(stage)]).toEqual([true, "logout", []]);
  expect(await say("login")).toEqual(["alice is logged in"]);
});

test("a login that its person stops while the previous person's conversation closes does not take effect later", async () => {
  const { stage, parts, say } = closed({ said: ["granted", "granted"] });
  await say("login");
  await say("logout");
  stage.principal = "bob";
  const pressed = new AbortController();
  class Slow extends Archive {
    override async begin(): Promise<string | undefined> {
      pressed.abort();
      return undefined;
    }
  }
  const archive = new Slow({ store: stage.broker, supervisor: stage.broker });
  expect(await answerCommand({ ...parts, archive }, "login", "", pressed.signal)).toEqual(["refused: it was given up"]);
  expect([stage.gate.seat.isLocked, stage.steps.at(-1)]).toEqual([true, "logout"]);
  expect(events(stage)).not.toContain("login: bob");
});

const anyAct = fc.constantFrom("login", "refused", "logout", "propose", "direct");

test("property: sends calls only between a login and its end, in any order of events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { maxLength: 12 }), async (acts) => {
      const said = acts.flatMap((act): Answer[] => (act === "login" ? ["granted"] : []));
      const { stage, say } = closed({ said });
      let [inside, sent] = [false, 0];
      for (const act of acts) {
        if (act === "logout") await say("logout");
        if (act === "login" || act === "refused") {
          stage.principal = act === "login" ? "alice" : "";
          if (act === "refused" && !inside) stage.challengeFault = "none";
          await say("login");
          stage.challengeFault = "";
        }
        inside = act === "login" || (inside && act !== "logout");
        if (act === "propose") {
          stage.gate.session.beginTurn();
          const described = await stage.gate.offering.describe("main");
          const snapshot = described.ok ? described.value.snapshot : new Uint8Array(32);
          await stage.gate.loopCalls.invoke(
            { conversation: "main", turn: stage.gate.place.turn, snapshot, call: CALL },
            never,
          );
        }
        if (act === "direct") await stage.gate.personCalls.call(CALL, never);
        if (inside && (act === "propose" || act === "direct")) sent += 1;
        expect([stage.gate.seat.isLocked, stage.sent.length]).toEqual([!inside, sent]);
      }
    }),
    { numRuns: 25 },
  );
});

test("/login NAME asks for a passphrase, and records a new passphrase", async () => {
  const { stage, say } = closed({ said: ["granted"] }, { login: "passphrase" });
  stage.passphrase = { salt: new Uint8Array(), newSalt: new Uint8Array(16) };
  expect(await say("login", " alice ")).toEqual(["alice is logged in"]);
  expect(stage.questions[0]).toMatchObject({ isLogin: true, sentence: "log in to session operator as alice" });
  expect(stage.questions[0]?.passphrase).toEqual(stage.passphrase);
  expect(events(stage)).toEqual(["passphrase chosen: alice", "login: alice"]);
});

test("a login by key ignores the typed name, because the signature names the principal", async () => {
  const { stage, say } = closed({ said: ["granted"] });
  expect(await say("login", "bob")).toEqual(["alice is logged in"]);
  expect(stage.questions[0]?.sentence).toBe("log in to session operator");
});

test.each([
  ["alice", "alice has another passphrase", "passphrase changed: alice"],
  ["", "refused: wrong passphrase", "passphrase refused: wrong passphrase"],
])("/passphrase requires the current passphrase: %s", async (principal, line, event) => {
  const { stage, parts, say } = closed({ said: ["granted", "granted"] }, { login: "passphrase" });
  expect(await say("passphrase")).toEqual([LOCKED]);
  await say("login");
  stage.principal = principal;
  stage.passphrase = { salt: new Uint8Array(16), newSalt: new Uint8Array(16) };
  expect(await say("passphrase")).toEqual([line]);
  expect(stage.questions[1]).toMatchObject({ tool: "/passphrase", isLogin: true, challenge: "log in" });
  expect(events(stage).at(-1)).toBe(event);
  expect(stage.gate.seat.isLocked).toBe(false);
  expect((await describeVocabulary(parts)).commands.map(({ name }) => name)).toContain("passphrase");
});

test("a new passphrase is recorded as in doubt if the broker's reply is lost", async () => {
  const { stage, say } = closed({ said: ["granted", "granted", "granted"] }, { login: "passphrase" });
  stage.passphrase = { salt: new Uint8Array(), newSalt: new Uint8Array(16) };
  stage.losesProofs = true;
  expect(await say("login", "alice")).toEqual([expect.stringMatching(/^refused: the broker does not answer/)]);
  expect([events(stage).at(-1), stage.gate.seat.isLocked]).toEqual(["passphrase in doubt: alice", true]);
  stage.losesProofs = false;
  await say("login");
  stage.losesProofs = true;
  expect(await say("passphrase")).toEqual([expect.stringMatching(/; the passphrase is the old one or the new$/)]);
  expect(events(stage).slice(-2)).toEqual(["login: alice", "passphrase in doubt: alice"]);
});
