// Reads the schedules of a page and computes their runs. Cron expressions and time zones are interpreted by `croner`; this file decides
// what is a valid schedule, and what happens to runs that were missed.

import { Cron } from "croner";
import { accept, type Result, refuse } from "../result/result.ts";

/**
 * Choice for runs whose time passed while nobody could start them: all of them run (`each`), the last one (`once`), or
 * none (`skip`).
 */
export type Missed = "each" | "once" | "skip";

/** A cron expression of five fields, and the IANA time zone in which it is read. `readSchedule` makes it. */
export interface Schedule {
  readonly expression: string;
  readonly zone: string;
}

/** Runs that are due. Times are milliseconds since 1970. */
interface Due {
  /** Planned times of the runs to start now, in order. */
  readonly runs: readonly number[];
  /** Number of runs that were missed and do not start; at most `MOST_RUNS` are counted. */
  readonly skipped: number;
  /** All runs up to this time are handled, so the next call begins here. */
  readonly through: number;
}

/** Most runs that one call of `findDue` returns or counts. */
export const MOST_RUNS = 100;
/** Milliseconds after its planned time during which a run is on time; later, it counts as missed. */
export const ON_TIME_MS = 60_000;

const MOST_LENGTH = 100;
const FIELDS = ["minute", "hour", "day of the month", "month", "day of the week"];
/** Characters of one field. The characters `L`, `W`, `#` and `?`, which other programs know, are not part of a page's language. */
const FIELD = /^[0-9A-Za-z*,/-]+$/;
const NAMES = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)$/i;
const ZONE = /^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*$/;

/**
 * Reads a cron expression of five fields (minute, hour, day of the month, month, day of the week) and the name of an IANA time zone.
 * Returns the reason if the expression or the zone is not valid, or if the schedule has no run at all.
 */
export function readSchedule(expression: string, zone: string): Result<Schedule> {
  const objection = findObjection(expression) ?? findZoneFault(zone);
  if (objection !== undefined) return refuse(objection);
  try {
    const next = makeCron({ expression, zone }).nextRun(new Date(0));
    return next === null ? refuse("it has no run: no date fits it") : accept({ expression, zone });
  } catch (error) {
    return refuse(describeError(error));
  }
}

/**
 * Returns which of the runs planned after `through` and up to `now` must start now. `missed` decides about the late
 * ones. If the clock was set back, so that `now` is before `through`, nothing is due, and `through` stays. No run is
 * returned twice if the caller stores `through` together with the runs that it starts. With `each`, a later call
 * returns the runs beyond `MOST_RUNS`.
 */
export function findDue(schedule: Schedule, missed: Missed, { through, now }: { through: number; now: number }): Due {
  if (now <= through) return { runs: [], skipped: 0, through };
  const cron = makeCron(schedule);
  const times = collectRuns(cron, through, now);
  if (missed === "each") {
    const last = times.at(-1);
    const isCut = times.length === MOST_RUNS && last !== undefined;
    return { runs: times, skipped: 0, through: isCut ? last : now };
  }
  const last = times.length < MOST_RUNS ? times.at(-1) : findLastRun(cron, now);
  const starts = last !== undefined && (missed === "once" || now - last <= ON_TIME_MS);
  return { runs: starts ? [last] : [], skipped: times.length - (starts ? 1 : 0), through: now };
}

/** Returns the times of at most `MOST_RUNS` runs after `through` and up to `now`, the earliest first. */
function collectRuns(cron: Cron, through: number, now: number): readonly number[] {
  const times: number[] = [];
  for (let at = through; times.length < MOST_RUNS; ) {
    const next = cron.nextRun(new Date(at))?.getTime();
    if (next === undefined || next > now) break;
    times.push(next);
    at = next;
  }
  return times;
}

/** Returns the time of the last run up to `now`, including a run at `now`; `undefined` if there was none. */
function findLastRun(cron: Cron, now: number): number | undefined {
  return cron.previousRuns(1, new Date(now + 1))[0]?.getTime();
}

function makeCron({ expression, zone }: Schedule): Cron {
  // In the mode `5-part`, croner expects five fields. If an expression limits the day of the month and the day of the
  // week, either of the two suffices, as in cron(8).
  return new Cron(expression, { timezone: zone, paused: true, mode: "5-part" });
}

function findObjection(expression: string): string | undefined {
  if (expression.length > MOST_LENGTH) return `it has more than ${MOST_LENGTH} characters`;
  const fields = expression.split(" ");
  if (fields.length !== FIELDS.length)
    return `it has ${fields.length} fields, not five separated by one space each: ${FIELDS.join(", ")}`;
  const index = fields.findIndex((field) => !isField(field));
  return index < 0 ? undefined : `its ${FIELDS[index]} is not a list of numbers, ranges and steps`;
}

function isField(field: string): boolean {
  const words = field.match(/[A-Za-z]+/g) ?? [];
  return FIELD.test(field) && words.every((word) => NAMES.test(word));
}

/** Returns why a name is not the name of a time zone of the IANA database, or `undefined` if it is one. */
export function findZoneFault(zone: string): string | undefined {
  const unknown = "its time zone is not one of the IANA database, such as Europe/Berlin or UTC";
  if (zone.length > MOST_LENGTH || !ZONE.test(zone)) return unknown;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    // The page must write a name with the same upper-case and lower-case letters as the database. A name that
    // differs in more than this is an old name of the zone, which is accepted.
    return known.toLowerCase() === zone.toLowerCase() && known !== zone ? `write its time zone as ${known}` : undefined;
  } catch (error) {
    if (error instanceof RangeError) return unknown;
    throw error;
  }
}

/** Returns the reason with which croner refuses an expression. Throws any exception that is not such a refusal, because it is a defect. */
function describeError(error: unknown): string {
  if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
  return `it is not a cron expression: ${error.message.replace(/^CronPattern: /, "")}`;
}
