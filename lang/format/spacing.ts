import type { Token } from "./outline.ts";

// Decides which tokens of a line have a blank between them.

/**
 * Content of braces inside a line. Examples are the set in `secret:{hr}`, the levels in `{ public < secret }`, and a
 * record, which is a JSON object.
 */
type Holding = "set" | "levels" | "record";

const OPENING = new Set(["(", "["]);
const CLOSING = new Set([")", "]", ",", "("]);
const JOINING = new Set([".", "/"]);

/** Returns the gap before each token of an element: no blank, one blank, or two blanks before a fact. */
export function computeGaps(tokens: readonly Token[]): readonly string[] {
  const holding: Holding[] = [];
  return tokens.map((token, index) => {
    const before = tokens[index - 1];
    if (before?.kind === "{") holding.push(classifyBraces(tokens, index - 1, holding.at(-1)));
    const gap = before === undefined ? "" : token.isFact === true ? "  " : computeGap(tokens, index, holding.at(-1));
    if (token.kind === "}") holding.pop();
    return gap;
  });
}

function classifyBraces(tokens: readonly Token[], brace: number, outer: Holding | undefined): Holding {
  if (tokens[0]?.kind === "call" && (outer === "record" || tokens[brace - 1]?.kind !== ":")) return "record";
  return tokens[brace - 1]?.kind === ":" ? "set" : "levels";
}

function computeGap(tokens: readonly Token[], index: number, holding: Holding | undefined): string {
  const before = tokens[index - 1]?.kind ?? "End";
  const kind = tokens[index]?.kind ?? "End";
  if (OPENING.has(before) || JOINING.has(before) || JOINING.has(kind)) return "";
  if (kind === "[") return " ";
  if (CLOSING.has(kind)) return "";
  if (before === "{") return holding === "set" || kind === "}" ? "" : " ";
  if (kind === "}") return holding === "set" ? "" : " ";
  if (kind === ":") return holding === "record" || isSetColon(tokens, index) ? "" : " ";
  if (before === ":") return holding !== "record" && isSetColon(tokens, index - 1) ? "" : " ";
  return " ";
}

/** Returns whether the colon belongs to a set, as in `secret:{hr}`, and not to a declaration, as in `service books : Ledger`. */
function isSetColon(tokens: readonly Token[], colon: number): boolean {
  return tokens[colon + 1]?.kind === "{";
}

/** Returns the tokens as one text. */
export function joinTokens(tokens: readonly Token[]): string {
  return splitTokens(tokens, [])[0] ?? "";
}

/** Returns the tokens as several texts. `places` are the indexes, in ascending order, of the tokens that begin a new text. */
export function splitTokens(tokens: readonly Token[], places: readonly number[]): readonly string[] {
  const texts: string[] = [];
  const gaps = computeGaps(tokens);
  let text = "";
  let next = 0;
  for (const [index, token] of tokens.entries()) {
    if (index === places[next]) {
      texts.push(text);
      text = token.text;
      next++;
    } else text += `${gaps[index] ?? ""}${token.text}`;
  }
  return [...texts, text];
}
