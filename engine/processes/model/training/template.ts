// Templates of requests: `(a|b)` is one of several, `[a]` is optional, `{name}` stands for an argument. One template gives many texts;
// each text contains the names of its arguments in braces.

import type { Random } from "./random.ts";

/** Returns a text in which only the arguments in braces remain to be filled in. */
export function chooseText(template: string, random: Random): string {
  const { text, at } = chooseAlternative(template, 0, random, "");
  if (at !== template.length) throw new Error(`a bracket too many: ${template}`);
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Reads the alternatives from offset `from` to the bracket `close`, and chooses one of them. `at` is the offset of this
 * bracket.
 */
function chooseAlternative(template: string, from: number, random: Random, close: string) {
  const options: string[] = [];
  let text = "";
  let at = from;
  while (at < template.length && template[at] !== close) {
    const character = template[at] ?? "";
    if (character === "(" || character === "[") {
      const inner = chooseAlternative(template, at + 1, random, character === "(" ? ")" : "]");
      if (inner.at >= template.length) throw new Error(`a bracket is open: ${template}`);
      text += character === "(" || random.flipCoin(0.5) ? inner.text : "";
      at = inner.at + 1;
    } else if (character === "|" && close !== "") {
      options.push(text);
      text = "";
      at += 1;
    } else if (character === "{") {
      // Braces may contain bars, which do not separate alternatives.
      const end = template.indexOf("}", at) + 1;
      text += template.slice(at, end);
      at = end;
    } else {
      text += character;
      at += 1;
    }
  }
  return { text: random.pick([...options, text]), at };
}

/** An argument that a text names. For a boolean, `words` has the words for true and then the words for false. */
interface Named {
  readonly name: string;
  readonly words: readonly string[];
}

const BRACES = /\{([^{}:]+)(?::([^{}]*))?\}/g;

export function findNamed(text: string): readonly Named[] {
  return [...text.matchAll(BRACES)].map(([, name = "", words = ""]) => ({ name, words: words.split("|") }));
}

/** Returns the text with the wording of each argument, as `said` returns it. */
export function fillTemplate(text: string, said: (named: Named) => string): string {
  return text.replace(BRACES, (_, name: string, words = "") => said({ name, words: words.split("|") }));
}
