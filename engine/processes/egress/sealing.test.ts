import fc from "fast-check";
import { expect, test } from "vitest";
import { derivePublicKey } from "./hpke.ts";
import {
  checkSecretValue,
  encodeSecret,
  formatMachineKey,
  formatOrigin,
  openSecret,
  parseMachineKey,
  readSecret,
  sealSecret,
} from "./sealing.ts";

const [ONE, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const VALUE = Buffer.from("sk-live-0123456789");
const ORIGIN = formatOrigin({ scheme: "https", host: "llm.example.net", port: 443 });
const sealed = (to = [ONE]) => sealSecret("frontier", ORIGIN, to.map(derivePublicKey), VALUE);

test("each machine to which a secret is sealed can open it, and no other machine can", () => {
  const secret = readSecret(encodeSecret(sealed([ONE, OTHER])));
  expect(secret.ok && [ONE, OTHER].map((key) => openSecret(secret.value, key))).toEqual([
    { ok: true, value: VALUE },
    { ok: true, value: VALUE },
  ]);
  expect(openSecret(sealed(), OTHER)).toEqual({ ok: false, reason: "it is sealed to other machines" });
});

test("a sealed file does not contain the value, and sealing twice gives different bytes", () => {
  expect(Buffer.from(encodeSecret(sealed())).includes(VALUE)).toBe(false);
  expect(sealed().copies[0]?.sealed).not.toEqual(sealed().copies[0]?.sealed);
});

test("refuses a file that was sealed for another server or under another name", () => {
  for (const change of [
    { origin: "https://evil.example" },
    { origin: "http://llm.example.net:443" },
    { name: "other" },
  ]) {
    expect(openSecret({ ...sealed(), ...change }, ONE)).toEqual({ ok: false, reason: "it is not what was sealed" });
  }
});

test("neither seals nor opens a value that is not valid in a header", () => {
  for (const value of [
    "",
    "seven77",
    "with a blank",
    "line\r\nX: y",
    "naïve-token",
    "\0".repeat(9),
    "x".repeat(4097),
  ]) {
    const bytes = Buffer.from(value);
    expect(checkSecretValue(bytes), value).toBeTypeOf("string");
    expect(openSecret(sealSecret("a", ORIGIN, [derivePublicKey(ONE)], bytes), ONE).ok, value).toBe(false);
  }
  expect([checkSecretValue(VALUE), checkSecretValue(Buffer.alloc(4096, 0x7e))]).toEqual([undefined, undefined]);
});

test("refuses a machine key that is incomplete or changed", () => {
  const text = formatMachineKey(derivePublicKey(ONE));
  expect(text).toMatch(/^capos-machine-[\w-]{48}$/);
  expect(parseMachineKey(text)).toEqual({ ok: true, value: derivePublicKey(ONE) });
  const other = (at: number) => `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
  for (const wrong of ["", text.slice(1), text.slice(0, -1), `${text}A`, ` ${text}`, other(14), other(40), other(61)]) {
    expect(parseMachineKey(wrong).ok, wrong).toBe(false);
  }
});

test("fuzz: any bytes are a valid file or are refused; a changed file opens to the same value or not at all", () => {
  const whole = Buffer.from(encodeSecret(sealed()));
  const spoiled = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ bits;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), spoiled), (bytes) => {
      const secret = readSecret(bytes);
      const opened = secret.ok ? openSecret(secret.value, ONE) : secret;
      if (opened.ok) expect(opened.value).toEqual(VALUE);
    }),
    { numRuns: 150 },
  );
});
