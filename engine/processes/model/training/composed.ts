// Composes families of tools from actions and objects. Composed families are plain and numerous; those of `families/` have wording that
// people really use.

import { readFileSync } from "node:fs";
import type { Family, ToolPlan } from "./families.ts";
import { parseFamilies } from "./families.ts";
import type { Random } from "./random.ts";

interface Thing {
  readonly words: readonly string[];
  /**
   * Kind of the argument that identifies such an object in a call. For example, a call identifies a draft by its `path`
   * and a customer by its `user`.
   */
  readonly kind: string;
}

interface Deed {
  /** Target of the action: one object, all objects of a kind, or a new object. */
  readonly of: "verb" | "all" | "new";
  readonly names: string;
  readonly say: string;
  /** Parameters of the tool in addition to its object, each such as `name alias : kind`. */
  readonly params: readonly string[];
  readonly asks: readonly string[];
}

const LINES = readFileSync(new URL("composed.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

const THINGS: readonly Thing[] = LINES.flatMap((line) => {
  const [word, kind = "", ...things] = line.split(" ");
  if (word !== "objects") return [];
  return things.map((thing) => ({ kind, words: thing.split("/").map((each) => each.replaceAll("_", " ")) }));
});

const DEEDS: readonly Deed[] = LINES.flatMap((line) => {
  const [, of, rest = ""] = /^(verb|all|new) (.*)$/.exec(line) ?? [];
  if (of !== "verb" && of !== "all" && of !== "new") return [];
  const [names = "", described = "", ...asks] = rest.split(" = ");
  const [say = "", params] = described.split(" + ");
  return [{ of, names, say, params: params?.split(" ; ") ?? [], asks }];
});

const pluralize = (word: string): string =>
  /(s|x|ch|sh)$/.test(word) ? `${word}es` : word.replace(/([^aeiou])y$/, "$1ie").concat("s");
const addArticle = (word: string): string =>
  /^[aeiou]/.test(word) && !/^(us|un)/.test(word) ? `an ${word}` : `a ${word}`;

/** Returns a family of tools for one object, with a few actions. */
export function composeFamily(random: Random): Family {
  const thing = random.pick(THINGS);
  const [word = ""] = thing.words;
  const called = pluralize(word).replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());
  const chosen = [
    ...random.shuffle(
      DEEDS.filter(({ of }) => of === "verb"),
      random.drawBetween(2, 4),
    ),
    ...random.shuffle(
      DEEDS.filter(({ of }) => of !== "verb"),
      random.drawBetween(1, 2),
    ),
  ];
  return {
    services: [called],
    likes: [],
    tools: removeDuplicates(chosen.map((deed) => composeTool(deed, thing, random))),
  };
}

/** Returns the tools without duplicates, because several actions have the same names. */
function removeDuplicates(tools: readonly ToolPlan[]): readonly ToolPlan[] {
  const taken = new Set<string>();
  return tools.flatMap((tool) => {
    const names = tool.names.filter((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    return names.length === 0 ? [] : [{ ...tool, names }];
  });
}

function composeTool(deed: Deed, { words, kind }: Thing, random: Random): ToolPlan {
  const [word = ""] = words;
  const short = word.split(" ").at(-1) ?? word;
  const key = { instance: "name", id: "id", pid: "number", key: "name", host: "host", path: "path", user: "name" }[
    kind
  ];
  const own = deed.of === "verb" ? [`arg ${random.pick([`${key} ${short}`, `${short} ${key}`])} : ${kind}`] : [];
  const [, one = ""] = /^arg (\S+)/.exec(own[0] ?? "") ?? [];
  const alternatives = words.length === 1 ? word : `(${words.join("|")})`;
  const the = random.pick([
    `[the ]${alternatives} {${one}}`,
    `${alternatives} {${one}}`,
    `[the ${alternatives} |]{${one}}`,
  ]);
  const asks = deed.asks.map((ask) => fitText(ask, word, alternatives).replaceAll("{the}", the));
  const text = [
    `family x`,
    `tool ${deed.names}`,
    `say ${fitText(deed.say, word, word)}`,
    ...own,
    ...deed.params.map((param) => `arg ${param}`),
    ...asks.map((ask) => `ask ${ask}`),
  ];
  const [tool] = parseFamilies(text.join("\n"))[0]?.tools ?? [];
  if (tool === undefined) throw new Error(`no tool of ${deed.names}`);
  return tool;
}

function fitText(text: string, word: string, alternatives: string): string {
  return text
    .replaceAll("{a}", addArticle(word))
    .replaceAll("{one}", alternatives)
    .replaceAll("{many}", pluralize(word));
}
