import fc from "fast-check";
import { expect, test } from "vitest";
import { readPublicKey } from "./public-key.ts";
import { softKey } from "./testing/soft-key.ts";

const plain = softKey("ssh-ed25519").line;
const token = softKey("sk-ssh-ed25519@openssh.com", "ssh:").line;

test("reads keys of both kinds, ssh-ed25519 and sk-ssh-ed25519", () => {
  expect(readPublicKey(plain)).toMatchObject({ ok: true, value: { algorithm: "ssh-ed25519" } });
  expect(readPublicKey(token)).toMatchObject({
    ok: true,
    value: { algorithm: "sk-ssh-ed25519@openssh.com", application: Buffer.from("ssh:") },
  });
});

const [, blob = ""] = plain.split(" ");
const renamed = Buffer.from(Buffer.from(blob, "base64").toString("latin1").replace("25519", "25518"), "latin1");
const REFUSED: Record<string, string> = {
  "an empty text": "",
  "a comment after it": `${plain} alice`,
  "a line end after it": `${plain}\n`,
  "two blanks between its parts": plain.replace(" ", "  "),
  "another algorithm": `ssh-rsa ${blob}`,
  "the algorithm of the other kind": `sk-ssh-ed25519@openssh.com ${blob}`,
  "a missing byte": `ssh-ed25519 ${Buffer.from(blob, "base64").subarray(0, -1).toString("base64")}`,
  "a superfluous byte": `ssh-ed25519 ${Buffer.concat([Buffer.from(blob, "base64"), Buffer.from([0])]).toString("base64")}`,
  "a blob that names another algorithm": `ssh-ed25519 ${renamed.toString("base64")}`,
  "damaged Base64": plain.replace("AAAA", "AA=A"),
};
for (const [what, line] of Object.entries(REFUSED)) {
  test(`refuses a key with ${what}`, () => {
    expect(readPublicKey(line)).toMatchObject({ ok: false, reason: expect.stringContaining("public key") });
  });
}

test("refuses a key whose unused Base64 bits are not zero, so that each key has one line", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const at = token.indexOf("=") - 1;
  const changed = token.slice(0, at) + alphabet[alphabet.indexOf(token[at] ?? "") + 1] + token.slice(at + 1);
  expect(readPublicKey(changed)).toEqual({ ok: false, reason: "the Base64 of a public key is damaged" });
});

test("refuses a key of a megabyte because of its length", () => {
  const reason = "a public key is longer than 1024 characters";
  expect(readPublicKey(`ssh-ed25519 ${"A".repeat(2 ** 20)}`)).toEqual({ ok: false, reason });
});

test("refuses random bytes as a key, and never throws", () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  fc.assert(fc.property(bytes, (random) => !readPublicKey(`ssh-ed25519 ${Buffer.from(random).toString("base64")}`).ok));
  const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
  fc.assert(fc.property(anyText, (text) => !readPublicKey(text).ok));
});
