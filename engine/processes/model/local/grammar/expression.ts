// Grammars as values, and as the text that the engine reads (GBNF). Tests also generate sentences from a value, to compare a grammar with
// its schema.

/** Characters by ranges of code points, or all characters outside of these ranges. */
interface Characters {
  readonly kind: "characters";
  readonly ranges: readonly (readonly [first: number, last: number])[];
  readonly isWithout: boolean;
}

export type Expression =
  | { readonly kind: "words"; readonly text: string }
  | Characters
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "choice"; readonly parts: readonly Expression[] }
  /** `most` is `undefined` if the number of repetitions has no limit. */
  | { readonly kind: "repeated"; readonly part: Expression; readonly least: number; readonly most: number | undefined };

export const makeWords = (text: string): Expression => ({ kind: "words", text });
export const makeSequence = (...parts: readonly Expression[]): Expression => ({ kind: "sequence", parts });
export const makeChoice = (...parts: readonly Expression[]): Expression => ({ kind: "choice", parts });
export const makeRepeated = (part: Expression, least: number, most?: number): Expression => ({
  kind: "repeated",
  part,
  least,
  most,
});
export const makeCharacters = (...ranges: Characters["ranges"]): Expression => ({
  kind: "characters",
  ranges,
  isWithout: false,
});
export const excludeCharacters = (...ranges: Characters["ranges"]): Expression => ({
  kind: "characters",
  ranges,
  isWithout: true,
});
export const NOTHING: Expression = makeWords("");

/** Returns the text with which all sentences of the expression begin. */
export function findBeginning(expression: Expression): string {
  return deriveBeginning(expression).text;
}

/** Returns the text with which all sentences begin. `isWhole` is true if nothing can follow this text. */
function deriveBeginning(expression: Expression): { readonly text: string; readonly isWhole: boolean } {
  switch (expression.kind) {
    case "words":
      return { text: expression.text, isWhole: true };
    case "characters":
    case "repeated":
      return { text: "", isWhole: false };
    case "choice": {
      const [only, ...others] = expression.parts;
      return only === undefined || others.length > 0 ? { text: "", isWhole: false } : deriveBeginning(only);
    }
    case "sequence": {
      let text = "";
      for (const part of expression.parts) {
        const one = deriveBeginning(part);
        text += one.text;
        if (!one.isWhole) return { text, isWhole: false };
      }
      return { text, isWhole: true };
    }
  }
}

/**
 * Returns the grammar of an expression as the engine reads it. Each repeated part gets a rule of its own. The engine
 * accepts only a few thousand rules. It unrolls counted repetitions, and counts the rules within a repetition once for
 * each round.
 */
export function renderGbnf(root: Expression): string {
  const writing = beginWriting(Number.POSITIVE_INFINITY);
  const first = `root ::= ${writeExpression(root, writing).text}\n`;
  return first + [...writing.names].map(([text, name]) => `${name} ::= ${text}\n`).join("");
}

/** Cost of one repetition in the engine: the number of characters that the engine parses in the same time. */
const REPETITION = 8;

/**
 * Returns whether an expression costs at most this many characters, including its rules and the engine's unrolled
 * repetitions.
 */
export function isWithin(root: Expression, most: number): boolean {
  const writing = beginWriting(most);
  return computeSize(writeExpression(root, writing)) <= writing.left;
}

const computeSize = ({ text, repetitions }: Written): number => text.length + REPETITION * repetitions;

interface Written {
  readonly text: string;
  /** Number of repetitions that the engine writes out one by one. */
  readonly repetitions: number;
}

interface Writing {
  /** Names of the grammar's rules, by the text of the rule. */
  readonly names: Map<string, string>;
  /** Cache of rendered expressions, without which nested records would be rendered again for each outer member. */
  readonly known: Map<Expression, Written>;
  /** Number of characters that may still be written; at 0, writing stops. */
  left: number;
}

const beginWriting = (left: number): Writing => ({ names: new Map(), known: new Map(), left });
const UNWRITTEN: Written = { text: "", repetitions: 0 };

function writeExpression(expression: Expression, writing: Writing): Written {
  const known = writing.known.get(expression);
  if (known !== undefined) return known;
  const made = writing.left < 0 ? UNWRITTEN : writeAnew(expression, writing);
  writing.known.set(expression, made);
  return made;
}

function writeAnew(expression: Expression, writing: Writing): Written {
  switch (expression.kind) {
    case "words":
      return { text: `"${[...expression.text].map(escapeCharacter).join("")}"`, repetitions: 0 };
    case "characters": {
      const ranges = expression.ranges.map(([first, last]) => `${encodePoint(first)}-${encodePoint(last)}`).join("");
      return { text: `[${expression.isWithout ? "^" : ""}${ranges}]`, repetitions: 0 };
    }
    case "sequence":
      return joinParts(expression.parts, " ", writing);
    case "choice":
      return joinParts(expression.parts, " | ", writing);
    case "repeated": {
      const { part, least, most } = expression;
      const text = writeRepeated(part, writing);
      return { text: `${text}{${least},${most ?? ""}}`, repetitions: most ?? least + 1 };
    }
  }
}

function joinParts(parts: readonly Expression[], by: string, writing: Writing): Written {
  const each = parts.map((part) => writeExpression(part, writing));
  const text = `(${each.map((one) => one.text).join(by)})`;
  return { text, repetitions: each.reduce((sum, one) => sum + one.repetitions, 0) };
}

function writeRepeated(part: Expression, writing: Writing): string {
  const one = writeExpression(part, writing);
  if (part.kind === "words" || part.kind === "characters") return one.text;
  const { names } = writing;
  const known = names.get(one.text);
  if (known !== undefined) return known;
  const name = `part-${names.size}`;
  names.set(one.text, name);
  writing.left -= computeSize(one);
  return name;
}

function escapeCharacter(character: string): string {
  return /[a-zA-Z0-9 _.:,{}-]/.test(character) ? character : encodePoint(character.codePointAt(0) ?? 0);
}

/** Encodes a code point, so that no character of a page or a schema is special in the grammar's text. */
function encodePoint(point: number): string {
  return `\\U${point.toString(16).padStart(8, "0")}`;
}
