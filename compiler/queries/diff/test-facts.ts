// Compares the tests of two pages: removed tests, and tests with other steps. Each test of the older page that changed is
// run on the newer page.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { getText, type Span } from "../../../lang/text/index.ts";
import type { BoundTest, ExpectedOutcome, Model, Subject } from "../../phases/bind/index.ts";
import { serializeValue } from "../../phases/policy/index.ts";
import { type FailedStep, listFailedSteps } from "../page-tests/index.ts";
import { computeSha256 } from "./digest.ts";
import type { Fact, FactChange } from "./facts.ts";

/** The tables of one of the two pages, and those of the other page. */
export interface TestedSide {
  readonly at: "before" | "after";
  readonly tables: IndexedTables;
  readonly others: IndexedTables;
}

/** Returns a fact for each test of a page. Facts of the older page say whether the test would pass on the newer page. */
export function collectTestFacts(model: Model, other: Model, side: TestedSide): readonly Fact[] {
  const { at } = side;
  const similar = findSimilarTests(model, other);
  const others = other.tests.map((one) => digestPrefixes(one, other.lattice));
  const renamed = findRenamedTests(model, other);
  return model.tests.flatMap((one, index): readonly Fact[] => {
    if (renamed.has(one)) return [];
    const whole = digestPrefixes(one, model.lattice).at(-1) ?? "";
    const same = findSameTitle(one, model.tests.slice(0, index), other.tests) ?? similar.get(one);
    const isChanged = !others.some((list) => list.includes(whole));
    const failed = at === "before" && isChanged ? listFailures(one, model, other, side) : undefined;
    const numbers = new Set(failed?.now.map(({ number }) => number));
    const [own, theirs] = [
      describeTest({ test: one, model, failed: numbers }, same, other),
      same && describeTest({ test: same, model: other, failed: new Set() }, one, model),
    ];
    // The other page implies this test if one of its tests begins with the same steps. An older version implies this
    // one if this one only expects looser decisions, or ends earlier.
    const isHeld = () => !isChanged || (at === "after" && same !== undefined && isOnlyLooser(same, other, one, model));
    const value = own === theirs ? `${own}, SHA-256 ${whole.slice(0, 16)}` : own;
    const what = nameTest(one, same, at);
    const notes = failed === undefined ? [] : [explainFailures(failed)];
    return [{ place: "", what, value, measure: { kind: "held", isHeld }, without: "more", notes }];
  });
}

/**
 * Returns the name by which facts mention a test. A test that probably got a new title has the same name on both pages,
 * with both titles.
 */
function nameTest(one: BoundTest, same: BoundTest | undefined, at: TestedSide["at"]): string {
  if (same === undefined || same.title === one.title) return `test "${one.title}"`;
  const [old, now] = at === "before" ? [one, same] : [same, one];
  return `test "${now.title}", probably "${old.title}" before`;
}

/** Steps of a test that fail on its own page, and on the newer page. */
interface TestFailures {
  readonly before: readonly FailedStep[];
  readonly now: readonly FailedStep[];
}

/** Returns the failures of a test of the older page; `undefined` if the newer page lacks a label that the test names. */
function listFailures(
  test: BoundTest,
  { lattice }: Model,
  other: Model,
  { tables, others }: TestedSide,
): TestFailures | undefined {
  const isLabelled = test.steps.some((step) => step.kind === "call" && step.returning !== undefined);
  if (isLabelled && serializeValue(lattice) !== serializeValue(other.lattice)) return undefined;
  return { before: listFailedSteps(tables, test), now: listFailedSteps(others, test) };
}

function explainFailures({ before, now }: TestFailures): string {
  const [first, ...more] = now;
  if (first === undefined) return "on the new page, the old test would still pass";
  const { number, expected, found, reason } = first;
  const words = found === "" ? reason : `expected ${expected}, is ${found}`;
  const others = more.length === 0 ? "" : `; ${more.length} more ${more.length === 1 ? "step fails" : "steps fail"}`;
  const old = before.length === 0 ? "" : "; it fails on the old page, too";
  return `on the new page, the old test fails at step ${number}: ${words}${others}${old}`;
}

/**
 * Returns pairs of a test of this page and a test of the other page. They probably are the same test with a new title and some changed steps.
 * At least half of their steps must be equal, apart from their expected results, and no other test may fit as well.
 */
function findSimilarTests(model: Model, other: Model): ReadonlyMap<BoundTest, BoundTest> {
  const exact = [findRenamedTests(model, other), findRenamedTests(other, model)].flatMap((pairs) => [...pairs.keys()]);
  const list = (one: Model, others: Model) =>
    [...listUnmatchedTests(one, others).values()].flat().filter((test) => !exact.includes(test));
  const [own, theirs] = [list(model, other), list(other, model)];
  const measure = (one: BoundTest, same: BoundTest) => measureLikeness(one, model, same, other);
  const mutual = own.flatMap((one): [BoundTest, BoundTest][] => {
    const same = findBest(theirs, (test) => measure(one, test));
    const back = same && findBest(own, (test) => measure(test, same));
    return same !== undefined && back === one ? [[one, same]] : [];
  });
  return new Map(mutual);
}

/** Returns the test with the greatest likeness, or `undefined` if this likeness is 0 or several tests have it. */
function findBest(tests: readonly BoundTest[], measure: (test: BoundTest) => number): BoundTest | undefined {
  const rated = tests.map((test) => ({ test, likeness: measure(test) }));
  const best = Math.max(0, ...rated.map(({ likeness }) => likeness));
  const found = rated.filter(({ likeness }) => likeness === best);
  return best > 0 && found.length === 1 ? found[0]?.test : undefined;
}

/**
 * Returns the share of equal steps, from 0 to 1. It is 0 if less than half of the steps are equal, or if only `as`
 * steps are equal.
 */
function measureLikeness(one: BoundTest, on: Model, other: BoundTest, of: Model): number {
  const left = other.steps.map((step) => bareStepText(step, of.lattice));
  const shared = one.steps.filter((step) => {
    const at = left.indexOf(bareStepText(step, on.lattice));
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
  const likeness = shared.length / Math.max(one.steps.length, other.steps.length, 1);
  return likeness >= 1 / 2 && shared.some(({ kind }) => kind !== "as") ? likeness : 0;
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
/** Number of characters that are shown from the end of a shortened step. The end states the expected decision. */
const SHOWN_END = 40;

/** A test of a page, and the numbers of its steps that fail on the other page. */
interface DescribedTest {
  readonly test: BoundTest;
  readonly model: Model;
  readonly failed: ReadonlySet<number>;
}

/**
 * Returns the steps of a test that the other test does not have. Of many steps, returns those that matter most: first
 * the steps in `failed`, which are counted from 1, and then steps that expect a strict decision.
 */
function describeTest(
  { test: { steps }, model, failed }: DescribedTest,
  other: BoundTest | undefined,
  of: Model,
): string {
  const theirs = other?.steps ?? [];
  const differing = listDiffering(
    steps.map((step) => stepText(step, model.lattice)),
    theirs.map((step) => stepText(step, of.lattice)),
  );
  if (differing.length === 0) return "no such step";
  const asked = new Set(theirs.map((step) => bareStepText(step, of.lattice)));
  // A step with the same call but another expected decision is always shown, because it shows how strict the test is.
  const [always, others] = [true, false].map((isSame) =>
    differing.filter((at) => {
      const step = steps[at];
      return isSame === (step !== undefined && "expect" in step && asked.has(bareStepText(step, model.lattice)));
    }),
  );
  const rank = (at: number) => (failed.has(at + 1) ? MOST_STRICT + 1 : rankStep(steps[at]));
  const most = (others ?? []).toSorted((one, two) => rank(two) - rank(one)).slice(0, MOST_STEPS);
  const shown = [...(always ?? []), ...most]
    .sort((one, two) => one - two)
    .flatMap((at) => {
      const step = steps[at];
      return step === undefined ? [] : [`step ${at + 1}: ${renderStep(step.node.span)}`];
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

const MOST_STRICT = 3;

/** Returns the strictness of the result that a step expects; -1 for a step that expects none. */
function rankStep(step: BoundTest["steps"][number] | undefined): number {
  return step !== undefined && "expect" in step ? (STRICTNESS[step.expect] ?? 0) : -1;
}

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
