// Tests logins with wrong keys, for wrong purposes, on other machines and with repeated proofs, and the limit on attempts.
import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Broker } from "../../../lib/wire/generated/wire.ts";
import { connect } from "../../../lib/wire/index.ts";
import type { Disk } from "../disk/disk.ts";
import { MemoryDisk } from "../disk/testing/memory-disk.ts";
import { quota } from "../quotas/testing/quota-ledgers.ts";
import { serveGate } from "../serve.ts";
import { armoured, softKey } from "../sshsig/testing/soft-key.ts";
import type { Challenge } from "../step-up/signed-line.ts";
import { desksOf, type Page } from "../testing/brokers.ts";
import { MAX_REFUSED, REFUSED_FOR_MS } from "./attempts.ts";
import type { Login } from "./login.ts";

const alice = softKey("ssh-ed25519");
const bob = softKey("sk-ssh-ed25519@openssh.com", "ssh:");
const stranger = softKey("ssh-ed25519");
const PAGE: Page = { alice: [alice.line], bob: [bob.line], login: "key" };
const namespace = "login@capos";

function open(page: Page = PAGE, bootId?: string, disk?: Disk) {
  const { desk, world } = desksOf(page, bootId, disk);
  return { desk: desk("operator"), visitor: desk("visitor"), world };
}

function challenged(login: Login): Challenge {
  const made = login.issueChallenge(60_000);
  if (!made.ok) throw new Error(made.reason);
  return made.value;
}

function signed({ line }: Challenge, key = alice, changes = {}): string {
  return armoured(key.sign(line, { namespace, ...changes }));
}

test("a signature of the login line opens the session for its principal, and the line names no call", () => {
  for (const [principal, key] of Object.entries({ alice, bob })) {
    const { login } = open().desk;
    expect([login.isLocked, login.principal]).toEqual([true, ""]);
    const challenge = challenged(login);
    expect(JSON.parse(challenge.line)).toMatchObject({
      arguments: '{"session":"operator"}',
      conversation: "",
      session: "operator",
      systemId: "sample",
      tool: "/login",
      turn: 0,
    });
    expect(login.prove(challenge.nonce, signed(challenge, key))).toEqual({ ok: true, value: principal });
    expect([login.isLocked, login.principal]).toEqual([false, principal]);
  }
});

const ATTACKS: Readonly<Record<string, (challenge: Challenge) => string>> = {
  "a key of another person": (challenge) => signed(challenge, stranger),
  "a signature for a step-up": (challenge) => signed(challenge, alice, { namespace: "stepup@capos" }),
  "a signature for files": (challenge) => signed(challenge, alice, { namespace: "file" }),
  "a token that was not touched": (challenge) => signed(challenge, bob, { flags: 0 }),
  "a signature of another line": (challenge) =>
    signed({ ...challenge, line: challenge.line.replace("operator", "visitor") }),
  "a signature with more after it": (challenge) => signed(challenge, alice, { trailing: "x" }),
  "a text longer than any signature": (challenge) => `${signed(challenge)}${"x".repeat(5000)}`,
  "two signatures": (challenge) => signed(challenge) + signed(challenge),
  nothing: () => "",
};

test.each(Object.entries(ATTACKS))("%s opens no session and uses up the challenge", (_, made) => {
  const { login } = open().desk;
  const challenge = challenged(login);
  expect(login.prove(challenge.nonce, made(challenge)).ok).toBe(false);
  expect(login.prove(challenge.nonce, signed(challenge))).toMatchObject({
    reason: "replayed: the challenge was answered before",
  });
  expect(login.isLocked).toBe(true);
});

test("a proof opens its own session once, but not another session or a session of another boot", () => {
  const { desk, visitor, world } = open();
  const challenge = challenged(desk.login);
  const signature = signed(challenge);
  expect(visitor.login.prove(challenge.nonce, signature).ok).toBe(false);
  const later = open(PAGE, "f".repeat(32));
  const theirs = challenged(later.desk.login);
  expect(theirs.nonce).toEqual(challenge.nonce); // by chance; the line names the boot all the same
  expect(later.desk.login.prove(theirs.nonce, signature)).toMatchObject({ reason: expect.stringMatching(/^changed/) });
  expect(desk.login.prove(challenge.nonce, signature).ok).toBe(true);
  desk.login.logOut();
  expect(desk.login.prove(challenge.nonce, signature).ok).toBe(false);
  const late = challenged(desk.login);
  world.ms += 60_000;
  expect(desk.login.prove(late.nonce, signed(late))).toMatchObject({ reason: expect.stringMatching(/^expired/) });
});

test("a step-up challenge opens no session, and a login challenge approves no call", () => {
  const { desk } = open();
  const challenge = challenged(desk.login);
  expect(desk.stepUp.prove(challenge.nonce, signed(challenge))).toMatchObject({ fault: "unknown challenge" });
  const step = { conversation: "c", turn: 1, tool: "/login", arguments: '{"session":"operator"}', task: "", phase: "" };
  const made = desk.stepUp.issueChallenge({ ...step, validForMs: 1000 });
  if (!made.ok) throw new Error(made.reason);
  expect(desk.login.prove(made.value.nonce, signed(made.value)).ok).toBe(false);
});

test("a session without a login issues no challenge; tables that require a login by key but have no key are refused", () => {
  const reason = "nobody logs in to this session: its page does not ask for it";
  expect(open().visitor.login.issueChallenge(1000)).toEqual({ ok: false, reason });
  expect(() => open({ login: "key" })).toThrow("session operator: it is opened by a key, and no principal has one");
});

const anyAct = fc.constantFrom("good", "bad", "again", "logout", "wait", "long wait");

test("property: only a fresh signed line logs in, and the number of bad proofs that are checked is bounded", () => {
  fc.assert(
    fc.property(fc.array(anyAct, { maxLength: 40 }), (acts) => {
      const { desk, world } = open();
      const { login } = desk;
      let [inside, spent]: [boolean, string | undefined] = [false, undefined];
      let refused: number[] = [];
      for (const act of acts) {
        if (act === "logout") login.logOut();
        if (act === "logout") inside = false;
        if (act === "wait") world.ms += 1000;
        if (act === "long wait") world.ms += REFUSED_FOR_MS;
        if (act === "logout" || act.endsWith("wait")) continue;
        const made = login.issueChallenge(60_000);
        const isHeard = refused.filter((at) => world.ms < at + REFUSED_FOR_MS).length < MAX_REFUSED;
        expect(made.ok).toBe(!inside && isHeard);
        if (!made.ok) continue;
        const signature: string =
          act === "again" ? (spent ?? "") : signed(made.value, act === "good" ? alice : stranger);
        inside = login.prove(made.value.nonce, signature).ok;
        expect(inside).toBe(act === "good");
        refused = inside ? [] : [...refused, world.ms];
        if (inside) spent = signature;
      }
      expect(login.isLocked).toBe(!inside);
    }),
    { numRuns: 30 },
  );
});

function gateOf(page: Page, disk?: Disk) {
  const { desk, world } = open(page, undefined, disk);
  const [here, there] = duplexPair();
  serveGate(there, desk);
  const gate = connect(here);
  const { loginChallenge, login, logout, reserve, remaining } = Broker.methods;
  const value = async <T>(reply: Promise<{ ok: true; value: T } | { ok: false; reason: string }>): Promise<T> => {
    const said = await reply;
    if (!said.ok) throw new Error(said.reason);
    return said.value;
  };
  return {
    gate,
    desk,
    world,
    enter: async (key = alice) => {
      const { challenge, nonce } = await value(
        gate.call(loginChallenge, { principal: "", renews: false, validForMs: 1000 }),
      );
      return value(gate.call(login, { nonce, signature: signed({ line: challenge, nonce }, key) }));
    },
    leave: () => value(gate.call(logout, {})),
    charge: async () => {
      const place = { conversation: "c", turn: 1, task: "", phase: "" };
      const request = { ...place, tool: "notes.read", prompts: 0, argumentBytes: 0, ran: [] };
      return (await value(gate.call(reserve, { request }))).exhausted;
    },
    lines: async () => (await value(gate.call(remaining, { conversation: "c", turn: 1, task: "", phase: "" }))).lines,
  };
}

test("before a login the broker charges no call, grants no answer and remembers no consent", async () => {
  const { gate, charge, enter, leave } = gateOf(PAGE);
  const place = { conversation: "c", turn: 1, task: "", phase: "" };
  const locked = "nobody is logged in to the session";
  const tried = async () => {
    const { challenge, infer, remember } = Broker.methods;
    const step = { ...place, tool: "notes.delete", arguments: "{}", validForMs: 1000 };
    const label = { confidentiality: 0, integrity: 1, compartments: 0n };
    const consent = { ...place, ...label, tool: "notes.delete", alike: "", words: "" };
    const replies = await Promise.all([
      gate.call(challenge, { step }),
      gate.call(infer, { inference: { ...place, backend: "canned" } }),
      gate.call(remember, { consent }),
    ]);
    return [await charge(), ...replies.map((reply) => JSON.stringify(reply.ok && reply.value).includes(locked))];
  };
  expect(await tried()).toEqual([locked, true, true, true]);
  expect(await enter()).toEqual({ principal: "alice", failure: "" });
  expect(await tried()).toEqual(["", false, false, false]);
  await leave();
  expect(await tried()).toEqual([locked, true, true, true]);
});

test("a quota per principal counts only that principal, also after a restart", async () => {
  const page: Page = { ...PAGE, quotas: [quota("1 calls per principal")] };
  const disk = new MemoryDisk();
  const spent = "1 calls per principal (a.cap:1:1): 1 of 1 spent; it does not come back";
  const first = gateOf(page, disk);
  await first.enter(alice);
  expect([await first.charge(), await first.charge()]).toEqual(["", spent]);
  await first.leave();
  await first.enter(bob);
  expect([await first.charge(), await first.charge()]).toEqual(["", spent]);
  const later = gateOf(page, disk);
  await later.enter(alice);
  expect(await later.charge()).toBe(spent);
});

test("a backend's quota per principal counts the principal who is logged in", async () => {
  const page: Page = { ...PAGE, backendQuotas: [quota("1 calls per principal")] };
  const { gate, enter, leave } = gateOf(page, new MemoryDisk());
  const inference = { conversation: "c", turn: 1, task: "", phase: "", backend: "canned" };
  const infer = async () => {
    const reply = await gate.call(Broker.methods.infer, { inference });
    return reply.ok && reply.value.lease.length > 0;
  };
  await enter(alice);
  expect([await infer(), await infer()]).toEqual([true, false]);
  await leave();
  await enter(bob);
  expect([await infer(), await infer()]).toEqual([true, false]);
});

test("a quota per login starts from zero with each login, and consents end with the login", async () => {
  const { gate, enter, leave, charge, lines } = gateOf({
    ...PAGE,
    remember: "conversation",
    quotas: [quota("1 calls per login")],
  });
  await enter();
  expect(await charge()).toBe("");
  expect(await lines()).toEqual(["1 calls per login: 1 of 1 spent; the next login has its own"]);
  const label = { confidentiality: 0, integrity: 1, compartments: 0n };
  const place = { conversation: "c", turn: 1, task: "", phase: "" };
  const consent = { ...place, ...label, tool: "notes.read", alike: "", words: "w" };
  await gate.call(Broker.methods.remember, { consent });
  const held = async () => {
    const reply = await gate.call(Broker.methods.consents, { consent });
    return reply.ok ? reply.value.held.length : -1;
  };
  const before = await held();
  expect((await leave()).taken).toHaveLength(before);
  await enter(bob);
  expect([await held(), await charge()]).toEqual([0, ""]);
});

test("refuses random bytes as a proof, and opens no session", () => {
  const { desk } = open();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.string(), (nonce, signature) => {
      expect(desk.login.prove(nonce, signature).ok).toBe(false);
    }),
    { numRuns: 50 },
  );
});
