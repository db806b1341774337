// The chain on a disk. A record is acknowledged when it is on the disk and not before; records that arrive while the disk is
// busy are written together.

import type { FileHandle } from "node:fs/promises";
import { accept, type Checked, refuse } from "../policy/checked.ts";
import type { AuditEntry, AuditRecord } from "../wire/generated/audit.ts";
import type { Chain, Link, Stamp } from "./chain.ts";
import { codeOf, type LogFile } from "./log-file.ts";
import type { Recent } from "./recent.ts";
import { recordFrom } from "./record.ts";
import type { Reserve } from "./reserve.ts";

/** What is the same in every record of a boot, and the clocks. */
export interface Boot {
  readonly systemId: string;
  readonly version: string;
  readonly bootId: Uint8Array;
  readonly policyDigest: Uint8Array;
  /** The audit process's own name: the writer of the boot record. */
  readonly writer: string;
  readonly time: () => Pick<Stamp, "monotonicMs" | "wallMs" | "wallSource">;
}

/** What the writer is told of its record. */
export interface Receipt {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
}

interface Waiting {
  readonly entry: AuditEntry;
  readonly writer: string;
  readonly tell: (receipt: Checked<Receipt>) => void;
}

interface Linked {
  readonly link: Link;
  readonly waiting: Waiting;
}

/** What a store is made of; `file`: what is written to; `handle`: what is read from. */
interface Opened {
  readonly boot: Boot;
  readonly handle: FileHandle;
  readonly file: LogFile;
  readonly chain: Chain;
  readonly recent: Recent;
  readonly reserve: Reserve;
}

/** Bytes that are written together, but for the last record of them. */
const BATCH_BYTES = 1024 * 1024;
/**
 * Of the reserve, what may be taken up by all but outcomes of calls that had begun. A record of a refusal is small; refusals
 * without end must not use up the room that those outcomes need.
 */
const ASIDE_BYTES = 256 * 1024;
const FULL = "the audit log's disk is full; no call runs until there is room and the machine has started again";
/** More wait only where the disk stands still: then it is better said than kept. */
const MAX_WAITING = 1024;

export class Store {
  readonly #boot: Boot;
  readonly #handle: FileHandle;
  readonly #file: LogFile;
  readonly #recent: Recent;
  readonly #reserve: Reserve;
  #chain: Chain;
  #waiting: Waiting[] = [];
  #isWriting = false;
  /** The reserve was given up, for good: room that comes and goes is none to begin a call on. */
  #isFull = false;
  /** Of the reserve, taken up by other records than outcomes of calls that had begun. */
  #aside = 0;

  constructor({ boot, handle, file, chain, recent, reserve }: Opened) {
    this.#boot = boot;
    this.#handle = handle;
    this.#file = file;
    this.#chain = chain;
    this.#recent = recent;
    this.#reserve = reserve;
  }

  /** Place of the newest record that is on the disk. */
  get newest(): Receipt {
    return { sequence: this.#chain.sequence, hash: this.#chain.hash };
  }

  /** Why no call may begin any more; nothing where the log takes what comes. */
  get refusal(): string | undefined {
    return this.#file.broken ?? (this.#isFull ? FULL : undefined);
  }

  /** From now on only what has to be said is written, into the room of the reserve. */
  async giveUpReserve(): Promise<void> {
    this.#isFull = true;
    await this.#reserve.release();
  }

  /** Resolves when the record is on the disk, or with why it is not in the log. */
  append(writer: string, entry: AuditEntry): Promise<Checked<Receipt>> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(refuse(`${MAX_WAITING} records wait for the disk`));
    return new Promise((tell) => {
      this.#waiting.push({ writer, entry, tell });
      if (!this.#isWriting) void this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeBatch();
    this.#isWriting = false;
  }

  async #writeBatch(): Promise<void> {
    const chain = this.#chain.copy();
    const links = this.#takeBatch(chain);
    if (links.length === 0) return;
    const written = await this.#file.append(Buffer.concat(links.map(({ link }) => link.bytes)));
    if (!written.ok && this.#file.isFull && !this.#isFull) {
      await this.giveUpReserve();
      this.#waiting.unshift(...links.map(({ waiting }) => waiting));
      return;
    }
    if (!written.ok) {
      for (const { waiting } of links) waiting.tell(written);
      return;
    }
    this.#chain = chain;
    let offset = written.value;
    for (const { link, waiting } of links) {
      if (this.#isFull && !isEnd(waiting.entry)) this.#aside += link.bytes.length;
      this.#recent.add({ ...link, offset, length: link.bytes.length });
      offset += link.bytes.length;
      waiting.tell(accept({ sequence: link.record.sequence, hash: link.hash }));
    }
  }

  /** Links what waits to the chain, as much as is written together. What breaks a rule is told so and left out. */
  #takeBatch(chain: Chain): Linked[] {
    const links: Linked[] = [];
    const { time, bootId, policyDigest } = this.#boot;
    let bytes = 0;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { writer, entry, tell } = next;
      const link = this.#roomFor(entry) ?? chain.append(entry, { writer, bootId, policyDigest, ...time() });
      if (link.ok) links.push({ link: link.value, waiting: next });
      else tell(link);
      bytes += link.ok ? link.value.bytes.length : 0;
      if (bytes >= BATCH_BYTES) break;
    }
    return links;
  }

  /** Why an entry may not have room of the reserve; nothing where it may, or where there is room for all. */
  #roomFor(entry: AuditEntry): Checked<never> | undefined {
    if (!this.#isFull || isEnd(entry)) return undefined;
    return entry.which === "intent" || this.#aside >= ASIDE_BYTES ? refuse(FULL) : undefined;
  }

  /** The newest records that concern a reader, oldest first: as many as were asked for and fit into one frame. */
  async tail(reader: string, count: number): Promise<Checked<readonly AuditRecord[]>> {
    const records: AuditRecord[] = [];
    try {
      for (const { offset, length } of this.#recent.of(reader, count)) {
        const bytes = new Uint8Array(length);
        await this.#handle.read(bytes, 0, length, offset);
        const record = recordFrom(bytes);
        if (!record.ok) return refuse(`the log cannot be read back: ${record.reason}`);
        records.push(record.value);
      }
      return accept(records);
    } catch (error) {
      return refuse(`the log cannot be read back: ${codeOf(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#reserve.close();
  }
}

/** The end of a call that had begun. */
function isEnd(entry: AuditEntry): boolean {
  return entry.which === "outcome" && entry.outcome.intent !== 0n;
}
