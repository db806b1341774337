import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { runTests } from "../../../queries/page-tests/index.ts";
import type { Snapshot } from "../snapshot.ts";

/** Result of the tests that a person ran, for the person and for an editor. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly tests: readonly { readonly title: string; readonly passed: boolean }[];
  readonly message: string;
}

/**
 * Runs the tests with this title, or all tests if no title is given, and stores their failures in the snapshot. Returns
 * the reason as the message if there is no such test, or if the pages have errors.
 */
export function runPageTests({ model, decided, tested }: Snapshot, title: string | undefined): TestReport {
  const none = { passed: 0, failed: 0, tests: [] };
  if (model === undefined || decided === undefined)
    return { ...none, message: "tests run only if the pages have no errors" };
  const wanted = model.tests.filter((test) => title === undefined || test.title === title);
  if (wanted.length === 0)
    return {
      ...none,
      message: title === undefined ? "the pages have no test" : `there is no test "${escapeInvisible(title)}"`,
    };
  const { results } = runTests(decided.policy, decided.origins, { ...model, tests: wanted });
  const tests = results.map(({ test, failures }) => ({ title: test.title, passed: failures.length === 0 }));
  for (const [name, same] of Map.groupBy(results, ({ test }) => test.title))
    tested.set(
      name,
      same.flatMap(({ failures }) => failures),
    );
  const failed = tests.filter(({ passed }) => !passed);
  const first = results.flatMap(({ failures }) => failures)[0];
  const passed = tests.length - failed.length;
  const counts =
    title === undefined ? `${passed} passed, ${failed.length} failed` : first ? "FAILED" : `passed: ${title}`;
  const why = first === undefined ? "" : `: ${first.message}${first.help === undefined ? "" : `; ${first.help}`}`;
  return { passed, failed: failed.length, tests, message: escapeInvisible(`${counts}${why}`) };
}
