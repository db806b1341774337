// capc diff compares the meaning of two systems.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, type ParsedArguments } from "../command.ts";
import type { DiffReport } from "../diff/diff-report.ts";
import { diffAsJson } from "../diff/json.ts";
import { diffMarkdown } from "../diff/markdown.ts";
import { compareSides } from "../diff/renames.ts";
import { findUnreasoned, reportOf } from "../diff/report.ts";
import { diffSarif } from "../diff/sarif.ts";
import type { NamedSide, SideRead } from "../diff/side.ts";
import { parseSides } from "../diff/sides.ts";
import { diffLines, renderUnreasoned, wrapDiffLine } from "../diff/text.ts";
import { createReviewOptions } from "../format-options.ts";
import { tellOnly } from "../render-findings.ts";

const refuse = createRefuser("diff");

const FORMATS = ["text", "json", "markdown", "sarif"] as const;

/** `capc diff OLD NEW` */
export const diff: Command = {
  name: "diff",
  operands: ["OLD", "[NEW]"],
  does: "compare what two systems allow",
  details: `OLD and NEW are each a page, its folder, policy tables, an image, or the folder of a build. In a git
checkout, \`capc diff main.. [FILE]\` compares the page FILE with its version in main. \`main..next\`
compares two revisions, and \`main...\` compares with the merge base of main and HEAD. FILE is system.cap by default.
\`--from REVISION FILE\` is the same as \`REVISION.. FILE\`.
The command compares decisions, not lines of text. It shows a change with example calls if it finds
arguments for them; the call with the loosest outcome comes first. If it cannot exclude that the
decision about another call changes even more, it also shows this greater change, without a call.
All edits of the labels of a service are shown as one change, with calls that are decided differently
because of these edits. A session, service, tool, label or test that only has a new name is shown as
renamed. If a renamed session, service or tool
also has other changes, the command compares it with the most similar one of the old page, and shows
it as probably renamed. A probable rename counts as a widening. A removed or changed test of the old
page is run on the new page, and the output says whether it passes there. Comments and the order of
rules do not change the digest of meaning.
Ends with 0 even if there are differences. With --deny-widening it ends with 1 if a widening has no
reason. The reason is \`because "…"\` at the end of each new rule, or of the \`widen\` block with
the rule. Weaker assertions and tests, new waivers, later expiry dates of widenings, changed reasons
and a lower version of the system also count as widenings. --because gives the reason for
these widenings, and for all others that do not come from a rule of the page.`,
  options: [
    { name: "from", value: "REVISION", does: "compare the page with its version in this git revision" },
    { name: "deny-widening", does: "end with 1 if a widening has no `because`" },
    {
      name: "because",
      value: "TEXT",
      does: "the reviewer's reason for widenings that do not come from a rule of the page",
    },
    ...createReviewOptions(FORMATS),
  ],
  run: diffSides,
};

async function diffSides(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const sides = parseSides(typed, world);
  if (!sides.ok) return refuse(world, 2, escapeInvisible(sides.reason));
  const before = resolveSide(await sides.before(), typed, world);
  if (typeof before === "number") return before;
  const after = resolveSide(await sides.after(), typed, world);
  if (typeof after === "number") return after;
  const report = reportOf(await compareSides(before, after), typed.values.get("because"));
  const status = await tell(report, after, typed, world);
  if (status !== 0 || !typed.switches.has("deny-widening")) return status;
  const open = findUnreasoned(report);
  if (open.length > 0) {
    const all = [...open, ...report.ifNew.map((change) => ({ ...change, unsaid: `if it is new: ${change.unsaid}` }))];
    refuse(
      world,
      1,
      `${open.length} of the changes ${open.length === 1 ? "widens, or may widen," : "widen, or may widen,"} authority without a reason`,
    );
    for (const change of all.slice(0, MOST_NAMED)) {
      const line = escapeInvisible(`  ${renderUnreasoned(change)}`);
      for (const row of wrapDiffLine(line, world.errorIsTerminal ? world.outputColumns : undefined))
        world.report(`${row}\n`);
    }
    if (all.length > MOST_NAMED) world.report(`  and ${all.length - MOST_NAMED} more\n`);
    return 1;
  }
  // If something could not be compared, it may be a widening, so `--deny-widening` fails.
  return report.uncompared === undefined
    ? 0
    : refuse(world, 1, `${escapeInvisible(report.uncompared)}; or say why that may be, ${BECAUSE}`);
}

/** Maximum number of changes that are listed because they have no reason. */
const MOST_NAMED = 20;

const BECAUSE = "`--because TEXT`";

/**
 * Returns the page, tables or image to compare. If it cannot be read, reports the error and returns the exit status.
 */
function resolveSide(read: SideRead, typed: ParsedArguments, world: World): NamedSide | ExitStatus {
  switch (read.kind) {
    case "read":
      return read.side;
    case "refused":
      return refuse(world, read.status, escapeInvisible(read.reason));
    case "findings":
      tellOnly(read.diagnostics, typed, world);
      return 1;
  }
}

async function tell(report: DiffReport, after: NamedSide, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const wanted = FORMATS.find((format) => format === typed.values.get("format"));
  switch (wanted ?? (typed.switches.has("json") ? "json" : "text")) {
    case "text":
      for (const line of diffLines(report)) {
        for (const row of wrapDiffLine(escapeInvisible(line), world.outputColumns)) world.print(`${row}\n`);
      }
      return 0;
    case "json":
      world.print(`${JSON.stringify(diffAsJson(report))}\n`);
      return 0;
    case "markdown":
      world.print(diffMarkdown(report));
      return 0;
    case "sarif": {
      if (after.page === undefined)
        return refuse(world, 2, `SARIF is about lines, and ${escapeInvisible(after.name)} is no page`);
      const log = await diffSarif(
        report,
        after.page,
        typed.switches.has("deny-widening") ? "denied" : "allowed",
        world,
      );
      world.print(`${JSON.stringify(log, undefined, 2)}\n`);
      for (const what of report.notCompared) world.report(`capc diff: not compared: ${escapeInvisible(what)}\n`);
      return 0;
    }
  }
}
