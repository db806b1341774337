// What was spent per principal and per day, on the data disk before anything comes of it. A day is any 1440 minutes of the
// machine's clock, which nobody vouches for: it is read once at the start, runs on with the boot clock, and never stands before
// the latest moment that was written down, so that a clock set back gives nothing back. One set forward does; nothing here sees it.

import { accept, type Checked, refuse } from "../../policy/checked.ts";
import { isList, isRecord, type Json, readJson } from "../../policy/index.ts";
import type { Tally } from "../ledger/tally.ts";
import type { World } from "../world.ts";
import type { Disk } from "./disk.ts";
import { sealed, unsealed } from "./sealed.ts";

const FILE = "spent";
const VERSION = 1;
const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1440;

interface Account {
  /** For good. */
  total: bigint;
  /** Of days: minute since 1970 to units, oldest first. */
  readonly minutes: Map<number, bigint>;
}

export class Counts {
  readonly #world: World;
  readonly #disk: Disk;
  readonly #accounts: Map<string, Account>;
  /** Milliseconds since 1970 at `#startedMs` of the boot clock. */
  readonly #wallMs: number;
  readonly #startedMs: number;

  private constructor(world: World, disk: Disk, { seenMs, accounts }: Written) {
    this.#world = world;
    this.#disk = disk;
    this.#accounts = accounts;
    this.#wallMs = Math.max(world.wall(), seenMs);
    this.#startedMs = world.now();
  }

  /** Refused where there is a file and it is not as it was written: what it counted would begin anew. */
  static open(world: World, disk: Disk): Checked<Counts> {
    const written = readWritten(disk);
    return written.ok ? accept(new Counts(world, disk, written.value)) : written;
  }

  /** Counted for good. */
  total(key: string): Tally {
    const account = this.#account(key);
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

  /** Counted for a day. */
  day(key: string): Tally {
    const { minutes } = this.#account(key);
    const minute = Math.floor(this.#nowMs() / MINUTE_MS);
    for (const old of minutes.keys()) if (old < minute - DAY_MINUTES) minutes.delete(old);
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

  /** Durable when it returns nothing; else why that is not known. */
  save(): string | undefined {
    try {
      this.#disk.replace(FILE, sealed(Buffer.from(JSON.stringify(this.#written()))));
      return undefined;
    } catch (error) {
      return `what was spent cannot be kept on the data disk: ${error instanceof Error ? error.message : "it failed"}`;
    }
  }

  #nowMs(): number {
    return this.#wallMs + (this.#world.now() - this.#startedMs);
  }

  #account(key: string): Account {
    const account = this.#accounts.get(key) ?? { total: 0n, minutes: new Map<number, bigint>() };
    this.#accounts.set(key, account);
    return account;
  }

  #written() {
    const accounts = [...this.#accounts].map(([key, { total, minutes }]) => ({
      key,
      total: String(total),
      minutes: [...minutes].map(([minute, units]) => ({ minute, units: String(units) })),
    }));
    return { version: VERSION, seenMs: this.#nowMs(), accounts };
  }
}

interface Written {
  readonly seenMs: number;
  readonly accounts: Map<string, Account>;
}

function readWritten(disk: Disk): Checked<Written> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = disk.read(FILE);
  } catch {
    return refuse("what was spent cannot be read from the data disk");
  }
  if (bytes === undefined) return accept({ seenMs: 0, accounts: new Map() });
  const body = unsealed(bytes);
  if (!body.ok) return refuse(`what was spent is damaged on the data disk: ${body.reason}`);
  return writtenIn(Buffer.from(body.value).toString());
}

/** Of any text; never throws. */
export function writtenIn(text: string): Checked<Written> {
  const read = readJson(text);
  if (!read.ok || !isRecord(read.value)) return refuse("what was spent is no record");
  const { version, seenMs, accounts } = read.value;
  if (version !== VERSION) return refuse("what was spent was written by another version");
  if (!isCount(seenMs) || accounts === undefined || !isList(accounts))
    return refuse("what was spent lacks its accounts");
  const found = new Map<string, Account>();
  for (const one of accounts) {
    const account = isRecord(one) ? accountIn(one["total"], one["minutes"]) : undefined;
    const key = isRecord(one) ? one["key"] : undefined;
    if (account === undefined || typeof key !== "string") return refuse("an account of what was spent is malformed");
    found.set(key, account);
  }
  return accept({ seenMs, accounts: found });
}

function accountIn(total: Json | undefined, minutes: Json | undefined): Account | undefined {
  const units = unitsIn(total);
  if (units === undefined || minutes === undefined || !isList(minutes)) return undefined;
  const found = new Map<number, bigint>();
  for (const one of minutes) {
    const [minute, spent] = isRecord(one) ? [one["minute"], unitsIn(one["units"])] : [];
    if (!isCount(minute) || spent === undefined) return undefined;
    found.set(minute, spent);
  }
  return { total: units, minutes: found };
}

/** What was given back in a later minute than it was charged stands there below nothing. */
function unitsIn(value: Json | undefined): bigint | undefined {
  return typeof value === "string" && /^-?\d{1,30}$/.test(value) ? BigInt(value) : undefined;
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
