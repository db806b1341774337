// Renders an explanation for people. The lines contain untrusted text of arguments and of the page, so the caller must
// escape each line.

import { changeWords, GRANT_LIMITS, NOTHING_ASKS, renderChange } from "../../../engine/lib/policy/index.ts";
import { placeOf, type Span } from "../../../lang/text/index.ts";
import type { ProposedChange } from "./change.ts";
import type { CheckResult } from "./checks.ts";
import type { Edit } from "./edits.ts";
import type { Explanation } from "./explain.ts";
import type { PassedLine } from "./passed-over.ts";

/**
 * Returns the lines of an explanation, without line ends. `passed` contains the lines that cover the tool but do not
 * decide.
 */
export function renderExplanation(
  explanation: Explanation,
  proposed: ProposedChange,
  passed: readonly PassedLine[] = [],
): readonly string[] {
  const { question, answer, reason, readResult, checks, rule, masked } = explanation;
  return [
    `${question.tool} ${explanation.arguments}: ${answer}`,
    `  ${reason}`,
    ...(question.arguments === undefined ? ["  (no arguments were given: these are the least that fit)"] : []),
    ...(readResult === undefined ? [] : [`  (${readResult.words})`]),
    "",
    "checks, in their order:",
    ...checks.flatMap(checkLines),
    ...(rule === undefined ? [] : ["", "line that decided:", `  ${placeOf(rule.span)}: ${rule.words}`]),
    ...(passed.length === 0 ? [] : ["", "lines that are passed over:"]),
    ...passed.map(({ words, span, by, why }) => `  ${placeOf(span)}: ${words}, ${REASONS[why]} "${by}"`),
    ...(masked.length === 0 ? [] : ["", "masked in it and in its result:"]),
    ...masked.map(({ backend, redactions }) => `  before ${backend} hears it: ${redactions.join(", ")}`),
    "",
    ...changeLines(explanation, proposed),
  ];
}

const REASONS = { closer: "behind the closer pattern of", own: "replaced by the session's own" } as const;

const VERDICTS = { passes: "passes", decides: "decides", notAsked: "not asked" } as const;

function checkLines({ name, verdict, words }: CheckResult): readonly string[] {
  const [first = "", ...rest] = words;
  const head = `  ${name.padEnd(9)}  ${VERDICTS[verdict].padEnd(9)}`;
  return [`${head}  ${first}`.trimEnd(), ...rest.map((more) => `${" ".repeat(head.length + 2)}${more}`)];
}

function changeLines(
  { question, answer, isOutsideGrant }: Explanation,
  { change, refused }: ProposedChange,
): readonly string[] {
  if (answer === "auto") return [NOTHING_ASKS];
  if (isOutsideGrant) return [GRANT_LIMITS];
  if (change !== undefined)
    return [
      ...changeWords(change.answer, change.edits.map(renderEdit), {
        opens: change.opens.map(renderChange),
        narrows: change.narrows.map(renderChange),
        isInTask: question.task !== undefined,
      }),
      ...(change.flowsSkipped === undefined ? [] : [`which flows it opens is not known: ${change.flowsSkipped}`]),
    ];
  if (refused === undefined) return ["no change of one line is known that would loosen this"];
  const { code, message, span } = refused.error;
  return [
    "no lawful change of one line is known that would loosen this; the first that was tried:",
    ...refused.edits.map((edit) => `  ${renderEdit(edit)}`),
    `it would be refused: ${message} (${code}, ${placeOf(span)})`,
  ];
}

function renderEdit({ span, replacement }: Edit): string {
  const before = getText(span);
  const after = replacement.trim();
  if (before === "") return `${placeOf(span)}: add \`${after}\``;
  return after === ""
    ? `${placeOf(span)}: take out \`${before}\``
    : `${placeOf(span)}: \`${before}\` becomes \`${after}\``;
}

function getText({ source, start, end }: Span): string {
  return source.text.slice(start, end).trim();
}
