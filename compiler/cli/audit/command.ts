// Implements capc audit, which reads an audit log outside of the machine that wrote it.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Outcome } from "../../../engine/lib/wire/generated/capos.ts";
import type { Verdict, VerifiedRecord } from "../../../engine/processes/audit/verify.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { readPassphrase } from "../../artefacts/disk/passphrase.ts";
import { explainRefusal, readText } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Criteria, RecordFilter } from "../../queries/activity/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { CRITERIA_NAMES, CRITERIA_OPTIONS, type NamedPolicy, parseCriteria, readCriteriaPolicy } from "./criteria.ts";
import { listDigests } from "./digest.ts";
import { exportAsJson, exportLines, exportTrouble } from "./export-text.ts";
import { isExport, verifyExport } from "./exported.ts";
import { type EarlierExport, renderKey, type TrustAnchors } from "./finding.ts";
import { follow } from "./follow.ts";
import { isDisk, type LogSource, logIn } from "./log-source.ts";
import { renderOcsf } from "./ocsf.ts";
import { describeDamage, read, renderLines } from "./reading.ts";
import { Way } from "./record-history.ts";
import { renderTableRow, TABLE_HEAD } from "./record-table.ts";
import { encodeHex, recordAsJson, renderJson, renderRecord } from "./record-text.ts";
import { recordExport } from "./release.ts";
import { summarizeLog } from "./summary.ts";
import { convertVerdictToJson, type LogFinding, logTrouble, renderFinding } from "./verdict-text.ts";

/** For each format of an export, the function that renders a record as one line. */
const FORMATS: Readonly<Record<string, (found: VerifiedRecord) => string>> = { jsonl: recordAsJson, ocsf: renderOcsf };

export const audit: Command = {
  name: "audit",
  operands: ["verify|show|summary|export|follow|key|digest|release", "FILE|DISK"],
  does: "verify an audit log; show, summarize, export, follow or release its records; print its key, or digests of a text",
  details: `DISK is a data disk or its image; the command reads its audit partition. DISK may also be the
folder that \`capc try --disk DIR\` wrote. FILE is a copy of an audit partition. For verify it may
also be a jsonl export, and for summary any export. All actions except release only read the log.
The command never writes decrypted data to a file. If the log is damaged, the command shows
the records before the damage and ends with 1. follow prints new records until Ctrl-C. key prints
the audit key, which the machine makes on the disk at its first start. Write the key down elsewhere:
a log that was rewritten from the start has another key.
If the page withholds text from the log (\`audit { digests above LABEL }\`), records have digests of
this text.
digest prints the digests of the text in the file of --text, to compare them with a record.
If the page has \`audit { keep until exported }\`, release records before the log is full. Run
\`capc audit export DISK --format jsonl > log.jsonl\`. Then, while the machine is off, run
\`capc audit release DISK --exported log.jsonl\`. release compares the export with the log, and writes to DISK which
records the export contains. At its next start the machine deletes the oldest of these records if the log needs room.
summary verifies the log first. Then it prints who used the machine, the calls by tool and outcome,
reasons of refusals, approvals, data that left the machine, and the tools that the model could see. An
example for the last week:
\`capc audit summary DISK --since 7d --policy system.cap\`. The options that select records may be
combined. The outcomes are ${Outcome.members.slice(0, 4).join(", ")},
${Outcome.members.slice(4).join(", ")}.
The records have times of the machine's clock; a time such as 7d is counted back from the clock of this
computer.`,
  options: [
    { name: "passphrase-file", value: "FILE", does: "file with the passphrase of an encrypted data disk" },
    { name: "known", value: "HASH", does: "verify: fail if no record has this hash, which you noted earlier" },
    { name: "key", value: "KEY", does: "verify and summary: the audit key that must have signed the log" },
    {
      name: "format",
      value: "NAME",
      choices: Object.keys(FORMATS),
      does: "export and follow: jsonl or ocsf; both print one line of JSON for each record",
    },
    {
      name: "of",
      value: "SEQUENCE",
      does: "show: print this record, the model's answer that proposed the call, and the call's results",
    },
    {
      name: "table",
      does: "show: print a table 80 characters wide that omits the arguments of calls",
    },
    {
      name: "earlier",
      value: "FILE",
      does: "verify: jsonl export of the released records; the log must begin where they end",
    },
    { name: "exported", value: "FILE", does: "release: jsonl export of the records that you have" },
    { name: "text", value: "FILE", does: "digest: file that contains only the text, or the arguments as JSON" },
    { name: "after", value: "SEQUENCE", does: "export and follow: start after the record with this number" },
    ...CRITERIA_OPTIONS,
    { ...COLOUR_OPTION, does: "summary: colour: always, never or auto (on a terminal, unless NO_COLOR is set)" },
    JSON_OPTION,
  ],
  run: runAudit,
};

/** Options of each action of `capc audit`, except for the options that all actions have. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  verify: ["known", "key", "earlier", "json"],
  show: ["json", "table", "of", ...CRITERIA_NAMES],
  summary: ["json", "key", "color", ...CRITERIA_NAMES],
  export: ["format", "after"],
  follow: ["format", "after"],
  key: [],
  digest: ["text"],
  release: ["exported"],
};

async function runAudit(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [action = "", name = ""] = typed.operands;
  const takes = Object.hasOwn(TAKES, action) ? TAKES[action] : undefined;
  if (takes === undefined)
    return refuse(
      world,
      2,
      `'${action}' is neither ${Object.keys(TAKES)
        .join(", ")
        .replace(/, (\w+)$/, " nor $1")}`,
    );
  const given = [...typed.values.keys()].filter((option) => option !== "passphrase-file");
  const odd = [...given, ...typed.switches].find((option) => !takes.includes(option));
  if (odd !== undefined) return refuse(world, 2, `--${odd} does not go with ${action}`);
  const [known, key] = ["known", "key"].map((option) => typed.values.get(option)?.toLowerCase());
  for (const [option, given] of Object.entries({ known, key })) {
    if (given !== undefined && !/^[0-9a-f]{64}$/.test(given))
      return refuse(world, 2, `--${option} is 64 hexadecimal digits`);
  }
  const after = typed.values.get("after") ?? "0";
  const of = typed.values.get("of");
  for (const [option, number] of Object.entries({ after, of }).map(([name, value]) => [name, value ?? "0"] as const)) {
    if (!/^\d{1,19}$/.test(number)) return refuse(world, 2, `--${option} is the number of a record`);
  }
  if (of !== undefined && CRITERIA_NAMES.some((option) => typed.values.has(option)))
    return refuse(world, 2, "--of shows the history of one record, and does not go with options that select records");
  const criteria = parseCriteria(typed, Date.now());
  if (!criteria.ok) return refuse(world, 2, criteria.reason);
  const passphraseFile = typed.values.get("passphrase-file");
  const passphrase = passphraseFile === undefined ? undefined : readPassphrase(resolve(world.folder, passphraseFile));
  if (passphrase?.ok === false) return refuse(world, 3, passphrase.reason);
  const isJson = typed.switches.has("json");
  if (isJson && typed.switches.has("table")) return refuse(world, 2, "--table and --json exclude each other");
  const shown = isJson ? "json" : typed.switches.has("table") ? "table" : "text";
  const format = FORMATS[typed.values.get("format") ?? ""];
  try {
    const path = resolve(world.folder, name);
    const policy = await readCriteriaPolicy(typed, criteria.value, world);
    if (policy.kind === "ended")
      return policy.reason === undefined ? policy.status : refuse(world, policy.status, policy.reason);
    const selection = { criteria: criteria.value, policy: policy.policy };
    if (action === "summary")
      return await summarizeLog({ name, passphrase: passphrase?.value, key, ...selection }, typed, world);
    const isOfLines = isFile(path) && isExport(path);
    if (isOfLines && action !== "verify")
      return refuse(world, 2, `${path} is an export already; verify and summary read one`);
    if (isOfLines) return judgeExport(path, { known, key }, isJson ? "json" : "text", world);
    const log = logIn(path, passphrase?.value);
    if (!log.ok) return refuse(world, 3, log.reason);
    switch (action) {
      case "verify":
        return await verifyLog(log.value, { known, key, earlier: typed.values.get("earlier") }, shown, world);
      case "key":
        return await nameKey(log.value, world);
      case "release":
        return await releaseExported(log.value, typed.values.get("exported"), world);
      case "digest":
        return await printDigests(log.value, typed.values.get("text"), world);
      case "export":
        return await exportLog(log.value, createPrinter(format ?? recordAsJson, BigInt(after), world), world);
      case "follow":
        return await followLog(log.value, createPrinter(format, BigInt(after), world), world);
      default:
        return of === undefined
          ? await showSelected(log.value, selection, shown, world)
          : await showWay(log.value, BigInt(of), shown, world);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return refuse(world, 3, explainRefusal(name, error));
  }
}

/**
 * Returns whether the path is a file. Returns `false` for a path that is missing or not accessible; the error is
 * reported when the command opens the path.
 */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Hash and key that the user noted elsewhere, as typed. */
interface Claimed {
  readonly known: string | undefined;
  readonly key: string | undefined;
  /** Path of an export of the released records. */
  readonly earlier?: string | undefined;
}

function createNoted({ known, key }: Claimed, sequence: bigint | undefined): TrustAnchors {
  return { key, known: known === undefined ? undefined : { hash: known, sequence } };
}

function judgeExport(path: string, claimed: Claimed, format: "json" | "text", world: World): ExitStatus {
  let sequence: bigint | undefined;
  const verdict = verifyExport(path, (found, hash) => {
    if (claimed.known === encodeHex(hash)) sequence = found;
  });
  const finding = { verdict, ...createNoted(claimed, sequence) };
  world.print(format === "json" ? `${renderJson(exportAsJson(finding), 2)}\n` : renderLines(exportLines(finding)));
  return exportTrouble(finding) === undefined ? 0 : 1;
}

/** Returns a function that prints records as lines of JSON or as text for people. */
function createPrinter(
  format: ((found: VerifiedRecord) => string) | undefined,
  after: bigint,
  world: World,
): (found: VerifiedRecord) => void {
  return (found) => {
    if (found.record.sequence <= after) return;
    world.print(format === undefined ? renderLines([renderRecord(found)]) : `${format(found)}\n`);
  };
}

async function exportLog(log: LogSource, each: (found: VerifiedRecord) => void, world: World): Promise<ExitStatus> {
  const verdict = await read(log, world, each);
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const damage = describeDamage(verdict);
  return damage === undefined ? 0 : refuse(world, 1, damage);
}

async function followLog(log: LogSource, each: (found: VerifiedRecord) => void, world: World): Promise<ExitStatus> {
  if (!isFile(log.path)) return refuse(world, 3, `${log.path} is a device, and does not tell when it changes`);
  const wrong = await follow(log, world, each);
  return wrong === undefined ? 0 : refuse(world, 1, wrong);
}

/** Prints only the audit key, for a note or a script. */
async function nameKey(log: LogSource, world: World): Promise<ExitStatus> {
  const verdict = await read(log, world, () => {});
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const damage = describeDamage(verdict);
  if (damage !== undefined) return refuse(world, 1, damage);
  const { sealed } = verdict.chain;
  if (sealed === undefined) return refuse(world, 1, `${log.path}: nothing was ever sealed, and no key is named`);
  world.print(`${renderKey(sealed)}\n`);
  return 0;
}

/** Prints the digests of a text, which are computed with the digest key of the log. */
async function printDigests(log: LogSource, name: string | undefined, world: World): Promise<ExitStatus> {
  if (name === undefined) return refuse(world, 2, "digest needs --text FILE, the text to compare with a record");
  const text = readText(resolve(world.folder, name));
  if (!text.ok) return refuse(world, 3, text.reason);
  const verdict = await read(log, world, () => {});
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const damage = describeDamage(verdict);
  if (damage !== undefined) return refuse(world, 1, damage);
  const key = verdict.key?.digestKey;
  if (key === undefined)
    return refuse(world, 1, `${log.path}: no key of digests; the machine makes it at its next start`);
  world.print(renderLines(listDigests(key, text.value)));
  return 0;
}

/** Writes to the disk which records an export contains, so that the machine may release these records. */
async function releaseExported(log: LogSource, exported: string | undefined, world: World): Promise<ExitStatus> {
  if (exported === undefined)
    return refuse(world, 2, "release needs --exported FILE, the jsonl export of the records that you have");
  const path = resolve(world.folder, exported);
  if (!isFile(path) || !isExport(path)) return refuse(world, 3, `${exported} is not a jsonl export`);
  const through = await recordExport(log, path, world);
  if (through === undefined) return refuse(world, 3, "interrupted");
  if (!through.ok) return refuse(world, 1, through.reason);
  world.print(
    renderLines([
      `The disk says now that you have all records up to ${through.value.sequence}.`,
      "At its next start the machine releases them as far as it needs room, if its page has `audit { keep until exported }`.",
    ]),
  );
  return 0;
}

async function verifyLog(log: LogSource, claimed: Claimed, format: ShowFormat, world: World): Promise<ExitStatus> {
  let sequence: bigint | undefined;
  const verdict = await read(log, world, ({ record, hash }) => {
    if (claimed.known === encodeHex(hash)) sequence = record.sequence;
  });
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const earlier = claimed.earlier === undefined ? undefined : compareEarlier(verdict, claimed.earlier, world);
  const finding: LogFinding = { verdict, isDisk: isDisk(log), ...createNoted(claimed, sequence), earlier };
  world.print(
    format === "json" ? `${renderJson(convertVerdictToJson(finding), 2)}\n` : renderLines(renderFinding(finding)),
  );
  return logTrouble(finding) === undefined ? 0 : 1;
}

/** Compares the beginning of a log with the end of an export. Throws errors of the operating system. */
function compareEarlier({ beyond, chain }: Verdict, name: string, world: World): EarlierExport {
  if (beyond === undefined) return { fault: "the log has all its records, and needs no export" };
  let hash = "";
  const { fault, first, sealed } = verifyExport(resolve(world.folder, name), (sequence, found) => {
    if (sequence === beyond.sequence) hash = encodeHex(found);
  });
  if (fault !== undefined) return { fault: `${name} is damaged in line ${fault.line}: ${fault.reason}` };
  if (first !== 1n) return { fault: `${name} does not begin with record 1` };
  if (hash !== encodeHex(beyond.hash)) return { fault: `${name} has no such record ${beyond.sequence}` };
  return { fault: renderKey(sealed) === renderKey(chain.sealed) ? undefined : `${name} is under another audit key` };
}

/**
 * Shows the history of a record. Reads the log twice: first for the nonce of the record's request, then for all records
 * of that request.
 */
async function showWay(log: LogSource, of: bigint, format: ShowFormat, world: World): Promise<ExitStatus> {
  const way = new Way(of);
  if ((await read(log, world, ({ record }) => way.look(record))) === undefined) return refuse(world, 3, "interrupted");
  if (!way.isFound) return refuse(world, 1, `${log.path}: there is no record ${of} in what is in order`);
  return await showLog(log, format, world, ({ record }) => way.has(record));
}

/** `json`: one JSON value; `text`: one line for each record; `table`: 80 columns. */
type ShowFormat = "json" | "table" | "text";

/**
 * Shows the records that pass the criteria. Reports each name in the criteria that no record has, such as a mistyped
 * session.
 */
async function showSelected(
  log: LogSource,
  { criteria, policy }: { readonly criteria: Criteria; readonly policy: NamedPolicy | undefined },
  format: ShowFormat,
  world: World,
): Promise<ExitStatus> {
  const filter = new RecordFilter(criteria, policy?.tables);
  const status = await showLog(log, format, world, ({ record }) => filter.has(record));
  if (status === 3) return status;
  for (const sentence of filter.listUnknown()) refuse(world, 0, sentence);
  if (filter.timeless > 0) refuse(world, 0, `${filter.timeless} records without a time of day are left out`);
  return status;
}

async function showLog(
  log: LogSource,
  format: ShowFormat,
  world: World,
  isShown: (found: VerifiedRecord) => boolean = () => true,
): Promise<ExitStatus> {
  let separator = '{"records":[\n';
  const render = format === "table" ? renderTableRow : (found: VerifiedRecord) => [renderRecord(found)];
  if (format === "table") world.print(renderLines(TABLE_HEAD));
  const verdict = await read(log, world, (found) => {
    if (!isShown(found)) return;
    world.print(format === "json" ? `${separator}${recordAsJson(found)}` : renderLines(render(found)));
    separator = ",\n";
  });
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const finding: LogFinding = { verdict, isDisk: isDisk(log), known: undefined, key: undefined };
  if (format === "json")
    world.print(`${separator === ",\n" ? "" : separator}],"verdict":${renderJson(convertVerdictToJson(finding))}}\n`);
  const damage = describeDamage(verdict);
  return damage === undefined ? 0 : refuse(world, 1, damage);
}

function refuse(world: World, status: ExitStatus, reason: string): ExitStatus {
  world.report(`capc audit: ${escapeInvisible(reason)}\n`);
  return status;
}
