// capc plan shows what a build of a page would contain, allow, cost and change.

import { resolve } from "node:path";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { computeMeaningDigest, indexPolicyTables } from "../../phases/policy/index.ts";
import { COLOUR_OPTION, createOutputPaint } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { createSide, type NamedSide, resolveInFolder, type SideRead } from "../diff/side.ts";
import { readPreviousSide } from "../diff/sides.ts";
import { compilePage, hasErrors, type PageCompiled, requireProved } from "../page.ts";
import { describeContents, planMemory } from "../plan/contents.ts";
import { convertPlanToJson } from "../plan/json.ts";
import { compareWithBuild, findLastBuild } from "../plan/last-build.ts";
import type { PlanReport } from "../plan/plan-report.ts";
import { describeSessions } from "../plan/sessions.ts";
import { renderPlan } from "../plan/text.ts";
import { countUnproved, createProofReport } from "../proofs/report.ts";
import { formatPath, tellFindings, tellOnly } from "../render-findings.ts";

const refuse = createRefuser("plan");

/** `capc plan FILE` */
export const plan: Command = {
  name: "plan",
  operands: ["FILE"],
  does: "show what a build would contain, allow, cost and change",
  details: `Prints one screen, and builds nothing. The screen shows the processes, services, models and
sizes of the image, the tools of each session by their gate, and how much memory the machine usually
uses. The changes since the last build come last, widenings first: + means more authority, ~ different
authority, - less authority, and = only a new name.
\`capc build\` puts a build in build/NAME. If there is also a folder build beside the page, the newer of the two is the
last build. With --against the command compares with something else: the folder of another build, an
image, policy tables, or a page or revision as for \`capc diff\`. A build contains no assertions, tests, reasons or
flows of its page: to compare these too, name a page or a revision.
Ends with 0, even if something changes. With --check it ends with 1 if the page means something else
than the last build, or if there is no build yet. So a CI job can check that the last build still
means the same as the page.
To refuse widenings, use \`capc diff --deny-widening\`.`,
  options: [
    { name: "against", value: "BUILD", does: "compare with this build, image, tables, page or revision" },
    { name: "check", does: "end with 1 if the page means something else than the last build" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: planBuild,
};

async function planBuild(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const file = resolveInFolder(resolve(world.folder, typed.operands[0] ?? ""));
  // Files that only an image needs, such as upstream's kernel, are not read. Of weights, only the size is read.
  const page = await compilePage(file, world, { purpose: "build", proofs: "told" });
  if (page.kind === "unreadable") return refuse(world, 3, escapeInvisible(page.reason));
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  const json = typed.switches.has("json");
  if (!json) tellFindings(page.compiled.diagnostics, typed, world);
  const built = await readLastBuild(file, typed, world);
  if (typeof built === "number") return built;
  const report = await createPlan(page, built, world);
  if (json) world.print(`${JSON.stringify(convertPlanToJson(report))}\n`);
  else {
    const { folder } = findLastBuild(file, world);
    const command = `capc diff ${built?.word ?? folder} ${formatPath(file, world)}`;
    world.print(renderPlan(report, { paint: createOutputPaint(typed, world), command, folder }).join(""));
  }
  return typed.switches.has("check") && report.against?.isSame !== true ? 1 : 0;
}

/** The build to compare with, and the word that names it in messages. */
interface Built {
  readonly word: string;
  readonly side: NamedSide;
}

/** Returns the build to compare with, `undefined` if there is none yet, or the exit status if it cannot be read. */
async function readLastBuild(
  file: string,
  typed: ParsedArguments,
  world: World,
): Promise<Built | undefined | ExitStatus> {
  const given = typed.values.get("against");
  const { folder, isThere } = findLastBuild(file, world);
  if (given === undefined && !isThere) return undefined;
  const word = given ?? folder;
  const read: SideRead = await readPreviousSide(word, file, world);
  switch (read.kind) {
    case "read":
      return { word, side: read.side };
    case "refused":
      return refuse(world, read.status, escapeInvisible(read.reason));
    case "findings":
      tellOnly(read.diagnostics, typed, world);
      return 1;
  }
}

async function createPlan(
  { compiled, path, view }: PageCompiled,
  built: Built | undefined,
  world: World,
): Promise<PlanReport> {
  const page = requireProved(compiled);
  const { policy } = page;
  const after = createSide(formatPath(path, world), { ...page, view });
  const tables = indexPolicyTables(policy);
  const proofs = createProofReport(page);
  return {
    page: after.name,
    system: tables.systemId,
    version: tables.version,
    tables: after.digest(),
    meaning: computeMeaningDigest(tables),
    target: policy.image.target,
    image: describeContents(policy),
    proofs: { assertions: proofs.assertions.length, unproved: countUnproved(proofs) },
    sessions: describeSessions(tables, policy.image.boot),
    memory: planMemory(policy),
    against: built === undefined ? null : await compareWithBuild(built.side, page, { after, word: built.word, world }),
  };
}
