import type { ExpectedToken, Kind, ScanResult } from "../../../../../lang/grammar/index.ts";
import { countWhile } from "../../../../../lang/text/index.ts";

/** A token of the page. */
export interface Word {
  readonly kind: Kind;
  readonly text: string;
}

/** Text before a place, as the grammar reads it. */
export interface Site {
  /** The names before the place, each of which a dot follows: `["notes"]` of `notes.`. */
  readonly before: readonly string[];
  /** Grammar rules that would read the name at the place, outermost first, as in `ExpectedToken`. */
  readonly rules: readonly string[];
  /** Returns the tokens of the innermost grammar rule `rule` up to the place; none if no such rule is open. */
  readonly wordsOf: (rule: string) => readonly Word[];
  /** Returns the tokens of the rule at an index of `rules`. */
  readonly wordsAt: (index: number) => readonly Word[];
}

/** Returns the site at an offset: the text before it, as the grammar reads this text if the expected token follows. */
export function createSite(
  { source, tokens }: ScanResult,
  { rules, begins }: ExpectedToken,
  offset: number,
  before: readonly string[],
): Site {
  const wordsAt = (rule: number): readonly Word[] => {
    const start = begins[rule] ?? offset;
    const words: Word[] = [];
    const first = countWhile(tokens.count, (index) => tokens.start(index) < start);
    for (let index = first; index < tokens.count && tokens.end(index) <= offset; index += 1)
      words.push({ kind: tokens.getKind(index), text: source.text.slice(tokens.start(index), tokens.end(index)) });
    return words;
  };
  const wordsOf = (rule: string): readonly Word[] =>
    wordsAt(rules.findLastIndex((each) => each === rule || each.startsWith(`${rule} `)));
  return { before, rules, wordsOf, wordsAt };
}

/**
 * Returns the tokens that precede an index if a dot follows each of them, without the dots. Such a token is a name, or
 * the bracket that closes a call or a condition of a source.
 */
export function listNamesBefore({ source, tokens }: ScanResult, index: number): readonly string[] {
  const before: string[] = [];
  for (let at = index - 1; at > 0 && tokens.getKind(at) === "."; at -= 2)
    before.unshift(readName({ text: source.text.slice(tokens.start(at - 1), tokens.end(at - 1)) }));
  return before;
}

/** Returns the value of a name, without the quotes that a reserved word has. */
function readName({ text }: Pick<Word, "text">): string {
  return text.startsWith('"') ? text.slice(1, -1) : text;
}

/** Returns the names of the reference with which the words begin: `["notes", "write"]` of `notes.write {`. */
export function readReference(words: readonly Word[]): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at];
    if (word === undefined || !isNameLike(word)) break;
    names.push(readName(word));
    if (words[at + 1]?.kind !== ".") break;
  }
  return names;
}

/** Returns whether a token may stand as a name: a word, or a text in quotes. */
export function isNameLike({ kind }: Word): boolean {
  return /^[A-Za-z]/.test(kind) && kind !== "Number" && kind !== "UnclosedString" && kind !== "End";
}

/** Returns the words outside of brackets, without the brackets. */
export function skipBrackets(words: readonly Word[]): readonly Word[] {
  let depth = 0;
  return words.filter(({ kind }) => {
    if (kind === "}" || kind === "]" || kind === ")") depth -= 1;
    const isOutside = depth === 0 && kind !== "}" && kind !== "]" && kind !== ")";
    if (kind === "{" || kind === "[" || kind === "(") depth += 1;
    return isOutside && kind !== "{" && kind !== "[" && kind !== "(";
  });
}

/** A JSON record or list that is still open at the end of the words. */
interface OpenValue {
  readonly kind: "record" | "list";
  /** Names of the fields that the record has so far. The value of the last field is at the end of the words. */
  readonly fields: string[];
}

/** Returns the records and lists that are open at the end of the words, outermost first. */
export function listOpenValues(words: readonly Word[]): readonly OpenValue[] {
  const open: OpenValue[] = [];
  for (const [index, word] of words.entries()) {
    if (word.kind === "{") open.push({ kind: "record", fields: [] });
    else if (word.kind === "[") open.push({ kind: "list", fields: [] });
    else if (word.kind === "}" || word.kind === "]") open.pop();
    else if (words[index + 1]?.kind === ":" && isNameLike(word)) open.at(-1)?.fields.push(readName(word));
  }
  return open;
}
