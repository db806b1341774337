import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

const say = (...words: string[]) => runCommand(["why", "first-agent/system.cap", ...words], { folder: EXAMPLES });

test("a refusal: every check in its order, the line, the change, and what that opens", async () => {
  const { status, out, err } = await say('operator notes.write {"path": "/locked/a", "content": "x"}');
  expect({ status, err }).toEqual({ status: 0, err: "" });
  const checks = [...out.matchAll(/^ {2}(\w+) +(passes|decides|not asked)/gm)].map(([, name, verdict]) => [
    name,
    verdict,
  ]);
  expect(checks).toEqual([
    ["tool", "passes"],
    ["arguments", "passes"],
    ["mode", "decides"],
    ["flow", "not asked"],
    ["quota", "not asked"],
    ["gate", "not asked"],
  ]);
  expect(out).toContain('notes.write {"path": "/locked/a", "content": "x"}: refusedByPolicy\n');
  expect(out).toMatch(/line that decided:\n {2}first-agent\/system\.cap:\d+:\d+: forbidden Files\.write where/);
  expect(out).toContain("least change, after which the answer is consent:\n");
  expect(out).toContain("`forbidden` becomes `consent`\n");
});

test("a call without a needed change is reported as such, and an unknown tool is detected", async () => {
  expect((await say("visitor notes.read")).out).toContain("nothing asks: there is no looser answer\n");
  expect((await say("operator machine.show")).out).toContain("machine.show {}: unknownTool\n");
});

test("what the conversation has seen, and whether anybody is there, change the answer", async () => {
  const answer = async (...words: string[]): Promise<string> => JSON.parse((await say(...words, "--json")).out).answer;
  const write = 'operator notes.write {"path": "a", "content": "x"}';
  expect(await answer(write)).toBe("consent");
  expect(await answer(write, "--label", "internal/untrusted")).toBe("refusedByPolicy");
  expect(await answer(write, "--unattended")).toBe("refusedByPolicy");
});

test("as JSON the same facts, with places", async () => {
  const json = JSON.parse((await say('operator notes.delete {"path": "a"}', "--json")).out);
  expect(json).toMatchObject({
    question: { session: "operator", tool: "notes.delete" },
    answer: "stepUp",
    rule: { words: "stepUp destructive, admin", file: "std/profiles.cap" },
    change: { edits: [{ file: "first-agent/system.cap", replacement: expect.stringContaining("auto notes.delete") }] },
  });
  expect(json.checks).toHaveLength(6);
});

test.each([
  ["notes.read", "a question is SESSION"],
  ["operator. notes.read", "a question is SESSION"],
  ["a.b.c.d notes.read", "a question is SESSION"],
  ["operator notes.read {path}", "no JSON object"],
  ["operator notes.read [1]", "no JSON object"],
  ["nobody notes.read", "nobody can be in a session nobody; there are "],
  ["opertor notes.read", "nobody can be in a session opertor; did you mean operator?"],
])("%s is wrong use", async (question, reason) => {
  expect(await say(question)).toMatchObject({ status: 2, out: "", err: expect.stringContaining(reason) });
});

test("a label that the page has not is wrong use", async () => {
  expect(await say("operator notes.read", "--label", "cosmic")).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^capc why: cosmic is no label of this page; one is written LEVEL, .*: public < /),
  });
});
