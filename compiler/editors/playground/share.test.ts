import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { deflateSync, strToU8 } from "fflate";
import { expect, test } from "vitest";
import { decodeProject, encodeProject, MOST_FILES, MOST_FRAGMENT, MOST_TEXT } from "./share.ts";

const PAGE = ["system.cap", "system a"] as const;

/** Returns a fragment with any text: a stranger can make such a link without the checks of `encodeProject`. */
function spell(text: string): string {
  return `1.${Buffer.from(deflateSync(strToU8(text), { level: 9 })).toString("base64url")}`;
}

function reasonOf(fragment: string): string {
  const read = decodeProject(fragment);
  return read.ok ? "read" : read.reason;
}

test("a project that is read from its link is unchanged, and the same project gives the same link", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}\.cap$/), { maxLength: 8 });
  fc.assert(
    fc.property(names, fc.string({ unit: "grapheme" }), (paths, text) => {
      const files = new Map([PAGE, ...paths.filter((path) => path !== PAGE[0]).map((path) => [path, text] as const)]);
      const written = encodeProject(files);
      if (!written.ok) throw new Error(written.reason);
      expect(written.value).toMatch(/^1\.[\w-]+$/);
      expect(decodeProject(written.value)).toEqual({ ok: true, value: files });
      expect(encodeProject(files)).toEqual(written);
    }),
  );
});

test.each([
  ["", /is not a project/],
  ["hello", /is not a project/],
  ["2.AAAA", /version 2 .* reads 1/],
  ["1.AAAA", /damaged|end is missing/],
  [spell("not JSON"), /not a list of files/],
  [spell("{}"), /not a list of files/],
  [spell('[["system.cap", 1]]'), /not a list of files/],
  [spell('[["system.cap", "a", "b"]]'), /not a list of files/],
  [spell("[]"), /has no system\.cap/],
  [spell('[["system.cap", "a"], ["../b", ""]]'), /outside the folder/],
  [spell('[["system.cap", "a"], ["/b", ""]]'), /outside the folder/],
  [spell('[["system.cap", "a"], ["b\\u202e.cap", ""]]'), /a path that is not allowed/],
  [spell('[["system.cap", "a"], ["system.cap", "b"]]'), /same name/],
])("a wrong fragment is refused with a reason: %s", (fragment, reason) => {
  expect(reasonOf(fragment)).toMatch(reason);
});

test("a truncated fragment is refused", () => {
  const whole = spell(JSON.stringify([["system.cap", "session operator { kind operator } ".repeat(9)]]));
  for (let length = 0; length < whole.length; length += 1) expect(reasonOf(whole.slice(0, length))).not.toBe("read");
});

test("reading an arbitrary fragment never throws", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(decodeProject(`1.${Buffer.from(bytes).toString("base64url")}`).ok).toBe(false);
    }),
  );
});

test("a fragment is bounded in its length, its files and its decompressed text", () => {
  expect(reasonOf(`1.${"A".repeat(MOST_FRAGMENT)}`)).toMatch(/65538 characters, and at most 65536/);
  const bomb = spell(JSON.stringify([["system.cap", "a".repeat(20 * MOST_TEXT)]]));
  expect(bomb.length).toBeLessThan(MOST_FRAGMENT);
  expect(reasonOf(bomb)).toBe("it has more than 1048576 bytes of text");
  const many = Array.from({ length: MOST_FILES + 1 }, (_, at) => [`a${at}.cap`, ""]);
  expect(reasonOf(spell(JSON.stringify(many)))).toBe("it has 51 files, and at most 50 are read");
});

test("a project that is too large to be read back is not written into a link", () => {
  const many = new Map(Array.from({ length: MOST_FILES + 1 }, (_, at) => [`a${at}.cap`, ""]));
  const long = new Map([["system.cap", "a".repeat(MOST_TEXT + 1)]]);
  // No character can be predicted from the previous ones, so the text cannot be compressed.
  const dense = new Map([["system.cap", randomBytes(100_000).toString("latin1")]]);
  const outside = new Map([PAGE, [" b.cap", ""]]);
  const reasons = [many, long, dense, outside]
    .map((files) => encodeProject(files))
    .map((made) => (made.ok ? "" : made.reason));
  expect(reasons).toEqual([
    expect.stringMatching(/51 files/),
    expect.stringMatching(/bytes/),
    expect.stringMatching(/characters, and at most 65536/),
    expect.stringMatching(/a path that is not allowed/),
  ]);
});
