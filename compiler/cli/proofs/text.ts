// Renders a report of proofs for a person.

import { listExceptions, PREMISES, renderReleasesUsed } from "../../phases/prove/index.ts";
import type { PromptFacts } from "../../queries/report/index.ts";
import { formatTools } from "../../rules/index.ts";
import { type AssertionReport, countUnproved, type ProofReport } from "./report.ts";

/** Width of the first column. */
const WIDTH = 14;
const UNDER = " ".repeat(WIDTH);
const MARGIN = 118;

/**
 * Returns each assertion with its verdict: first those of the page, then inherited ones, which every page has. The
 * totals are at the end.
 */
export function reportLines(report: ProofReport): string[] {
  const { assertions, waived, prompts, dead, loosened } = report;
  const counts = (["proved", "refuted", "undetermined"] as const).map((verdict) => {
    return `${assertions.filter((one) => one.verdict === verdict).length} ${verdict}`;
  });
  const own = assertions.filter(({ of }) => of === "page");
  const inherited = assertions.filter(({ of }) => of !== "page");
  return [
    ...renderAssertions(own, undefined),
    ...(inherited.length > 0 ? ["inherited assertions"] : []),
    ...renderAssertions(inherited, findParticulars(own.at(-1))),
    ...waived.flatMap(({ assertion, session, because }) => [
      `${"waived".padEnd(WIDTH)}${assertion}${session === null ? "" : ` for ${session}`}`,
      ...wrapUnder(`because "${because}"`),
    ]),
    ...prompts.flatMap(renderPrompts),
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

/**
 * Renders assertions in their order. `said` is the text that was printed about the proof of the preceding assertion; an
 * equal text is not printed again.
 */
function renderAssertions(assertions: readonly AssertionReport[], said: string | undefined): string[] {
  return assertions.flatMap((one, index) => {
    const before = index === 0 ? said : findParticulars(assertions[index - 1]);
    return renderAssertion(one, before);
  });
}

/**
 * Renders an assertion. The size of its proof and its releases are omitted if they equal `before`, those of the
 * assertion before it.
 */
function renderAssertion(one: AssertionReport, before: string | undefined): string[] {
  const { assertion, of, at, verdict, sentence, story } = one;
  const whose = of === "page" ? "" : of === "image" ? ", of every image" : ", of every page";
  return [
    `${verdict.padEnd(WIDTH)}${assertion}${whose}${at === null ? "" : ` (${at})`}`,
    ...((findParticulars(one) ?? sentence) === before ? [] : wrapUnder(findParticulars(one) ?? sentence)),
    ...listExceptions(one).flatMap(wrapUnder),
    ...story.map((line) => `${UNDER}${line}`),
  ];
}

/** Returns the size of the proof and the releases that it uses, or `undefined` if the assertion was not proved by a search. */
function findParticulars(one: AssertionReport | undefined): string | undefined {
  if (one === undefined || one.size === null) return undefined;
  return `${one.size.states} states, ${one.size.labels} labels, ${renderReleasesUsed(one)}`;
}

/** Renders how often a conversation can ask people. If no quota limits this, proposes a quota. */
function renderPrompts(prompts: PromptFacts): string[] {
  const { place, wanted, asked, quotas } = prompts;
  const limited = asked === "unbounded" ? "not limited by" : `at most ${asked} by`;
  const counted = quotas.length === 0 ? "no quota of prompts" : `${limited} ${quotas.join(", ")}`;
  const said = wanted === "0" ? "never asks" : `${describeWorst(prompts)}; ${counted}`;
  const scope = place.includes(".") ? "task" : "conversation";
  return [
    `${"questions".padEnd(WIDTH)}${place} ${said}`,
    ...(asked === "unbounded" ? [`${UNDER}to limit the questions, write \`quota { 20 prompts per ${scope} }\``] : []),
  ];
}

/**
 * Describes how often a conversation could ask if no quota of prompts counted. Names the lines that limit this, or the tools that can ask
 * without end.
 */
function describeWorst({ wanted, by }: PromptFacts): string {
  if (wanted === "unbounded") return `may ask without end, for example before calls of ${by.join(", ")}`;
  const why = by.length === 0 ? "" : ` (${by.join(" + ")})`;
  return `asks at most ${wanted} times a conversation${why}`;
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
