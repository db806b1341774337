// Passphrases: whoever guesses, cuts the power between two guesses, exchanges what the disk knows, or answers twice.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Disk } from "../disk/disk.ts";
import { seal } from "../disk/sealed.ts";
import { MemoryDisk } from "../disk/testing/memory-disk.ts";
import { TestWorld } from "../ledger/testing/ledgers.ts";
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
/** Keys that the console would derive from a passphrase and a salt; here generated keys stand for them. */
const [right, wrong, another] = [softKey("ssh-ed25519"), softKey("ssh-ed25519"), softKey("ssh-ed25519")];

/** A start of the machine. */
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

/** A disk that knows alice's passphrase. */
function chosen(): MemoryDisk {
  const disk = new MemoryDisk();
  expect(enter(started(disk).login, right)).toEqual({ ok: true, value: "alice" });
  return disk;
}

test("the first person chooses the passphrase; then only it opens the session, after a restart too", () => {
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
  "the passphrase, and one that is chosen beside it": (challenge) => signed(challenge, right, another),
  "a choice in the place of what was chosen": (challenge) => signed(challenge, another),
  "a signature for a step-up": ({ line }) => armoured(right.sign(line)),
  "another line": (challenge) => signed({ ...challenge, line: `${challenge.line} ` }, right),
  "a token's": (challenge) => signed(challenge, softKey("sk-ssh-ed25519@openssh.com", "ssh:")),
  "three of them": (challenge) => signed(challenge, right, right, right),
  nothing: () => "",
};

test.each(Object.entries(ATTACKS))("%s opens nothing, and spends the challenge", (_, made) => {
  const { login } = started(chosen());
  const challenge = asked(login);
  expect(login.prove(challenge.nonce, made(challenge)).ok).toBe(false);
  expect(login.prove(challenge.nonce, signed(challenge, right)).ok).toBe(false);
  expect(login.isLocked).toBe(true);
});

test("a repeated answer, or one to an older question or start, opens nothing", () => {
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

test("it is another from then on where both are given, and the one that it was where either is not", () => {
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

test("a guess is on the disk before it is judged: who cuts the power after each has five in five minutes as well", () => {
  const disk = chosen();
  for (let guess = 0; guess < MAX_REFUSED; guess += 1) expect(enter(started(disk).login, wrong).ok).toBe(false);
  const { login, world } = started(disk);
  const said = { ok: false, reason: "5 proofs were refused; the next is heard in 300 s" };
  expect(login.issueChallenge(60_000)).toEqual(said);
  world.ms += REFUSED_FOR_MS - 1;
  expect(login.issueChallenge(60_000).ok).toBe(false);
  // To start again begins the wait anew.
  expect(started(disk).login.issueChallenge(60_000)).toEqual(said);
  world.ms += 1;
  expect(enter(login, right)).toEqual({ ok: true, value: "alice" });
  expect(enterAnew(disk, right)).toBe(true);
});

test("a guess that cannot be recorded is not checked, and no passphrase is chosen", () => {
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

test("without a disk, or with a damaged file, a session stays closed: nobody chooses anew", () => {
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

test("two people say who they are, and neither's passphrase is the other's", () => {
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

/** Doors of sessions that one principal opens by one passphrase, on one machine. */
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

/** Asks now, and answers when it is called. */
function pending(door: PassphraseDoor, ...keys: readonly SoftKey[]) {
  const made = door.issueChallenge("", "open", 60_000);
  if (!made.ok) throw new Error(made.reason);
  return () => door.prove(made.value.nonce, signed(made.value, ...keys));
}

test("the first of two sessions that ask at once chooses, and the other is asked again", () => {
  const { day, night } = doors(new MemoryDisk());
  const [first, second] = [pending(day, right), pending(night, another)];
  expect([first(), second()]).toMatchObject([{ ok: true }, { reason: "another passphrase was chosen meanwhile" }]);
  expect([pending(night, another)().ok, pending(night, right)().ok]).toEqual([false, true]);
});

test("questions of two sessions that stand at once are no more guesses than those of one, and a right one begins anew", () => {
  const { day, night, passphrases } = doors(chosen());
  const kept = () => (passphrases.ok ? passphrases.value.findRefusal("alices") : "");
  for (let guess = 1; guess < MAX_REFUSED; guess += 1) expect(pending(day, wrong)().ok).toBe(false);
  expect([pending(night, right)().ok, kept()]).toEqual([true, undefined]);
  for (let guess = 1; guess < MAX_REFUSED; guess += 1) expect(pending(day, wrong)().ok).toBe(false);
  const [fifth, sixth] = [pending(day, wrong), pending(night, right)];
  expect([fifth().ok, sixth()]).toMatchObject([false, { reason: "too many proofs were refused before it" }]);
});

test("a passphrase is chosen by who can sign with it, and not by who names its key", () => {
  const disk = new MemoryDisk();
  const { login } = started(disk);
  const challenge = asked(login);
  expect(login.prove(challenge.nonce, signed({ ...challenge, line: "another" }, right)).ok).toBe(false);
  expect(disk.files.size).toBe(0);
});

const act = fc.constantFrom("right", "wrong", "restart", "wait", "torn");

test("law: whatever is guessed, waited and cut, no more than five wrong ones are judged in any five minutes", () => {
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

test("any text is read or refused", () => {
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
