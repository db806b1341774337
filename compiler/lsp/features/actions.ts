import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic as EditorDiagnostic,
  type Range,
  type TextEdit,
} from "vscode-languageserver/node";
import type { Diagnostic, Fix } from "../../../lang/diagnostics/index.ts";
import { textOf } from "../../../lang/text/index.ts";
import { chosenFixes } from "../../lint/index.ts";
import type { Asked } from "../asked.ts";
import { type Names, rangeOf } from "../places.ts";

/** What an editor asks for: kinds of actions, or all of them where it names none. */
export interface Wish {
  readonly range: Range;
  readonly only: readonly string[] | undefined;
  /** Findings of the editor's own at the place. */
  readonly told: readonly EditorDiagnostic[];
}

/** Fixes that are certain: one for each finding at the place, and all of the page at once, as `capc lint --fix` applies them. */
export function actionsOf({ snapshot, tree }: Asked, { range, only, told }: Wish, { uriOf }: Names): CodeAction[] {
  const here = snapshot.diagnostics.flatMap((diagnostic) => {
    const { fix } = diagnostic;
    return fix !== undefined && fix.span.source === tree.source ? [{ ...diagnostic, fix }] : [];
  });
  const uri = uriOf(snapshot.fileOf(tree.source));
  const changing = (fixes: readonly Fix[]) => ({ edit: { changes: { [uri]: fixes.map(editOf) } } });
  const single = here.filter(({ span }) => isNear(rangeOf(span), range));
  const quick = single.map((found): CodeAction => {
    const diagnostics = told.filter(({ code, range: at }) => code === found.code && isSame(at, rangeOf(found.span)));
    return {
      title: titleOf(found, found.fix),
      kind: CodeActionKind.QuickFix,
      isPreferred: true,
      diagnostics,
      ...changing([found.fix]),
    };
  });
  const all = chosenFixes(here.map(({ fix }) => fix));
  const whole: CodeAction = {
    title: "Apply all certain fixes of this page",
    kind: CodeActionKind.SourceFixAll,
    ...changing(all),
  };
  return [...quick, ...(all.length === 0 ? [] : [whole])].filter(({ kind = "" }) => isWished(kind, only));
}

function titleOf({ code }: Diagnostic, { span, replacement }: Fix): string {
  const before = textOf(span).trim();
  const after = replacement.trim();
  if (before === "") return `Add \`${after}\` (${code})`;
  return after === "" ? `Take out \`${before}\` (${code})` : `Write \`${after}\` for \`${before}\` (${code})`;
}

function editOf({ span, replacement }: Fix): TextEdit {
  return { range: rangeOf(span), newText: replacement };
}

/** A kind stands for those within it: `quickfix`, `source` for `source.fixAll`. */
function isWished(kind: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((wished) => kind === wished || kind.startsWith(`${wished}.`));
}

function isNear(left: Range, right: Range): boolean {
  return left.start.line <= right.end.line && right.start.line <= left.end.line;
}

function isSame(left: Range, right: Range): boolean {
  return left.start.line === right.start.line && left.start.character === right.start.character;
}
