// Renders a report of proofs for a person.

import { listExceptions, PREMISES, renderReleasesUsed } from "../../phases/prove/index.ts";
import type { PromptFacts } from "../../queries/report/index.ts";
import { formatTools } from "../../rules/index.ts";
import { type AssertionReport, countUnproved, type ProofReport } from "./report.ts";

/** Width of the first column. */
const WIDTH = 14;
const UNDER = " ".repeat(WIDTH);
const MARGIN = 118;

/** Returns each assertion with its finding; the totals are at the end. */
export function reportLines(report: ProofReport): string[] {
  const { assertions, waived, prompts, dead, loosened } = report;
  const counts = (["proved", "refuted", "undetermined"] as const).map((verdict) => {
    return `${assertions.filter((one) => one.verdict === verdict).length} ${verdict}`;
  });
  return [
    ...assertions.flatMap(renderAssertion),
    ...waived.flatMap(({ assertion, session, because }) => [
      `${"waived".padEnd(WIDTH)}${assertion}${session === null ? "" : ` for ${session}`}`,
      ...wrapUnder(`because "${because}"`),
    ]),
    ...prompts.map(promptLine),
    ...dead.flatMap(({ place, tool, why }) => [`${"never used".padEnd(WIDTH)}${tool} in ${place}`, ...wrapUnder(why)]),
    ...loosened.flatMap(({ place, line, by, at, tools, shown, because }) => [
      `${"loosened".padEnd(WIDTH)}${line} in ${place}: not for ${formatTools(tools)}`,
      ...wrapUnder(`${by.join("; ")} (${at}) goes before it: ${shown}`),
      ...wrapUnder(because === null ? "no reason is given" : `because "${because}"`),
    ]),
    // All proofs about conversations have the same premises, which are printed once.
    ...(assertions.some(({ size }) => size !== null) ? ["premises", ...wrapUnder(PREMISES)] : []),
    `${counts.join(", ")}, ${waived.length} waived`,
  ];
}

/** Returns the report as the text of a file, with a header that names the system. */
export function reportText(report: ProofReport): string {
  const { system, version, policy } = report;
  const head = [`what is proved of ${system} ${version}`, `policy tables sha256 ${policy}`];
  const unproved = countUnproved(report);
  const loud = unproved === 0 ? [] : [`UNPROVED: assertions that do not hold: ${unproved}`];
  return `${[...head, ...loud, "", ...reportLines(report)].join("\n")}\n`;
}

function renderAssertion(one: AssertionReport): string[] {
  const { assertion, of, at, verdict, sentence, story } = one;
  const whose = of === "page" ? "" : of === "image" ? ", of every image" : ", of every page";
  return [
    `${verdict.padEnd(WIDTH)}${assertion}${whose}${at === null ? "" : ` (${at})`}`,
    ...wrapUnder(one.size === null ? sentence : renderParticulars(one, one.size)),
    ...listExceptions(one).flatMap(wrapUnder),
    ...story.map((line) => `${UNDER}${line}`),
  ];
}

function renderParticulars(one: AssertionReport, { states, labels }: { states: number; labels: number }): string {
  return `${states} states, ${labels} labels, ${renderReleasesUsed(one)}`;
}

function promptLine({ place, wanted, asked, by, quotas }: PromptFacts): string {
  const why = by.length === 0 ? "" : ` (${by.join(" + ")})`;
  const worst = describeWorst(wanted) + why;
  const counted = quotas.length === 0 ? "no quota of prompts" : `${asked} by ${quotas.join(", ")}`;
  return `${"questions".padEnd(WIDTH)}${place} ${worst}; ${counted}`;
}

function describeWorst(wanted: string): string {
  if (wanted === "0") return "never asks";
  return wanted === "unbounded" ? "may ask without end" : `asks at most ${wanted} times a conversation`;
}

/** Wraps words into lines that end before the margin. */
function wrapUnder(sentence: string): string[] {
  const lines: string[] = [];
  let line = UNDER;
  for (const word of sentence.split(" ")) {
    if (line.length > WIDTH && line.length + word.length > MARGIN) {
      lines.push(line);
      line = UNDER;
    }
    line += line.length === WIDTH ? word : ` ${word}`;
  }
  return [...lines, line];
}
