import fc from "fast-check";
import { expect, test } from "vitest";
import type { End, Texts } from "./decoder.ts";
import { cutAtStop } from "./stops.ts";

async function told(stops: readonly string[], pieces: readonly string[], { mayCall = true, end = "cut" as End } = {}) {
  let asked = 0;
  let isEnded = false;
  async function* said(): Texts {
    try {
      for (const piece of pieces) {
        asked += 1;
        yield piece;
      }
      return end;
    } finally {
      isEnded = true;
    }
  }
  const texts = cutAtStop(said(), { stops, mayCall });
  const came: string[] = [];
  for (;;) {
    const next = await texts.next();
    if (next.done !== true) came.push(next.value);
    else return { came, why: next.value, asked, isEnded };
  }
}

test("a text ends before the first stop, and no further text is requested", async () => {
  expect(await told(["STOP"], ["a", "STOP", "b"])).toEqual({ came: ["a"], why: "whole", asked: 2, isEnded: true });
  expect((await told(["x", "b"], ["abx"])).came).toEqual(["a"]);
  expect((await told(["a"], ["a"])).came).toEqual([]);
});

test("finds a stop that arrives in parts, and passes on text that only began like a stop", async () => {
  expect((await told(["STOP"], ["aS", "T", "OPb"])).came).toEqual(["a"]);
  expect((await told(["STOP"], ["aS", "T", "STOP"])).came).toEqual(["a", "ST"]);
  expect((await told(["STOP"], ["aST", "ay"])).came).toEqual(["a", "STay"]);
  expect(await told(["STOP"], ["aST"])).toMatchObject({ came: ["a", "ST"], why: "cut" });
});

test("if a stop contains another stop, the inner one ends the text first, in one piece or in many", async () => {
  expect((await told(["abcd", "bc"], ["abcd"])).came).toEqual(["a"]);
  expect((await told(["abcd", "bc"], [..."abcd"])).came).toEqual(["a"]);
});

test("stops do not apply to a call; a brace from a model without calls is text", async () => {
  const call = ["", "{", '"STOP"', "}"];
  expect(await told(["STOP", "{"], call)).toMatchObject({ came: ["{", '"STOP"', "}"], why: "cut" });
  expect((await told(["STOP"], call, { mayCall: false })).came).toEqual(["{", '"']);
  expect((await told(["STOP"], ["a", "{STOP"])).came).toEqual(["a", "{"]);
});

test("property: a text ends before the first complete stop, however it is split", async () => {
  const words = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
  const stop = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 6 }), fc.array(stop, { maxLength: 3 }), async (pieces, stops) => {
      const text = pieces.join("");
      const ends = Array.from(text, (_, at) => text.slice(0, at + 1));
      const first = ends.find((each) => stops.some((one) => each.endsWith(one)));
      const longest = Math.max(...stops.filter((one) => first?.endsWith(one)).map((one) => one.length));
      const { came, why } = await told(stops, pieces);
      expect(came.join("")).toBe(first === undefined ? text : first.slice(0, first.length - longest));
      expect(why).toBe(first === undefined ? "cut" : "whole");
    }),
    { numRuns: 500 },
  );
});
