// capc report writes a system as one HTML page, for reviewers.

import { basename, resolve } from "node:path";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { computeSha256 } from "../../artefacts/inspect/description.ts";
import { placeText } from "../../host/output.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { reportPage } from "../../queries/report/index.ts";
import { SPAN_OPTIONS } from "../audit/criteria.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { createSide, resolveInFolder, type SideRead } from "../diff/side.ts";
import { readPreviousSide } from "../diff/sides.ts";
import { compilePage, hasErrors, requireProved } from "../page.ts";
import { countUnproved } from "../proofs/report.ts";
import { formatPath, tellOnly } from "../render-findings.ts";
import { parseAuditWish, readAuditFacts } from "../report/audit.ts";
import { computeChanges } from "../report/changes.ts";
import { createSubject } from "../report/subject.ts";

const refuse = createRefuser("report");

/** `capc report FILE` */
export const report: Command = {
  name: "report",
  operands: ["FILE"],
  does: "write a report for reviewers as one HTML file: decisions, flows, processes, quotas, proofs",
  details: `The file is self-contained and needs no network. With --against it marks the differences from
another page, tables or image, as \`capc diff\` finds them. \`--against main..\` compares the page
with its version in the git revision main. With --audit it also shows what a machine did, from its
audit log: a data disk, a copy of the audit partition, or an export. The log is verified first. The
same page and log give the same bytes. If an assertion is refuted or undetermined, or the log is not
valid, the report shows this, and the command ends with 1.`,
  options: [
    { name: "out", value: "FILE", does: "output file (default: report.html)" },
    {
      name: "against",
      value: "OTHER",
      does: "mark differences from this page, folder, tables or image, or from git: `REVISION..`",
    },
    { name: "audit", value: "LOG", does: "show what the machine did, from this audit log" },
    ...SPAN_OPTIONS.map((option) => ({ ...option, does: option.does.replace("show and summary: ", "with --audit: ") })),
    {
      name: "passphrase-file",
      value: "FILE",
      does: "with --audit: file with the passphrase of an encrypted data disk",
    },
    { name: "key", value: "KEY", does: "with --audit: the audit key that must have signed the log" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: writeReport,
};

const STANDARD_OUT = "report.html";

async function writeReport(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const path = resolveInFolder(resolve(world.folder, typed.operands[0] ?? ""));
  if (resolveOut(typed, world) === path) return refuse(world, 2, "--out is the page itself");
  const wish = parseAuditWish(typed, world);
  if (!wish.ok) return refuse(world, wish.status, escapeInvisible(wish.reason));
  const page = await compilePage(path, world, { purpose: "check", proofs: "told" });
  if (page.kind === "unreadable") return refuse(world, 3, escapeInvisible(page.reason));
  const { compiled } = page;
  if (hasErrors(compiled)) {
    tellOnly(compiled.diagnostics, typed, world);
    return 1;
  }
  const other = typed.values.get("against");
  const before = other === undefined ? undefined : await readPreviousSide(other, path, world);
  if (before !== undefined && before.kind !== "read") return reportMissingSide(before, typed, world);

  const all = requireProved(compiled);
  const name = basename(path);
  // Paths are relative to the folder of the page, so the report does not reveal where that folder is.
  const after = createSide(name, { ...all, view: { span: (span) => span } });
  const changes = before === undefined ? undefined : await computeChanges(before.side, after);
  const audit = wish.value === undefined ? undefined : await readAuditFacts(wish.value, after, typed, world);
  if (audit?.ok === false) return refuse(world, audit.status, escapeInvisible(audit.reason));
  const subject = createSubject({ ...all, diagnostics: compiled.diagnostics }, name, { changes, audit: audit?.value });
  return placeReport(reportPage(subject), subject, typed, world);
}

function resolveOut(typed: ParsedArguments, world: World): string {
  return resolve(world.folder, typed.values.get("out") ?? STANDARD_OUT);
}

/** Reports that the page to compare with cannot be read, and returns the exit status. */
function reportMissingSide(
  read: Exclude<SideRead, { kind: "read" }>,
  typed: ParsedArguments,
  world: World,
): ExitStatus {
  if (read.kind === "refused") return refuse(world, read.status, escapeInvisible(read.reason));
  tellOnly(read.diagnostics, typed, world);
  return 1;
}

function placeReport(
  html: string,
  { audit, proofs }: Pick<ReturnType<typeof createSubject>, "audit" | "proofs">,
  typed: ParsedArguments,
  world: World,
): ExitStatus {
  const path = resolveOut(typed, world);
  const placed = placeText(path, html);
  if (!placed.ok) return refuse(world, 3, escapeInvisible(placed.reason));
  const [name, bytes, unproved] = [formatPath(path, world), Buffer.byteLength(html), countUnproved(proofs)];
  const verified = audit === undefined ? null : audit.trust !== "not in order";
  if (typed.switches.has("json"))
    world.print(
      `${JSON.stringify({ path: name, bytes, sha256: computeSha256(Buffer.from(html)), unproved, verified })}\n`,
    );
  else world.report(`capc report: wrote ${escapeInvisible(name)}, ${bytes} bytes\n`);
  if (audit !== undefined && verified === false) refuse(world, 1, escapeInvisible(audit.verification));
  if (unproved === 0) return verified === false ? 1 : 0;
  return refuse(
    world,
    1,
    `${unproved} of the assertions ${unproved === 1 ? "does" : "do"} not hold: the page says which`,
  );
}
