// Statements of a page apart from its decisions: assertions, waivers, tests, and reasons of lines. Tables hold none of them, and weakening
// one lets later changes pass that would fail otherwise.

import type { Assertion, BoundTest, Model, Subject } from "../../phases/bind/index.ts";
import { serializeValue } from "../../phases/policy/index.ts";
import { isStandard } from "../../phases/source/index.ts";
import { formatTools, type Loosening } from "../../rules/index.ts";
import { describeAssertion, isImpliedBy } from "./claims.ts";
import { computeSha256 } from "./digest.ts";
import { type Fact, type FactChange, measureMembers, WORD } from "./facts.ts";
import { collectReasonFacts } from "./stated-reasons.ts";

/** Returns the facts that a page states of itself. `other` is the page that it is compared with. */
export function collectStatedFacts(model: Model, other: Model, loosened: readonly Loosening[] = []): readonly Fact[] {
  return [
    ...collectAssertionFacts(model, other),
    ...collectWaiverFacts(model),
    ...testFacts(model, other),
    ...collectReasonFacts(model),
    ...loosened.map(makeLoosenedFact),
  ];
}

/** Returns the fact that looser lines precede a line. The calls that run as a result are compared as cells. */
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

/** Returns the waivers with the reasons on their lines, which only a reviewer can weigh. */
function collectWaiverFacts({ waivers }: Model): readonly Fact[] {
  return waivers.map(({ assertion, session, reason }) => ({
    place: session?.id ?? "",
    what: `waive ${assertion}`,
    value: `because "${reason}"`,
    measure: measureMembers([reason]),
    without: "less",
  }));
}

function testFacts({ tests, lattice }: Model, other: Model): readonly Fact[] {
  const others = other.tests.map((one) => digestPrefixes(one, other.lattice));
  return tests.map((one): Fact => {
    const beginnings = digestPrefixes(one, lattice);
    const whole = beginnings.at(-1) ?? "";
    // A longer test that begins with these steps also enforces it.
    const isHeld = () => others.some((list) => list.includes(whole));
    return {
      place: "",
      what: `test "${one.title}"`,
      value: `${one.steps.length} ${one.steps.length === 1 ? "step" : "steps"}, SHA-256 ${whole.slice(0, 16)}`,
      measure: { kind: "held", isHeld },
      without: "more",
    };
  });
}

/** Returns a digest of each beginning of a test, the whole test last. */
function digestPrefixes({ steps }: BoundTest, lattice: Model["lattice"]): readonly string[] {
  let before = "";
  return steps.map((step) => {
    before = computeSha256(`${before} ${stepText(step, lattice)}`);
    return before;
  });
}

function stepText(
  step: BoundTest["steps"][number],
  { confidentiality, integrity, compartments }: Model["lattice"],
): string {
  switch (step.kind) {
    case "as":
      return serializeValue(["as", getSubjectId(step.who), step.unattended]);
    case "say":
    case "paste":
      return serializeValue([step.kind, step.text]);
    case "enter":
      return serializeValue(["enter", step.phase, step.answer, step.expect]);
    case "infer":
      return serializeValue(["infer", step.backend.name, step.answer, step.expect]);
    case "call": {
      const { returning } = step;
      const label = returning && [
        confidentiality[returning.confidentiality],
        returning.integrity === undefined ? undefined : integrity[returning.integrity],
        compartments.filter((_, index) => (returning.compartments & (1n << BigInt(index))) !== 0n),
      ];
      return serializeValue(["call", step.name, step.arguments, label, step.giving, step.answer, step.expect]);
    }
  }
}

function getSubjectId(who: Subject): string {
  return who.kind === "session" ? who.session.id : who.task.id;
}

/**
 * Returns the fact of a lower version. A machine refuses an image older than the last one that it accepted, so a lower version allows
 * older ones.
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
