// Exports some examples for other engines and agents: one text for each target, with the exported files, followed by a
// report of what the export loses.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { exportPolicy, reportLines, TARGETS } from "../../queries/export/index.ts";

/**
 * Examples to export: the first has a session with a condition, the second a session with a task. Exports of other
 * examples would not test anything new.
 */
const EXPORTED = ["first-agent", "log-triage"];

/**
 * Returns the exported texts by file name. `boot` is the session to export for targets that accept a single session.
 */
export function renderExports(
  example: string,
  tables: IndexedTables,
  boot: string,
): readonly (readonly [string, string])[] {
  if (!EXPORTED.includes(example)) return [];
  return TARGETS.map((target) => {
    const exported = exportPolicy(tables, target, boot);
    // The Rego module is left out, because it is the same for every page and has its own source file.
    const files = exported.files.filter(({ name }) => !name.endsWith(".rego"));
    const texts = files.map(({ name, text }) => `--- ${name}\n${text}`);
    const report = reportLines(target, exported, tables).map((line) => `${line}\n`);
    return [`export-${target}.txt`, `${texts.join("")}--- report\n${report.join("")}`];
  });
}
