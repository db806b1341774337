// `make coverage`: runs the tests of lang, stdlib, compiler and engine, and checks whether they run enough lines.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { checkClaims, countRoomLines, drawLines } from "./lines.ts";
import { reportAt } from "./report.ts";
import { addResults, CHECKOUT, type Stage } from "./stage.ts";
import { runVitest } from "./unit-tests.ts";

const SUMMARY = join(CHECKOUT, "build/coverage/coverage-summary.json");

/** Stage that fails if a test fails, or if the tests run too few lines. */
export const coverage: Stage = {
  name: "coverage",
  run: async () => {
    rmSync(SUMMARY, { force: true });
    const tests = await runVitest("--config=compiler/dev/suite/coverage.config.ts");
    const rooms = countRoomLines(reportAt(SUMMARY), CHECKOUT);
    process.stdout.write(`\n${drawLines(rooms)}Which lines no test runs: build/coverage/lines.txt\n`);
    return addResults(tests, checkClaims(rooms));
  },
};
