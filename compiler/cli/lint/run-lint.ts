// Lints pages. For `--fix`, applies the fixes for which capc need not ask a person, and lints again, until no such fix
// is left.

import { resolve } from "node:path";
import { type Diagnostic, escapeInvisible, sortDiagnostics } from "../../../lang/diagnostics/index.ts";
import type { World } from "../../host/world.ts";
import { listTrivialAssertions } from "../../phases/prove/index.ts";
import type { SilencedFinding, UnreadablePage } from "../../rules/index.ts";
import { notEnforcedYet } from "../../rules/index.ts";
import { fixFiles } from "../fix.ts";
import { compilePage } from "../page.ts";
import type { Readings } from "../recording-host.ts";
import { formatPath } from "../render-findings.ts";

/** Codes that concern this version of capc and not the page, so lint omits them; check and build report them. */
const OF_THE_TOOL: readonly string[] = [notEnforcedYet.code];

/** Findings of all pages together. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly SilencedFinding[];
  /** Pages that could not be read. All findings concern the other pages. */
  readonly unread: readonly UnreadablePage[];
}

/** Result of a lint run; `reason` says why a fix could not be written. */
export type LintResult = {
  readonly findings: Findings;
  readonly readings: readonly Readings[];
  /** Number of assertions that hold only because nothing on the page has a label to which they apply. */
  readonly trivial: number;
  readonly reason?: string;
};

/** Compiles each page; files are as the user typed them. Without advice, the result is the same as that of `check`. */
export async function runLint(files: readonly string[], world: World, advice: "given" | "left"): Promise<LintResult> {
  const found: Diagnostic[][] = [];
  const silenced: SilencedFinding[][] = [];
  const readings: Readings[] = [];
  const unread: UnreadablePage[] = [];
  let trivial = 0;
  for (const file of files) {
    const result = await compilePage(file, world, { purpose: "check", advice });
    readings.push(result.readings);
    if (result.kind === "unreadable")
      unread.push({ file: formatPath(resolve(world.folder, file), world), reason: escapeInvisible(result.reason) });
    else {
      const { compiled } = result;
      const isSaid = ({ code }: Diagnostic): boolean => advice === "left" || !OF_THE_TOOL.includes(code);
      found.push([...compiled.diagnostics.filter(isSaid), ...compiled.advice]);
      silenced.push([...compiled.silenced]);
      if (compiled.proofs !== undefined) trivial += listTrivialAssertions(compiled.proofs).length;
    }
  }
  // Two pages may import the same third page, so a finding may occur twice in `found`.
  const findings = { diagnostics: sortDiagnostics(found.flat()), silenced: silenced.flat(), unread };
  return { findings, readings, trivial };
}

/**
 * A fix may reveal a finding that another finding concealed. If a page still has fixes after this many rounds, the
 * fixes probably undo each other.
 */
const MOST_LOOKS = 10;

/**
 * Applies the fixes that need no consent, and lints again, until no such fix is left or `MOST_LOOKS` rounds have run.
 */
export async function fixUntilDone(before: LintResult, files: readonly string[], world: World): Promise<LintResult> {
  let looked = before;
  let total = 0;
  for (let looks = 0; looks < MOST_LOOKS && looked.reason === undefined; looks += 1) {
    const result = await fixFiles(files, world);
    if (!result.ok) return { ...looked, reason: result.reason };
    if (result.value === 0) break;
    total += result.value;
    looked = await runLint(files, world, "given");
  }
  if (total > 0) world.report(`capc lint: ${total} fixed\n`);
  return looked;
}
