// Implements capc audit, which reads an audit log outside of the machine that wrote it.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { VerifiedRecord } from "../../../engine/processes/audit/verify.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { readPassphrase } from "../../artefacts/disk/passphrase.ts";
import { explainRefusal } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { exportAsJson, exportLines, exportTrouble } from "./export-text.ts";
import { isExport, verifyExport } from "./exported.ts";
import { renderKey, type TrustAnchors } from "./finding.ts";
import { follow } from "./follow.ts";
import { isDisk, type LogSource, logIn } from "./log-source.ts";
import { renderOcsf } from "./ocsf.ts";
import { describeDamage, read, renderLines } from "./reading.ts";
import { Way } from "./record-history.ts";
import { encodeHex, recordAsJson, renderJson, renderRecord } from "./record-text.ts";
import { convertVerdictToJson, type LogFinding, logTrouble, renderFinding } from "./verdict-text.ts";

/** Each record is exported as one line. */
const FORMATS: Readonly<Record<string, (found: VerifiedRecord) => string>> = { jsonl: recordAsJson, ocsf: renderOcsf };

export const audit: Command = {
  name: "audit",
  operands: ["verify|show|export|follow|key", "FILE|DISK"],
  does: "verify an audit log; show, export or follow its records; print the log's key",
  details: `DISK is a data disk or its image; the command reads its audit partition. FILE is a copy of such a
partition. For verify it may also be a jsonl export. The command only reads the log, and never
writes decrypted data to a file. If the log is damaged, the command shows the records before the
damage and ends with 1. follow prints new records until Ctrl-C. key prints the audit key, which the
machine makes on the disk at its first start. Write the key down elsewhere: a log that was rewritten
from the start has another key.`,
  options: [
    { name: "passphrase-file", value: "FILE", does: "passphrase of an encrypted data disk" },
    { name: "known", value: "HASH", does: "verify: fail unless a record has this hash, which you noted earlier" },
    { name: "key", value: "KEY", does: "verify: the audit key that must have signed the log" },
    {
      name: "format",
      value: "NAME",
      choices: Object.keys(FORMATS),
      does: "export and follow: jsonl or ocsf; both print one line of JSON for each record",
    },
    {
      name: "of",
      value: "SEQUENCE",
      does: "show: print one record, the model's answer that proposed the call, and the results of the call",
    },
    { name: "after", value: "SEQUENCE", does: "export and follow: start after the record with this number" },
    JSON_OPTION,
  ],
  run: runAudit,
};

/** Options of each action, except for the options that all actions have. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  verify: ["known", "key", "json"],
  show: ["json", "of"],
  export: ["format", "after"],
  follow: ["format", "after"],
  key: [],
};

async function runAudit(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [action = "", name = ""] = typed.operands;
  const takes = Object.hasOwn(TAKES, action) ? TAKES[action] : undefined;
  if (takes === undefined) return refuse(world, 2, `'${action}' is neither verify, show, export, follow nor key`);
  const given = ["known", "key", "format", "of", "after"].filter((option) => typed.values.has(option));
  const odd = [...given, ...(typed.switches.has("json") ? ["json"] : [])].find((option) => !takes.includes(option));
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
  const passphraseFile = typed.values.get("passphrase-file");
  const passphrase = passphraseFile === undefined ? undefined : readPassphrase(resolve(world.folder, passphraseFile));
  if (passphrase?.ok === false) return refuse(world, 3, passphrase.reason);
  const isJson = typed.switches.has("json");
  const format = FORMATS[typed.values.get("format") ?? ""];
  try {
    const path = resolve(world.folder, name);
    const isOfLines = isFile(path) && isExport(path);
    if (isOfLines && action !== "verify") return refuse(world, 2, `${path} is an export already; verify reads one`);
    if (isOfLines) return judgeExport(path, { known, key }, isJson ? "json" : "text", world);
    const log = logIn(path, passphrase?.value);
    if (!log.ok) return refuse(world, 3, log.reason);
    switch (action) {
      case "verify":
        return await verifyLog(log.value, { known, key }, isJson ? "json" : "text", world);
      case "key":
        return await nameKey(log.value, world);
      case "export":
        return await exportLog(log.value, createPrinter(format ?? recordAsJson, BigInt(after), world), world);
      case "follow":
        return await followLog(log.value, createPrinter(format, BigInt(after), world), world);
      default:
        return of === undefined
          ? await showLog(log.value, isJson ? "json" : "text", world)
          : await showWay(log.value, BigInt(of), isJson ? "json" : "text", world);
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

async function verifyLog(log: LogSource, claimed: Claimed, format: "json" | "text", world: World): Promise<ExitStatus> {
  let sequence: bigint | undefined;
  const verdict = await read(log, world, ({ record, hash }) => {
    if (claimed.known === encodeHex(hash)) sequence = record.sequence;
  });
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const finding: LogFinding = { verdict, isDisk: isDisk(log), ...createNoted(claimed, sequence) };
  world.print(
    format === "json" ? `${renderJson(convertVerdictToJson(finding), 2)}\n` : renderLines(renderFinding(finding)),
  );
  return logTrouble(finding) === undefined ? 0 : 1;
}

/**
 * Shows the history of a record. Reads the log twice: first for the nonce of the record's request, then for all records
 * of that request.
 */
async function showWay(log: LogSource, of: bigint, format: "json" | "text", world: World): Promise<ExitStatus> {
  const way = new Way(of);
  if ((await read(log, world, ({ record }) => way.look(record))) === undefined) return refuse(world, 3, "interrupted");
  if (!way.isFound) return refuse(world, 1, `${log.path}: there is no record ${of} in what is in order`);
  return await showLog(log, format, world, ({ record }) => way.has(record));
}

async function showLog(
  log: LogSource,
  format: "json" | "text",
  world: World,
  isShown: (found: VerifiedRecord) => boolean = () => true,
): Promise<ExitStatus> {
  let separator = '{"records":[\n';
  const verdict = await read(log, world, (found) => {
    if (!isShown(found)) return;
    world.print(format === "json" ? `${separator}${recordAsJson(found)}` : renderLines([renderRecord(found)]));
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
