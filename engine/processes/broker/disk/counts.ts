// Stores the counts of quotas per principal and per day on the data disk, before they take effect. A day is any 1440
// minutes of the machine's clock, which nobody has verified. The clock is read once at the start, continues with the
// boot clock, and is never earlier than the latest recorded time. Setting the clock back therefore returns no units;
// setting it forward does return units, and is not detected.

import { isList, isRecord, type Json, readJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Tally } from "../quotas/tally.ts";
import type { World } from "../world.ts";
import type { Disk } from "./disk.ts";
import { MAX_FILE_BYTES, seal, unseal } from "./sealed.ts";

/** Disk with one file, which is replaced as a whole. */
type CountsDisk = Pick<Disk, "read" | "replace">;

const FILE = "spent";
const VERSION = 1;
const MINUTE_MS = 60_000;
const NOT_KEPT = "what was spent cannot be kept on the data disk";
export const DAY_MINUTES = 1440;

interface Account {
  /** Sum of all units that were ever charged and not refunded. */
  total: bigint;
  /** Units that were charged in each minute of the last day, oldest first. A key is a minute since 1970. */
  readonly minutes: Map<number, bigint>;
}

export class Counts {
  readonly #world: World;
  readonly #disk: CountsDisk;
  readonly #accounts: Map<string, Account>;
  /** Milliseconds since 1970 at `#startedMs` of the boot clock. */
  readonly #wallMs: number;
  readonly #startedMs: number;

  private constructor(world: World, disk: CountsDisk, { seenMs, accounts }: Written) {
    this.#world = world;
    this.#disk = disk;
    this.#accounts = accounts;
    this.#wallMs = Math.max(world.wall(), seenMs);
    this.#startedMs = world.now();
  }

  /** Loads the counts. Fails if the file was changed, because its counts cannot be known and would start from 0. */
  static open(world: World, disk: CountsDisk): Result<Counts> {
    const written = readWritten(disk);
    return written.ok ? accept(new Counts(world, disk, written.value)) : written;
  }

  /** Returns a counter for the account `key`; it counts all units that were ever charged and not refunded. */
  getTotalTally(key: string): Tally {
    const account = this.#ensureAccount(key);
    return {
      get spent() {
        return account.total;
      },
      add: (units) => {
        account.total += units;
      },
      giveBack: (units) => {
        account.total -= units;
      },
      resets: "it does not come back",
    };
  }

  /** Returns a counter for the account `key`; it counts the units of the last day only. */
  getDayTally(key: string): Tally {
    const account = this.#ensureAccount(key);
    const { minutes } = account;
    const minute = this.#computeNowMinute();
    forgetBefore(account, minute - DAY_MINUTES);
    const change = (units: bigint) => {
      const sum = (minutes.get(minute) ?? 0n) + units;
      minutes.set(minute, sum);
    };
    return {
      get spent() {
        return [...minutes.values()].reduce((sum, units) => sum + units, 0n);
      },
      add: change,
      giveBack: (units) => change(-units),
      resets: "each counts for a day",
    };
  }

  /** Saves the counts. Returns `undefined` if the counts are durable, otherwise the reason why this is not certain. */
  save(): string | undefined {
    const file = seal(Buffer.from(JSON.stringify(this.#buildWritten())));
    if (file.length > MAX_FILE_BYTES) return `${NOT_KEPT}: it is more than is read again`;
    try {
      this.#disk.replace(FILE, file);
      return undefined;
    } catch (error) {
      return `${NOT_KEPT}: ${error instanceof Error ? error.message : "it failed"}`;
    }
  }

  #computeNowMs(): number {
    return this.#wallMs + (this.#world.now() - this.#startedMs);
  }

  #computeNowMinute(): number {
    return Math.floor(this.#computeNowMs() / MINUTE_MS);
  }

  #ensureAccount(key: string): Account {
    const account = this.#accounts.get(key) ?? { total: 0n, minutes: new Map<number, bigint>() };
    this.#accounts.set(key, account);
    return account;
  }

  /**
   * Builds the file's content. Leaves out units of minutes before the last day, and accounts without any units.
   * Otherwise each charge would write them again.
   */
  #buildWritten() {
    const oldest = this.#computeNowMinute() - DAY_MINUTES;
    for (const account of this.#accounts.values()) forgetBefore(account, oldest);
    const counting = [...this.#accounts].filter(([, { total, minutes }]) => total !== 0n || minutes.size > 0);
    const accounts = counting.map(([key, { total, minutes }]) => ({
      key,
      total: String(total),
      minutes: [...minutes].map(([minute, units]) => ({ minute, units: String(units) })),
    }));
    return { version: VERSION, seenMs: this.#computeNowMs(), accounts };
  }
}

function forgetBefore({ minutes }: Account, oldest: number): void {
  for (const minute of minutes.keys()) if (minute < oldest) minutes.delete(minute);
}

interface Written {
  readonly seenMs: number;
  readonly accounts: Map<string, Account>;
}

function readWritten(disk: CountsDisk): Result<Written> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = disk.read(FILE);
  } catch {
    return refuse("what was spent cannot be read from the data disk");
  }
  if (bytes === undefined) return accept({ seenMs: 0, accounts: new Map() });
  const body = unseal(bytes);
  if (!body.ok) return refuse(`what was spent is damaged on the data disk: ${body.reason}`);
  return parseWritten(Buffer.from(body.value).toString());
}

/** Parses text of any form. Fails if the text is not a record of counts; never throws. */
export function parseWritten(text: string): Result<Written> {
  const read = readJson(text);
  if (!read.ok || !isRecord(read.value)) return refuse("what was spent is no record");
  const { version, seenMs, accounts } = read.value;
  if (version !== VERSION) return refuse("what was spent was written by another version");
  if (!isCount(seenMs) || accounts === undefined || !isList(accounts))
    return refuse("what was spent lacks its accounts");
  const found = new Map<string, Account>();
  for (const one of accounts) {
    const account = isRecord(one) ? parseAccount(one["total"], one["minutes"]) : undefined;
    const key = isRecord(one) ? one["key"] : undefined;
    if (account === undefined || typeof key !== "string") return refuse("an account of what was spent is malformed");
    found.set(key, account);
  }
  return accept({ seenMs, accounts: found });
}

function parseAccount(total: Json | undefined, minutes: Json | undefined): Account | undefined {
  const units = parseUnits(total);
  if (units === undefined || minutes === undefined || !isList(minutes)) return undefined;
  const found = new Map<number, bigint>();
  for (const one of minutes) {
    const [minute, spent] = isRecord(one) ? [one["minute"], parseUnits(one["units"])] : [];
    if (!isCount(minute) || spent === undefined) return undefined;
    found.set(minute, spent);
  }
  return { total: units, minutes: found };
}

/**
 * Returns a count of units, or `undefined` if the value is not one. The count is negative for a minute in which more
 * units were refunded than charged.
 */
function parseUnits(value: Json | undefined): bigint | undefined {
  return typeof value === "string" && /^-?\d{1,30}$/.test(value) ? BigInt(value) : undefined;
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
