// Reads and summarizes the audit log that a report shows (`--audit`).

import { basename, resolve } from "node:path";
import { readPassphrase } from "../../artefacts/disk/passphrase.ts";
import { explainRefusal, isRefusal } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import type { Criteria } from "../../queries/activity/index.ts";
import type { AuditFacts } from "../../queries/report/index.ts";
import { createPolicy, parseCriteria } from "../audit/criteria.ts";
import { readSummary } from "../audit/summary.ts";
import { countForeign, describeVerification, judgeTrust } from "../audit/summary-report.ts";
import type { ParsedArguments } from "../command.ts";
import type { NamedSide } from "../diff/side.ts";

/** The audit log that the options of the report name, and the criteria that select its records. */
interface AuditWish {
  readonly path: string;
  readonly passphrase: string | undefined;
  readonly key: string | undefined;
  readonly criteria: Criteria;
}

type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: ExitStatus; readonly reason: string };

const OF_AUDIT = ["since", "until", "passphrase-file", "key"];

/** Returns the options of the log, or `undefined` without `--audit`. */
export function parseAuditWish(typed: ParsedArguments, world: World): Read<AuditWish | undefined> {
  const refuse = (status: ExitStatus, reason: string) => ({ ok: false, status, reason }) as const;
  const log = typed.values.get("audit");
  const alone = OF_AUDIT.find((name) => typed.values.has(name));
  if (log === undefined)
    return alone === undefined ? { ok: true, value: undefined } : refuse(2, `--${alone} needs --audit`);
  const key = typed.values.get("key")?.toLowerCase();
  if (key !== undefined && !/^[0-9a-f]{64}$/.test(key)) return refuse(2, "--key is 64 hexadecimal digits");
  const { since, until } = Object.fromEntries(typed.values);
  const span = Object.entries({ since, until }).flatMap(([name, time]) =>
    time === undefined ? [] : [[name, time] as const],
  );
  const criteria = parseCriteria({ ...typed, values: new Map(span) }, Date.now());
  if (!criteria.ok) return refuse(2, criteria.reason);
  const file = typed.values.get("passphrase-file");
  const passphrase = file === undefined ? undefined : readPassphrase(resolve(world.folder, file));
  if (passphrase?.ok === false) return refuse(3, passphrase.reason);
  const path = resolve(world.folder, log);
  return { ok: true, value: { path, passphrase: passphrase?.value, key, criteria: criteria.value } };
}

/** Reads and verifies the log. `side` is the page of the report; it explains the names in the log. */
export async function readAuditFacts(
  wish: AuditWish,
  side: NamedSide,
  typed: ParsedArguments,
  world: World,
): Promise<Read<AuditFacts>> {
  try {
    const read = await readSummary({ ...wish, policy: createPolicy(side) }, typed, world);
    if (read.kind === "refused") return { ok: false, status: read.status, reason: read.reason };
    const { activity, policy, timeless } = read.report;
    const facts = {
      // Only the file name of the log, so that the report is the same wherever the log is.
      log: basename(wish.path),
      activity,
      verification: describeVerification(read.report),
      trust: judgeTrust(read.report),
      foreign: countForeign(read.report),
      timeless,
      visible: policy?.visible ?? [],
    };
    return { ok: true, value: facts };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, status: 3, reason: explainRefusal(wish.path, error) };
  }
}
