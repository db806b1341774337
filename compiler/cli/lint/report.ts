// Prints findings to standard output in the formats that CI services and editors read. It prints all findings, not only
// the first fifty.

import { resolve } from "node:path";
import { readCapcVersion } from "../../host/version.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { createSarifLog, renderGithub, renderJunit } from "../../rules/index.ts";
import type { Option, ParsedArguments } from "../command.ts";
import { readDiagnosticPages } from "../diagnostic-pages.ts";
import { formatPath } from "../render-findings.ts";
import { createRepositoryView, type RepositoryView } from "../repository-view.ts";
import type { Findings, LintResult } from "./run-lint.ts";

const FORMATS = ["text", "json", "sarif", "github", "junit"] as const;
type Format = (typeof FORMATS)[number];

export const FORMAT_OPTION: Option = {
  name: "format",
  value: "FORMAT",
  choices: FORMATS,
  does: `output format: ${FORMATS.join(", ")} (default: text)`,
};

/** Returns the requested format; `--json` means `--format json`. */
export function formatOf({ values, switches }: ParsedArguments): Format {
  const named = FORMATS.find((format) => format === values.get(FORMAT_OPTION.name));
  return named ?? (switches.has("json") ? "json" : "text");
}

/**
 * Reports each file that the command `name` could not read or write, and returns 3 if there is one. Otherwise returns
 * `status`.
 */
export function endRun(name: string, looked: LintResult, status: ExitStatus, world: World): ExitStatus {
  const { findings, reason } = looked;
  const reasons = [...findings.unread.map((each) => each.reason), ...(reason === undefined ? [] : [reason])];
  for (const each of reasons) world.report(`capc ${name}: ${each}\n`);
  return reasons.length === 0 ? status : 3;
}

/** Returns the list of unreadable pages as a field for JSON, or no field if every page could be read. */
export function convertUnreadToJson({ unread }: Findings): object {
  return unread.length === 0 ? {} : { unread };
}

function relocateFindings(view: RepositoryView, { diagnostics, silenced, unread }: Findings): Findings {
  return {
    diagnostics: diagnostics.map(view.diagnostic),
    silenced: silenced.map((each) => ({ ...each, diagnostic: view.diagnostic(each.diagnostic) })),
    unread: unread.map((each) => ({ ...each, file: view.path(each.file) })),
  };
}

/** Findings of a command in the files that a person named, and the format to print them in. */
interface FindingsReport {
  readonly name: string;
  readonly format: Exclude<Format, "text" | "json">;
  readonly findings: Findings;
  readonly files: readonly string[];
}

/**
 * Prints the findings of the command `name` in the files that a person named. Paths are relative to the root of the
 * repository.
 */
export async function reportFindings({ name, format, findings, files }: FindingsReport, world: World): Promise<void> {
  const view = createRepositoryView(world);
  const seen = relocateFindings(view, findings);
  switch (format) {
    case "sarif": {
      const log = createSarifLog({ version: readCapcVersion(), ...seen, pages: await readDiagnosticPages() });
      return world.print(`${JSON.stringify(log, undefined, 2)}\n`);
    }
    case "github":
      return world.print(renderGithub(seen.diagnostics, seen.unread));
    case "junit": {
      const looked = files.map((file) => view.path(formatPath(resolve(world.folder, file), world)));
      return world.print(renderJunit({ name: `capc ${name}`, files: looked, ...seen }));
    }
  }
}
