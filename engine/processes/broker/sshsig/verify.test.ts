import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type PublicKey, readPublicKey } from "./public-key.ts";
import { armoured, bytesOf, type Changes, softKey } from "./testing/soft-key.ts";
import { newSshKey, sshKeygenAccepts } from "./testing/ssh-keygen.ts";
import { type SignatureFault, verifySshsig } from "./verify.ts";

const LINE = '{"arguments":"{\\"path\\":\\"a\\"}","tool":"notes.delete"}';
const alice = newSshKey();
const bob = newSshKey();
const stranger = newSshKey();
const token = softKey("sk-ssh-ed25519@openssh.com", "ssh:");
const plain = softKey("ssh-ed25519");
const keys = [alice.line, bob.line, token.line, plain.line].map(key);

afterAll(() => [alice, bob, stranger].map((one) => one.remove()));

function key(line: string): PublicKey {
  const read = readPublicKey(line);
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

function verdict(armour: string, message = LINE) {
  return verifySshsig(armour, { message: Buffer.from(message), namespace: "stepup@capos", keys });
}

function faultOf(armour: string, message = LINE): SignatureFault | "accepted" {
  const said = verdict(armour, message);
  return said.ok ? "accepted" : said.fault;
}

for (const hash of ["sha256", "sha512"]) {
  test(`accepts a signature of ssh-keygen over ${hash}, and names its key`, () => {
    expect(verdict(alice.sign(LINE, { hash }))).toEqual({ ok: true, key: keys[0] });
    expect(verdict(bob.sign(LINE, { hash }))).toEqual({ ok: true, key: keys[1] });
  });

  test(`accepts a signature of a token over ${hash}`, () => {
    expect(verdict(armoured(token.sign(LINE, { hash })))).toEqual({ ok: true, key: keys[2] });
  });
}

test("reports what is wrong with a signature", () => {
  expect(verdict(alice.sign(LINE, { namespace: "file" }))).toMatchObject({
    reason: "it was not made for stepup@capos",
  });
  expect(verdict(stranger.sign(LINE))).toMatchObject({ reason: "it was made by a key that may not sign this" });
});

test("accepts a signature pasted with serial line ends, or without the last line end", () => {
  const armour = alice.sign(LINE);
  expect(faultOf(armour.replaceAll("\n", "\r\n"))).toBe("accepted");
  expect(faultOf(armour.trimEnd())).toBe("accepted");
});

test("ssh-keygen accepts the signatures that the tests' own signer makes", () => {
  for (const key of [plain, token]) {
    const armour = armoured(key.sign(LINE));
    expect([faultOf(armour), sshKeygenAccepts(armour, LINE)]).toEqual(["accepted", true]);
    expect([faultOf(armour, `${LINE} `), sshKeygenAccepts(armour, `${LINE} `)]).toEqual(["changed", false]);
  }
});

const WRONG: Record<string, readonly [Changes, SignatureFault]> = {
  "another magic": [{ magic: "SSHSIH" }, "malformed"],
  "version 0": [{ version: 0 }, "malformed"],
  "version 2": [{ version: 2 }, "malformed"],
  "a signed reserved field": [{ reserved: "later" }, "malformed"],
  "another namespace": [{ namespace: "file" }, "wrong namespace"],
  "a namespace with the right beginning": [{ namespace: "stepup@capos2" }, "wrong namespace"],
  "an empty namespace": [{ namespace: "" }, "wrong namespace"],
  "another hash": [{ hash: "sha1" }, "wrong hash"],
  "another algorithm in the signature": [{ algorithm: "ssh-rsa" }, "malformed"],
  "a byte after the key's own signature": [{ behind: "\0" }, "malformed"],
  "a byte after it": [{ trailing: "\0" }, "malformed"],
};
for (const [what, [changes, fault]] of Object.entries(WRONG)) {
  test(`refuses a signature with ${what} as ${fault}`, () => {
    expect(faultOf(armoured(plain.sign(LINE, changes)))).toBe(fault);
    expect(faultOf(armoured(token.sign(LINE, changes)))).toBe(fault);
  });
}

test("refuses ssh-keygen's signature for another purpose", () => {
  expect(faultOf(alice.sign(LINE, { namespace: "file" }))).toBe("wrong namespace");
});

test("refuses a key that is not among the expected keys", () => {
  expect(faultOf(stranger.sign(LINE))).toBe("wrong key");
});

test("refuses the signature of an ECDSA key", () => {
  const ecdsa = newSshKey("ecdsa");
  expect(faultOf(ecdsa.sign(LINE))).toBe("wrong key");
  ecdsa.remove();
});

test("a token must report that it was touched, whatever its other flags", () => {
  const accepted = Array.from({ length: 256 }, (_, flags) => flags).filter(
    (flags) => faultOf(armoured(token.sign(LINE, { flags }))) === "accepted",
  );
  expect(accepted).toEqual(Array.from({ length: 128 }, (_, index) => 2 * index + 1));
  expect(faultOf(armoured(token.sign(LINE, { flags: 4 })))).toBe("nobody present");
});

test("a token's signature covers its application, so a key with another application is another key", () => {
  const [line = ""] = [token.line];
  const blob = Buffer.from(line.split(" ")[1] ?? "", "base64");
  blob.write("ssh;", blob.length - 4);
  const other = key(`sk-ssh-ed25519@openssh.com ${blob.toString("base64")}`);
  const expected = { message: Buffer.from(LINE), namespace: "stepup@capos", keys: [other] };
  expect(verifySshsig(armoured(token.sign(LINE)), expected)).toMatchObject({ ok: false, fault: "wrong key" });
  const signature = token.sign(LINE);
  const renamed = Buffer.from(Buffer.from(signature).toString("latin1").replace("ssh:", "ssh;"), "latin1");
  expect(verifySshsig(armoured(renamed), expected)).toMatchObject({ ok: false, fault: "changed" });
});

test("refuses the signature if any byte of the signed text changes", () => {
  const armour = alice.sign(LINE);
  for (let at = 0; at < LINE.length; at += 1) {
    const changed = `${LINE.slice(0, at)}${String.fromCharCode(LINE.charCodeAt(at) ^ 1)}${LINE.slice(at + 1)}`;
    expect(faultOf(armour, changed)).toBe("changed");
  }
  expect(faultOf(armour, `${LINE}\n`)).toBe("changed");
  expect(faultOf(armour, "")).toBe("changed");
});

for (const [whose, armour] of [
  ["ssh-keygen's", alice.sign(LINE)],
  ["a token's", armoured(token.sign(LINE))],
] as const) {
  test(`refuses ${whose} signature if any bit changes`, () => {
    const bytes = bytesOf(armour);
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7));
      expect([at, faultOf(armoured(changed))]).not.toEqual([at, "accepted"]);
    }
  });

  test(`refuses ${whose} armour if any character changes`, () => {
    for (let at = 0; at < armour.length; at += 1) {
      for (const character of ["A", "b", "+", "=", "-", " ", "\n", "\r", "\0", "é", "\u2028"]) {
        if (armour[at] === character) continue;
        const changed = armour.slice(0, at) + character + armour.slice(at + 1);
        expect([at, character, faultOf(changed)]).not.toEqual([at, character, "accepted"]);
      }
    }
  });

  test(`refuses ${whose} signature as malformed if it ends early`, () => {
    // The last character is the final line end, which may be missing.
    for (let length = 0; length < armour.length - 1; length += 1) {
      expect([length, faultOf(armour.slice(0, length))]).toEqual([length, "malformed"]);
    }
    const bytes = bytesOf(armour);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(faultOf(armoured(bytes.subarray(0, length)))).not.toBe("accepted");
    }
  });

  test(`refuses ${whose} signature as malformed with anything before or after it`, () => {
    for (const extra of [" ", "\n", "x", armour, "\0", "\u200b"]) {
      expect(faultOf(armour + extra)).toBe("malformed");
      expect(faultOf(extra + armour)).toBe("malformed");
    }
    expect(faultOf(armoured(Buffer.concat([bytesOf(armour), Buffer.from([0])])))).toBe("malformed");
  });
}

test("refuses an armour whose unused Base64 bits are not zero, so that each signature has one armour", () => {
  const armour = alice.sign(LINE);
  const at = armour.indexOf("=") - 1;
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const neighbour = alphabet[alphabet.indexOf(armour[at] ?? "") + 1] ?? "";
  const changed = armour.slice(0, at) + neighbour + armour.slice(at + 1);
  expect(bytesOf(changed)).toEqual(bytesOf(armour));
  expect(faultOf(changed)).toBe("malformed");
});

test("refuses random bytes and random text, and never throws", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => faultOf(armoured(bytes)) === "malformed"));
  const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
  fc.assert(fc.property(anyText, (text) => faultOf(text) === "malformed"));
});

test("refuses random bytes behind a valid beginning, and never throws", () => {
  const beginning = bytesOf(alice.sign(LINE)).subarray(0, 61);
  const anyRest = fc.uint8Array({ maxLength: 400 });
  fc.assert(fc.property(anyRest, (rest) => faultOf(armoured(Buffer.concat([beginning, rest]))) === "malformed"));
});

test("refuses fields whose length exceeds the remaining bytes, and allocates no memory for them", () => {
  const bytes = bytesOf(alice.sign(LINE));
  bytes.writeUInt32BE(0xffff_ffff, 10);
  expect(faultOf(armoured(bytes))).toBe("malformed");
});

test("refuses a signature of a megabyte because of its length", () => {
  for (const text of ["A".repeat(2 ** 20), armoured(new Uint8Array(2 ** 20)), "\n".repeat(2 ** 20)]) {
    expect(verdict(text)).toEqual({
      ok: false,
      fault: "malformed",
      reason: "a signature is longer than 4096 bytes",
    });
  }
});
