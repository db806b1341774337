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

/** The page in commands, if the caller does not know how the user named it. */
const FILE = "system.cap";

/** Runs all tests of a page that compiles without an error. `file` is the page in commands that failures propose. */
export function runTests(policy: Policy, origins: Origins, model: Model, file: string = FILE): TestRun {
  const tables = indexPolicyTables(policy);
  const tally = new Tally();
  const results = model.tests.map((test) => ({ test, failures: [...enumerateFailures(tables, test, tally, file)] }));
  return { results, coverage: tally.computeCoverage(tables, origins) };
}

/**
 * Returns the first failure of a test on the tables, or `undefined` if the test passes. It does not run the steps after
 * the failing step.
 */
export function findFailure(tables: IndexedTables, test: BoundTest, listener: Listener): Diagnostic | undefined {
  return enumerateFailures(tables, test, listener, FILE).next().value ?? undefined;
}

/** Yields a diagnostic for each step that fails. A test ends if no conversation begins, or a phase is not entered. */
function* enumerateFailures(
  tables: IndexedTables,
  test: BoundTest,
  listener: Listener,
  file: string,
): Generator<Diagnostic, void> {
  let scene = createScene(file);
  for (const step of test.steps) {
    const row = tables.rows[scene.conversation?.row ?? -1];
    if (step.kind === "call" && row !== undefined) listener.called(row, step.name);
    const found = take(tables, scene, step);
    listener.decided(found.rules);
    const expected = "expect" in step ? step.expect : "ok";
    if (!isAsExpected(found, expected)) {
      yield reportFailure(test, step, found);
      if (step.kind === "as" || step.kind === "enter" || scene.conversation === undefined) return;
    }
    scene = found.scene;
  }
}

/**
 * Returns whether a result meets the expectation. An expected mode is compared with the mode of the gate, whatever the
 * person answers. An expected outcome is compared with the outcome.
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

function reportFailure({ title }: BoundTest, step: BoundStep, { mode, outcome, reason }: StepOutcome): Diagnostic {
  const found = [...new Set([mode, outcome])].filter((word) => word !== undefined).join(", ");
  const facts = {
    title,
    expected: "expect" in step ? step.expect : "a conversation",
    found: found || "nothing",
    reason,
  };
  return testFailed.at(step.node.span, facts);
}
