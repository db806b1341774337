import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildAnswers } from "../local/grammar/answers.ts";
import { isSentence } from "../local/grammar/testing/sentences.ts";
import type { Group } from "./groups.ts";
import { readLiveGroups } from "./live.ts";
import { Random } from "./random.ts";

const text = { type: "string", description: "what" };
const tool = (name: string, properties: object, required: readonly string[]) => ({
  name,
  description: `does ${name}`,
  parameters: { type: "dict", properties, required },
});
const line = (content: string, ...tools: readonly object[]) => ({
  question: [[{ role: "user", content }]],
  function: tools,
});
const answer = (name: string, given: object) => ({ ground_truth: [{ [name]: given }] });

const TAXI = tool("taxi.order", { where: text, seats: { type: "integer" }, note: text }, ["seats", "where"]);
const WEATHER = tool("weather.tell", { city: text }, ["city"]);
const MEASURED = tool("measured.thing", { city: text }, ["city"]);
const SHELVES = ["apples", "bricks", "clouds", "drums"].map((name) => tool(`${name}.store`, {}, []));

const FILES: Readonly<Record<string, readonly object[]>> = {
  live_simple: [line("a taxi for 3 to the harbour", TAXI), line("what of measured things?", MEASURED)],
  live_multiple: [line("will it rain in Oslo?", WEATHER, ...SHELVES)],
  live_irrelevance: [line("write a poem", WEATHER), line("say nothing")],
  simple_python: [line("x", MEASURED)],
  multiple: [line("y", MEASURED)],
  irrelevance: [line("z", MEASURED)],
  "possible_answer/live_simple": [
    answer("taxi.order", { where: ["the harbour", "harbour"], seats: [3], note: ["", "quick"] }),
    answer("measured.thing", { city: ["x"] }),
  ],
  "possible_answer/live_multiple": [answer("weather.tell", { city: ["Oslo"] })],
};

let folder = "";
let groups: readonly Group[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-live-"));
  mkdirSync(join(folder, "possible_answer"));
  for (const [name, lines] of Object.entries(FILES)) {
    const path = join(folder, name.replace(/(?=[^/]*$)/, "BFCL_v4_"));
    writeFileSync(`${path}.json`, lines.map((each) => JSON.stringify(each)).join("\n"));
  }
  groups = readLiveGroups(folder, new Random(4));
});
afterAll(() => rmSync(folder, { recursive: true }));

const said = () =>
  groups.flatMap(({ conversations }) => conversations.map((messages) => messages.map(({ content }) => content)));

test("answers a published request with its first right answer, in the grammar's order, without optional arguments", () => {
  expect(said()).toContainEqual([
    "a taxi for 3 to the harbour",
    '{"name": "taxi.order", "arguments": {"seats": 3, "where": "the harbour"}}',
  ]);
  expect(said()).toContainEqual(["will it rain in Oslo?", '{"name": "weather.tell", "arguments": {"city": "Oslo"}}']);
});

test("the worker's grammar can spell every answer", () => {
  for (const { tools, conversations } of groups) {
    const answers = buildAnswers(tools);
    for (const messages of conversations) expect(isSentence(answers, messages.at(-1)?.content ?? "")).toBe(true);
  }
});

test("leaves out functions that are used for measuring, and answers a request without a fitting tool in text", () => {
  expect(groups.flatMap(({ tools }) => tools.map(({ name }) => name))).not.toContain("measured.thing");
  const refused = said().find(([user]) => user === "write a poem");
  expect(refused?.[1]).toMatch(/tool/);
  expect(said().flat()).not.toContain("say nothing");
});
