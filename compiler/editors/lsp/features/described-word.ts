// Finds what a word of the language means at its place. The meaning of a keyword depends on the rule that reads it. The meaning of any
// other word depends on what a page may have at this place.

import { type ExpectedToken, findExpectedAt, type ScanResult, scan } from "../../../../lang/grammar/index.ts";
import { KEYWORD_MEANINGS, type Meaning, SETTING_MEANINGS, VALUE_MEANINGS } from "../../../../lang/spec/words.ts";
import { countWhile, makeSpan, type SourceText, type Span } from "../../../../lang/text/index.ts";
import type { Model } from "../../../phases/bind/index.ts";
import { renderCode } from "../../../queries/reference/index.ts";
import { findCandidates } from "./completion/candidates.ts";
import { type CompletionTarget, findWanted } from "./completion/completion-target.ts";
import { createSite, listNamesBefore, type Site } from "./completion/site.ts";

interface DescribedWord {
  readonly span: Span;
  /** The meaning, as blocks of Markdown. */
  readonly blocks: readonly string[];
}

/**
 * Returns the word at an offset with its meaning. Returns `undefined` if no word is there, or if the language gives the word no meaning.
 */
export async function findDescribedWord(
  source: SourceText,
  offset: number,
  model: Model | undefined,
): Promise<DescribedWord | undefined> {
  const scanned = scan(source);
  const index = findWordAt(scanned, offset);
  if (index === undefined) return undefined;
  const { tokens } = scanned;
  const span = makeSpan(source, tokens.start(index), tokens.end(index));
  const kind = tokens.getKind(index);
  const expected = await findExpectedAt(scanned, span.start);
  const blocks =
    describeKeyword(kind, expected) ??
    describeValue(scanned, span, { expected, before: listNamesBefore(scanned, index) }, model);
  return blocks && { span, blocks };
}

/** Returns the index of the word that contains an offset or ends there, or `undefined` if there is none. */
function findWordAt({ tokens }: ScanResult, offset: number): number | undefined {
  const last = countWhile(tokens.count, (index) => tokens.start(index) <= offset) - 1;
  return [last, last - 1].find(
    (index) => index >= 0 && offset <= tokens.end(index) && /^[A-Za-z]/.test(tokens.getKind(index)),
  );
}

function describeKeyword(kind: string, expected: readonly ExpectedToken[]): readonly string[] | undefined {
  if (!isKeyword(kind)) return undefined;
  const meanings: readonly Meaning[] = KEYWORD_MEANINGS[kind];
  const reading = expected.filter((one) => one.kind === kind).map(({ rules }) => rules.at(-1)?.replace(/ \d+$/, ""));
  const meaning = meanings.find(({ rules }) => rules.split(" ").some((rule) => reading.includes(rule)));
  return meaning && [renderCode(meaning.form), meaning.text, `Specification: ${renderCode(meaning.page)}`];
}

function isKeyword(kind: string): kind is keyof typeof KEYWORD_MEANINGS {
  return Object.hasOwn(KEYWORD_MEANINGS, kind);
}

interface ValuePlace {
  readonly expected: readonly ExpectedToken[];
  readonly before: readonly string[];
}

function describeValue(
  scanned: ScanResult,
  { source, start, end }: Span,
  { expected, before }: ValuePlace,
  model: Model | undefined,
): readonly string[] | undefined {
  const word = source.text.slice(start, end);
  for (const one of expected) {
    if (one.kind !== "Name") continue;
    const site = createSite(scanned, one, start, before);
    for (const wanted of findWanted(one.kind, one.rules) ?? []) {
      const told = describeWord(wanted, word, site) ?? (model && describeArgument(wanted, word, site, model));
      if (told !== undefined) return told;
    }
  }
  return undefined;
}

/**
 * For some kinds of places, the set of words of the language that fit there, in addition to names that the page
 * declares.
 */
const SETS: Partial<Readonly<Record<Extract<CompletionTarget, string>, keyof typeof VALUE_MEANINGS>>> = {
  term: "functions",
  source: "places",
  setting: "settings",
  "unit of a quota": "units",
  "noun of a quota": "units",
};

function describeWord(
  wanted: CompletionTarget,
  word: string,
  { before, wordsOf }: Site,
): readonly string[] | undefined {
  if (before.length > 0) return undefined;
  if (wanted === "setting value") return draw(word, lookUp(SETTING_MEANINGS, wordsOf("setting")[0]?.text ?? "", word));
  if (wanted === "unit of a literal")
    return draw(word, lookUp(VALUE_MEANINGS, "sizes", word) ?? lookUp(VALUE_MEANINGS, "times", word));
  const set = typeof wanted === "string" ? SETS[wanted] : wanted.words;
  return set && draw(word, lookUp(VALUE_MEANINGS, set, word));
}

function lookUp(
  meanings: Readonly<Record<string, Readonly<Record<string, string>>>>,
  set: string,
  word: string,
): string | undefined {
  const words = Object.hasOwn(meanings, set) ? meanings[set] : undefined;
  return words !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
}

function draw(word: string, text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [renderCode(word), text];
}

/** Returns an argument or a field of a schema with its type, or `undefined` if the word is neither. */
function describeArgument(
  wanted: CompletionTarget,
  word: string,
  site: Site,
  model: Model,
): readonly string[] | undefined {
  const found = findCandidates(wanted, model, site).find(({ what, text }) => what === "argument" && text === word);
  return found && [`argument ${renderCode(found.id)} : ${renderCode(found.detail ?? "")}`];
}
