// Grammars as values, and as the text that the engine reads (GBNF). A value can be asked for sentences too, which is how the
// tests hold a grammar against the schema that it came from.

/** Characters by ranges of code points, or all but those. */
export interface Characters {
  readonly kind: "characters";
  readonly ranges: readonly (readonly [first: number, last: number])[];
  readonly isWithout: boolean;
}

export type Expression =
  | { readonly kind: "words"; readonly text: string }
  | Characters
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "choice"; readonly parts: readonly Expression[] }
  /** `most` undefined: without end. */
  | { readonly kind: "repeated"; readonly part: Expression; readonly least: number; readonly most: number | undefined };

export const words = (text: string): Expression => ({ kind: "words", text });
export const sequence = (...parts: readonly Expression[]): Expression => ({ kind: "sequence", parts });
export const choice = (...parts: readonly Expression[]): Expression => ({ kind: "choice", parts });
export const repeated = (part: Expression, least: number, most?: number): Expression => ({
  kind: "repeated",
  part,
  least,
  most,
});
export const characters = (...ranges: Characters["ranges"]): Expression => ({
  kind: "characters",
  ranges,
  isWithout: false,
});
export const without = (...ranges: Characters["ranges"]): Expression => ({
  kind: "characters",
  ranges,
  isWithout: true,
});
export const NOTHING: Expression = words("");

/** With what each of its sentences begins. */
export function beginningOf(expression: Expression): string {
  return begun(expression).text;
}

/** `isWhole`: nothing else comes behind the text. */
function begun(expression: Expression): { readonly text: string; readonly isWhole: boolean } {
  switch (expression.kind) {
    case "words":
      return { text: expression.text, isWhole: true };
    case "characters":
    case "repeated":
      return { text: "", isWhole: false };
    case "choice": {
      const [only, ...others] = expression.parts;
      return only === undefined || others.length > 0 ? { text: "", isWhole: false } : begun(only);
    }
    case "sequence": {
      let text = "";
      for (const part of expression.parts) {
        const one = begun(part);
        text += one.text;
        if (!one.isWhole) return { text, isWhole: false };
      }
      return { text, isWhole: true };
    }
  }
}

/**
 * The grammar whose one sentence is an expression, as the engine reads it. What is repeated has a rule of its own: the engine counts
 * the rules within a repetition as often as they may come, and takes no more than some thousands.
 */
export function gbnf(root: Expression): string {
  const names = new Map<string, string>();
  const first = `root ::= ${written(root, names)}\n`;
  return first + [...names].map(([text, name]) => `${name} ::= ${text}\n`).join("");
}

function written(expression: Expression, names: Map<string, string>): string {
  switch (expression.kind) {
    case "words":
      return `"${[...expression.text].map(escaped).join("")}"`;
    case "characters": {
      const ranges = expression.ranges.map(([first, last]) => `${code(first)}-${code(last)}`).join("");
      return `[${expression.isWithout ? "^" : ""}${ranges}]`;
    }
    case "sequence":
      return `(${expression.parts.map((part) => written(part, names)).join(" ")})`;
    case "choice":
      return `(${expression.parts.map((part) => written(part, names)).join(" | ")})`;
    case "repeated":
      return `${repeatedIn(expression.part, names)}{${expression.least},${expression.most ?? ""}}`;
  }
}

function repeatedIn(part: Expression, names: Map<string, string>): string {
  const text = written(part, names);
  if (part.kind === "words" || part.kind === "characters") return text;
  const name = names.get(text) ?? `part-${names.size}`;
  names.set(text, name);
  return name;
}

function escaped(character: string): string {
  return /[a-zA-Z0-9 _.:,{}-]/.test(character) ? character : code(character.codePointAt(0) ?? 0);
}

/** No character of a page or a schema has a meaning in the grammar's text. */
function code(point: number): string {
  return `\\U${point.toString(16).padStart(8, "0")}`;
}
