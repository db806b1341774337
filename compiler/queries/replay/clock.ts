import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";

/** The last time that a Date can represent. A record may contain a later time. */
export const LAST_MS = 8_640_000_000_000_000n;

/**
 * Time according to the records: since the start of the machine, and since 1970. Neither time goes back: a time in a
 * record is ignored if an earlier record has a later one.
 */
export class Clock {
  #boot = 0;
  #wall = 0;
  #isWallKnown = false;

  see({ monotonicMs, wallMs }: Pick<AuditRecord, "monotonicMs" | "wallMs">): void {
    this.#boot = Math.max(this.#boot, numberOf(monotonicMs));
    this.#wall = Math.max(this.#wall, numberOf(wallMs));
    this.#isWallKnown = readWallMs(wallMs) !== undefined;
  }

  beginBoot(): void {
    this.#boot = 0;
  }

  /** Milliseconds since the machine started. */
  readonly boot = (): number => this.#boot;
  /** Milliseconds since 1970. */
  readonly wall = (): number => this.#wall;

  get isWallKnown(): boolean {
    return this.#isWallKnown;
  }
}

function numberOf(ms: bigint): number {
  return Number(ms > LAST_MS ? LAST_MS : ms);
}

/**
 * Returns a record's milliseconds since 1970, or `undefined` if it has no time of day, or a time that a Date cannot
 * represent.
 */
export function readWallMs(wallMs: bigint): number | undefined {
  return wallMs === 0n || wallMs > LAST_MS ? undefined : Number(wallMs);
}

/** Returns the day of a time in UTC, or `undefined` if the time is unknown. */
export function formatDay(wallMs: bigint): string | undefined {
  const ms = readWallMs(wallMs);
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, -"T00:00:00.000Z".length);
}
