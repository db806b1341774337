import { expect, test } from "vitest";
import { findRandomRuns } from "../laws/credential-in-source/randomness.ts";
import { SHAPES } from "../laws/credential-in-source/shapes.ts";

// The secrets are assembled here, so that a scanner for secrets does not find them in this checkout.
const long = (length: number) => "Ab1".repeat(length).slice(0, length);
const CREDENTIALS: readonly (readonly [what: string, begin: string, rest: string])[] = [
  ["a private key", "-----BEGIN ", "OPENSSH PRIVATE KEY-----"],
  ["an access key of AWS", "AKIA", "Q".repeat(16)],
  ["an access key of AWS", "ASIA", "7".repeat(16)],
  ["a token of GitHub", "ghp_", long(36)],
  ["a token of GitHub", "ghs_", long(36)],
  ["a token of GitHub", "github_pat_", long(22)],
  ["a token of GitLab", "glpat-", long(20)],
  ["a token of Slack", "xoxb-", long(20)],
  ["a key for a model's provider", "sk-", long(20)],
  ["a key of Google", "AIza", long(35)],
  ["a key of Stripe", "sk_live_", long(16)],
  ["a key of Stripe", "rk_test_", long(16)],
  ["a token of npm", "npm_", long(36)],
  ["a token of Hugging Face", "hf_", long(30)],
  ["a signed web token", "eyJ", `${long(10)}.eyJ${long(5)}.${long(10)}`],
  ["a bearer token", "Bearer ", long(20)],
  ["an address with a password in it", "://", "me:letmein@"],
];

function shapesOf(text: string): string[] {
  return SHAPES.filter(({ marks, pattern }) => marks.some((mark) => text.includes(mark)) && text.match(pattern)).map(
    ({ what }) => what,
  );
}

test.each(CREDENTIALS)(
  "credential-in-source: %s that starts with %s is found, and is not found if it is one character shorter",
  (what, begin, rest) => {
    expect(shapesOf(`// ${begin}${rest} .`)).toContain(what);
    expect(shapesOf(`// ${begin}${rest.slice(0, -1)} .`)).toEqual([]);
  },
);

test("credential-in-source: every form of credential has an example", () => {
  expect(new Set(CREDENTIALS.map(([what]) => what))).toEqual(new Set(SHAPES.map(({ what }) => what)));
});

test("credential-in-source: credentials are found only at the start of a word and as whole words", () => {
  expect(shapesOf(`// ta${"sk-"}${long(20)}`)).toEqual([]);
  expect(shapesOf(`// ${"AKIA"}${"Q".repeat(17)}`)).toEqual([]);
  expect(shapesOf("https://example.net:8443/a@b")).toEqual([]);
});

const MIXED = "q7Rz0KpX3vLw9TnB5sYd2HcJ";
const DIGEST = "9f2c1d7a0b3e4f5a6b7c8d9e0f1a2b3c4d5e6f70";

test.each([
  ["letters and digits mixed", MIXED, true],
  ["one character too short", MIXED.slice(1), false],
  ["without digits", "qWRzPKpXuvLwiTnBmsYdyHcJ", false],
  ["without capitals", MIXED.toLowerCase(), false],
  ["without lower-case letters", MIXED.toUpperCase(), false],
  ["few different characters", "aB1aB1aB1aB1aB1aB1aB1aB1", false],
  ["an identifier with hyphens", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", false],
  ["thirty-two hexadecimal digits", DIGEST.slice(0, 32), true],
  ["thirty-one hexadecimal digits", DIGEST.slice(0, 31), false],
  ["large ones", DIGEST.slice(0, 32).toUpperCase(), true],
  ["a commit id where digests are not allowed", DIGEST, true],
  ["few different digits", "0101010101010101010101010101010101", false],
])("credential-in-source: only long runs of many different characters count as random: %s", (_, run, random) => {
  expect(findRandomRuns(`"/a/${run}/b"`, "refused")).toEqual(random ? [{ start: 4, end: 4 + run.length }] : []);
});

test("credential-in-source: if digests are allowed, other random runs are still found", () => {
  const sha256 = `${DIGEST}${DIGEST.slice(0, 24)}`;
  expect([DIGEST, sha256].flatMap((digest) => findRandomRuns(digest, "allowed"))).toEqual([]);
  expect(findRandomRuns(DIGEST.slice(0, 36), "allowed")).toHaveLength(1);
  expect(findRandomRuns(`see ${MIXED}`, "allowed")).toHaveLength(1);
});
