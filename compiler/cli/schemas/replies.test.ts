// Checks that the published schema of canned replies and the program that reads them accept the same files, and that
// the specification page of canned replies is correct.

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { Outcome } from "../../../engine/lib/wire/generated/capos.ts";
import { readReplies } from "../../../engine/processes/model/replies.ts";
import { answerOf } from "../../../engine/processes/model/stub.ts";
import { repliesSchema } from "./replies.ts";

const CHECKOUT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE = readFileSync(new URL("../../../lang/spec/replies.md", import.meta.url), "utf8");
const [, EXAMPLE = ""] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? [];

const isValid = new Ajv2020({ strict: true, strictTypes: false }).compile(repliesSchema);
const isRead = (text: string) => readReplies(Buffer.from(text)).ok;

function example() {
  const read = readReplies(Buffer.from(EXAMPLE));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

const plain = { toolCalls: [], toolCallId: "", name: "" };

test("the example on the specification page of canned replies gives the replies that this page describes", () => {
  const asked = { ...plain, role: "user", content: "What is on my list?" } as const;
  const { text, calls } = answerOf(example(), { messages: [asked], tools: [] });
  expect([text, calls]).toEqual([
    "Let me look.",
    [{ id: "call-1", name: "notes.read", arguments: '{"path":"todo.txt"}' }],
  ]);
  const proposed = { ...plain, role: "assistant", content: text, toolCalls: calls } as const;
  const say = (report: object) => {
    const result = { ...plain, role: "tool", content: JSON.stringify(report), toolCallId: "call-1" } as const;
    return answerOf(example(), { messages: [asked, proposed, result], tools: [] }).text;
  };
  expect(say({ outcome: "ok", content: '{"content":"buy milk"}' })).toBe("The note says: buy milk");
  expect(say({ outcome: "executionError", error: "no such file" })).toBe("I cannot read it: no such file");
  expect(say({ outcome: "timedOut", error: "" })).toContain("notes.read: timedOut");
});

test("the specification page of canned replies lists every outcome of a call", () => {
  expect(Outcome.members.filter((outcome) => !PAGE.includes(`\`${outcome}\``))).toEqual([]);
});

test("the schema of canned replies and the program that reads them accept the files of all examples", () => {
  const files = globSync("examples/*/*replies*.json", { cwd: CHECKOUT });
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = readFileSync(`${CHECKOUT}${file}`, "utf8");
    expect([isRead(text), isValid(JSON.parse(text))], file).toEqual([true, true]);
  }
});

const when = { user: "Hello." };
test.each<readonly [string, unknown, boolean]>([
  ["the example of the page", JSON.parse(EXAMPLE), true],
  ["no replies", [], true],
  ["a pause", [{ when, pause: "untilCancelled" }], true],
  ["arguments as a text", [{ when, call: [{ name: "a.b", arguments: "{" }] }], true],
  ["a call without arguments", [{ when, call: [{ name: "a.b" }] }], true],
  ["no list", {}, false],
  ["no occasion", [{ say: "x" }], false],
  ["an unknown outcome", [{ when: { tool: "a.b", outcome: "fine" } }], false],
  ["a tool without an outcome", [{ when: { tool: "a.b" } }], false],
  ["two occasions", [{ when: { user: "x", tool: "a.b", outcome: "ok" } }], false],
  ["another pause", [{ when, pause: "long" }], false],
  ["an unknown field", [{ when, says: "x" }], false],
  ["a call without a name", [{ when, call: [{ arguments: {} }] }], false],
  ["an unknown field of a call", [{ when, call: [{ name: "a.b", args: {} }] }], false],
  ["nine calls", [{ when, call: Array.from({ length: 9 }, () => ({ name: "a.b" })) }], false],
  ["257 replies", Array.from({ length: 257 }, () => ({ when })), false],
  ["a long text", [{ when, say: "x".repeat(8193) }], false],
])("the schema of canned replies and the program that reads them agree about %s", (_, file, isAccepted) => {
  expect([isRead(JSON.stringify(file)), isValid(file)]).toEqual([isAccepted, isAccepted]);
});
