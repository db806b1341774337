import fc from "fast-check";
import { expect, test } from "vitest";
import { readToolList } from "./mcp.ts";

const issue = { name: "get_issue", description: "Get an\n  issue.", inputSchema: { type: "object" } };

function listOf(value: unknown) {
  return readToolList("github.tools.json", JSON.stringify(value));
}

/** The first tool of a list that is one. */
function toolOf(tool: unknown) {
  const read = listOf({ tools: [tool] });
  if (!read.ok) throw new Error(read.reason);
  return read.value.tools[0];
}

test("a result, and a whole answer with one, is an interface `Tools` with methods in order of names", () => {
  for (const value of [
    { tools: [issue, { name: "add_note" }] },
    { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "add_note" }, issue] } },
  ]) {
    expect(listOf(value)).toMatchObject({
      ok: true,
      value: {
        description: {
          name: "Tools",
          file: "github.tools.json",
          methods: [
            { ordinal: 0, name: "add_note", doc: "" },
            { ordinal: 1, name: "get_issue", doc: "Get an issue." },
          ],
        },
      },
    });
  }
});

test("its id comes of its path, and is one that Cap'n Proto could give", () => {
  const [one, other] = ["a.json", "b.json"].map((path) => readToolList(path, '{"tools":[]}'));
  if (one?.ok !== true || other?.ok !== true) throw new Error("an empty list is a list");
  expect(one.value.description.id).not.toBe(other.value.description.id);
  expect(one.value.description.id >> 63n).toBe(1n);
});

test.each<readonly [string, string, RegExp]>([
  ["no JSON", "{", /not acceptable JSON/],
  ["one key twice", '{"tools":[],"tools":[]}', /not acceptable JSON/],
  ["something else", "[]", /no list `tools`/],
  ["one page of several", '{"tools":[],"nextCursor":"2"}', /one page of several/],
  ["a tool without a name", '{"tools":[{}]}', /has no name/],
  ["two of one name", '{"tools":[{"name":"a"},{"name":"a"}]}', /two of its tools are named "a"/],
  ["too many", `{"tools":[${Array(1001).fill("0").join()}]}`, /1001 tools/],
])("%s is refused whole", (_, text, reason) => {
  const read = readToolList("list.json", text);
  expect(read.ok ? "" : read.reason).toMatch(reason);
});

test.each<readonly [string, object, RegExp]>([
  ["a name that no page can write", { name: "issues.get" }, /its name is none/],
  ["a name in another script", { name: "g\u0435t_issue" }, /its name is none/],
  ["words that nobody sees", { ...issue, description: "Get\u200b it." }, /its description holds U\+200B/],
  ["endless words", { ...issue, description: "a".repeat(5000) }, /longer than 4096/],
  ["arguments that are no object", { ...issue, inputSchema: [] }, /argument list/],
  ["results without a shape", { ...issue, outputSchema: { properties: { a: {} }, required: ["a"] } }, /result "a"/],
])("%s: the tool is left out, with the reason", (_, tool, reason) => {
  expect(toolOf(tool)?.method).toMatchObject({ callable: false, reason: expect.stringMatching(reason) });
});

test("without a schema of results a tool answers with text", () => {
  expect(toolOf(issue)?.method).toMatchObject({ results: [{ name: "text", required: true, type: { which: "text" } }] });
});

test("hints are kept as claims: the description is the same with and without them", () => {
  const hinted = toolOf({ ...issue, annotations: { readOnlyHint: true, destructiveHint: "no" } });
  expect(hinted?.hints).toEqual({ readOnly: true, destructive: undefined });
  expect(hinted?.method).toEqual(toolOf(issue)?.method);
});

test("no bytes make it throw", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const tool = fc.record({ name: fc.string(), description: value, inputSchema: value, outputSchema: value });
  fc.assert(fc.property(fc.oneof(value, fc.record({ tools: fc.array(tool) })), (json) => void listOf(json)));
  fc.assert(fc.property(fc.string(), (text) => void readToolList("list.json", text)));
});
