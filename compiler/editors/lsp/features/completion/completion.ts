import { type CompletionItem, CompletionItemKind, type CompletionList, MarkupKind } from "vscode-languageserver/node";
import { escapeInvisible } from "../../../../../lang/diagnostics/index.ts";
import { type ExpectedToken, findExpectedAt, MODES, type ScanResult } from "../../../../../lang/grammar/index.ts";
import { compareCodeUnits, countWhile, makeSpan, type Span } from "../../../../../lang/text/index.ts";
import type { Model } from "../../../../phases/bind/index.ts";
import type { ReadText } from "../../asking.ts";
import { renderDocumentation } from "../../documentation.ts";
import { convertToRange } from "../../places.ts";
import type { Snapshot } from "../../snapshot.ts";
import type { Candidate } from "./candidate.ts";
import { findCandidates } from "./candidates.ts";
import { findWanted } from "./completion-target.ts";
import { createSite, listNamesBefore } from "./site.ts";

/** Maximum length of the list, because longer ones are not read; the editor asks again with each letter. */
const MOST = 1000;
/** Maximum number of items that include their documentation; longer lists go without. */
const FEW = 100;

/** Returns what may be typed at an offset: keywords from the newest text, names from the last snapshot. */
export async function computeCompletion(
  page: ReadText,
  offset: number,
  snapshot: Snapshot | undefined,
): Promise<CompletionList> {
  const { scanned, source } = page;
  const place = placeIn(scanned, offset);
  if (place === undefined) return { isIncomplete: false, items: [] };
  const replaced = makeSpan(source, place.start, offset);
  const typed = source.text.slice(place.start, offset).toLowerCase();
  const expected = await findExpectedAt(scanned, place.start);
  const keywords: readonly string[] = expected.filter(({ kind }) => /^[a-z]/.test(kind)).map(({ kind }) => kind);
  const model = snapshot?.model;
  const names = model === undefined ? [] : findNames(page, model, expected, place);
  const fitting = [...new Map(names.map((one) => [one.text, one])).values()].filter(
    ({ text }) => text.toLowerCase().startsWith(typed) && !keywords.includes(text),
  );
  const words = [...new Set(keywords)].filter((word) => word.startsWith(typed)).sort(compareCodeUnits);
  const shown = fitting.slice(0, MOST);
  return {
    isIncomplete: shown.length < fitting.length,
    items: [
      ...words.map((word) => createKeywordItem(word, replaced)),
      ...shown.map((one) => nameItem(one, replaced, snapshot, shown.length <= FEW ? "documented" : "brief")),
    ],
  };
}

/** Returns the names that a token of any of the expected kinds may have. */
function findNames(
  { scanned }: ReadText,
  model: Model,
  expected: readonly ExpectedToken[],
  { start, before }: Place,
): readonly Candidate[] {
  return expected
    .filter(({ kind }) => kind === "Name" || kind === "String")
    .flatMap((one) => {
      const site = createSite(scanned, one, start, before);
      return (findWanted(one.kind, one.rules) ?? []).flatMap((wanted) => findCandidates(wanted, model, site));
    });
}

interface Place {
  /** Offset at which the typed word begins. */
  readonly start: number;
  /** The names before it, each of which ends with a dot. */
  readonly before: readonly string[];
}

/** Returns the place of the word at an offset, or `undefined` within comments and strings. */
function placeIn(scanned: ScanResult, offset: number): Place | undefined {
  const { tokens, docs, comments } = scanned;
  if ([...docs, ...comments].some(({ start, end }) => start < offset && offset <= end)) return undefined;
  let index = findLastBefore(tokens, offset);
  let start = offset;
  if (index >= 0 && tokens.end(index) >= offset) {
    const kind = tokens.getKind(index);
    if (kind === "Number" || kind === "UnclosedString" || (kind === "String" && tokens.end(index) > offset))
      return undefined;
    if (/^[A-Za-z]/.test(kind) && kind !== "String") {
      start = tokens.start(index);
      index -= 1;
    }
  }
  return { start, before: listNamesBefore(scanned, index + 1) };
}

/** Returns the index of the last token that begins before an offset. */
function findLastBefore(tokens: ScanResult["tokens"], offset: number): number {
  return countWhile(tokens.count, (index) => tokens.start(index) < offset) - 1;
}

function createKeywordItem(word: string, replaced: Span): CompletionItem {
  const kind = MODES.some((mode) => mode === word) ? CompletionItemKind.EnumMember : CompletionItemKind.Keyword;
  return { label: word, kind, sortText: `1 ${word}`, textEdit: { range: convertToRange(replaced), newText: word } };
}

const KINDS: Readonly<Record<string, CompletionItemKind>> = {
  session: CompletionItemKind.Class,
  task: CompletionItemKind.Event,
  service: CompletionItemKind.Variable,
  interface: CompletionItemKind.Interface,
  category: CompletionItemKind.Enum,
  backend: CompletionItemKind.Module,
  import: CompletionItemKind.Module,
  principal: CompletionItemKind.Constant,
  word: CompletionItemKind.Value,
  argument: CompletionItemKind.Field,
};

function nameItem(
  { text, what, id, detail = what === "word" ? undefined : what }: Candidate,
  replaced: Span,
  snapshot: Snapshot | undefined,
  form: "documented" | "brief",
): CompletionItem {
  const kind = what.startsWith("method of ")
    ? CompletionItemKind.Method
    : (KINDS[what] ?? CompletionItemKind.Reference);
  const words =
    snapshot === undefined || form === "brief" || what === "word" || what === "argument"
      ? []
      : renderDocumentation(snapshot, { what, id });
  return {
    label: text,
    kind,
    sortText: `0 ${text}`,
    ...(detail === undefined ? {} : { detail }),
    ...(words.length === 0
      ? {}
      : { documentation: { kind: MarkupKind.Markdown, value: words.map(escapeInvisible).join("\n\n") } }),
    textEdit: { range: convertToRange(replaced), newText: text },
  };
}
