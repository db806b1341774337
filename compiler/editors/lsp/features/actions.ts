import { dirname } from "node:path";
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic as EditorDiagnostic,
  type Range,
  type TextEdit,
} from "vscode-languageserver/node";
import type { Diagnostic, Fix } from "../../../../lang/diagnostics/index.ts";
import { getText, type SourceText } from "../../../../lang/text/index.ts";
import { selectAgreedFixes } from "../../../queries/fixes/index.ts";
import { convertToRange, type Names } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { Snapshot } from "../snapshot.ts";

/** Actions that an editor requests: the kinds that it names, or all actions if it names no kind. */
interface Wish {
  readonly range: Range;
  readonly only: readonly string[] | undefined;
  /** Findings that the editor already shows near the place. */
  readonly told: readonly EditorDiagnostic[];
}

/**
 * Returns the fix of each finding at the place, for a person who chooses it. If the editor requests `source.fixAll`,
 * the result also has all fixes of the page that may be applied without a question, like `capc lint --fix`. Computing
 * these fixes takes many compilations.
 */
export async function findActions(
  { snapshot, tree }: PositionContext,
  { range, only, told }: Wish,
  { uriOf }: Names,
  others: readonly Snapshot[] = [snapshot],
): Promise<CodeAction[]> {
  const uri = uriOf(snapshot.fileOf(tree.source));
  const createChange = (fixes: readonly Fix[]) => ({ edit: { changes: { [uri]: fixes.map(createEdit) } } });
  const quick = snapshot.diagnostics.flatMap((found): CodeAction[] => {
    const { fix } = found;
    if (fix === undefined || fix.span.source !== tree.source || !isNear(convertToRange(found.span), range)) return [];
    const diagnostics = told.filter(
      ({ code, range: at }) => code === found.code && isSame(at, convertToRange(found.span)),
    );
    // Editors apply a preferred fix without asking, so a fix is not preferred if it is a guess or writes another name.
    const isPreferred = fix.guess === undefined && !/^\w/.test(fix.replacement);
    const title = renderTitle(found, fix);
    return [{ title, kind: CodeActionKind.QuickFix, isPreferred, diagnostics, ...createChange([fix]) }];
  });
  const wished = quick.filter(({ kind = "" }) => isWished(kind, only));
  if (only === undefined || !isWished(CodeActionKind.SourceFixAll, only)) return wished;
  const all = await findCertainFixes(tree.source, snapshot.fileOf(tree.source), others);
  const whole = {
    title: "Apply all certain fixes of this page",
    kind: CodeActionKind.SourceFixAll,
    ...createChange(all),
  };
  return all.length === 0 ? wished : [...wished, whole];
}

/**
 * Returns the fixes of a file on which the compilations of all root pages that use it agree. Returns none if a fix
 * belongs to an older text of the file.
 */
async function findCertainFixes(
  source: SourceText,
  file: string,
  snapshots: readonly Snapshot[],
): Promise<readonly Fix[]> {
  const pages = snapshots.map(async ({ root, trees, certain }) => ({
    certain: await certain(),
    folder: dirname(root),
    reads: (path: string) => trees.has(path),
  }));
  const fixes = selectAgreedFixes(await Promise.all(pages)).get(file) ?? [];
  return fixes.every((fix) => fix.span.source.text === source.text) ? fixes : [];
}

function renderTitle({ code }: Diagnostic, { span, replacement }: Fix): string {
  const before = getText(span).trim();
  const after = replacement.trim();
  if (before === "") return `Add \`${after}\` (${code})`;
  return after === "" ? `Take out \`${before}\` (${code})` : `Write \`${after}\` for \`${before}\` (${code})`;
}

function createEdit({ span, replacement }: Fix): TextEdit {
  return { range: convertToRange(span), newText: replacement };
}

/** Returns whether a kind is requested. A kind includes those within it: `source` includes `source.fixAll`. */
function isWished(kind: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((wished) => kind === wished || kind.startsWith(`${wished}.`));
}

function isNear(left: Range, right: Range): boolean {
  return left.start.line <= right.end.line && right.start.line <= left.end.line;
}

function isSame(left: Range, right: Range): boolean {
  return left.start.line === right.start.line && left.start.character === right.start.character;
}
