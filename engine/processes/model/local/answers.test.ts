import { expect, test } from "vitest";
import { readPieces } from "./answers.ts";
import type { End, Texts } from "./decoder.ts";

async function* said(texts: readonly string[], end: End): Texts {
  yield* texts;
  return end;
}

const all = (mayCall: boolean, ...texts: readonly string[]) => ended("whole", mayCall, ...texts);

async function ended(end: End, mayCall: boolean, ...texts: readonly string[]) {
  const pieces = readPieces(said(texts, end), mayCall ? "callable" : "none");
  let text = "";
  let call = "";
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { text, call, ended: next.value };
    text += next.value.textDelta;
    const { name, argumentsDelta } = next.value.toolCallDelta;
    call += name + argumentsDelta;
  }
}

test("yields text as it arrives", async () => {
  expect(await all(true, "", "Hel", "lo {")).toEqual({
    text: "Hello {",
    call: "",
    ended: { text: "Hello {", calls: [], isCut: false },
  });
});

test("returns a call as a whole, with canonical arguments and a new id", async () => {
  const { text, call, ended } = await all(true, '{"name": "a.b", ', '"arguments": {"y": 1, "x": "', 'z"}}');
  expect([text, call]).toEqual(["", 'a.b{"x":"z","y":1}']);
  expect(ended.calls).toMatchObject([
    { name: "a.b", arguments: '{"x":"z","y":1}', id: expect.stringMatching(/^[\w-]+$/) },
  ]);
});

test("reports an incomplete call, and does not return it", async () => {
  const { text, call, ended } = await all(true, '{"name": "a.b", "argum');
  expect([text, call, ended.calls]).toEqual(["", "", []]);
  expect(ended.fault).toBe("the model's call was cut off before it was whole");
});

test("a text that runs out of tokens is marked as cut, but a complete call is not", async () => {
  expect((await ended("cut", true, "It hangs", " ")).ended).toEqual({ text: "It hangs ", calls: [], isCut: true });
  expect((await ended("cut", true)).ended).toEqual({ text: "", calls: [], isCut: true });
  const { ended: call } = await ended("cut", true, '{"name": "a.b", "arguments": {}}');
  expect([call.calls.length, call.fault, call.isCut]).toEqual([1, undefined, undefined]);
});

test("refuses a call with bytes that are not valid text", async () => {
  const { ended } = await all(true, '{"name": "a.b", "arguments": {"x": "\ufffd"}}');
  expect(ended).toEqual({ text: "", calls: [], fault: "the model's call is no text" });
});

test("returns braces as text if the model cannot make calls", async () => {
  expect((await all(false, '{"name": "a.b", "arguments": {}}')).text).toContain("a.b");
});

test("cuts an endless answer off at the maximum length", async () => {
  async function* endless(): Texts {
    for (;;) yield "x".repeat(1000);
  }
  const pieces = readPieces(endless(), "callable");
  let next = await pieces.next();
  while (next.done !== true) next = await pieces.next();
  expect(next.value.fault).toBe("the answer is too long");
});

test("ends an answer if its listener disconnects, and frees the engine", async () => {
  let isEnded = false;
  async function* blanks(): Texts {
    try {
      for (;;) yield " ";
    } finally {
      isEnded = true;
    }
  }
  const pieces = readPieces(blanks(), "callable");
  expect((await pieces.next()).done).toBe(true);
  expect(isEnded).toBe(true);
});

test.each([["\n"], ["\\n"], ["\\\\n"], ["  \\", "n"]])("ends a text before endless blanks: %j", async (...blank) => {
  const endless = Array.from({ length: 200 }, () => blank).flat();
  const ended = { text: "It hangs\n there.", calls: [] };
  expect(await all(true, "It", " hangs\n", " there.", ...endless)).toEqual({ text: ended.text, call: "", ended });
});
