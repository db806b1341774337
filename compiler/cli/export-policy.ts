// Implements capc export --to for other engines and agents: it writes the files, and reports the parts of the page that they do not express.

import { resolve } from "node:path";
import { escapeInvisible } from "../../lang/diagnostics/index.ts";
import { useScratch, writeArtifacts } from "../host/output.ts";
import type { ExitStatus, World } from "../host/world.ts";
import { indexPolicyTables } from "../phases/policy/index.ts";
import {
  type ExportResult,
  exportPolicy,
  ONE_PLACE,
  placeName,
  reportAsJson,
  reportLines,
  type Target,
} from "../queries/export/index.ts";
import { createRefuser, type ParsedArguments } from "./command.ts";
import { compilePage, hasErrors, requireLawful } from "./page.ts";
import { formatPath, tellOnly } from "./render-findings.ts";

const refuse = createRefuser("export");

export async function exportTo(target: Target, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const page = await compilePage(typed.operands[0] ?? "", world, { purpose: "check" });
  if (page.kind === "unreadable") return refuse(world, 3, escapeInvisible(page.reason));
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  const { policy } = requireLawful(page.compiled);
  const tables = indexPolicyTables(policy);
  const place = typed.values.get("at") ?? policy.image.boot;
  const places = tables.rows.map(placeName);
  const isOne = ONE_PLACE.includes(target);
  if (typed.values.has("at") && !isOne)
    return refuse(world, 2, `--to ${target} has all places of the page in one export`);
  if (!places.includes(place))
    return refuse(
      world,
      2,
      `there is no place '${escapeInvisible(place)}'; there are ${escapeInvisible(places.join(", "))}`,
    );
  const exported = exportPolicy(tables, target, place);
  const report = reportAsJson(target, isOne ? place : undefined, exported, tables);
  const written = await write(exported, report, typed, world);
  if (written !== undefined) return refuse(world, 3, escapeInvisible(written));
  tell({ exported, report, lines: reportLines(target, exported, tables) }, typed, world);
  const lost = exported.losses.filter(({ isGeneral }) => !isGeneral);
  if (!typed.switches.has("strict") || lost.length === 0) return 0;
  return refuse(
    world,
    1,
    `${target} does not hold ${lost.length} ${lost.length === 1 ? "thing" : "things"} that the page says`,
  );
}

/**
 * Writes the exported policy and report.json to the folder of `--out`. Returns the reason of a failure, or `undefined`
 * if they were written or `--out` is missing.
 */
async function write(
  { files }: ExportResult,
  report: object,
  typed: ParsedArguments,
  world: World,
): Promise<string | undefined> {
  const out = typed.values.get("out");
  if (out === undefined) return undefined;
  const folder = resolve(world.folder, out);
  const texts = [...files, { name: "report.json", text: `${JSON.stringify(report, undefined, 2)}\n` }];
  const artifacts = texts.map(({ name, text }) => ({ path: name, bytes: Buffer.from(text) }));
  const written = await useScratch(folder, async (scratch) => writeArtifacts(folder, scratch, artifacts));
  if (!written.ok) return written.reason;
  if (!typed.switches.has("json"))
    for (const { path } of artifacts) world.print(`${formatPath(resolve(folder, path), world)}\n`);
  return undefined;
}

/** An exported policy with its report, as a value and as lines. */
interface ExportTold {
  readonly exported: ExportResult;
  readonly report: object;
  readonly lines: readonly string[];
}

/**
 * Prints the result. If files were written, prints the report to standard output. Otherwise prints the policy to
 * standard output, and the report to standard error.
 */
function tell({ exported: { files }, report, lines }: ExportTold, typed: ParsedArguments, world: World): void {
  const drawn = lines.map((line) => `${escapeInvisible(line)}\n`).join("");
  const [first, ...others] = files;
  if (typed.switches.has("json")) world.print(`${JSON.stringify({ ...report, files })}\n`);
  else if (typed.values.has("out")) world.print(drawn);
  else {
    world.print(first?.text ?? "");
    world.report(drawn);
    if (others.length > 0) world.report(`${others.map(({ name }) => name).join(", ")} with --out DIR\n`);
  }
}
