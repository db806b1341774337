import fc from "fast-check";
import { expect, test } from "vitest";
import { ALICE } from "../../dev/fixtures/facts.ts";
import { readSshKey } from "./ssh-key.ts";

const ED = "ssh-ed25519";
const SK = "sk-ssh-ed25519@openssh.com";

/** Returns a blob of these strings, each with its length in front. */
function blobOf(...fields: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      const bytes = Buffer.from(field as string);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

const read = (line: string) => readSshKey(Buffer.from(line));
const keyOf = (kind: string, blob: Uint8Array): string => `${kind} ${Buffer.from(blob).toString("base64")}`;
const POINT = Buffer.alloc(32, 7);
const GOOD = keyOf(ED, blobOf(ED, POINT));
const GOOD_SK = keyOf(SK, blobOf(SK, POINT, "ssh:"));

test.each([
  GOOD,
  `${GOOD} alice@example`,
  `  ${GOOD}\talice`,
  `${GOOD}\n`,
  `${GOOD}\r\n`,
  `# a remark\n\n${GOOD}\n`,
  `${GOOD} \u00e4\u4e2d`,
  GOOD.replace(" ", "\t "),
])("an OpenSSH public key line is one key, without the blanks and comments around it: %j", (line) => {
  expect(read(line)).toEqual({ ok: true, value: GOOD });
});

test("a security key has an application name", () => {
  expect(read(GOOD_SK)).toEqual({ ok: true, value: GOOD_SK });
  expect(read(keyOf(SK, blobOf(SK, POINT, "")))).toEqual({ ok: false, reason: "it names no application" });
});

const BYTES = "its bytes are not those of such a key";
const BASE64 = "what follows its kind is not base64";
const EMPTY = "it is empty";
const LONG = "it is too long for one key";

test.each<[string, string, string]>([
  ["nothing", "", EMPTY],
  ["blank lines", " \n\t\n", EMPTY],
  ["remarks alone", "# one\n# two\n", EMPTY],
  ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "it is a private key"],
  ["two keys", `${GOOD}\n${GOOD}`, "it holds more than one line; give each principal's key a file of its own"],
  ["another kind", GOOD.replace(ED, "ssh-rsa"), `its kind is not one of ${ED}, ${SK}`],
  ["a kind without a key", ED, BASE64],
  ["a key that is not base64", `${ED} !!!!`, BASE64],
  ["truncated base64", GOOD.slice(0, -1), BASE64],
  ["a file that is too long", `${GOOD} ${"x".repeat(4096)}`, LONG],
  ["a line that is too long", keyOf(SK, blobOf(SK, POINT, "s".repeat(900))), LONG],
  ["a kind that differs from the one in the bytes", keyOf(ED, blobOf(SK, POINT)), BYTES],
  ["a point that is too short", keyOf(ED, blobOf(ED, POINT.subarray(1))), BYTES],
  ["a point that is too long", keyOf(ED, blobOf(ED, Buffer.alloc(33))), BYTES],
  ["an additional field", keyOf(ED, blobOf(ED, POINT, "x")), BYTES],
  ["a missing field", keyOf(ED, blobOf(ED)), BYTES],
  ["no application", keyOf(SK, blobOf(SK, POINT)), BYTES],
  ["a field after the application", keyOf(SK, blobOf(SK, POINT, "ssh:", "x")), BYTES],
  ["two bytes of a length at the end", keyOf(ED, Buffer.concat([blobOf(ED, POINT), Buffer.from([0, 0])])), BYTES],
  ["a length beyond the end", keyOf(ED, Buffer.concat([blobOf(ED, POINT), Buffer.from([0, 0, 0, 9, 1])])), BYTES],
])("%s is not a key", (_, line, reason) => {
  expect(read(line)).toEqual({ ok: false, reason });
});

test("hidden characters are refused, also in a comment", () => {
  expect(read(`${GOOD} a\u202eb`)).toMatchObject({ ok: false, reason: expect.stringContaining("202E") });
});

test("lines and files up to the limit are accepted, and longer ones are refused", () => {
  const longest = 1024;
  const application = (length: number) => keyOf(SK, blobOf(SK, POINT, "s".repeat(length)));
  const lengths = Array.from({ length: 760 }, (_, index) => index + 1);
  const taken = lengths.filter((length) => read(application(length)).ok);
  expect(taken).toEqual(lengths.filter((length) => application(length).length <= longest));
  const file = (bytes: number) => readSshKey(Buffer.from(GOOD.padEnd(bytes, " ")));
  expect([file(4096).ok, file(4097).ok]).toEqual([true, false]);
});

test("a truncated key is refused, a changed key is refused or read as another key, and neither throws", () => {
  const line = ALICE.split(" ").slice(0, 2).join(" ");
  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, char) => {
      const changed = `${line.slice(0, at)}${char}${line.slice(at + 1)}`;
      const found = readSshKey(Buffer.from(changed));
      if (found.ok) expect(found.value.length).toBeLessThanOrEqual(line.length);
      expect(readSshKey(Buffer.from(line.slice(0, at))).ok).toBe(false);
    }),
  );
});
