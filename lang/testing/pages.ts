import fc from "fast-check";
import { CONTEXTUAL } from "../grammar/index.ts";
import { writtenGrammar } from "./ebnf.ts";
import { Choices, Sentences, type Terminals } from "./sentences.ts";

/** Names, numbers and texts that a page may have. Some names are keywords, and some numbers and texts are unusual. */
const ANY_TERMINALS: Terminals = {
  names: ["a", "readOnly", "notes", "Files", "operator", "night-shift", "_x1", "formal", "KiB", ...CONTEXTUAL],
  numbers: ["0", "1", "200k", "1.5M", "-2.50", "007", "64"],
  texts: ['""', '"a b"', '"consent"', '"read"', '"\\"\\\\ \\u00e9\\n"', '"// no comment"', '"ä😀"'],
};

export interface PageKind {
  /** Rule of `grammar.ebnf` whose sentences fill the page (default: `Item`). */
  readonly rule?: string;
  /** Tokens before and after the whole page. */
  readonly around?: readonly [readonly string[], readonly string[]];
  readonly terminals?: Terminals;
  /** Maximum number of random choices between alternatives of the grammar; with more choices, pages are longer. */
  readonly choices?: number;
}

/**
 * Pages that contain only permission lines. Other random pages rarely have such lines, although these lines use most rules of the
 * grammar.
 */
export const LINES: PageKind = {
  rule: "Rule",
  around: [
    ["session", "s", "{", "permit", "{"],
    ["}", "}"],
  ],
};

const BETWEEN = [
  " ",
  "\n",
  "  ",
  "\n\n",
  "\t",
  "\n\n\n\n",
  " // said of it\n",
  "\n/// said before it\n",
  "\n//// ruler\n\n// on\n",
];

/** Returns pages that the written grammar allows, with blanks, line ends, comments and docs at every place between two tokens. */
export function anyPage(kind: PageKind = {}): fc.Arbitrary<string> {
  return fc
    .tuple(anyWords(kind), fc.array(fc.nat({ max: 63 }), { maxLength: 300 }), fc.constantFrom("\n", "\r\n"))
    .map(([words, layout, lineEnd]) => laidOut(words, new Choices(layout)).replaceAll("\n", lineEnd));
}

/** Returns the tokens of pages that the written grammar allows, in order. */
export function anyWords(kind: PageKind = {}): fc.Arbitrary<string[]> {
  const sentences = new Sentences(writtenGrammar(), kind.terminals ?? ANY_TERMINALS);
  const [before, behind] = kind.around ?? [[], []];
  return fc
    .array(fc.nat({ max: 10_000 }), { maxLength: kind.choices ?? 200, size: "max" })
    .map((numbers) => [...before, ...sentences.of(kind.rule ?? "Item", new Choices(numbers)), ...behind]);
}

/** Returns pages with some tokens missing, doubled, moved or exchanged. Most of these pages have an error, and few have many errors. */
export function anyDamagedPage(kind: PageKind = {}): fc.Arbitrary<string> {
  const edits = fc.array(fc.record({ at: fc.nat(), how: fc.nat({ max: 3 }), from: fc.nat() }), { maxLength: 3 });
  return fc
    .tuple(anyWords(kind), edits, fc.array(fc.nat({ max: 63 }), { maxLength: 300 }))
    .map(([words, marks, layout]) => {
      const damaged = [...words];
      for (const { at, how, from } of marks) {
        const place = damaged.length === 0 ? 0 : at % damaged.length;
        const other = words[from % Math.max(1, words.length)] ?? "{";
        damaged.splice(
          place,
          how === 3 ? 0 : 1,
          ...(how === 0 ? [] : how === 1 ? [other] : [other, other].slice(how - 2)),
        );
      }
      return laidOut(damaged, new Choices(layout));
    });
}

/** Joins the words. Most words are separated by one blank, so that some lines become long. */
function laidOut(words: readonly string[], layout: Choices): string {
  return words
    .map((word, index) => {
      const choice = layout.below(64);
      const next = words[index + 1] ?? "";
      if (choice < 12) return word + (BETWEEN[choice] ?? (mayTouch(word, next) ? "" : " "));
      return choice < 30 && mayTouch(word, next) ? word : `${word} `;
    })
    .join("");
}

/** Returns whether two tokens stay separate without a blank, as a sign and a name do. */
function mayTouch(left: string, right: string): boolean {
  const isName = (word: string): boolean => /^[A-Za-z_]/.test(word);
  const isSign = (word: string): boolean => /^[{}[\](),:*.]$/.test(word);
  return (isName(left) && isSign(right)) || (isSign(left) && isName(right));
}
