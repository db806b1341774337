import { expect, test } from "vitest";
import { SYSTEM_PROMPT } from "../../loop/messages.ts";
import { callText } from "../local/chat.ts";
import { buildAnswers } from "../local/grammar/answers.ts";
import { isSentence } from "../local/grammar/testing/sentences.ts";
import { type Family, readDevelopmentFamilies, readTrainedFamilies, readUnseenFamilies } from "../training/families.ts";
import { groupOf } from "../training/groups.ts";
import { Random } from "../training/random.ts";
import { EVALUATION_WORLD, TRAINING_WORLD } from "../training/vocabulary.ts";
import { SYSTEM } from "./asking.ts";
import { createCases, LOOKED_AT } from "./cases.ts";
import { frozenSets, madeSets } from "./frozen.ts";

test("the sets of cases match the sets that were frozen before the training, and each has at least 200 cases", () => {
  expect(madeSets()).toEqual(frozenSets());
  for (const { cases } of frozenSets()) expect(cases).toBeGreaterThanOrEqual(200);
});

test("asks a model with the loop's own system prompt", () => {
  expect(SYSTEM.content).toBe(SYSTEM_PROMPT);
});

test("the worker's grammar can spell every expected call", () => {
  const cases = (["seen", "unseen", ...LOOKED_AT] as const).flatMap((set) => createCases(set));
  for (const { tools, wanted } of cases.filter((each) => each.wanted.kind !== "words")) {
    if (wanted.kind !== "call") throw new Error("another kind of case");
    const text = callText({ name: wanted.name, arguments: JSON.stringify(wanted.arguments) });
    const offered = tools.filter(({ name }) => name === wanted.name);
    expect([text, isSentence(buildAnswers(offered), text)]).toEqual([text, true]);
  }
});

const textsOf = (families: readonly Family[]): readonly string[] =>
  families.flatMap(({ tools }) => tools.flatMap(({ says, asks, held }) => [...says, ...asks, ...held]));

const THINGS =
  /\b(print(er|ing| job)|certificate|timer|dns|firewall|virtual machine|vm|sensor|wifi|wireless|tunnel|vpn|peer|archive|quota|calendar|battery|standby|replica)s?\b/i;

test("training uses no text and no object of the unseen families of tools", () => {
  const random = new Random(7);
  const trained = Array.from({ length: 80 }, () => groupOf(readTrainedFamilies(), random, TRAINING_WORLD));
  const told = trained.flatMap(({ tools }) => tools.map(({ name, description }) => `${name}: ${description}`));
  expect(told.length).toBeGreaterThan(300);
  const named = readTrainedFamilies().flatMap(({ services, tools }) => [
    ...services,
    ...tools.flatMap(({ names }) => names),
  ]);
  expect(named.filter((name) => THINGS.test(name.replaceAll(/[A-Z_]/g, " $&").replaceAll("_", "")))).toEqual([]);
  expect(told.filter((text) => THINGS.test(text.replaceAll(/[A-Z]/g, " $&")))).toEqual([]);
  const own = new Set(textsOf(readUnseenFamilies()));
  expect(textsOf(readTrainedFamilies()).filter((text) => own.has(text) || THINGS.test(text))).toEqual([]);
});

test.for(LOOKED_AT)("no family of the %s set is trained or unseen", (set) => {
  const others = [...readTrainedFamilies(), ...readUnseenFamilies()];
  const [names, texts] = [new Set(others.flatMap(({ services }) => services)), new Set(textsOf(others))];
  const own = readDevelopmentFamilies(set);
  // A family of tools lists several service names, and a session gets only the first. So only the first must differ
  // from all trained and unseen names.
  expect(own.map(({ services: [name] }) => name).filter((name) => name === undefined || names.has(name))).toEqual([]);
  expect(textsOf(own).filter((text) => texts.has(text) || THINGS.test(text))).toEqual([]);
});

test.for(LOOKED_AT)("the %s set uses each template once, and a third as many for missing tools", (set) => {
  const templates = readDevelopmentFamilies(set).flatMap(({ tools }) => tools.flatMap(({ asks }) => asks));
  expect(new Set(templates).size).toBe(templates.length);
  const cases = createCases(set);
  expect(cases.filter(({ wanted }) => wanted.kind === "call")).toHaveLength(templates.length);
  expect(cases.filter(({ wanted }) => wanted.kind === "words")).toHaveLength(Math.floor(templates.length / 3));
});

test("a case that expects a refusal offers no tool of the family of tools that the request is about", () => {
  const families = LOOKED_AT.flatMap((set) => readDevelopmentFamilies(set));
  const refused = LOOKED_AT.flatMap((set) => createCases(set)).filter(({ wanted }) => wanted.kind === "words");
  // If a template has no place for an argument, the request is the template itself. Such requests show which family of
  // tools they are about.
  const asked = refused.flatMap(({ tools, messages: [first] }) => {
    const family = families.find(({ tools: own }) => own.some(({ asks }) => asks.includes(first?.content ?? "")));
    return family === undefined ? [] : [{ tools, service: `${family.services[0]}.` }];
  });
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter(({ tools, service }) => tools.some(({ name }) => name.startsWith(service)))).toEqual([]);
});

test("the word lists for training and for evaluation share no entry of the same kind", () => {
  for (const key of Object.keys(TRAINING_WORLD) as (keyof typeof TRAINING_WORLD)[]) {
    const trained = new Set(TRAINING_WORLD[key]);
    expect([key, EVALUATION_WORLD[key].filter((word) => trained.has(word))]).toEqual([key, []]);
  }
});
