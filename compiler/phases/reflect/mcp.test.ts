import fc from "fast-check";
import { expect, test } from "vitest";
import { computeToolListDigest, isRecord, listIn, readTolerantly, recordIn } from "../../../engine/lib/policy/index.ts";
import { readToolList } from "./mcp.ts";

const issue = { name: "get_issue", description: "Get an\n  issue.", inputSchema: { type: "object" } };

function listOf(value: unknown) {
  return readToolList("github.tools.json", JSON.stringify(value));
}

/** Returns the first tool of a valid list. */
function toolOf(tool: unknown) {
  const read = listOf({ tools: [tool] });
  if (!read.ok) throw new Error(read.reason);
  return read.value.tools[0];
}

test("a list of tools, alone or in the whole response of a server, becomes an interface `Tools` with sorted methods", () => {
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

test("the interface id is derived from the path, and is a valid Cap'n Proto id", () => {
  const [one, other] = ["a.json", "b.json"].map((path) => readToolList(path, '{"tools":[]}'));
  if (one?.ok !== true || other?.ok !== true) throw new Error("an empty list is a list");
  expect(one.value.description.id).not.toBe(other.value.description.id);
  expect(one.value.description.id >> 63n).toBe(1n);
});

test.each<readonly [string, string, RegExp]>([
  ["no JSON", "{", /not acceptable JSON/],
  ["one key twice", '{"tools":[],"tools":[]}', /not acceptable JSON/],
  ["something else", "[]", /no list `tools`/],
  ["one of several pages", '{"tools":[],"nextCursor":"2"}', /one page of several/],
  ["a tool without a name", '{"tools":[{}]}', /has no name/],
  ["two tools with one name", '{"tools":[{"name":"a"},{"name":"a"}]}', /two of its tools are named "a"/],
  ["too many", `{"tools":[${Array(1001).fill("0").join()}]}`, /1001 tools/],
])("a list with %s is refused completely", (_, text, reason) => {
  const read = readToolList("list.json", text);
  expect(read.ok ? "" : read.reason).toMatch(reason);
});

test.each<readonly [string, object, RegExp]>([
  ["a name in another script", { name: "g\u0435t_issue" }, /its name is not visible ASCII/],
  ["a name of 129 characters", { name: "a".repeat(129) }, /its name is not visible ASCII/],
  [
    "a description with a hidden character",
    { ...issue, description: "Get\u200b it." },
    /its description holds U\+200B/,
  ],
  ["arguments that are not an object", { ...issue, inputSchema: [] }, /argument list/],
])("a tool with %s is left out, with the reason", (_, tool, reason) => {
  expect(toolOf(tool)?.method).toMatchObject({ callable: false, reason: expect.stringMatching(reason) });
});

test("a tool with an unusable name is renamed, and a list in which the new name is taken is refused", () => {
  expect(toolOf({ ...issue, name: "issues.get now" })).toMatchObject({
    listed: "issues.get now",
    method: { callable: true, name: expect.stringMatching(/^issues_get_now_[0-9a-f]{8}$/) },
  });
  const other = toolOf({ name: "a.b" })?.method.name ?? "";
  expect(listOf({ tools: [{ name: "a.b" }, { name: other }] })).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/would be named/),
  });
});

test("a long description is truncated and marked, and may contain an emoji", () => {
  const doc = toolOf({ ...issue, description: `\u{1f600}${"a".repeat(5000)}` })?.method.doc ?? "";
  expect(doc).toMatch(/^\u{1f600}a+ … \(shortened\)$/u);
  expect(doc).toHaveLength(4096);
});

test("a list of a thousand tools with almost 4 MiB is accepted, and a list with more than 4 MiB is refused", () => {
  const tools = (count: number) =>
    JSON.stringify({
      tools: Array.from({ length: count }, (_, at) => ({ name: `t${at}`, description: "a".repeat(4000) })),
    });
  const read = readToolList("list.json", tools(1000));
  expect(read.ok && read.value.tools.every(({ method }) => method.callable)).toBe(true);
  expect(readToolList("list.json", `${tools(1000)}${" ".repeat(200_000)}`)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/4194304 bytes/),
  });
});

const TEXT_RESULT = [{ name: "text", required: true, type: { which: "text", text: { maxBytes: 0 } } }];

test.each<readonly [string, unknown, unknown]>([
  ["no schema", null, TEXT_RESULT],
  ["a list", { type: "array" }, TEXT_RESULT],
  ["an object without a description of members", { type: "object" }, TEXT_RESULT],
  ["a member that accepts no value", { properties: { a: { enum: [] } }, required: ["a"] }, TEXT_RESULT],
  [
    "a member of any value",
    { properties: { a: {} }, required: ["a"] },
    [{ name: "a", required: true, type: { which: "json", json: { maxBytes: 131_072, form: "any" } } }],
  ],
])("results with %s have a type or are returned as text", (_, outputSchema, results) => {
  expect(toolOf({ ...issue, outputSchema })?.method).toMatchObject({ callable: true, results });
});

const DEEP = `${"[".repeat(40)}1${"]".repeat(40)}`;
const HALF = '"\\ud800"';

test.each<readonly [string, string]>([
  ["a limit beyond 2^53", '{"type":"object","properties":{"most":{"type":"integer","maximum":9223372036854775807}}}'],
  [
    "a limit in exponent form",
    '{"type":"object","properties":{"most":{"type":"integer","maximum":1e19,"minimum":-1e400}}}',
  ],
  ["an example of any depth", `{"type":"object","properties":{"most":{"type":"integer","examples":${DEEP}}}}`],
  [
    "a duplicate name outside of the arguments",
    '{"type":"object","$comment":{"a":1,"a":2},"properties":{"most":{"type":"integer"}}}',
  ],
])("a tool with %s is accepted", (_, schema) => {
  const read = readToolList("list.json", `{"tools":[{"name":"a","inputSchema":${schema}},{"name":"b"}]}`);
  const safe = { low: -9_007_199_254_740_991n, high: 9_007_199_254_740_991n };
  const most = { name: "most", required: false, type: { which: "integer", integer: safe } };
  expect(read).toMatchObject({ ok: true, value: { tools: [{ omitted: [], method: { params: [most] } }, {}] } });
});

test.each<readonly [string, string, RegExp]>([
  ["a duplicate name", '{"name":"a","description":"x","description":"y"}', /it is not acceptable JSON: the same name/],
  ["a member named `__proto__`", '{"name":"a","__proto__":{}}', /the name __proto__/],
  ["a lone surrogate in its description", `{"name":"a","description":${HALF}}`, /lone surrogate/],
  [
    "duplicate arguments",
    '{"name":"a","inputSchema":{"properties":{"x":true,"x":{}}}}',
    /argument list is not acceptable JSON: the same name/,
  ],
  [
    "duplicate `required`",
    '{"name":"a","inputSchema":{"required":["x"],"required":[]}}',
    /argument list is not acceptable JSON: the same name/,
  ],
  [
    "duplicate results",
    '{"name":"a","outputSchema":{"properties":{},"properties":{}}}',
    /result list is not acceptable JSON/,
  ],
  ["unlimited depth", `{"name":"a","inputSchema":${"[".repeat(999)}${"]".repeat(999)}}`, /argument list is no schema/],
])("a tool with %s is left out, with the reason, and other tools of the list remain", (_, tool, reason) => {
  const read = readToolList("list.json", `{"tools":[${tool},{"name":"b"}]}`);
  expect(read).toMatchObject({
    ok: true,
    value: {
      tools: [
        { method: { name: "a", callable: false, reason: expect.stringMatching(reason) } },
        { method: { callable: true } },
      ],
    },
  });
});

test("a result that is not an object is returned as text, and the tool is accepted", () => {
  const read = readToolList("list.json", '{"tools":[{"name":"a","inputSchema":{},"outputSchema":{"type":"array"}}]}');
  expect(read).toMatchObject({
    ok: true,
    value: { tools: [{ method: { callable: true, results: [{ name: "text" }] } }] },
  });
});

test("an optional argument whose schema has a duplicate key is left out, and the tool remains", () => {
  const properties = '"x":{"type":"string","type":"number"},"y":{"type":"string"}';
  const read = readToolList("list.json", `{"tools":[{"name":"a","inputSchema":{"properties":{${properties}}}}]}`);
  expect(read).toMatchObject({
    ok: true,
    value: { tools: [{ omitted: [{ name: "x" }], method: { params: [{ name: "y" }] } }] },
  });
});

test("the digest of a list equals that of the server's response, whatever blanks the file has", () => {
  const text = '{"tools":[{"name":"a","most":18446744073709551615,"twice":{"b":1,"b":[2]}}]}';
  const message = readTolerantly(`{"jsonrpc":"2.0","id":2,"result":${text}}`);
  const tools = message.ok && isRecord(message.value) ? listIn(recordIn(message.value["result"])["tools"]) : [];
  const read = readToolList("list.json", text.replace(/[:,]/g, "$& \n"));
  expect(read.ok && read.value.description.toolList).toEqual(computeToolListDigest(tools.filter(isRecord)));
});

test("a tool without a result schema returns text", () => {
  expect(toolOf(issue)?.method).toMatchObject({ results: [{ name: "text", required: true, type: { which: "text" } }] });
});

test("hints of a server are stored beside the method, and do not change its description", () => {
  const hinted = toolOf({ ...issue, annotations: { readOnlyHint: true, destructiveHint: "no" } });
  expect(hinted?.hints).toEqual({ readOnly: true, destructive: undefined });
  expect(hinted?.method).toEqual(toolOf(issue)?.method);
});

test("no input makes the reader throw", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const tool = fc.record({ name: fc.string(), description: value, inputSchema: value, outputSchema: value });
  fc.assert(fc.property(fc.oneof(value, fc.record({ tools: fc.array(tool) })), (json) => void listOf(json)));
  const odd = fc.constantFrom(
    "1e400",
    DEEP,
    HALF,
    '{"a":1,"a":2}',
    "9223372036854775807",
    '{"type":"string","maxLength":1e30}',
  );
  const names = fc.constantFrom(
    "type",
    "properties",
    "required",
    "enum",
    "items",
    "anyOf",
    "$ref",
    "description",
    "name",
    "inputSchema",
  );
  const { record: oddRecord } = fc.letrec<{ record: string; any: string }>((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, odd, fc.json(), tie("record")),
    record: fc
      .array(fc.tuple(names, tie("any")), { maxLength: 4 })
      .map((members) => `{${members.map(([name, one]) => `"${name}":${one}`).join()}}`),
  }));
  fc.assert(fc.property(fc.array(oddRecord), (tools) => void readToolList("list.json", `{"tools":[${tools.join()}]}`)));
  fc.assert(fc.property(fc.string(), (text) => void readToolList("list.json", text)));
});
