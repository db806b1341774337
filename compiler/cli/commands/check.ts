// capc check reads and checks pages. It writes only cap.lock, and only on request.

import { resolve } from "node:path";
import { escapeInvisible, isError, reportOf } from "../../../lang/diagnostics/index.ts";
import { readOwnForm } from "../../host/files.ts";
import type { World } from "../../host/world.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { convertUnreadToJson, endRun, FORMAT_OPTION, formatOf, reportFindings } from "../lint/report.ts";
import { type Findings, runLint } from "../lint/run-lint.ts";
import { pinImports } from "../pin.ts";
import { tellFindings } from "../render-findings.ts";
import { type RunResult, WATCH_OPTION, watchAndRun } from "../watch.ts";

const refuse = createRefuser("check");

/** `capc check FILE…` */
export const check: Command = {
  name: "check",
  operands: ["FILE…"],
  does: "check pages and prove their assertions; write nothing",
  details: `Ends with 1 if there is an error, and with 0 if there are only warnings. If a page cannot be read,
the command checks the other pages and ends with 3.
Text goes to standard error; if there are no findings, the command says so only on a terminal. json, sarif (2.1.0),
github (annotations for a workflow) and junit go to standard output.
A page that passes the check may use features that \`capc build\` refuses; a warning names each of
them. The command does not read files that only a build needs, such as weights or sealed
credentials. With --update-lock the command pins the imported schemas and tool lists in cap.lock,
lists the changes, and checks the page. Read the changes before you commit.`,
  options: [
    { name: "update-lock", does: "pin the imports of the page, and list the changes" },
    FORMAT_OPTION,
    WATCH_OPTION,
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "same as --format json" },
  ],
  run: async (typed, world) => {
    const isWatch = typed.switches.has("watch");
    // A person has to read each change before the lock accepts it, so a watch must not update the lock.
    if (isWatch && typed.switches.has("update-lock"))
      return refuse(world, 2, "--update-lock is done once, not watching");
    const once = (): Promise<RunResult> => checkOnce(typed, world);
    return isWatch ? watchAndRun("check", once, world) : (await once()).status;
  },
};

async function checkOnce(typed: ParsedArguments, world: World): Promise<RunResult> {
  const files = typed.operands;
  const pinned = typed.switches.has("update-lock") ? await pin(files, world) : undefined;
  const looked = await runLint(files, world, "left");
  const { findings, readings } = looked;
  await tell(findings, pinned, typed, world);
  if (looked.trivial > 0) world.report(describeTrivial(looked.trivial));
  else if (isClean(findings) && world.errorIsTerminal && formatOf(typed) === "text")
    world.report(`${escapeInvisible(files.join(", "))}: no findings\n`);
  const status = endRun("check", { ...looked, ...pinned?.failed }, findings.diagnostics.some(isError) ? 1 : 0, world);
  return { status, readings };
}

/**
 * Returns a line about assertions that hold only because no data has the label that they name. It is printed although
 * the page passes, because a person could believe that such an assertion protects data.
 */
function describeTrivial(count: number): string {
  const [found, about] = count === 1 ? ["1 assertion holds", "it is"] : [`${count} assertions hold`, "they are"];
  return `capc check: ${found} trivially, because no data has a label that ${about} about; capc lint shows the place\n`;
}

/** Returns whether every page could be read, and none has a finding. */
function isClean({ diagnostics, unread }: Findings): boolean {
  return diagnostics.length === 0 && unread.length === 0;
}

interface Pinned {
  readonly changes: readonly string[];
  /** Reason why a lock could not be written. If the page itself cannot be read, the check reports it. */
  readonly failed?: { readonly reason: string };
}

async function pin(files: readonly string[], world: World): Promise<Pinned> {
  const changes: string[] = [];
  for (const file of files) {
    const path = resolve(world.folder, file);
    if (!readOwnForm(path, 0).ok) continue;
    const pinned = await pinImports(path);
    if (!pinned.ok) return { changes, failed: { reason: pinned.reason } };
    changes.push(...pinned.value);
  }
  return { changes };
}

async function tell(
  findings: Findings,
  pinned: Pinned | undefined,
  typed: ParsedArguments,
  world: World,
): Promise<void> {
  const format = formatOf(typed);
  const changes = pinned?.changes ?? [];
  switch (format) {
    case "text":
      for (const change of changes) world.print(`${escapeInvisible(change)}\n`);
      return tellFindings(findings.diagnostics, typed, world);
    case "json": {
      const pins = pinned === undefined ? {} : { changes };
      const found = { ...reportOf(findings.diagnostics), ...pins, ...convertUnreadToJson(findings) };
      return world.print(`${JSON.stringify(found)}\n`);
    }
    default:
      for (const change of changes) world.report(`${escapeInvisible(change)}\n`);
      return reportFindings({ name: "check", format, findings, files: typed.operands }, world);
  }
}
