import { type Diagnostic, nearest } from "../../lang/diagnostics/index.ts";
import type { Page } from "../check/index.ts";
import { silenceUnused } from "./codes.ts";
import { ADVICE } from "./rules.ts";
import { type Silence, silencesIn } from "./silence.ts";

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
  const silences = page.trees.flatMap(({ source }) => silencesIn(source, (diagnostic) => found.push(diagnostic)));
  const placed = new Map(silences.map((silence) => [placeOf(silence), silence]));
  const used = new Set<Silence>();
  const silenced: Silenced[] = [];
  for (const diagnostic of given) {
    const silence = placed.size === 0 ? undefined : placed.get(placeOf(lineOf(diagnostic)));
    if (silence === undefined) found.push(diagnostic);
    else {
      used.add(silence);
      silenced.push({ diagnostic, reason: silence.reason });
    }
  }
  for (const silence of silences) if (!used.has(silence)) found.push(unused(silence));
  return { found, silenced };
}

type Place = Pick<Silence, "code" | "line" | "source">;

function lineOf({ code, span }: Diagnostic): Place {
  return { code, line: span.source.position(span.start).line, source: span.source };
}

function placeOf({ code, line, source }: Place): string {
  return `${code} ${line} ${source.path}`;
}

function unused({ code, line, at }: Silence): Diagnostic {
  const known = Object.values(ADVICE).flatMap(({ reports }) => reports.map((reported) => reported.code));
  if (known.includes(code)) {
    return silenceUnused.at(at, { code, why: `line ${line} gets no such advice`, near: undefined });
  }
  const near = nearest(code, known);
  const why = "it is no advice, and what is not advice cannot be silenced";
  return silenceUnused.at(at, { code, why, near }, near === undefined ? {} : { fix: { span: at, replacement: near } });
}
