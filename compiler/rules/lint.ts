import { type Diagnostic, findNearest } from "../../lang/diagnostics/index.ts";
import { deadAuthority } from "./advice/dead-authority/codes.ts";
import { waiverUnused } from "./advice/waiver-unused/codes.ts";
import { ADVICE } from "./advice.ts";
import { silenceUnused } from "./codes.ts";
import { readSilences, SILENCED_WARNINGS, type Silence, type SilencedFinding } from "./silence.ts";
import type { Page } from "./support/index.ts";

interface Linted {
  readonly found: readonly Diagnostic[];
  readonly silenced: readonly SilencedFinding[];
}

/**
 * Returns the advice about a page. Advice never makes a compilation fail. `before` contains the warnings about imports
 * that comments have silenced; these comments count as used.
 */
export function lint(page: Page, before: readonly SilencedFinding[]): Linted {
  const given: Diagnostic[] = [];
  for (const advice of Object.values(ADVICE)) advice.check(page, (diagnostic) => given.push(diagnostic));
  const found: Diagnostic[] = [];
  const { all, about } = readSilences(page.trees, (diagnostic) => found.push(diagnostic));
  const used = new Set(before.flatMap(({ diagnostic }) => about(diagnostic) ?? []));
  const silenced = [...before];
  for (const diagnostic of given) {
    const silence = about(diagnostic);
    if (silence === undefined) found.push(diagnostic);
    else {
      used.add(silence);
      silenced.push({ diagnostic, reason: silence.reason });
    }
  }
  const leftOver = all.filter((silence) => !used.has(silence));
  const asked = leftOver.filter(({ code }) => page.proven !== undefined || !NEEDS_PROOFS.has(code));
  return { found: [...found, ...asked.map(reportUnused)], silenced };
}

/**
 * Codes of advice that needs proofs. A page with errors is not proved, so on such a page, comments that silence this
 * advice are not reported as unused.
 */
const NEEDS_PROOFS: ReadonlySet<string> = new Set([deadAuthority.code, waiverUnused.code]);

function reportUnused({ code, source, place, at }: Silence): Diagnostic {
  const advice = Object.values(ADVICE).flatMap(({ reports }) => reports.map((reported) => reported.code));
  const known = [...advice, ...SILENCED_WARNINGS];
  if (known.includes(code)) {
    const line = place && source.position(place.start).line;
    const why =
      line === undefined
        ? "there is no declaration or rule after it"
        : `the element in line ${line} gets no such advice`;
    return silenceUnused.at(at, { code, why, near: undefined });
  }
  const near = findNearest(code, known);
  const why = "it is not the code of an advice, and only advice can be silenced";
  return silenceUnused.at(
    at,
    { code, why, near },
    near === undefined ? {} : { fix: { span: at, replacement: near, guess: known } },
  );
}
