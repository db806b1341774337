import fc from "fast-check";
import { expect, test } from "vitest";
import { computeInterval, judgeAnswer } from "./judging.ts";

const call = (name: string, json: string) => ({
  text: "",
  calls: [{ id: "1", name, arguments: json }],
});
const words = (text: string) => ({ text, calls: [] });
const wanted = { kind: "call", name: "a.b", arguments: { path: "x", most: 3 } } as const;

test("a call is judged by its name, and by its name and arguments together; the order of arguments does not matter", () => {
  expect(judgeAnswer(wanted, call("a.b", '{"most":3,"path":"x"}'))).toEqual({ isNamed: true, isFull: true });
  for (const json of ['{"path":"x"}', '{"path":"x","most":"3"}', '{"path":"x ","most":3}'])
    expect(judgeAnswer(wanted, call("a.b", json))).toEqual({
      isNamed: true,
      isFull: false,
      error: "called with other arguments",
    });
  expect(judgeAnswer(wanted, call("a.c", '{"path":"x","most":3}'))).toMatchObject({ error: "called another tool" });
  expect(judgeAnswer(wanted, words("I have done it."))).toMatchObject({ isNamed: false, error: "did not call" });
});

test("if text is expected, any text is right and a call is wrong", () => {
  expect(judgeAnswer({ kind: "words" }, words("")).isFull).toBe(true);
  expect(judgeAnswer({ kind: "words" }, call("a.b", "{}"))).toMatchObject({ error: "called where words were wanted" });
});

test("a right sentence contains each expected fact in one of its accepted forms", () => {
  const facts = { kind: "sentence", facts: [["12"], ["done", "ok"]] } as const;
  expect(judgeAnswer(facts, words("OK: 12.")).isFull).toBe(true);
  expect(judgeAnswer(facts, words("Done.")).error).toBe("left a fact out");
  expect(judgeAnswer(facts, call("a.b", "{}")).isNamed).toBe(false);
});

test("property: the interval contains the share of right answers, lies between 0 and 1, and narrows with more cases", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0, max: 1, noNaN: true }), (cases, chance) => {
      const right = Math.round(cases * chance);
      const [low, high] = computeInterval(right, cases);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(right / cases).toBeGreaterThanOrEqual(low - 1e-9);
      expect(right / cases).toBeLessThanOrEqual(high + 1e-9);
      const [nearLow, nearHigh] = computeInterval(right * 4, cases * 4);
      expect(nearHigh - nearLow).toBeLessThan(high - low);
    }),
    { numRuns: 200 },
  );
  // Computed by hand from Wilson's formula, for 8 of 10.
  expect(computeInterval(8, 10).map((edge) => edge.toFixed(3))).toEqual(["0.490", "0.943"]);
});
