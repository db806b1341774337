import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { BoundStep, BoundTest, ExpectedOutcome, Model } from "../../phases/bind/index.ts";
import { indexPolicyTables, type Origins, type Policy } from "../../phases/policy/index.ts";
import { testFailed } from "./codes.ts";
import { type Coverage, Tally } from "./coverage.ts";
import { createScene, type StepOutcome, take } from "./step.ts";

interface TestResult {
  readonly test: BoundTest;
  /** A diagnostic for each step with an unexpected result, in order. */
  readonly failures: readonly Diagnostic[];
}

export interface TestRun {
  /** Results in the order of the tests on the page. */
  readonly results: readonly TestResult[];
  readonly coverage: Coverage;
}

/** Functions that are called for each call and each decision of a test. */
export interface Listener {
  /** Called for a call in a row of the tables. `tool` is the name on the page, even if no such tool exists. */
  readonly called: (row: Row, tool: string) => void;
  /** Called with the indexes of rules that decided something. */
  readonly decided: (rules: readonly number[]) => void;
}

/** Name of the page in proposed commands, if the caller does not know the name that the user typed. */
const FILE = "system.cap";

/**
 * Runs all tests of a page that compiles without an error. `file` is the name of the page in commands that failures
 * propose.
 */
export function runTests(policy: Policy, origins: Origins, model: Model, file: string = FILE): TestRun {
  const tables = indexPolicyTables(policy);
  const tally = new Tally();
  const results = model.tests.map((test) => {
    const failures = [...enumerateFailures(tables, test, tally, file)];
    return { test, failures: failures.map((failed) => reportFailure(test, failed)) };
  });
  return { results, coverage: tally.computeCoverage(tables, origins) };
}

/**
 * Returns the first failure of a test on the tables, or `undefined` if the test passes. It does not run the steps after
 * the failing step.
 */
export function findFailure(tables: IndexedTables, test: BoundTest, listener: Listener): Diagnostic | undefined {
  const failed = enumerateFailures(tables, test, listener, FILE).next().value;
  return failed ? reportFailure(test, failed) : undefined;
}

/** A step with an unexpected result. */
export interface FailedStep {
  /** Number of the step in its test; the first step is 1. */
  readonly number: number;
  /** Expected result of the step, such as `forbidden` or `a conversation`. */
  readonly expected: string;
  /** Result of the step, such as `auto, ok`; empty if the step cannot be taken. */
  readonly found: string;
  readonly reason: string;
}

/** Returns the steps of a test that fail on the tables, which may belong to another page than the test. */
export function listFailedSteps(tables: IndexedTables, test: BoundTest): readonly FailedStep[] {
  const listener: Listener = { called: () => undefined, decided: () => undefined };
  return [...enumerateFailures(tables, test, listener, FILE)].map(({ step, found }) => ({
    number: test.steps.indexOf(step) + 1,
    ...describeFailure(step, found),
  }));
}

/** A step, and its result, which is not as expected. */
interface Failure {
  readonly step: BoundStep;
  readonly found: StepOutcome;
}

/** Yields each step that fails. A test ends if no conversation begins, or a phase is not entered. */
function* enumerateFailures(
  tables: IndexedTables,
  test: BoundTest,
  listener: Listener,
  file: string,
): Generator<Failure, void> {
  let scene = createScene(file);
  for (const step of test.steps) {
    const row = tables.rows[scene.conversation?.row ?? -1];
    if (step.kind === "call" && row !== undefined) listener.called(row, step.name);
    const found = take(tables, scene, step);
    listener.decided(found.rules);
    const expected = "expect" in step ? step.expect : "ok";
    if (!isAsExpected(found, expected)) {
      yield { step, found };
      if (step.kind === "as" || step.kind === "enter" || scene.conversation === undefined) return;
    }
    scene = found.scene;
  }
}

/**
 * Returns whether a result meets the expectation. An expected mode is compared with the mode of the gate, whatever the
 * person answers. An expected outcome is compared with the outcome of the step.
 */
function isAsExpected({ mode, outcome }: StepOutcome, expected: ExpectedOutcome): boolean {
  switch (expected) {
    case "auto":
    case "consent":
    case "stepUp":
    case "forbidden":
      return mode === expected;
    case "ok":
    case "refusedByPolicy":
    case "deniedByUser":
    case "stepUpFailed":
    case "invalidArguments":
    case "unknownTool":
      return outcome === expected;
  }
}

function reportFailure({ title }: BoundTest, { step, found }: Failure): Diagnostic {
  const { expected, found: given, reason } = describeFailure(step, found);
  return testFailed.at(step.node.span, { title, expected, found: given || "nothing", reason });
}

function describeFailure(step: BoundStep, { mode, outcome, reason }: StepOutcome): Omit<FailedStep, "number"> {
  const found = [...new Set([mode, outcome])].filter((word) => word !== undefined).join(", ");
  return { expected: "expect" in step ? step.expect : "a conversation", found, reason };
}
