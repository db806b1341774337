import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { StepUp as Step } from "../../../lib/wire/generated/wire.ts";
import { armoured, softKey } from "../sshsig/testing/soft-key.ts";
import { BOOT_ID, desksOf, tablesBytes } from "../testing/brokers.ts";
import { MAX_OUTSTANDING, MAX_REMEMBERED } from "./challenges.ts";
import { type Challenge, MAX_VALID_MS } from "./signed-line.ts";

const alice = softKey("ssh-ed25519");
const bob = softKey("sk-ssh-ed25519@openssh.com", "ssh:");
const stranger = softKey("ssh-ed25519");

const STEP: Step = {
  conversation: "c",
  turn: 4,
  tool: "notes.delete",
  arguments: '{"path":"a"}',
  validForMs: 60_000,
  task: "",
  phase: "",
};

function open() {
  const { desk, world } = desksOf({ alice: [alice.line], bob: [bob.line] });
  world.ms = 5000;
  const { stepUp } = desk("operator");
  const ask = (changes: Partial<Step> = {}): Challenge => {
    const made = stepUp.issueChallenge({ ...STEP, ...changes });
    if (!made.ok) throw new Error(made.reason);
    return made.value;
  };
  return { stepUp, ask, world, visitor: desk("visitor").stepUp };
}

function signed({ line }: Challenge, key = alice): string {
  return armoured(key.sign(line));
}

test("the line names the call, and the machine's boot, tables and clock", () => {
  const { ask } = open();
  const { line, nonce } = ask();
  const tables = tablesBytes({ alice: [alice.line], bob: [bob.line] });
  expect(JSON.parse(line)).toEqual({
    arguments: '{"path":"a"}',
    bootId: BOOT_ID,
    conversation: "c",
    expiry: 65_000,
    nonce: Buffer.from(nonce).toString("hex"),
    policyDigest: createHash("sha256").update(tables).digest("hex"),
    session: "operator",
    systemId: "sample",
    tool: "notes.delete",
    turn: 4,
  });
  expect(nonce.length).toBe(16);
});

test("a proof names the principal whose key signed the line", () => {
  const { stepUp, ask } = open();
  for (const [principal, key] of Object.entries({ alice, bob })) {
    const challenge = ask();
    expect(stepUp.prove(challenge.nonce, signed(challenge, key))).toEqual({ ok: true, principal });
  }
});

test("a proof is valid only once", () => {
  const { stepUp, ask } = open();
  const challenge = ask();
  const signature = signed(challenge);
  expect(stepUp.prove(challenge.nonce, signature).ok).toBe(true);
  expect(stepUp.prove(challenge.nonce, signature)).toMatchObject({ ok: false, fault: "replayed" });
});

test("an earlier challenge's signature does not answer a later one for the same call", () => {
  const { stepUp, ask } = open();
  const first = ask();
  const second = ask();
  expect(stepUp.prove(second.nonce, signed(first))).toMatchObject({ ok: false, fault: "changed" });
});

test("a bad signature also uses up the challenge", () => {
  const { stepUp, ask } = open();
  const challenge = ask();
  expect(stepUp.prove(challenge.nonce, "")).toMatchObject({ ok: false, fault: "malformed" });
  expect(stepUp.prove(challenge.nonce, signed(challenge))).toMatchObject({ ok: false, fault: "replayed" });
});

for (const [what, signature, fault] of [
  ["a stranger's key", (challenge: Challenge) => signed(challenge, stranger), "wrong key"],
  ["one letter changed", ({ line }: Challenge) => armoured(alice.sign(line.replace("delete", "deletE"))), "changed"],
  ["a line end signed with it", ({ line }: Challenge) => armoured(alice.sign(`${line}\n`)), "changed"],
  ["another namespace", ({ line }: Challenge) => armoured(alice.sign(line, { namespace: "file" })), "wrong namespace"],
  ["an untouched token", ({ line }: Challenge) => armoured(bob.sign(line, { flags: 0 })), "nobody present"],
  ["an empty text", () => "", "malformed"],
] as const) {
  test(`refuses a proof with ${what} as ${fault}`, () => {
    const { stepUp, ask } = open();
    const challenge = ask();
    expect(stepUp.prove(challenge.nonce, signature(challenge))).toMatchObject({ ok: false, fault });
  });
}

test("a challenge is valid until its expiry", () => {
  for (const [waitMs, ok] of [
    [59_999, true],
    [60_000, false],
  ] as const) {
    const { stepUp, ask, world } = open();
    const challenge = ask();
    world.ms += waitMs;
    expect(stepUp.prove(challenge.nonce, signed(challenge)).ok).toBe(ok);
  }
  const { stepUp, ask, world } = open();
  const challenge = ask();
  world.ms += 60_000;
  expect(stepUp.prove(challenge.nonce, signed(challenge))).toMatchObject({ ok: false, fault: "expired" });
});

test("drops the oldest challenge beyond the maximum", () => {
  const { stepUp, ask } = open();
  const [oldest, ...others] = Array.from({ length: MAX_OUTSTANDING + 1 }, () => ask());
  if (oldest === undefined) throw new Error("there are no challenges");
  expect(stepUp.prove(oldest.nonce, signed(oldest))).toMatchObject({ ok: false, fault: "dropped" });
  for (const challenge of others) expect(stepUp.prove(challenge.nonce, signed(challenge)).ok).toBe(true);
});

test("a used nonce that is no longer remembered is unknown, and still refused", () => {
  const { stepUp, ask } = open();
  const first = ask();
  const signature = signed(first);
  expect(stepUp.prove(first.nonce, signature).ok).toBe(true);
  for (let index = 0; index < MAX_REMEMBERED; index += 1) stepUp.prove(ask().nonce, "");
  expect(stepUp.prove(first.nonce, signature)).toMatchObject({ ok: false, fault: "unknown challenge" });
});

test("an unissued nonce is unknown", () => {
  const { stepUp, ask } = open();
  const { nonce } = ask();
  for (const other of [new Uint8Array(0), new Uint8Array(16), nonce.subarray(0, 15)]) {
    expect(stepUp.prove(other, "")).toMatchObject({ ok: false, fault: "unknown challenge" });
  }
});

test("another session can neither use a nonce nor use it up", () => {
  const { stepUp, ask, visitor } = open();
  const challenge = ask();
  expect(visitor.prove(challenge.nonce, signed(challenge))).toMatchObject({ ok: false, fault: "unknown challenge" });
  expect(stepUp.prove(challenge.nonce, signed(challenge)).ok).toBe(true);
});

test("a session without principals has no challenge for step-up", () => {
  expect(open().visitor.issueChallenge(STEP)).toEqual({
    ok: false,
    reason: "session visitor has no principal with a key",
  });
});

for (const [what, changes] of Object.entries<Partial<Step>>({
  "no duration": { validForMs: 0 },
  "a duration above ten minutes": { validForMs: MAX_VALID_MS + 1 },
  "arguments in another order": { arguments: '{"b":1,"a":2}' },
  "arguments with a blank": { arguments: '{"a": 2}' },
  "malformed arguments": { arguments: "{" },
  "arguments that are not an object": { arguments: "[]" },
  "a repeated name": { arguments: '{"a":1,"a":1}' },
})) {
  test(`does not issue a challenge with ${what}`, () => {
    expect(open().stepUp.issueChallenge({ ...STEP, ...changes })).toMatchObject({ ok: false });
  });
}
