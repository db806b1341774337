// Collects statements of a page other than decisions: assertions, waivers, tests, and reasons of lines. Tables contain
// none of these. A weaker statement allows later changes that the earlier statement would have refused.

import type { Assertion, Model } from "../../phases/bind/index.ts";
import { isStandard } from "../../phases/source/index.ts";
import { formatTools, type Loosening } from "../../rules/index.ts";
import { describeAssertion, isImpliedBy } from "./claims.ts";
import { type Fact, type FactChange, measureMembers, WORD } from "./facts.ts";
import { collectReasonFacts } from "./stated-reasons.ts";
import { collectTestFacts, type TestedSide } from "./test-facts.ts";

/**
 * Returns the facts about a page's assertions, waivers, tests and reasons, and about lines that looser lines override.
 * `other` is the page to compare with; `side` states whether `model` is the page before or after the change.
 */
export function collectStatedFacts(
  model: Model,
  other: Model,
  side: TestedSide,
  loosened: readonly Loosening[] = [],
): readonly Fact[] {
  return [
    ...collectAssertionFacts(model, other),
    ...collectWaiverFacts(model),
    ...collectTestFacts(model, other, side),
    ...collectReasonFacts(model),
    ...loosened.map(makeLoosenedFact),
  ];
}

/**
 * Returns the fact about a line that looser lines override. The facts about cells show which calls the looser lines let
 * run.
 */
function makeLoosenedFact({ place, line, by, tools, because }: Loosening): Fact {
  const before = by.map(({ words }) => `\`${words}\``).join(", ");
  const why = because === undefined ? "no reason is given" : `because "${because}"`;
  const what = `\`${line.words}\`, which looser lines go before`;
  return { place, what, value: `${before} for ${formatTools(tools)}; ${why}`, measure: WORD, without: "other" };
}

/** Returns the page's own assertions, because those of the standard library are on every page. */
function filterOwnAssertions({ assertions }: Model): readonly Assertion[] {
  return assertions.filter(({ node }) => !isStandard(node.span.source.path));
}

function collectAssertionFacts(model: Model, other: Model): readonly Fact[] {
  const others = filterOwnAssertions(other);
  return filterOwnAssertions(model).map((assertion): Fact => {
    const isHeld = () => others.some((one) => isImpliedBy(assertion, model, one, other));
    const value = `of ${describeAssertion(assertion, model)}`;
    return { place: "", what: assertion.words, value, measure: { kind: "held", isHeld }, without: "more" };
  });
}

/**
 * Returns a fact for each waiver, with the reason on its line. Another reason is a change too, because only a person
 * can judge the new reason.
 */
function collectWaiverFacts({ waivers }: Model): readonly Fact[] {
  return waivers.map(({ assertion, session, reason }) => ({
    place: session?.id ?? "",
    what: `waive ${assertion}`,
    value: `because "${reason}"`,
    measure: measureMembers([reason]),
    without: "less",
  }));
}

/**
 * Returns the fact of a lower version. A machine refuses images with a lower version than the last one that it
 * accepted. So a machine whose first image has a lower version accepts more of the older images.
 */
export function detectVersionRollback(before: string, after: string): readonly FactChange[] {
  if (!isBelow(after, before)) return [];
  return [
    { direction: "widened", widens: true, what: "version", before, after, details: [], owners: [], places: [""] },
  ];
}

function isBelow(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) =>
    text.split(".").map((part) => (/^\d+$/.test(part) ? BigInt(part) : undefined)),
  );
  if (left === undefined || right === undefined) return false;
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [low, high] = [left[at] ?? 0n, right[at] ?? 0n];
    if (low !== high) return low < high;
  }
  return false;
}
