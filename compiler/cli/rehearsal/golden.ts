// Compares the decisions of a page with the decisions that somebody has reviewed and accepted. The accepted decisions are in
// golden/decisions.tsv beside the page, with a line for each row and tool. `capc test` checks the page against them, like against the
// page's own tests.

import { dirname, join, resolve } from "node:path";
import { renderDecisionMatrix } from "../../../engine/lib/policy/index.ts";
import { viewFirstSources } from "../../../engine/lib/provenance/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { explainRefusal, makeFolders } from "../../host/files.ts";
import { placeText, type WriteResult } from "../../host/output.ts";
import type { World } from "../../host/world.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import type { Option } from "../command.ts";
import { type PageCompiled, requireLawful } from "../page.ts";
import { formatPath } from "../render-findings.ts";

/** Option for the file of the accepted decisions. */
export const GOLDEN_OPTION: Option = {
  name: "golden",
  value: "FILE",
  does: "file of accepted decisions (default: golden/decisions.tsv beside the page)",
};

/** Option with which a person accepts the present decisions after reading them. */
export const ACCEPT_OPTION: Option = {
  name: "accept",
  does: "record the page's current decisions as the accepted baseline",
};

/** Comparison of the accepted decisions with the present ones. */
export interface Golden {
  /** Path of the file with the accepted decisions, relative to the user's folder. */
  readonly file: string;
  /** Lines that were added or changed, in the order of the present decisions, and then lines that were removed. */
  readonly moved: readonly Moved[];
}

/** Line that was removed, added or changed. */
interface Moved {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Maximum bytes of the file with the accepted decisions; 10,000 tools in 50 rows take about half of it. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Compares the accepted decisions with the present decisions of the page. Returns `undefined` if none were accepted;
 * fails if `named` does not exist or cannot be read.
 */
export async function readGolden(
  page: PageCompiled,
  named: string | undefined,
  world: World,
): Promise<Result<Golden | undefined>> {
  const path = resolveGoldenPath(page, named, world);
  const { host } = page.readings;
  const real = await host.realPath(path);
  if (real === undefined)
    return named === undefined ? { ok: true, value: undefined } : { ok: false, reason: `${path} does not exist` };
  const read = await host.readFile(real, MOST_BYTES);
  if (!read.ok) return { ok: false, reason: `${path}: ${read.reason}` };
  const before = Buffer.from(read.value).toString("utf8").trimEnd().split(/\r?\n/);
  return {
    ok: true,
    value: { file: formatPath(path, world), moved: findMovedDecisions(before, listDecisions(page)) },
  };
}

/** Accepts the present decisions of the page. Fails if the file cannot be written. */
export function acceptDecisions(page: PageCompiled, named: string | undefined, world: World): WriteResult {
  const path = resolveGoldenPath(page, named, world);
  try {
    makeFolders(dirname(path));
  } catch (error) {
    return { ok: false, reason: explainRefusal(dirname(path), error) };
  }
  return placeText(path, `${listDecisions(page).join("\n")}\n`);
}

function resolveGoldenPath({ path }: PageCompiled, named: string | undefined, world: World): string {
  return named === undefined ? join(dirname(path), "golden/decisions.tsv") : resolve(world.folder, named);
}

function listDecisions({ compiled }: PageCompiled): readonly string[] {
  const tables = indexPolicyTables(requireLawful(compiled).policy);
  return renderDecisionMatrix(tables, viewFirstSources(tables));
}

/** Number of fields that identify a line: session, task, phase, worker and tool. */
const KEY_FIELDS = 5;

function findMovedDecisions(before: readonly string[], after: readonly string[]): Moved[] {
  const getKey = (line: string) => line.split("\t", KEY_FIELDS).join("\t");
  const old = new Map(before.map((line) => [getKey(line), line]));
  const kept = new Set(after.map(getKey));
  const gone = [...old]
    .filter(([key]) => !kept.has(key))
    .map(([, line]): Moved => ({ before: line, after: undefined }));
  const changed = after.flatMap((line): Moved[] => {
    const was = old.get(getKey(line));
    return was === line ? [] : [{ before: was, after: line }];
  });
  return [...changed, ...gone];
}

const MOST_SHOWN = 10;

/** Returns the first changed decisions as text for standard error; empty if no decision has changed. */
export function renderGolden({ file, moved }: Golden): string {
  if (moved.length === 0) return "";
  const shown = moved
    .slice(0, MOST_SHOWN)
    .flatMap(({ before, after }) => [
      ...(before === undefined ? [] : [`  - ${renderLine(before)}`]),
      ...(after === undefined ? [] : [`  + ${renderLine(after)}`]),
    ]);
  const rest = moved.length > MOST_SHOWN ? [`  and ${moved.length - MOST_SHOWN} more`] : [];
  const head = `capc test: ${moved.length} ${moved.length === 1 ? "decision is" : "decisions are"} not what ${file} has:`;
  return [head, ...shown, ...rest, "whoever has read the change accepts it with --accept", ""].join("\n");
}

function renderLine(line: string): string {
  return escapeInvisible(line.replaceAll("\t", "  "));
}
