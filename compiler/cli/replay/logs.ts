// Reads the logs that a person named, and passes them to the replay record by record.

import { resolve } from "node:path";
import { readPassphrase } from "../../artefacts/disk/passphrase.ts";
import { explainRefusal, isRefusal } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import type { Replay } from "../../queries/replay/index.ts";
import { readRecords } from "../audit/records.ts";
import type { Option, ParsedArguments } from "../command.ts";
import { formatPath } from "../render-findings.ts";
import type { NamedLog } from "./report.ts";

/** Maximum number of records of all logs together. An audit partition has space for about 100,000 records. */
const MOST_RECORDS = 2_000_000;

export const LOG_OPTIONS: readonly Option[] = [
  { name: "passphrase-file", value: "FILE", does: "file with the passphrase of encrypted data disks" },
  { name: "key", value: "KEY", does: "the audit key that must have signed the log, as `capc audit key` prints it" },
];

export type LogsRead =
  | { readonly kind: "read"; readonly logs: readonly NamedLog[] }
  | { readonly kind: "refused"; readonly status: ExitStatus; readonly reason: string };

export async function readLogs({ operands, values }: ParsedArguments, world: World, replay: Replay): Promise<LogsRead> {
  const refuseLogs = (status: ExitStatus, reason: string): LogsRead => ({ kind: "refused", status, reason });
  const key = values.get("key")?.toLowerCase();
  if (key !== undefined && !/^[0-9a-f]{64}$/.test(key)) return refuseLogs(2, "--key is 64 hexadecimal digits");
  const file = values.get("passphrase-file");
  const passphrase = file === undefined ? undefined : readPassphrase(resolve(world.folder, file));
  if (passphrase?.ok === false) return refuseLogs(3, passphrase.reason);
  const logs: NamedLog[] = [];
  let mostRecords = MOST_RECORDS;
  for (const operand of operands) {
    const path = resolve(world.folder, operand);
    replay.beginLog();
    const options = { passphrase: passphrase?.value, key, mostRecords };
    const read = await tryRead(path, () =>
      readRecords(path, options, world, (record, chain) => replay.take(record, chain)),
    );
    if (read === undefined) return refuseLogs(3, "interrupted");
    if (!read.ok) return refuseLogs(3, read.reason);
    mostRecords -= read.value.records;
    logs.push({ name: formatPath(path, world), ...read.value });
  }
  replay.end();
  return { kind: "read", logs };
}

/** Reads a log. An operating system error becomes a failure that names the log. */
async function tryRead<T>(
  path: string,
  read: () => Promise<T>,
): Promise<T | { readonly ok: false; readonly reason: string }> {
  try {
    return await read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, reason: explainRefusal(path, error) };
  }
}
