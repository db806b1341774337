import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { type AttachedComment, type Attachments, findAttachments, type Place } from "../../lang/format/index.ts";
import { makeSpan, type SourceText, type Span } from "../../lang/text/index.ts";
import type { FileTree } from "../../lang/tree/index.ts";
import { argumentLeftOut, limitUnchecked, toolLeftOut, toolRenamed } from "../phases/reflect/codes.ts";
import { silenceMalformed } from "./codes.ts";
import { isWithoutWords } from "./support/index.ts";

// A comment silences advice if it is before, inside or after the advice's subject: a declaration, an attribute with its block, or a rule.
// The lines on which comments stand do not matter, because formatting may split and join lines.

/** A comment that silences one code at one position. */
export interface Silence {
  readonly code: string;
  readonly reason: string;
  readonly source: SourceText;
  /** Position of the code in the comment. */
  readonly at: Span;
  /**
   * The element that the comment is about; `undefined` if there is none, because the comment is at the end of a block
   * or of the page.
   */
  readonly place: Place | undefined;
}

/** A finding that a comment silences, with the reason in the comment. It is an advice, or a warning about an import. */
export interface SilencedFinding {
  readonly diagnostic: Diagnostic;
  readonly reason: string;
}

/**
 * Warnings about imports that a page can silence like advice. A person can accept that capc leaves out a tool of an MCP
 * list, but often cannot change the list, which other people publish.
 */
export const SILENCED_WARNINGS: ReadonlySet<string> = new Set([
  argumentLeftOut.code,
  limitUnchecked.code,
  toolRenamed.code,
  toolLeftOut.code,
]);

/** Returns the findings about imports in two groups: findings that no comment silences, and findings that a comment silences. */
export function silenceImports(
  trees: readonly FileTree[],
  found: readonly Diagnostic[],
): { readonly open: readonly Diagnostic[]; readonly silenced: readonly SilencedFinding[] } {
  if (!found.some(({ code }) => SILENCED_WARNINGS.has(code))) return { open: found, silenced: [] };
  const { about } = readSilences(trees);
  const looked = found.map((diagnostic) => {
    return { diagnostic, reason: SILENCED_WARNINGS.has(diagnostic.code) ? about(diagnostic)?.reason : undefined };
  });
  return {
    open: looked.flatMap(({ diagnostic, reason }) => (reason === undefined ? [diagnostic] : [])),
    silenced: looked.flatMap(({ diagnostic, reason }) => (reason === undefined ? [] : [{ diagnostic, reason }])),
  };
}

/** The silencing comments of one file or of a page, and a function that finds the comment for a finding. */
interface Silences {
  readonly all: readonly Silence[];
  readonly about: (diagnostic: Diagnostic) => Silence | undefined;
}

const ALLOWS = /^(\/\/\s*capc:\s*allow\s+)([a-z0-9-]+)\s+because\s+"((?:[^"\\]|\\.)*)"\s*$/;
const MARK = /^\/\/\s*capc:/;

const NONE: Silences = { all: [], about: () => undefined };

/**
 * Returns the silencing comments of all files of a page. `report` receives a finding for each malformed comment.
 * Without `report`, malformed comments are ignored, because lint reports them.
 */
export function readSilences(
  trees: readonly FileTree[],
  report: (diagnostic: Diagnostic) => void = () => undefined,
): Silences {
  const bySource = new Map(trees.map((tree) => [tree.source, readFileSilences(tree, report)]));
  return {
    all: [...bySource.values()].flatMap(({ all }) => all),
    about: (diagnostic) => bySource.get(diagnostic.span.source)?.about(diagnostic),
  };
}

function readFileSilences(tree: FileTree, report: (diagnostic: Diagnostic) => void): Silences {
  // Most pages have no silencing comment. This check avoids splitting such pages into tokens.
  if (!tree.source.text.includes("capc:")) return NONE;
  const attachments = findAttachments(tree);
  const all = attachments.comments.flatMap((attached) => silenceOf(tree.source, attached, report) ?? []);
  const placed = new Map(all.map((silence) => [computeKey(silence.code, silence.place), silence]));
  return { all, about: (diagnostic) => silenceAbout(diagnostic, attachments, placed) };
}

function silenceOf(
  source: SourceText,
  { comment, place }: AttachedComment,
  report: (diagnostic: Diagnostic) => void,
): Silence | undefined {
  const { text, start } = comment;
  if (!MARK.test(text)) return undefined;
  const [, before = "", code = "", reason = ""] = ALLOWS.exec(text) ?? [];
  const wrong = code === "" ? "it needs the code of an advice, and a reason" : "its reason is empty";
  if (code === "" || isWithoutWords(reason)) {
    report(silenceMalformed.at(makeSpan(source, start, start + text.length), { what: wrong }));
    return undefined;
  }
  const from = start + before.length;
  return { code, reason, source, at: makeSpan(source, from, from + code.length), place };
}

function computeKey(code: string, place: Place | undefined): string {
  return `${code} ${place?.start ?? "nowhere"}`;
}

/**
 * Returns the innermost silencing comment for a finding. A comment at a declaration does not apply to the content of the declaration's
 * block.
 */
function silenceAbout(
  { code, span: { start } }: Diagnostic,
  { placesAt }: Attachments,
  placed: ReadonlyMap<string, Silence>,
): Silence | undefined {
  if (placed.size === 0) return undefined;
  const [inner, ...around] = placesAt(start);
  const places = [...(inner === undefined ? [] : [inner]), ...around.filter(({ holdsLines }) => holdsLines)];
  return places.map((place) => placed.get(computeKey(code, place))).find((silence) => silence !== undefined);
}
