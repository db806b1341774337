import {
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic as EditorDiagnostic,
} from "vscode-languageserver/node";
import { type Diagnostic, escapeInvisible, sortDiagnostics } from "../../../../lang/diagnostics/index.ts";
import { compareCodeUnits } from "../../../../lang/text/index.ts";
import { convertToLocation, convertToRange, type Names } from "../places.ts";
import type { Snapshot } from "../snapshot.ts";

/** Returns the URI of the documentation page of a code, or `undefined` if the code has no page. */
export type LinkOf = (code: string) => string | undefined;

/** Codes of findings about text without effect, which an editor may draw in grey. */
const UNNECESSARY: ReadonlySet<string> = new Set([
  "backend-unreachable",
  "category-unused",
  "compartment-unused",
  "block-empty",
  "dead-authority",
  "floor-changes-nothing",
  "floor-never-reached",
  "grant-unused",
  "import-unused",
  "level-unused",
  "model-unused",
  "network-unused",
  "only-removes-nothing",
  "principal-unused",
  "quota-unreachable",
  "release-dead",
  "rule-never-matches",
  "rule-redundant",
  "rule-shadowed",
  "service-unused",
  "silence-unused",
  "suppress-removes-nothing",
  "where-always-met",
  "widen-changes-nothing",
]);
const DEPRECATED: ReadonlySet<string> = new Set(["deprecated-name"]);

export const TAGGED: readonly string[] = [...UNNECESSARY, ...DEPRECATED];

/** Maximum number of findings that an editor can show for one file; errors come first. */
const MOST_OF_A_FILE = 5000;

/** Returns the findings of all packages by absolute path of the file; equal findings of two packages appear once. */
export function groupDiagnosticsByFile(
  snapshots: readonly Snapshot[],
  names: Names,
  linkOf: LinkOf,
): ReadonlyMap<string, readonly EditorDiagnostic[]> {
  const files = new Map<string, Map<string, EditorDiagnostic>>();
  for (const snapshot of snapshots) {
    for (const diagnostic of sortDiagnostics([...snapshot.diagnostics, ...[...snapshot.tested.values()].flat()])) {
      const file = snapshot.fileOf(diagnostic.span.source);
      const drawn = createDiagnostic(diagnostic, snapshot, names, linkOf);
      const told = files.get(file) ?? new Map<string, EditorDiagnostic>();
      files.set(file, told);
      const { start, end } = diagnostic.span;
      const key = `${start} ${end} ${drawn.code} ${drawn.message}`;
      if (!told.has(key)) told.set(key, drawn);
    }
  }
  return new Map(
    [...files]
      .sort(([left], [right]) => compareCodeUnits(left, right))
      .map(([file, told]) => [file, limitDiagnostics([...told.values()])]),
  );
}

function limitDiagnostics(all: readonly EditorDiagnostic[]): readonly EditorDiagnostic[] {
  if (all.length <= MOST_OF_A_FILE) return all;
  const errors = all.filter(({ severity }) => severity === DiagnosticSeverity.Error);
  return [...errors, ...all.filter((each) => !errors.includes(each))].slice(0, MOST_OF_A_FILE);
}

function createDiagnostic(diagnostic: Diagnostic, snapshot: Snapshot, names: Names, linkOf: LinkOf): EditorDiagnostic {
  const { code, severity, span, message, help, related } = diagnostic;
  const href = linkOf(code);
  const tags = listTags(code);
  return {
    range: convertToRange(span),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: "capc",
    message: [message, ...(help === undefined ? [] : help.split("\n"))].map(escapeInvisible).join("\n"),
    ...(href === undefined ? {} : { codeDescription: { href } }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(related.length === 0
      ? {}
      : {
          relatedInformation: related.map(
            (each): DiagnosticRelatedInformation => ({
              location: convertToLocation(each.span, snapshot, names),
              message: escapeInvisible(each.message),
            }),
          ),
        }),
  };
}

function listTags(code: string): DiagnosticTag[] {
  if (UNNECESSARY.has(code)) return [DiagnosticTag.Unnecessary];
  return DEPRECATED.has(code) ? [DiagnosticTag.Deprecated] : [];
}
