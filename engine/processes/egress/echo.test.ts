import fc from "fast-check";
import { expect, test } from "vitest";
import { hasEcho, listSecretForms, watchFor } from "./echo.ts";

const SECRET = 'sk-live/"a&b+c=';
const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

/** Returns the part of a text, sent in pieces, that a watch passes on, or `undefined` if the watch ends the answer. */
function passed(secret: string, pieces: readonly string[]): string | undefined {
  const watch = watchFor(listSecretForms(secret));
  let out = "";
  for (const piece of pieces) {
    const next = watch.next(bytes(piece));
    if (!next.ok) return undefined;
    out += Buffer.from(next.value).toString("latin1");
  }
  return out + Buffer.from(watch.last()).toString("latin1");
}

test("finds a secret as it is, and in the encodings of headers, URLs, JSON, HTML and dumps", () => {
  const hex = bytes(SECRET).toString("hex");
  for (const said of [
    ...[SECRET, `Bearer ${SECRET}`, encodeURIComponent(SECRET), JSON.stringify({ token: SECRET })],
    ...[hex, hex.toUpperCase(), hex.replace(/../g, "%$&"), hex.replace(/../g, "\\u00$&"), hex.replace(/../g, "\\x$&")],
    ...["", "x", "xy", "Bearer ", "user:"].map((before) => bytes(`${before}${SECRET}!`).toString("base64")),
    ...["", "x", "xy"].map((before) => bytes(`${before}${SECRET}`).toString("base64url")),
    "sk-live/&quot;a&amp;b+c=",
    ...["sk-live%2f%22a%26b%2bc%3d", "sk-live/%22a%26b%2Bc%3D", "sk-live/\\u0022a\\u0026b\\u002Bc\\u003D"],
    'sk-live\\/"a&b+c=',
  ]) {
    expect(passed(SECRET, [`before ${said} after`]), said).toBeUndefined();
    expect(hasEcho(said, listSecretForms(SECRET)), said).toBe(true);
  }
});

test("passes on no byte of a secret before it finds the secret, however the answer is split", () => {
  const watch = watchFor(listSecretForms(SECRET));
  const out: string[] = [];
  for (const letter of `{"token":"${SECRET}"}`) {
    const next = watch.next(bytes(letter));
    if (!next.ok) break;
    out.push(Buffer.from(next.value).toString("latin1"));
  }
  expect(out.join("")).toBe('{"token":"');
});

test("ends the stream at the secret, and drops the bytes held back and all later bytes", () => {
  const watch = watchFor(listSecretForms(SECRET));
  expect(watch.next(bytes(`x${SECRET.slice(0, -1)}`))).toEqual({ ok: true, value: bytes("x") });
  expect(watch.next(bytes(`${SECRET.slice(-1)} behind`)).ok).toBe(false);
  expect(watch.last()).toEqual(Buffer.alloc(0));
  expect(watch.next(bytes("more")).ok).toBe(false);
});

test("property: passes on all text without the secret, and ends text that contains a form of it, however the text is split", () => {
  const letter = fc.constantFrom(..."sk-live/ab%27Zz3");
  const text = fc.array(letter, { maxLength: 40 }).map((letters) => letters.join(""));
  const secret = fc.array(letter, { minLength: 8, maxLength: 12 }).map((letters) => letters.join(""));
  fc.assert(
    fc.property(
      text,
      secret,
      text,
      fc.boolean(),
      fc.array(fc.nat(90), { maxLength: 4 }),
      (before, value, after, is, cuts) => {
        const whole = is ? `${before}${value}${after}` : `${before}${after}`;
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        expect(passed(value, pieces)).toBe(hasEcho(whole, listSecretForms(value)) ? undefined : whole);
      },
    ),
    { numRuns: 300 },
  );
});

test("without a secret every byte passes immediately", () => {
  const watch = watchFor([]);
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  expect(watch.next(all)).toEqual({ ok: true, value: all });
  expect(watch.last()).toEqual(Buffer.alloc(0));
});
