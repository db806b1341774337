// Tests passphrases against guesses, power cuts between guesses, changes of the disk, and repeated proofs.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Disk } from "../disk/disk.ts";
import { seal } from "../disk/sealed.ts";
import { MemoryDisk } from "../disk/testing/memory-disk.ts";
import { TestWorld } from "../quotas/testing/quota-ledgers.ts";
import { armoured, type SoftKey, softKey } from "../sshsig/testing/soft-key.ts";
import { SignedLines } from "../step-up/signed-line.ts";
import { desksOf, type Page } from "../testing/brokers.ts";
import { MAX_REFUSED, REFUSED_FOR_MS } from "./attempts.ts";
import type { PassphraseRequest } from "./door.ts";
import type { Login } from "./login.ts";
import { PassphraseDoor } from "./passphrase-door.ts";
import { Passphrases, parseKnown } from "./passphrases.ts";

const PAGE: Page = { passphrases: ["alices"], login: "passphrase" };
const namespace = "login@capos";
/** Generated keys, in place of those that the console would derive from a passphrase and a salt. */
const [right, wrong, another] = [softKey("ssh-ed25519"), softKey("ssh-ed25519"), softKey("ssh-ed25519")];

/** Opens the desks, as a start of the machine does. Returns the login of `operator`, and the simulated clock. */
function started(disk: Disk | undefined, page = PAGE) {
  const { desk, world } = desksOf(page, undefined, disk);
  return { login: desk("operator").login, world };
}

function asked(login: Login, principal = ""): PassphraseRequest {
  const made = login.issueChallenge(60_000, principal);
  if (!made.ok) throw new Error(made.reason);
  return made.value;
}

const signed = ({ line }: PassphraseRequest, ...keys: readonly SoftKey[]): string =>
  keys.map((key) => armoured(key.sign(line, { namespace }))).join("");

const enter = (login: Login, ...keys: readonly SoftKey[]) => {
  const challenge = asked(login);
  return login.prove(challenge.nonce, signed(challenge, ...keys));
};

/** Returns a disk on which alice has set a passphrase, which gives the key `right`. */
function chosen(): MemoryDisk {
  const disk = new MemoryDisk();
  expect(enter(started(disk).login, right)).toEqual({ ok: true, value: "alice" });
  return disk;
}

test("the first login chooses the passphrase; after that only this passphrase opens the session, also after a restart", () => {
  const disk = new MemoryDisk();
  const first = started(disk).login;
  const { passphrase, line } = asked(first);
  expect([passphrase.salt.length, passphrase.newSalt.length]).toEqual([0, 16]);
  expect(JSON.parse(line)).toMatchObject({ tool: "/login", arguments: '{"principal":"alice","session":"operator"}' });
  expect(enter(first, right)).toEqual({ ok: true, value: "alice" });
  first.logOut();
  for (const { login } of [{ login: first }, started(disk)]) {
    const again = asked(login);
    expect([again.passphrase.salt.length, again.passphrase.newSalt.length]).toEqual([16, 0]);
    expect(login.prove(again.nonce, signed(again, wrong))).toEqual({
      ok: false,
      reason: "wrong key: that is not the passphrase",
    });
    expect(enter(login, right)).toEqual({ ok: true, value: "alice" });
    login.logOut();
  }
  expect(Buffer.from(disk.files.get("passphrases") ?? []).includes("alices")).toBe(true);
});

const ATTACKS: Readonly<Record<string, (challenge: PassphraseRequest) => string>> = {
  "the passphrase with a new one beside it": (challenge) => signed(challenge, right, another),
  "a new passphrase instead of the current one": (challenge) => signed(challenge, another),
  "a signature for a step-up": ({ line }) => armoured(right.sign(line)),
  "a signature of another line": (challenge) => signed({ ...challenge, line: `${challenge.line} ` }, right),
  "a token's signature": (challenge) => signed(challenge, softKey("sk-ssh-ed25519@openssh.com", "ssh:")),
  "three signatures": (challenge) => signed(challenge, right, right, right),
  nothing: () => "",
};

test.each(Object.entries(ATTACKS))("%s opens no session and uses up the challenge", (_, made) => {
  const { login } = started(chosen());
  const challenge = asked(login);
  expect(login.prove(challenge.nonce, made(challenge)).ok).toBe(false);
  expect(login.prove(challenge.nonce, signed(challenge, right)).ok).toBe(false);
  expect(login.isLocked).toBe(true);
});

test("a proof that was used before, or that answers an older challenge, opens no session", () => {
  const disk = chosen();
  const { login } = started(disk);
  const [older, newer] = [asked(login), asked(login)];
  expect(login.prove(older.nonce, signed(older, right))).toMatchObject({ ok: false });
  expect(login.prove(newer.nonce, signed(newer, right))).toMatchObject({ ok: false });
  const good = asked(login);
  const signature = signed(good, right);
  expect(login.prove(good.nonce, signature).ok).toBe(true);
  login.logOut();
  expect(login.prove(good.nonce, signature).ok).toBe(false);
});

test("a passphrase changes only if the old and the new passphrase are proven; otherwise the old one stays valid", () => {
  const disk = chosen();
  const { login } = started(disk);
  enter(login, right);
  const renew = (...keys: readonly SoftKey[]) => {
    const made = login.issueRenewalChallenge(60_000);
    if (!made.ok) throw new Error(made.reason);
    expect([made.value.passphrase.salt.length, made.value.passphrase.newSalt.length]).toEqual([16, 16]);
    return login.renew(made.value.nonce, signed(made.value, ...keys));
  };
  expect(renew(wrong, another)).toBe("wrong key: that is not the passphrase");
  expect(renew(another)).toMatch(/not signed as it was asked for/);
  expect(enterAnew(disk, right)).toBe(true);
  expect(renew(right, another)).toBeUndefined();
  expect([enterAnew(disk, right), enterAnew(disk, another)]).toEqual([false, true]);
});

function enterAnew(disk: MemoryDisk, key: SoftKey): boolean {
  return enter(started(disk).login, key).ok;
}

test("a guess is counted on the disk before the guess is checked, so that a power cut gives no extra guesses", () => {
  const disk = chosen();
  for (let guess = 0; guess < MAX_REFUSED; guess += 1) expect(enter(started(disk).login, wrong).ok).toBe(false);
  const { login, world } = started(disk);
  const said = { ok: false, reason: "5 proofs were refused; the next is heard in 300 s" };
  expect(login.issueChallenge(60_000)).toEqual(said);
  world.ms += REFUSED_FOR_MS - 1;
  expect(login.issueChallenge(60_000).ok).toBe(false);
  // A restart of the machine starts the waiting time again.
  expect(started(disk).login.issueChallenge(60_000)).toEqual(said);
  world.ms += 1;
  expect(enter(login, right)).toEqual({ ok: true, value: "alice" });
  expect(enterAnew(disk, right)).toBe(true);
});

test("neither checks a guess nor sets a passphrase if the guess cannot be written", () => {
  const disk = chosen();
  disk.fails = 0;
  expect(enter(started(disk).login, right)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("no space left"),
  });
  const bare = new MemoryDisk();
  bare.fails = 0;
  expect(enter(started(bare).login, right)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("no space left"),
  });
  expect(bare.files.size).toBe(0);
});

test("a session stays locked without a disk or with a damaged file, and no passphrase can be chosen", () => {
  expect(started(undefined).login.issueChallenge(1000)).toEqual({
    ok: false,
    reason: "there is no data disk to keep passphrases on",
  });
  const disk = chosen();
  const file = disk.files.get("passphrases") ?? new Uint8Array();
  const flipped = Uint8Array.from(file);
  flipped[60] = (flipped[60] ?? 0) ^ 1;
  for (const spoiled of [
    file.subarray(0, 40),
    file.subarray(0, 5),
    new Uint8Array(),
    flipped,
    seal(Buffer.from("{}")),
  ]) {
    disk.files.set("passphrases", spoiled);
    expect(started(disk).login.issueChallenge(1000)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^the passphrases are damaged on the data disk/),
    });
  }
});

test("two people log in by name, and neither's passphrase opens the session for the other", () => {
  const page = { ...PAGE, passphrases: ["alices", "bobs"] };
  const { login } = started(new MemoryDisk(), page);
  expect(login.issueChallenge(1000)).toEqual({ ok: false, reason: "say who you are: /login NAME" });
  expect(login.issueChallenge(1000, "carol")).toEqual({
    ok: false,
    reason: "nobody of that name has a passphrase here",
  });
  const as = (who: string, key: SoftKey) => {
    const challenge = asked(login, who);
    const proof = login.prove(challenge.nonce, signed(challenge, key));
    login.logOut();
    return proof;
  };
  expect([as("alice", right), as("bob", another)]).toMatchObject([{ value: "alice" }, { value: "bob" }]);
  expect([as("bob", right).ok, as("alice", another).ok]).toEqual([false, false]);
  expect(() => started(undefined, { login: "passphrase" })).toThrow("nobody can log in to it");
  expect(() => started(undefined, { login: "passphrase", passphrases: ["ours", "ours"] })).toThrow("two principals");
});

/** Doors of two sessions of one machine, which a principal opens with the same passphrase. */
function doors(disk: MemoryDisk) {
  const world = new TestWorld();
  const passphrases = Passphrases.open(world, disk);
  const made = (session: string) => {
    const setting = { systemId: "s", bootId: "0".repeat(32), policyDigest: "0".repeat(64), session };
    const lines = new SignedLines({ ...setting, namespace }, world);
    return new PassphraseDoor(
      { session, holders: [{ principal: "alice", name: "alices" }], passphrases, lines },
      world,
    );
  };
  return { day: made("day"), night: made("night"), passphrases };
}

/** Issues a challenge now; the returned function answers it with signatures of these keys. */
function pending(door: PassphraseDoor, ...keys: readonly SoftKey[]) {
  const made = door.issueChallenge("", "open", 60_000);
  if (!made.ok) throw new Error(made.reason);
  return () => door.prove(made.value.nonce, signed(made.value, ...keys));
}

test("if two sessions choose the first passphrase at once, the first answer sets it, and the other answer is refused", () => {
  const { day, night } = doors(new MemoryDisk());
  const [first, second] = [pending(day, right), pending(night, another)];
  expect([first(), second()]).toMatchObject([{ ok: true }, { reason: "another passphrase was chosen meanwhile" }]);
  expect([pending(night, another)().ok, pending(night, right)().ok]).toEqual([false, true]);
});

test("challenges of two sessions share one limit of guesses, and a correct answer resets it", () => {
  const { day, night, passphrases } = doors(chosen());
  const kept = () => (passphrases.ok ? passphrases.value.findRefusal("alices") : "");
  for (let guess = 1; guess < MAX_REFUSED; guess += 1) expect(pending(day, wrong)().ok).toBe(false);
  expect([pending(night, right)().ok, kept()]).toEqual([true, undefined]);
  for (let guess = 1; guess < MAX_REFUSED; guess += 1) expect(pending(day, wrong)().ok).toBe(false);
  const [fifth, sixth] = [pending(day, wrong), pending(night, right)];
  expect([fifth().ok, sixth()]).toMatchObject([false, { reason: "too many proofs were refused before it" }]);
});

test("a passphrase is set only if the key that belongs to it has signed the challenge", () => {
  const disk = new MemoryDisk();
  const { login } = started(disk);
  const challenge = asked(login);
  expect(login.prove(challenge.nonce, signed({ ...challenge, line: "another" }, right)).ok).toBe(false);
  expect(disk.files.size).toBe(0);
});

const act = fc.constantFrom("right", "wrong", "restart", "wait", "torn");

test("property: checks at most five wrong guesses in any five minutes, whatever guesses, waits and power cuts occur", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const disk = chosen();
      let [machine, nowMs, judged]: [ReturnType<typeof started>, number, number[]] = [started(disk), 0, []];
      for (const one of acts) {
        if (one === "wait") machine.world.ms += 60_000;
        if (one === "wait") nowMs += 60_000;
        if (one === "restart" || one === "torn") machine = started(disk);
        if (one === "wait" || one === "restart") continue;
        const made = machine.login.issueChallenge(1000);
        if (!made.ok) continue;
        disk.fails = one === "torn" ? 0 : Number.POSITIVE_INFINITY;
        disk.tears = true;
        const proof = machine.login.prove(made.value.nonce, signed(made.value, one === "right" ? right : wrong));
        disk.fails = Number.POSITIVE_INFINITY;
        expect(proof.ok).toBe(one === "right");
        if (proof.ok) judged = [];
        else if (proof.reason.startsWith("wrong key")) judged = [...judged, nowMs];
        machine.login.logOut();
        expect(judged.filter((at) => nowMs < at + REFUSED_FOR_MS).length).toBeLessThanOrEqual(MAX_REFUSED);
      }
    }),
    { numRuns: 25 },
  );
});

test("refuses any text that is not a valid list of passphrase verifiers", () => {
  const known = (text: string) => parseKnown(text, new TestWorld()).ok;
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(known(text)).toBe(false);
    }),
  );
  const good = { name: "alices", salt: "00".repeat(16), key: right.line, refused: 2 };
  const file = (...verifiers: readonly object[]) => JSON.stringify({ version: 1, verifiers });
  expect([known(file()), known(file(good))]).toEqual([true, true]);
  const spoils = [{ salt: "00" }, { salt: 1 }, { key: "ssh-rsa AAAA" }, { refused: 6 }, { refused: -1 }, { name: 3 }];
  for (const spoiled of spoils) expect(known(file({ ...good, ...spoiled }))).toBe(false);
  expect([known(file(good, good)), known(JSON.stringify({ version: 2, verifiers: [] }))]).toEqual([false, false]);
});
