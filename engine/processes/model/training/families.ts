// Families of tools in `families/*.txt`: names of a tool, its descriptions, its parameters, and requests for it. Lines that begin
// with `new` are other wordings for the evaluation, and are never used for training.

import { readFileSync } from "node:fs";

export interface ParamPlan {
  readonly names: readonly string[];
  /** Kind of the values, as `values.ts` reads it: `count`, `oneof a b=words/others`, `{name: person}`. */
  readonly kind: string;
  readonly isOptional: boolean;
  readonly note: string;
}

export interface ToolPlan {
  readonly names: readonly string[];
  readonly says: readonly string[];
  readonly params: readonly ParamPlan[];
  readonly asks: readonly string[];
  readonly held: readonly string[];
}

export interface Family {
  /** Names that a page may give the service; the first is the family's name. */
  readonly services: readonly string[];
  readonly tools: readonly ToolPlan[];
  /** Services that might do some of the tasks of this service. */
  readonly likes: readonly string[];
}

const SEEN = ["standard", "machine", "office", "work"];
/**
 * These families were written after the evaluation sets were frozen (`frozen.json`); they are used for training, and no
 * evaluation set has cases of them.
 */
const MORE = [
  ..."more terminal shop home town laboratory studio people site life-1 life-2 life-3 life-4 life-5 life-6".split(" "),
  ..."systems-1 systems-2 systems-3 systems-4 systems-5 systems-6 systems-7".split(" "),
  ..."args-1 args-2 args-3 args-4 close-1 close-2 close-3 close-4".split(" "),
];
const NEWEST = "plain-1 plain-2 plain-3 plain-4".split(" ");
/**
 * These families are not used for training. They show where a model errs, so that nobody needs the frozen evaluation
 * sets for this. The requests of `development` are plain, and the requests of `indirect` are riddles.
 */
const DEVELOPMENT = { development: ["development", "development-3"], indirect: ["development-2"] } as const;
const UNSEEN = ["machine", "house"];

/** Returns the families for training from which the evaluation set `seen` is made. */
export function readSeenFamilies(): readonly Family[] {
  return SEEN.flatMap((name) => parseFamilies(read(`families/${name}.txt`)));
}

/** Returns all families that are used for training. */
export function readTrainedFamilies(): readonly Family[] {
  return [
    ...readSeenFamilies(),
    ...MORE.flatMap((name) => parseFamilies(read(`families/${name}.txt`))),
    ...readNewestFamilies(),
  ];
}

/** Returns the families that were written last: earlier trainings have seen none of them. */
export function readNewestFamilies(): readonly Family[] {
  return NEWEST.flatMap((name) => parseFamilies(read(`families/${name}.txt`)));
}

export function readDevelopmentFamilies(set: keyof typeof DEVELOPMENT): readonly Family[] {
  return DEVELOPMENT[set].flatMap((name) => parseFamilies(read(`families/${name}.txt`)));
}

/** Returns the families that are never used for training. */
export function readUnseenFamilies(): readonly Family[] {
  return UNSEEN.flatMap((name) => parseFamilies(read(`../evaluation/unseen/${name}.txt`)));
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

type Written<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

export function parseFamilies(text: string): readonly Family[] {
  const families: Written<Family>[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, word = "", rest = ""] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
    const family = families.at(-1);
    if (word === "family") families.push({ services: rest.split(" "), tools: [], likes: [] });
    else if (family === undefined) throw new Error(`before the first family: ${line}`);
    else if (word === "like") family.likes.push(...rest.split(" "));
    else if (word === "tool")
      family.tools.push({ names: rest.split(" "), says: [], params: [], asks: [], held: [] } satisfies ToolPlan);
    else addTo(family.tools.at(-1), word, rest);
  }
  return families;
}

function addTo(plan: ToolPlan | undefined, word: string, rest: string): void {
  if (plan === undefined) throw new Error(`before the first tool: ${word} ${rest}`);
  const tool = plan as Written<ToolPlan>;
  switch (word) {
    case "say":
      tool.says.push(rest);
      break;
    case "arg":
      tool.params.push(parseParam(rest));
      break;
    case "ask":
      tool.asks.push(rest);
      break;
    case "new":
      tool.held.push(rest);
      break;
    default:
      throw new Error(`a line that begins with ${word}: ${rest}`);
  }
}

/**
 * Parses a parameter such as `path file : path ? (Where it lies)`: its possible names, its kind, `?` if it is optional,
 * and its description.
 */
function parseParam(text: string): ParamPlan {
  const [, names, kind, mark, note = ""] = /^([^:]+?) : (.*?)( \?)?(?: \((.*)\))?$/.exec(text) ?? [];
  if (names === undefined || kind === undefined) throw new Error(`an argument without a kind: ${text}`);
  return { names: names.split(" "), kind, isOptional: mark !== undefined, note };
}
