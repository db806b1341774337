// capc audit: reads an audit log from outside the machine that wrote it.

import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Found, type Verdict, verifying } from "../../../engine/audit/verify.ts";
import { visible } from "../../../lang/diagnostics/index.ts";
import { type Command, JSON_OPTION, type Typed } from "../command.ts";
import { readPassphrase } from "../disk/passphrase.ts";
import { whyNot } from "../files.ts";
import type { ExitStatus, World } from "../world.ts";
import { type LogSource, logIn, withChunks } from "./log-source.ts";
import { asJson, hexOf, lineOf, recordAsJson } from "./record-text.ts";
import { type Finding, isInOrder, linesOf, verdictAsJson } from "./verdict-text.ts";

export const audit: Command = {
  name: "audit",
  operands: ["verify|show", "FILE|DISK"],
  does: "verify an audit log, or show its records",
  details: `DISK is a data disk or its image, whose audit partition is read; FILE is a copy of such a partition. Nothing is
written to, and what was encrypted is written nowhere. Ends with 1 if the log is damaged, also where records are shown:
those before the damage are.`,
  options: [
    { name: "passphrase-file", value: "FILE", does: "of a data disk that is encrypted" },
    { name: "known", value: "HASH", does: "with verify: a hash noted earlier, which a record must have" },
    JSON_OPTION,
  ],
  run: auditLog,
};

async function auditLog(typed: Typed, world: World): Promise<ExitStatus> {
  const [action = "", name = ""] = typed.operands;
  const known = typed.values.get("known")?.toLowerCase();
  if (action !== "verify" && action !== "show") return refuse(world, 2, `'${action}' is neither verify nor show`);
  if (known !== undefined && action === "show") return refuse(world, 2, "--known goes with verify");
  if (known !== undefined && !/^[0-9a-f]{64}$/.test(known))
    return refuse(world, 2, "--known is a SHA-256 of 64 hexadecimal digits");
  const passphraseFile = typed.values.get("passphrase-file");
  const passphrase = passphraseFile === undefined ? undefined : readPassphrase(resolve(world.folder, passphraseFile));
  if (passphrase?.ok === false) return refuse(world, 3, passphrase.reason);
  try {
    const log = logIn(resolve(world.folder, name), passphrase?.value);
    if (!log.ok) return refuse(world, 3, log.reason);
    const isJson = typed.switches.has("json");
    return action === "verify"
      ? await verifyLog(log.value, known, isJson, world)
      : await showLog(log.value, isJson, world);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return refuse(world, 3, whyNot(name, error));
  }
}

async function verifyLog(
  log: LogSource,
  known: string | undefined,
  isJson: boolean,
  world: World,
): Promise<ExitStatus> {
  let sequence: bigint | undefined;
  const verdict = await read(log, world, ({ record, hash }) => {
    if (known === hexOf(hash)) sequence = record.sequence;
  });
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const finding: Finding = { verdict, known: known === undefined ? undefined : { hash: known, sequence } };
  world.print(isJson ? `${asJson(verdictAsJson(finding), 2)}\n` : drawn(linesOf(finding)));
  return isInOrder(finding) ? 0 : 1;
}

async function showLog(log: LogSource, isJson: boolean, world: World): Promise<ExitStatus> {
  let separator = '{"records":[\n';
  const verdict = await read(log, world, (found) => {
    world.print(isJson ? `${separator}${recordAsJson(found)}` : drawn([lineOf(found)]));
    separator = ",\n";
  });
  if (verdict === undefined) return refuse(world, 3, "interrupted");
  const finding: Finding = { verdict, known: undefined };
  if (isJson) world.print(`${separator === ",\n" ? "" : separator}],"verdict":${asJson(verdictAsJson(finding))}}\n`);
  const { fault } = verdict;
  if (fault === undefined) return 0;
  return refuse(world, 1, `damaged at byte ${fault.offset}, where record ${fault.sequence} belongs: ${fault.reason}`);
}

/** Records that are read before Ctrl-C is looked for. */
const RECORDS_AT_A_TIME = 500;

/** Verifies a log of any length; nothing where a person wants it to end. */
function read(log: LogSource, world: World, each: (found: Found) => void): Promise<Verdict | undefined> {
  return withChunks(log, async (chunks) => {
    const steps = verifying(chunks);
    for (let count = 1; ; count += 1) {
      const step = steps.next();
      if (step.done === true) return step.value;
      each(step.value);
      if (count % RECORDS_AT_A_TIME === 0) await setImmediate();
      if (world.interrupted.aborted) return undefined;
    }
  });
}

/** Words of a log are strangers' words: none of them ends a line or moves the cursor. */
function drawn(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join("");
}

function refuse(world: World, status: ExitStatus, reason: string): ExitStatus {
  world.report(`capc audit: ${visible(reason)}\n`);
  return status;
}
