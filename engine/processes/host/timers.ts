// Submits the tasks of timers. The ledger stores up to which time each timer is handled, together with the tasks, so that
// no run is submitted twice or lost.

import { hash } from "node:crypto";
import { formatLabel, type IndexedTables } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { findDue, type Missed, readSchedule, type Schedule } from "../../lib/schedule/index.ts";
import { type Submission, TaskHost } from "../../lib/wire/generated/ledger.ts";
import type { Ingress } from "../../lib/wire/generated/policy.ts";
import type { Neighbour } from "./ports.ts";

/** Milliseconds after its submission at which a task of a timer expires. */
const TASK_MS = 86_400_000;
/** Version of the program that works on tasks. A later version that reads their records differently has another one. */
const HARNESS = "1";

export interface Timer {
  readonly name: string;
  readonly session: string;
  readonly schedule: Schedule;
  readonly missed: Missed;
  /** The task of each run; the deadline is added at the submission. */
  readonly submission: Omit<Submission, "deadline">;
}

/** Returns the timers of the tables. Fails if a schedule cannot be read. `tables`: the raw bytes of the tables. */
export function listTimers(tables: Uint8Array, indexed: IndexedTables): Result<readonly Timer[]> {
  const policy = hash("sha256", tables, "buffer");
  const timers: Timer[] = [];
  for (const ingress of indexed.ingresses.filter(({ source }) => source === "timer")) {
    const timer = readTimer(indexed, ingress, policy);
    if (!timer.ok) return refuse(`ingress ${ingress.name}: ${timer.reason}`);
    timers.push(timer.value);
  }
  return accept(timers);
}

function readTimer(tables: IndexedTables, ingress: Ingress, policy: Uint8Array): Result<Timer> {
  const { name, address, zone, missed, row, label, says } = ingress;
  const schedule = readSchedule(address, zone);
  if (!schedule.ok) return schedule;
  const session = tables.rows[row]?.session ?? "";
  const submission = {
    name,
    request: says,
    requester: "",
    ingress: name,
    policy,
    label: Buffer.from(formatLabel(tables.lattice, label)),
    model: "",
    harness: HARNESS,
  };
  return accept({ name, session, schedule: schedule.value, missed: missed as Missed, submission });
}

/**
 * Submits the runs of a timer that are due at `at`, by the ledger's clock. Returns the number of submitted tasks. Fails
 * if the ledger refuses, for example because too many tasks of the session have not ended; the runs stay due then.
 */
export async function submitDue(ledger: Neighbour, timer: Timer, at: bigint): Promise<Result<number>> {
  const begun = await ledger.call(TaskHost.methods.beginSchedule, { name: timer.name });
  if (!begun.ok) return refuse(begun.reason);
  const from = begun.value.through;
  const { runs, skipped, through } = findDue(timer.schedule, timer.missed, { through: Number(from), now: Number(at) });
  if (runs.length + skipped === 0) return accept(0);
  const submission = { ...timer.submission, deadline: at + BigInt(TASK_MS) };
  const due = {
    session: timer.session,
    name: timer.name,
    from,
    through: BigInt(through),
    count: runs.length,
    submission,
  };
  const submitted = await ledger.call(TaskHost.methods.submitRuns, due);
  return submitted.ok ? accept(submitted.value.numbers.length) : refuse(submitted.reason);
}
