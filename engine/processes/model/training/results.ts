// The result of a call, as the loop passes it to a model, and the sentence that reports it to the person.

import { type JsonRecord, renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { Random } from "./random.ts";
import { makeValue } from "./values.ts";
import type { World } from "./vocabulary.ts";

export interface Result {
  /** Content of a message with the role `tool`. */
  readonly content: string;
  readonly sentence: string;
  /** Facts that the sentence must state; each fact is a list of wordings, one of which must occur. */
  readonly facts: readonly (readonly string[])[];
}

type Told = Pick<Result, "sentence" | "facts">;

/** Failures of calls: their errors and the sentences that report them. */
const FAILURES: readonly {
  readonly outcome: string;
  readonly errors: readonly string[];
  readonly says: readonly string[];
}[] = [
  {
    outcome: "deniedByUser",
    errors: ["the person refused", "refused at the console"],
    says: ["You refused it, so I did not do it.", "It was refused, so nothing was done."],
  },
  {
    outcome: "refusedByPolicy",
    errors: ["this is forbidden here", "the page does not permit it", "the budget is used up"],
    says: ["It was refused: {error}.", "I was not allowed to do that: {error}."],
  },
  {
    outcome: "executionError",
    errors: [
      "no such file",
      "permission denied",
      "it is not there",
      "the name is taken",
      "no space is left",
      "it does not answer",
    ],
    says: ["That failed: {error}.", "It did not work: {error}."],
  },
  {
    outcome: "timedOut",
    errors: ["it took longer than 30 s", "no answer came in time"],
    says: ["It took too long: {error}.", "That took too long and was given up: {error}."],
  },
];

const NOTHING_BACK = ["Done.", "That is done.", "It is done."];

/** Returns a random result in a random form. `name`: name of the tool. */
export function createResult(name: string, random: Random, world: World): Result {
  if (random.flipCoin(0.25)) {
    const { outcome, errors, says } = random.pick(FAILURES);
    const error = random.pick(errors);
    const content = renderCanonicalJson({ source: name, outcome, error });
    const words = outcome === "deniedByUser" ? ["refus", "denied", "not do", "not allow"] : [error];
    return { content, sentence: random.pick(says).replace("{error}", error), facts: [words] };
  }
  const { value, told } = random.pick(SHAPES)(name, random, world);
  const content = renderCanonicalJson({ source: name, outcome: "ok", content: renderCanonicalJson(value) });
  return { content, ...told };
}

type Shape = (name: string, random: Random, world: World) => { readonly value: JsonRecord; readonly told: Told };

/** Returns the key for a list of items; it depends on whether the method's name suggests a list. */
const chooseItemsKey = (name: string): string => (/list|search|find/i.test(name) ? "entries" : "items");
const expectText = (text: string): readonly string[] => [text];

const makeNothing: Shape = (_name, random) => ({
  value: {},
  told: { sentence: random.pick(NOTHING_BACK), facts: [["done", "succe", "complete", "ok"]] },
});

const makeSeveral: Shape = (name, random, world) => {
  const kind = random.pick(["path", "instance", "user", "host", "daemon", "id"]);
  const made = Array.from({ length: random.drawBetween(1, 4) }, () => `${makeValue(kind, random, world).value}`);
  const items = [...new Set(made)];
  const value = { [random.flipCoin(0.5) ? chooseItemsKey(name) : random.pick(["names", "results", "found"])]: items };
  const last = items.at(-1) ?? "";
  const listed = items.length === 1 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
  const sentence = items.length === 1 ? `There is one: ${listed}.` : `There are ${items.length}: ${listed}.`;
  return { value, told: { sentence, facts: items.map(expectText) } };
};

const makeNone: Shape = (name, random) => ({
  value: { [chooseItemsKey(name)]: [] },
  told: {
    sentence: random.pick(["There are none.", "Nothing was found."]),
    facts: [["none", "nothing", "no ", "empty"]],
  },
});

const makeText: Shape = (_name, random, world) => {
  const content = random.pick(world.sentences);
  return {
    value: { [random.pick(["content", "text", "entry"])]: content },
    told: { sentence: `It says: ${content}.`, facts: [expectText(content)] },
  };
};

const makeCreated: Shape = (_name, random, world) => {
  const id = `${makeValue(random.pick(["id", "pid"]), random, world).value}`;
  return { value: { id }, told: { sentence: `Done, the id is ${id}.`, facts: [expectText(id)] } };
};

/** Names of numeric fields of results. The name is also the wording of the field in a sentence: `Free bytes is 20.` */
const FIGURES = [
  "freeBytes",
  "uptimeSeconds",
  "count",
  "total",
  "usedPercent",
  "ageDays",
  "size",
  "errors",
  "waiting",
  "degrees",
];
const separateWords = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const makeFigures: Shape = (_name, random) => {
  const keys = random.shuffle(FIGURES, random.drawBetween(1, 3)).sort();
  const value = Object.fromEntries(keys.map((key) => [key, random.drawBetween(1, random.pick([20, 500, 90_000]))]));
  const parts = keys.map((key) => `${separateWords(key)} is ${value[key]}`);
  const sentence = `${parts.join(", ")}.`.replace(/^./, (letter) => letter.toUpperCase());
  return { value, told: { sentence, facts: keys.map((key) => expectText(`${value[key]}`)) } };
};

const makeState: Shape = (_name, random, world) => {
  const status = random.pick(["running", "stopped", "failed", "ready", "waiting", "healthy", "offline"]);
  const since = `${makeValue("date", random, world).value}`;
  const isDated = random.flipCoin(0.5);
  const value = isDated ? { since, state: status } : { state: status };
  const sentence = isDated ? `It is ${status} since ${since}.` : `It is ${status}.`;
  return { value, told: { sentence, facts: [expectText(status), ...(isDated ? [expectText(since)] : [])] } };
};

const SHAPES: readonly Shape[] = [
  makeNothing,
  makeSeveral,
  makeSeveral,
  makeNone,
  makeText,
  makeCreated,
  makeFigures,
  makeState,
];
