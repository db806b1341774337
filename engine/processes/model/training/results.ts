// What came of a call, as the loop hands it to a model, and the sentence that tells it to the person.

import { canonicalText, type JsonRecord } from "../../../lib/policy/index.ts";
import type { Random } from "./random.ts";
import { someValue } from "./values.ts";
import type { World } from "./vocabulary.ts";

export interface Result {
  /** As it stands in a message of the role `tool`. */
  readonly content: string;
  readonly sentence: string;
  /** What a sentence has to say, in any words around it; of a refusal, one of several. */
  readonly facts: readonly (readonly string[])[];
}

type Told = Pick<Result, "sentence" | "facts">;

/** In which words a call ends that came to nothing. */
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

/** `name`: of the tool. Some outcome of some shape. */
export function resultOf(name: string, random: Random, world: World): Result {
  if (random.chance(0.25)) {
    const { outcome, errors, says } = random.pick(FAILURES);
    const error = random.pick(errors);
    const content = canonicalText({ source: name, outcome, error });
    const words = outcome === "deniedByUser" ? ["refus", "denied", "not do", "not allow"] : [error];
    return { content, sentence: random.pick(says).replace("{error}", error), facts: [words] };
  }
  const { value, told } = random.pick(SHAPES)(name, random, world);
  const content = canonicalText({ source: name, outcome: "ok", content: canonicalText(value) });
  return { content, ...told };
}

type Shape = (name: string, random: Random, world: World) => { readonly value: JsonRecord; readonly told: Told };

/** A method that asks for many things. */
const manyOf = (name: string): string => (/list|search|find/i.test(name) ? "entries" : "items");
const said = (text: string): readonly string[] => [text];

const nothing: Shape = (_name, random) => ({
  value: {},
  told: { sentence: random.pick(NOTHING_BACK), facts: [["done", "succe", "complete", "ok"]] },
});

const several: Shape = (name, random, world) => {
  const kind = random.pick(["path", "instance", "user", "host", "daemon", "id"]);
  const made = Array.from({ length: random.between(1, 4) }, () => `${someValue(kind, random, world).value}`);
  const items = [...new Set(made)];
  const value = { [random.chance(0.5) ? manyOf(name) : random.pick(["names", "results", "found"])]: items };
  const last = items.at(-1) ?? "";
  const listed = items.length === 1 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
  const sentence = items.length === 1 ? `There is one: ${listed}.` : `There are ${items.length}: ${listed}.`;
  return { value, told: { sentence, facts: items.map(said) } };
};

const none: Shape = (name, random) => ({
  value: { [manyOf(name)]: [] },
  told: {
    sentence: random.pick(["There are none.", "Nothing was found."]),
    facts: [["none", "nothing", "no ", "empty"]],
  },
});

const text: Shape = (_name, random, world) => {
  const content = random.pick(world.sentences);
  return {
    value: { [random.pick(["content", "text", "entry"])]: content },
    told: { sentence: `It says: ${content}.`, facts: [said(content)] },
  };
};

const made: Shape = (_name, random, world) => {
  const id = `${someValue(random.pick(["id", "pid"]), random, world).value}`;
  return { value: { id }, told: { sentence: `Done, the id is ${id}.`, facts: [said(id)] } };
};

/** Figures by names that the words of a sentence are made of. */
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
const spaced = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const figures: Shape = (_name, random) => {
  const keys = random.shuffled(FIGURES, random.between(1, 3)).sort();
  const value = Object.fromEntries(keys.map((key) => [key, random.between(1, random.pick([20, 500, 90_000]))]));
  const parts = keys.map((key) => `${spaced(key)} is ${value[key]}`);
  const sentence = `${parts.join(", ")}.`.replace(/^./, (letter) => letter.toUpperCase());
  return { value, told: { sentence, facts: keys.map((key) => said(`${value[key]}`)) } };
};

const state: Shape = (_name, random, world) => {
  const status = random.pick(["running", "stopped", "failed", "ready", "waiting", "healthy", "offline"]);
  const since = `${someValue("date", random, world).value}`;
  const isDated = random.chance(0.5);
  const value = isDated ? { since, state: status } : { state: status };
  const sentence = isDated ? `It is ${status} since ${since}.` : `It is ${status}.`;
  return { value, told: { sentence, facts: [said(status), ...(isDated ? [said(since)] : [])] } };
};

const SHAPES: readonly Shape[] = [nothing, several, several, none, text, made, figures, state];
