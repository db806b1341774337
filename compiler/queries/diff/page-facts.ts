// Collects statements of a page other than decisions: assertions, waivers, tests, and reasons of lines. Tables contain
// none of these. A weaker statement allows later changes that the earlier statement would have refused.

import { getText, type Span } from "../../../lang/text/index.ts";
import type { Assertion, BoundTest, ExpectedOutcome, Model, Subject } from "../../phases/bind/index.ts";
import { serializeValue } from "../../phases/policy/index.ts";
import { isStandard } from "../../phases/source/index.ts";
import { formatTools, type Loosening } from "../../rules/index.ts";
import { describeAssertion, isImpliedBy } from "./claims.ts";
import { computeSha256 } from "./digest.ts";
import { type Fact, type FactChange, measureMembers, WORD } from "./facts.ts";
import { collectReasonFacts } from "./stated-reasons.ts";

/**
 * Returns the facts that a page states about itself. `other` is the page to compare with; `at` states whether `model`
 * is the page before or after the change.
 */
export function collectStatedFacts(
  model: Model,
  other: Model,
  at: "before" | "after",
  loosened: readonly Loosening[] = [],
): readonly Fact[] {
  return [
    ...collectAssertionFacts(model, other),
    ...collectWaiverFacts(model),
    ...testFacts(model, other, at),
    ...collectReasonFacts(model),
    ...loosened.map(makeLoosenedFact),
  ];
}

/** Returns the fact that looser lines precede a line. The cells show the calls that may run because of this. */
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

/** Returns the waivers with the reasons on their lines. Only a reviewer can judge these reasons. */
function collectWaiverFacts({ waivers }: Model): readonly Fact[] {
  return waivers.map(({ assertion, session, reason }) => ({
    place: session?.id ?? "",
    what: `waive ${assertion}`,
    value: `because "${reason}"`,
    measure: measureMembers([reason]),
    without: "less",
  }));
}

function testFacts(model: Model, other: Model, at: "before" | "after"): readonly Fact[] {
  const others = other.tests.map((one) => digestPrefixes(one, other.lattice));
  const renamed = findRenamedTests(model, other);
  return model.tests.flatMap((one, index): readonly Fact[] => {
    if (renamed.has(one)) return [];
    const whole = digestPrefixes(one, model.lattice).at(-1) ?? "";
    const same = findSameTitle(one, model.tests.slice(0, index), other.tests);
    const [own, theirs] = [describeTest(one, model, same, other), same && describeTest(same, other, one, model)];
    // A longer test that begins with the same steps implies this test. A new version of a test that only expects looser
    // decisions requires nothing new.
    const isHeld = () =>
      others.some((list) => list.includes(whole)) ||
      (at === "after" && same !== undefined && isOnlyLooser(same, other, one, model));
    const value = own === theirs ? `${own}, SHA-256 ${whole.slice(0, 16)}` : own;
    return [{ place: "", what: `test "${one.title}"`, value, measure: { kind: "held", isHeld }, without: "more" }];
  });
}

/** Returns a change for each test of which only the title differs, in the order of the newer page. */
export function describeRenamedTests(before: Model, after: Model): readonly FactChange[] {
  return [...findRenamedTests(after, before)].map(([now, old]) => ({
    ...{ direction: "moved", widens: false, what: "test renamed" },
    ...{ before: JSON.stringify(old.title), after: JSON.stringify(now.title) },
    ...{ details: [], owners: [], places: [""] },
  }));
}

/**
 * Returns pairs of a test of this page and a test of the other page that have the same steps. The other page lacks the
 * title of the first test, and this page lacks the title of the second.
 */
function findRenamedTests(model: Model, other: Model): ReadonlyMap<BoundTest, BoundTest> {
  const [own, theirs] = [listUnmatchedTests(model, other), listUnmatchedTests(other, model)];
  return new Map(
    [...own].flatMap(([digest, tests]) =>
      tests.flatMap((one, index): [BoundTest, BoundTest][] => {
        const counterpart = theirs.get(digest)?.[index];
        return counterpart === undefined ? [] : [[one, counterpart]];
      }),
    ),
  );
}

/** Returns the tests whose title the other page lacks, by the digest of their steps. */
function listUnmatchedTests({ tests, lattice }: Model, other: Model): ReadonlyMap<string, readonly BoundTest[]> {
  const titles = new Set(other.tests.map(({ title }) => title));
  return Map.groupBy(
    tests.filter(({ title }) => !titles.has(title)),
    (one) => digestPrefixes(one, lattice).at(-1) ?? "",
  );
}

/**
 * Returns the test of the other page with the same title. If several tests have this title, returns the one at the same
 * position among them.
 */
function findSameTitle(
  { title }: BoundTest,
  before: readonly BoundTest[],
  others: readonly BoundTest[],
): BoundTest | undefined {
  const count = before.filter((one) => one.title === title).length;
  return others.filter((one) => one.title === title)[count];
}

/**
 * Maximum number of shown steps of a test, and maximum number of characters of each shown step. Steps that only differ
 * in the expected decision are always shown.
 */
const MOST_STEPS = 3;
const LONGEST_STEP = 160;
/**
 * Number of characters that are shown from the end of a shortened step, because the step states its expected decision
 * there.
 */
const SHOWN_END = 40;

/**
 * Returns the steps of a test that the other test with the same title does not have. Without another test, returns the
 * first steps.
 */
function describeTest({ steps }: BoundTest, model: Model, other: BoundTest | undefined, of: Model): string {
  const theirs = other?.steps ?? [];
  const differing = listDiffering(
    steps.map((step) => stepText(step, model.lattice)),
    theirs.map((step) => stepText(step, of.lattice)),
  );
  if (differing.length === 0) return "no such step";
  const asked = new Set(theirs.map((step) => bareStepText(step, of.lattice)));
  let others = 0;
  const shown = differing.flatMap((at): readonly string[] => {
    const step = steps[at];
    if (step === undefined) return [];
    // A step with the same call but another expected decision is always shown, because it shows how strict the test is.
    const isSameCall = "expect" in step && asked.has(bareStepText(step, model.lattice));
    return isSameCall || others++ < MOST_STEPS ? [`step ${at + 1}: ${renderStep(step.node.span)}`] : [];
  });
  const more = differing.length - shown.length;
  return `${shown.join("; ")}${more === 0 ? "" : `; and ${more} more`}`;
}

/**
 * Returns the positions in `own` at which it differs from `theirs`. The common beginning and the common end of the
 * lists are left out.
 */
function listDiffering(own: readonly string[], theirs: readonly string[]): readonly number[] {
  const most = Math.min(own.length, theirs.length);
  let start = 0;
  while (start < most && own[start] === theirs[start]) start++;
  let end = 0;
  while (end < most - start && own.at(-1 - end) === theirs.at(-1 - end)) end++;
  const between = own.map((_, at) => at).slice(start, own.length - end);
  if (own.length === theirs.length) return between.filter((at) => own[at] !== theirs[at]);
  const known = new Set(theirs.slice(start, theirs.length - end));
  const fresh = between.filter((at) => !known.has(own[at] ?? ""));
  return fresh.length > 0 ? fresh : between;
}

function renderStep(span: Span): string {
  const text = getText(span).replaceAll(/\s+/g, " ").trim();
  if (text.length <= LONGEST_STEP) return text;
  return `${text.slice(0, LONGEST_STEP - SHOWN_END)}…${text.slice(-SHOWN_END)}`;
}

/** Strictness of the result that a step expects. Results that depend on a person's answer cannot be ordered. */
const STRICTNESS: { readonly [Outcome in ExpectedOutcome]?: number } = {
  auto: 0,
  ok: 0,
  consent: 1,
  stepUp: 2,
  forbidden: 3,
  refusedByPolicy: 3,
  unknownTool: 3,
};

/** Returns whether `now` consists of all or the first steps of `old`, and differs only by looser expected decisions. */
function isOnlyLooser(old: BoundTest, on: Model, now: BoundTest, of: Model): boolean {
  return (
    now.steps.length <= old.steps.length &&
    now.steps.every((step, at) => {
      const before = old.steps[at];
      if (before === undefined) return false;
      if (stepText(before, on.lattice) === stepText(step, of.lattice)) return true;
      if (!("expect" in before) || !("expect" in step)) return false;
      const [strict, loose] = [STRICTNESS[before.expect], STRICTNESS[step.expect]];
      const isSameStep = bareStepText(before, on.lattice) === bareStepText(step, of.lattice);
      return isSameStep && strict !== undefined && loose !== undefined && loose <= strict;
    })
  );
}

/** Returns a text that is equal for steps that differ only in their expected results. */
function bareStepText(step: BoundTest["steps"][number], lattice: Model["lattice"]): string {
  return stepText("expect" in step ? { ...step, expect: "auto" } : step, lattice);
}

/** Returns a digest of each prefix of a test: of its first step, of its first two steps, up to the whole test. */
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
 * Returns the fact of a lower version. A machine refuses an image with a lower version than the last one that it
 * accepted. So an image with a lower version lets the machine accept older images.
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
