import { type Diagnostic, nearest } from "../../lang/diagnostics/index.ts";
import { deadAuthority } from "./advice/dead-authority/codes.ts";
import { waiverUnused } from "./advice/waiver-unused/codes.ts";
import { ADVICE } from "./advice.ts";
import { silenceUnused } from "./codes.ts";
import { type Silence, silencesIn } from "./silence.ts";
import type { Page } from "./support/index.ts";

/** Advice that somebody has looked at and allowed, with the reason. */
export interface Silenced {
  readonly diagnostic: Diagnostic;
  readonly reason: string;
}

export interface Linted {
  readonly found: readonly Diagnostic[];
  readonly silenced: readonly Silenced[];
}

/** Advice about a page. It stops nothing: a policy is made with or without it. */
export function lint(page: Page): Linted {
  const given: Diagnostic[] = [];
  for (const advice of Object.values(ADVICE)) advice.check(page, (diagnostic) => given.push(diagnostic));
  const found: Diagnostic[] = [];
  const files = page.trees.map((tree) => {
    const silences = silencesIn(tree, (diagnostic) => found.push(diagnostic));
    return [tree.source, silences] as const;
  });
  const bySource = new Map(files);
  const used = new Set<Silence>();
  const silenced: Silenced[] = [];
  for (const diagnostic of given) {
    const silence = bySource.get(diagnostic.span.source)?.about(diagnostic);
    if (silence === undefined) found.push(diagnostic);
    else {
      used.add(silence);
      silenced.push({ diagnostic, reason: silence.reason });
    }
  }
  const leftOver = files.flatMap(([, { all }]) => all).filter((silence) => !used.has(silence));
  const asked = leftOver.filter(({ code }) => page.proven !== undefined || !NEEDS_PROOFS.has(code));
  return { found: [...found, ...asked.map(unused)], silenced };
}

/** Of a page with errors nothing is proved, and a silence of such advice is not known to be left over. */
const NEEDS_PROOFS: ReadonlySet<string> = new Set([deadAuthority.code, waiverUnused.code]);

function unused({ code, source, place, at }: Silence): Diagnostic {
  const known = Object.values(ADVICE).flatMap(({ reports }) => reports.map((reported) => reported.code));
  if (known.includes(code)) {
    const line = place && source.position(place.start).line;
    const why =
      line === undefined ? "nothing stands behind it here" : `what stands in line ${line} gets no such advice`;
    return silenceUnused.at(at, { code, why, near: undefined });
  }
  const near = nearest(code, known);
  const why = "it is no advice, and what is not advice cannot be silenced";
  return silenceUnused.at(
    at,
    { code, why, near },
    near === undefined ? {} : { fix: { span: at, replacement: near, guess: known } },
  );
}
