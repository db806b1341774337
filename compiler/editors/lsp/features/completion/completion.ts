import { posix } from "node:path";
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
import { completePath, findWantedFiles, type ListFolder } from "./paths.ts";
import { createSite, listNamesBefore } from "./site.ts";

/** Maximum length of the list: nobody reads a longer one, and the editor asks again after each typed letter. */
const MOST = 1000;
/** Maximum number of items in a list whose items include their documentation; the items of a longer list have none. */
const FEW = 100;

/**
 * Returns what may be typed at an offset. Keywords come from the newest text, and names from the last snapshot; between
 * quotes, the files of a folder are returned.
 */
export async function computeCompletion(
  page: ReadText,
  offset: number,
  snapshot: Snapshot | undefined,
  listFolder: ListFolder,
): Promise<CompletionList> {
  const { scanned, source } = page;
  const quoted = findQuoted(scanned, offset);
  if (quoted !== undefined) return completeQuoted(page, { ...quoted, offset }, snapshot, listFolder);
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

/** Returns the names that fit at a place where the grammar expects one of the tokens `expected`. */
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
  /** The names before the typed word, each of which a dot follows: `["notes"]` of `notes.wr`. */
  readonly before: readonly string[];
}

/** A text in quotes that contains an offset. */
interface Quoted {
  /** Index of the token that is the text. */
  readonly index: number;
  readonly isClosed: boolean;
}

/** Returns the text in quotes around an offset, or `undefined` outside of quotes. */
function findQuoted({ tokens, source }: ScanResult, offset: number): Quoted | undefined {
  const index = findLastBefore(tokens, offset);
  if (index < 0 || source.text[tokens.start(index)] !== '"') return undefined;
  const isClosed = tokens.getKind(index) === "String";
  return offset < tokens.end(index) || (offset === tokens.end(index) && !isClosed) ? { index, isClosed } : undefined;
}

/** Returns the files and folders that continue a path in quotes; nothing for a text that names no file. */
async function completeQuoted(
  { scanned, source }: ReadText,
  { index, isClosed, offset }: Quoted & { readonly offset: number },
  snapshot: Snapshot | undefined,
  listFolder: ListFolder,
): Promise<CompletionList> {
  const { tokens } = scanned;
  const { text } = source;
  const start = tokens.start(index);
  const wordBefore = index === 0 ? "" : text.slice(tokens.start(index - 1), tokens.end(index - 1));
  const expected = await findExpectedAt(scanned, start);
  const texts = expected.filter(({ kind }) => kind === "String");
  const wanted = texts.map(({ rules }) => findWantedFiles(rules, wordBefore)).find((one) => one !== undefined);
  if (wanted === undefined) return { isIncomplete: false, items: [] };
  const typed = text.slice(start + 1, offset);
  const rootFolder = posix.dirname(snapshot?.root ?? source.path);
  const { candidates, isWhole } = await completePath(typed, { page: source.path, rootFolder, wanted }, listFolder);
  const from = offset - typed.length + typed.lastIndexOf("/") + 1;
  // The quote that closes the text may be meant to open a later text of the line, so only the path up to the first blank is replaced.
  const rest = isClosed ? (/^[^\s"\\/]*\/?/.exec(text.slice(offset, tokens.end(index)))?.[0] ?? "") : "";
  const replaced = makeSpan(source, from, offset + rest.length);
  const items = candidates.slice(0, MOST).map(({ text: path, kind }, order): CompletionItem => {
    const closing = isClosed || kind === "folder" ? "" : '"';
    return {
      label: path,
      kind: kind === "folder" ? CompletionItemKind.Folder : CompletionItemKind.File,
      sortText: String(order).padStart(4, "0"),
      textEdit: { range: convertToRange(replaced), newText: `${path}${closing}` },
    };
  });
  return { isIncomplete: !isWhole || candidates.length > MOST, items };
}

/** Returns the place of the word at an offset, or `undefined` in or right behind a comment, a string or a number. */
function placeIn(scanned: ScanResult, offset: number): Place | undefined {
  const { tokens, docs, comments } = scanned;
  if ([...docs, ...comments].some(({ start, end }) => start < offset && offset <= end)) return undefined;
  let index = findLastBefore(tokens, offset);
  let start = offset;
  if (index >= 0 && tokens.end(index) >= offset) {
    const kind = tokens.getKind(index);
    if (kind === "Number" || kind === "UnclosedString" || kind === "String") return undefined;
    if (/^[A-Za-z]/.test(kind)) {
      start = tokens.start(index);
      index -= 1;
    }
  }
  return { start, before: listNamesBefore(scanned, index + 1) };
}

/** Returns the index of the last token that begins before an offset, or -1 if no token does. */
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
