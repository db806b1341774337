// Runs Vitest over every room. A test that is skipped or marked as to do counts as failed, so that no test passes
// without a run.

import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Failure } from "./failures.ts";
import { getField, list, reportAt } from "./report.ts";
import { addResults, CHECKOUT, type Count, countOf, createResult, type Result, runHere, type Stage } from "./stage.ts";

/**
 * Tests that boot a machine. They have a separate stage, because the machine has time limits, and needs the whole
 * processor to meet them.
 */
export const BOOTING_TESTS: readonly string[] = ["compiler/dev/jails/jail.test.ts"];

/** Tests that run a process of an image in its jail on this machine. They have a separate stage, after those that build images. */
export const JAILED_TESTS: readonly string[] = [
  "compiler/dev/suite/jailed/embedder.test.ts",
  "compiler/dev/suite/jailed/jailed.test.ts",
];

/** Test that runs every jail on a host, in a guest with Debian's kernel, for `make test-images`. */
export const HOST_TEST = "compiler/dev/suite/on-host/jails.test.ts";

/** Tests that write gigabytes, for `make test-images`. */
const LARGE_TESTS: readonly string[] = ["targets/xorriso-wasm/large-file.test.ts"];

/** Tests that open a page for each example in a browser, for `make test-images`. */
const BROWSER_TESTS: readonly string[] = ["compiler/queries/report/examples.test.ts"];

const REPORT = join(CHECKOUT, "build/test/vitest.json");

/**
 * Rooms whose tests store nothing in modules and replace no module. One process runs all files of these rooms, which
 * saves at least half a second of CPU time for each file.
 */
const TOGETHER: readonly string[] = [
  "compiler/artefacts/inspect",
  "compiler/artefacts/readback",
  "compiler/cli/audit",
  "compiler/cli/commands",
  "compiler/cli/diff",
  "compiler/cli/proofs",
  "compiler/dev/attacks",
  "compiler/editors/lsp",
  "compiler/inputs",
  "compiler/machine",
  "compiler/phases/bind",
  "compiler/phases/conditions",
  "compiler/phases/policy",
  "compiler/phases/prove",
  "compiler/phases/reflect",
  "compiler/phases/source",
  "compiler/queries/diff",
  "compiler/queries/export",
  "compiler/queries/import",
  "compiler/queries/mutants",
  "compiler/queries/replay",
  "compiler/queries/report",
  "compiler/queries/suggest",
  "compiler/queries/why",
  "compiler/rules",
  "compiler/trial",
  "engine/lib/context",
  "engine/lib/policy",
  "engine/lib/provenance",
  "engine/lib/reach",
  "engine/lib/weights",
  "engine/lib/wire",
  "engine/outside/bridge",
  "engine/outside/osd",
  "engine/processes/audit",
  "engine/processes/broker",
  "engine/processes/conversations",
  "engine/processes/egress",
  "engine/processes/gate",
  "engine/processes/host",
  "engine/processes/ledger",
  "engine/processes/loop",
  "engine/processes/model",
  "lang",
  "targets/manifest",
];

/**
 * Test in one of these rooms that needs a process of its own, because it replaces a module. If another test has loaded
 * the module before, the module is not replaced.
 */
const ALONE = { room: "compiler/cli/commands", name: "run-on-host" };

/** Stage of all tests except tests that boot, need images, write gigabytes, or open many pages in a browser. */
export const unitTests: Stage = {
  name: "vitest",
  run: async () => {
    const excluded = [...BOOTING_TESTS, ...JAILED_TESTS, HOST_TEST, ...LARGE_TESTS, ...BROWSER_TESTS];
    const excludeHere = excluded.map((path) => `--exclude=${path}`);
    const excludeAlone = `--exclude=${ALONE.room}/${ALONE.name}.test.ts`;
    const together = await runVitest(
      ...TOGETHER.map((room) => `${room}/`),
      "--no-isolate",
      ...excludeHere,
      excludeAlone,
    );
    const left = [...excluded, ...TOGETHER.map(matchTestsOfRoom)];
    const alone = await runVitest(...left.map((path) => `--exclude=${path}`));
    return addResults(together, alone);
  },
};

/** Returns the pattern of the tests of a room that run together. */
function matchTestsOfRoom(room: string): string {
  return room === ALONE.room ? `${room}/!(${ALONE.name}).test.ts` : `${room}/**`;
}

export const jailed: Stage = {
  name: "jailed",
  run: () => runVitest(...JAILED_TESTS),
};

export const largeTests: Stage = {
  name: "large files",
  run: () => runVitest(...LARGE_TESTS),
};

export const browserTests: Stage = {
  name: "pages in a browser",
  run: () => runVitest(...BROWSER_TESTS),
};

/** Runs the tests that Vitest finds with the arguments `words`: paths that select tests, or options. */
export async function runVitest(...words: readonly string[]): Promise<Result> {
  mkdirSync(dirname(REPORT), { recursive: true });
  rmSync(REPORT, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`];
  const program = ["node_modules/vitest/vitest.mjs", "run", ...words, ...reporters];
  const { status, complaints } = await runHere(process.execPath, program);
  const written = reportAt(REPORT);
  return createResult(countTests(written, status === 0 ? "well" : "badly"), findFailedTests(written), {
    name: "vitest",
    words: complaints,
  });
}

/**
 * Counts the tests of a report. `end` states whether Vitest ended with status 0. A file counts as one failure if it
 * failed without a failed test: it did not load, or failed outside of its tests.
 */
export function countTests(report: unknown, end: "well" | "badly"): Count {
  const passed = Number(getField(report, "numPassedTests") ?? 0);
  const all = Number(getField(report, "numTotalTests") ?? 0);
  const broken = list(report, "testResults").filter(hasFailedOutsideOfTests).length;
  return countOf(passed, all - passed + broken, end);
}

/** Returns each test that did not pass, by file and full name, with its error, and each file that failed outside of its tests. */
export function findFailedTests(report: unknown): readonly Failure[] {
  return list(report, "testResults").flatMap((file) => {
    const path = relative(CHECKOUT, String(getField(file, "name") ?? ""));
    const broken = hasFailedOutsideOfTests(file)
      ? [{ name: path, words: String(getField(file, "message") ?? "") }]
      : [];
    return [
      ...broken,
      ...list(file, "assertionResults")
        .filter(isFailed)
        .map((test) => createFailure(path, test)),
    ];
  });
}

function createFailure(path: string, test: unknown): Failure {
  const thrown = list(test, "failureMessages")
    .flatMap((message) => stripRunnerLines(String(message)))
    .join("\n");
  return { name: `${path}: ${getField(test, "fullName")}`, words: thrown || `it was ${getField(test, "status")}` };
}

/** Returns the lines of a message without the runner's own stack frames, which do not explain the failure. */
function stripRunnerLines(message: string): readonly string[] {
  return message.split("\n").filter((line) => !/^\s+at .*(node_modules|<anonymous>)/.test(line));
}

function isFailed(test: unknown): boolean {
  return getField(test, "status") !== "passed";
}

function hasFailedOutsideOfTests(file: unknown): boolean {
  return getField(file, "status") === "failed" && !list(file, "assertionResults").some(isFailed);
}
