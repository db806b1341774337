// Findings in the forms that CI services and editors read, on standard output: all of them, and not the first fifty alone.

import { resolve } from "node:path";
import { githubText, junitText, sarifLog } from "../../lint/index.ts";
import type { Option, Typed } from "../command.ts";
import { diagnosticPages } from "../diagnostic-pages.ts";
import { spoken } from "../telling.ts";
import { versionOfCapc } from "../version.ts";
import type { World } from "../world.ts";
import type { Findings } from "./look.ts";

const FORMATS = ["text", "json", "sarif", "github", "junit"] as const;
type Format = (typeof FORMATS)[number];

export const FORMAT_OPTION: Option = {
  name: "format",
  value: "FORMAT",
  choices: FORMATS,
  does: `${FORMATS.join(", ")} (text)`,
};

/** `--json` is the same as `--format json`. */
export function formatOf({ values, switches }: Typed): Format {
  const named = FORMATS.find((format) => format === values.get(FORMAT_OPTION.name));
  return named ?? (switches.has("json") ? "json" : "text");
}

/** What `name` found in the files that a person named. */
export async function reportFindings(
  name: string,
  format: Exclude<Format, "text" | "json">,
  findings: Findings,
  files: readonly string[],
  world: World,
): Promise<void> {
  switch (format) {
    case "sarif": {
      const log = sarifLog({ version: versionOfCapc(), ...findings, pages: await diagnosticPages() });
      return world.print(`${JSON.stringify(log, undefined, 2)}\n`);
    }
    case "github":
      return world.print(githubText(findings.diagnostics));
    case "junit": {
      const looked = files.map((file) => spoken(resolve(world.folder, file), world));
      return world.print(junitText({ name: `capc ${name}`, files: looked, ...findings }));
    }
  }
}
