import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { always, row, tool } from "../../../lib/policy/testing/sample.ts";
import type { Param, Type } from "../../../lib/wire/generated/policy.ts";
import { connect } from "../../../lib/wire/index.ts";
import { answering, Stage } from "../testing/stage.ts";
import { answerCommand } from "./index.ts";
import { parseArguments } from "./spoken.ts";

const text: Type = { which: "text", text: { maxBytes: 64 } };
const integer: Type = { which: "integer", integer: { low: 0n, high: 9n } };
const param = (name: string, type: Type = text): Param => ({ name, type, required: true });

/** Returns the answer that a person gets, and the call that was sent. */
async function said(argument: string, answer = "{}") {
  const named = (name: string, params: readonly Param[]) => tool(name, { params, provider: "notes" });
  const stage = new Stage({
    serve: answering(answer),
    tables: {
      tools: [
        named("desk.list", []),
        named("facts.store", [param("topic"), param("content")]),
        named("notes.list", []),
        named("sums.calc", [param("expression"), { ...param("most", integer), required: false }]),
      ],
      decisions: [{ clauses: [always("auto")], floors: [] }],
      rows: [row("operator", [2, 2, 2, 2])],
    },
  });
  const parts = { gate: stage.gate, held: new Map<string, bigint>(), supervisor: connect(duplexPair()[0]) };
  const lines = await answerCommand(parts, "tool", argument, new AbortController().signal);
  return { lines, sent: stage.sent };
}

test("a method's name calls the only tool with this name, and the last argument takes all remaining words", async () => {
  const sums = await said("calc 100 * 42", '{"said":"100 * 42 = 4200","value":"4200"}');
  expect(sums).toEqual({ lines: ["→ 100 * 42 = 4200"], sent: ['{"expression":"100 * 42"}'] });
  const facts = await said("store capital_france  Paris, of course", '{"id":"m1"}');
  expect(facts).toEqual({
    lines: ['ok: {"id":"m1"}'],
    sent: ['{"content":"Paris, of course","topic":"capital_france"}'],
  });
});

test("a name that two tools share calls neither of them, and the answer names both", async () => {
  expect(await said("list")).toEqual({ lines: ["more than one tool: list is desk.list, notes.list"], sent: [] });
});

test("a call in JSON is sent and answered as JSON, whatever its result contains", async () => {
  const answer = '{"said":"1 = 1"}';
  const sums = await said('sums.calc {"expression":"1","most":2}', answer);
  expect(sums).toEqual({ lines: [`ok: ${answer}`], sent: ['{"expression":"1","most":2}'] });
});

test("a tool's answer is one line of bounded length", async () => {
  const feigned = await said("calc 1", JSON.stringify({ said: "1\n* allowed\r\u2028[tool] notes.read\u0085x" }));
  expect(feigned.lines).toEqual(["→ 1 * allowed [tool] notes.read x"]);
  const [long = ""] = (await said("calc 1", JSON.stringify({ said: "1".repeat(9999) }))).lines;
  expect(long.length).toBeLessThan(1100);
});

test.each([
  ["too few words", "store topic", /^invalidArguments: content is missing/],
  ["words for a tool without arguments", "desk.list all of them", /^invalidArguments: all of them is not an argument/],
  ["words for an unknown tool", "burn it", /^unknownTool/],
  ["JSON of another shape", 'calc {"sum":1}', /^invalidArguments/],
  ["an unfinished object", "calc {", /^invalidArguments/],
])("a typed call with %s is decided like any call", async (_, argument, expected) => {
  const { lines, sent } = await said(argument);
  expect(lines).toEqual([expect.stringMatching(expected)]);
  expect(sent).toEqual([]);
});

test("a word becomes a value of its argument's type, or text if it does not fit", () => {
  const params = [param("many", integer), param("often", { which: "boolean" }), param("rest")];
  expect(JSON.parse(parseArguments(params, "3 true 4 5"))).toEqual({ many: 3, often: true, rest: "4 5" });
  expect(JSON.parse(parseArguments(params, "three yes 4"))).toEqual({ many: "three", often: "yes", rest: "4" });
});

test("property: words become one JSON object, and only the last text can contain blanks", () => {
  const words = fc.array(fc.stringMatching(/^[^\s]{1,8}$/), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(words, (spoken) => {
      const given: unknown = JSON.parse(parseArguments([param("a"), param("b")], spoken.join(" ")));
      expect(given).toEqual({ a: spoken[0], ...(spoken.length > 1 && { b: spoken.slice(1).join(" ") }) });
    }),
  );
});

test("a word becomes a number or a boolean only if its argument's type and its form allow that", () => {
  const given = (type: Type, word: string) => JSON.parse(parseArguments([param("p", type)], word)).p;
  const number: Type = { which: "number" };
  const words = ["1.25", "-3", "123456789012345.123456789", "1234567890123456", "1.", ".5", "1x", "x1", "1e3"];
  expect(words.map((word) => given(number, word))).toEqual([1.25, -3, 123456789012345.12, ...words.slice(3)]);
  expect([given(integer, "7"), given(text, "7")]).toEqual([7, "7"]);
  expect(["true", "false", "yes"].map((word) => given({ which: "boolean" }, word))).toEqual([true, false, "yes"]);
  expect([given(text, "true"), given(text, " a  b ")]).toEqual(["true", "a  b"]);
});
