import { expect, test } from "vitest";
import { buildAnswers } from "../local/grammar/answers.ts";
import { isSentence } from "../local/grammar/testing/sentences.ts";
import { readDevelopmentFamilies, readTrainedFamilies } from "./families.ts";
import { groupOf } from "./groups.ts";
import { Random } from "./random.ts";
import { chooseText, fillTemplate, findNamed } from "./template.ts";
import { TRAINING_WORLD } from "./vocabulary.ts";

const groups = (seed: number, count: number) => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => groupOf(readTrainedFamilies(), random, TRAINING_WORLD));
};

test("a seed always makes the same training groups, and another seed makes other groups", () => {
  expect(groups(3, 4)).toEqual(groups(3, 4));
  expect(groups(4, 4)).not.toEqual(groups(3, 4));
});

test("the worker's grammar can spell every message to learn, and every training conversation ends with such a message", () => {
  let calls = 0;
  for (const { tools, conversations } of groups(5, 60)) {
    for (const messages of conversations) {
      expect(messages.at(-1)?.role).toBe("assistant");
      for (const { content } of messages.filter(({ role }) => role === "assistant")) {
        const named = tools.filter(({ name }) => content.startsWith(`{"name": "${name}"`));
        expect([content, isSentence(buildAnswers(named), content)]).toEqual([content, true]);
        calls += named.length;
      }
    }
  }
  expect(calls).toBeGreaterThan(200);
});

test("each template of a tool names only arguments of this tool, in every family of tools", () => {
  const random = new Random(1);
  for (const { tools } of [
    ...readTrainedFamilies(),
    ...readDevelopmentFamilies("development"),
    ...readDevelopmentFamilies("indirect"),
  ]) {
    for (const { names, params, asks, held } of tools) {
      for (const ask of [...asks, ...held]) {
        const known = new Set(params.flatMap((param) => param.names.slice(0, 1)));
        const said = findNamed(chooseText(ask, random)).map(({ name }) => name.split(".")[0] ?? "");
        expect([names[0], ask, said.filter((name) => !known.has(name))]).toEqual([names[0], ask, []]);
      }
    }
  }
});

test("(a|b) in a template becomes one of its choices, [c] may be left out, and braces stay unchanged", () => {
  const all = new Set(Array.from({ length: 60 }, (_, seed) => chooseText("(a|b {x:yes|no})[ c]", new Random(seed))));
  expect([...all].sort()).toEqual(["a", "a c", "b {x:yes|no}", "b {x:yes|no} c"]);
  expect(fillTemplate("b {x:yes|no}", ({ words }) => words.join("/"))).toBe("b yes/no");
  expect(() => chooseText("(a", new Random(1))).toThrow("open");
  expect(() => chooseText("a)", new Random(1))).not.toThrow();
});
