// Exports of some examples for other engines and agents: a text for each target, with its files and then its losses.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { exportPolicy, reportLines, TARGETS } from "../../queries/export/index.ts";

/** A session with a condition, and one with a task; all others would be the same again. */
const EXPORTED = ["first-agent", "log-triage"];

/** Name of file to its text. `boot`: the session that is exported where a target takes one. */
export function renderExports(
  example: string,
  tables: IndexedTables,
  boot: string,
): readonly (readonly [string, string])[] {
  if (!EXPORTED.includes(example)) return [];
  return TARGETS.map((target) => {
    const exported = exportPolicy(tables, target, boot);
    // The module in Rego is the same for every page, and lies where it is written.
    const files = exported.files.filter(({ name }) => !name.endsWith(".rego"));
    const texts = files.map(({ name, text }) => `--- ${name}\n${text}`);
    const report = reportLines(target, exported, tables).map((line) => `${line}\n`);
    return [`export-${target}.txt`, `${texts.join("")}--- report\n${report.join("")}`];
  });
}
