// Reads and prints times and durations of an audit log.

import { parseDateText } from "../../../engine/lib/policy/index.ts";
import { LAST_MS } from "../replay/index.ts";

const BACK = /^(\d{1,6}) ?(s|min|h|d|w)$/;
const UNIT_MS = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Returns the moment that a text states, in milliseconds since 1970: an RFC 3339 date or date-time, or a time back from `nowMs` such as
 * `7d`, `2h` or `30min`. Returns `undefined` if the text is neither.
 */
export function parseMoment(text: string, nowMs: number): bigint | undefined {
  const [, amount, unit] = BACK.exec(text) ?? [];
  if (amount !== undefined) return BigInt(nowMs - Number(amount) * (isUnit(unit) ? UNIT_MS[unit] : 0));
  const [milliseconds] = parseDateText(text.replace(/z$/, "Z").replace(/t/, "T"))?.split(".") ?? [];
  return milliseconds === undefined ? undefined : BigInt(milliseconds);
}

/**
 * Returns a moment in milliseconds since 1970 as `2027-01-30 09:05`, in UTC. A time after the last possible date is
 * shown as the last date.
 */
export function formatMinute(ms: number): string {
  return new Date(Math.min(ms, Number(LAST_MS))).toISOString().slice(0, -":00.000Z".length).replace("T", " ");
}

/** Returns milliseconds as `3.4 s`, or as `144 s` from 100 seconds on. */
export function formatSeconds(ms: number): string {
  return ms < 100_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

function isUnit(word: string | undefined): word is keyof typeof UNIT_MS {
  return word !== undefined && word in UNIT_MS;
}
