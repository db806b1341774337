// The example as an image, and its conversations with it, a boot each: every claim of a script counts, on the console, on the
// disk and in the audit log.

import { rmSync } from "node:fs";
import { type Failure, field, list } from "./failures.ts";
import { CHECKOUT, type Count, oneClaim, runHere, type Stage } from "./stage.ts";

const EXAMPLE = "examples/first-agent";
const BUILT = "build/test/first-agent";
const CAPC = `${CHECKOUT}/compiler/cli/main.ts`;

const image: Stage = {
  name: "image",
  run: async () => {
    // What an earlier run built must not be booted in place of what cannot be built now.
    rmSync(`${CHECKOUT}/${BUILT}`, { recursive: true, force: true });
    const words = ["build", `${EXAMPLE}/system.cap`, "--out", BUILT];
    return oneClaim(`capc build ${EXAMPLE}/system.cap`, await runHere(process.execPath, [CAPC, ...words]));
  },
};

function boot(name: string): Stage {
  return {
    name,
    run: async () => {
      const script = `${EXAMPLE}/${name}.chat`;
      const played = ["--script", script, "--files", `${EXAMPLE}/disk`, "--keys", `${EXAMPLE}/keys`];
      const words = ["run", `${BUILT}/system.iso`, ...played, "--json"];
      const { status, output, complaints } = await runHere(process.execPath, [CAPC, ...words], { quiet: true });
      const report = reportIn(output);
      const count = countRun(report, status === 0);
      const failures = failedClaims(report, script);
      const unnamed = count.failed > 0 && failures.length === 0 ? [{ name: script, words: lastLines(complaints) }] : [];
      process.stdout.write(`CPU seconds of the machine: ${Number(field(report, "cpuSeconds") ?? 0).toFixed(1)}\n`);
      return { ...count, failures: [...failures, ...unnamed] };
    },
  };
}

/** Claims share boots. With that of engine/init/jail.test.ts these are the three that `make test` has room for. */
export const boots: readonly Stage[] = [image, ...["smoke", "nodisk"].map(boot)];

/** What `capc run --json` printed; nothing where it printed no JSON. */
function reportIn(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

/** A run whose machine never came up says nothing, and that is a failure; so is one that ends otherwise than it counts. */
export function countRun(report: unknown, endedWell: boolean): Count {
  const passed = Number(field(report, "passed") ?? 0);
  const failed = Number(field(report, "failed") ?? 0);
  return { passed, failed: endedWell && passed > 0 ? failed : Math.max(1, failed) };
}

/** The claims that did not hold, by their lines in the script; line 0 is what every run claims. */
export function failedClaims(report: unknown, script: string): readonly Failure[] {
  return list(report, "verdicts")
    .filter((verdict) => field(verdict, "passed") !== true)
    .map((verdict) => ({ name: `${script}:${field(verdict, "line")}`, words: String(field(verdict, "words")) }));
}

/** Of a machine that did not do as it should, its last words say most. */
function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-10).join("\n");
}
