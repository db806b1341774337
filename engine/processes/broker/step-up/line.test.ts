import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_SHOWN_BYTES, renderChallengeLine, type Terms } from "./line.ts";

const TERMS: Terms = {
  arguments: '{"path":"a"}',
  bootId: "0".repeat(32),
  conversation: "c1",
  expiry: 61_000,
  nonce: "1".repeat(32),
  policyDigest: "2".repeat(64),
  session: "operator",
  systemId: "sample",
  tool: "notes.delete",
  turn: 3,
};

function line(changes: Partial<Terms> = {}): string {
  const made = renderChallengeLine({ ...TERMS, ...changes });
  if (!made.ok) throw new Error(made.reason);
  return made.value;
}

test("the line is canonical JSON of all terms of the challenge", () => {
  expect(line()).toBe(
    `{"arguments":"{\\"path\\":\\"a\\"}","bootId":"${"0".repeat(32)}","conversation":"c1","expiry":61000,` +
      `"nonce":"${"1".repeat(32)}","policyDigest":"${"2".repeat(64)}","session":"operator","systemId":"sample",` +
      `"tool":"notes.delete","turn":3}`,
  );
});

function shown(text: string): string {
  return JSON.parse(line({ arguments: text })).arguments;
}

function digest(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

test("the line shows arguments of up to a kibibyte, and the digest of longer ones", () => {
  const frame = '{"a":""}'.length;
  const longest = `{"a":"${"x".repeat(MAX_SHOWN_BYTES - frame)}"}`;
  expect(shown(longest)).toBe(longest);
  const longer = `{"a":"${"x".repeat(MAX_SHOWN_BYTES - frame + 1)}"}`;
  expect(shown(longer)).toBe(digest(longer));
});

for (const [what, text] of Object.entries({
  "a single quote": `{"a":"it's"}`,
  "a letter beyond ASCII": '{"a":"é"}',
  "an emoji": '{"a":"🔑"}',
  "the character DEL": '{"a":"\x7f"}',
})) {
  test(`the line shows only the digest of arguments with ${what}`, () => expect(shown(text)).toBe(digest(text)));
}

for (const name of ["conversation", "session", "systemId", "tool"] as const) {
  test(`refuses a challenge whose ${name} could end the shell's quotes`, () => {
    for (const value of ["a'; rm -rf ~ #", "é", "\x7f"]) {
      expect(renderChallengeLine({ ...TERMS, [name]: value })).toMatchObject({ ok: false });
    }
  });
}

test("the line to sign contains no line end and no apostrophe, whatever the arguments are", () => {
  const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
  const anyArguments = fc.dictionary(anyText, anyText);
  fc.assert(
    fc.property(anyArguments, (value) => /^[\x20-\x26\x28-\x7e]+$/.test(line({ arguments: JSON.stringify(value) }))),
  );
});

test("a shell prints the line unchanged, for ssh-keygen to sign", () => {
  const nasty = line({ arguments: '{"a":"$HOME `id` \\\\ \\" %s %% !! \\n \\u0000 ; & | > /x # ~"}' });
  for (const shell of ["sh", "bash"]) {
    expect(execFileSync(shell, ["-c", `printf %s '${nasty}'`], { encoding: "utf8" })).toBe(nasty);
  }
});

test("challenges with different terms have different lines", () => {
  const anyTerms = fc.record({
    arguments: fc.constantFrom('{"a":1}', '{"a":"\'"}', '{"a":"é"}'),
    conversation: fc.constantFrom("a", 'a","expiry":1', "a\\"),
    tool: fc.constantFrom("x.y", 'x.y","turn":2', "x"),
    expiry: fc.nat(2),
    turn: fc.nat(2),
  });
  fc.assert(
    fc.property(anyTerms, anyTerms, (a, b) => (line(a) === line(b)) === (JSON.stringify(a) === JSON.stringify(b))),
  );
});
