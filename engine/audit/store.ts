// The chain on a disk. A record is acknowledged when it is on the disk and not before; records that arrive while the disk is
// busy are written together. At the start the whole log is verified: a torn tail is cut, a damaged log is never added to.

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { accept, type Checked, refuse } from "../policy/checked.ts";
import type { AuditEntry, AuditRecord } from "../wire/generated/audit.ts";
import type { Chain, Link, Stamp } from "./chain.ts";
import { chunksOf } from "./file-chunks.ts";
import { codeOf, type Growing, LogFile } from "./log-file.ts";
import { Recent } from "./recent.ts";
import { recordFrom } from "./record.ts";
import { type Verdict, verify } from "./verify.ts";

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

/** Bytes that are written together, but for the last record of them. */
const BATCH_BYTES = 1024 * 1024;
/** More wait only where the disk stands still: then it is better said than kept. */
const MAX_WAITING = 1024;

export class Store {
  readonly #boot: Boot;
  readonly #handle: FileHandle;
  readonly #file: LogFile;
  readonly #recent: Recent;
  #chain: Chain;
  #waiting: Waiting[] = [];
  #isWriting = false;

  /** `file`: what is written to; `handle`: what is read from. */
  constructor(boot: Boot, handle: FileHandle, file: LogFile, chain: Chain, recent: Recent) {
    this.#boot = boot;
    this.#handle = handle;
    this.#file = file;
    this.#chain = chain;
    this.#recent = recent;
  }

  /** Place of the newest record that is on the disk. */
  get newest(): Receipt {
    return { sequence: this.#chain.sequence, hash: this.#chain.hash };
  }

  /** Whether records still reach the disk. */
  get isDurable(): boolean {
    return this.#file.broken === undefined;
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
    if (!written.ok) {
      for (const { tell } of links) tell(written);
      return;
    }
    this.#chain = chain;
    let offset = written.value;
    for (const { link, tell } of links) {
      this.#recent.add({ ...link, offset, length: link.bytes.length });
      offset += link.bytes.length;
      tell(accept({ sequence: link.record.sequence, hash: link.hash }));
    }
  }

  /** Links what waits to the chain, as much as is written together. What breaks a rule is told so and left out. */
  #takeBatch(chain: Chain): { readonly link: Link; readonly tell: Waiting["tell"] }[] {
    const links: { readonly link: Link; readonly tell: Waiting["tell"] }[] = [];
    const { time, bootId, policyDigest } = this.#boot;
    let bytes = 0;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { writer, entry, tell } = next;
      const link = chain.append(entry, { writer, bootId, policyDigest, ...time() });
      if (link.ok) links.push({ link: link.value, tell });
      else tell(link);
      bytes += link.ok ? link.value.bytes.length : 0;
      if (bytes >= BATCH_BYTES) break;
    }
    return links;
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
  }
}

/** Opens or makes the log, brings it in order, and writes the boot record. The error is a value: no log, no durable audit. */
export async function openStore(
  path: string,
  boot: Boot,
  growing: (file: FileHandle) => Growing = (file) => file,
): Promise<Checked<Store>> {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(path, flags, 0o600);
    const store = await recover(path, handle, boot, growing(handle));
    if (!store.ok) await handle.close();
    return store;
  } catch (error) {
    return refuse(`the audit log cannot be opened: ${codeOf(error)}`);
  }
}

async function recover(path: string, handle: FileHandle, boot: Boot, file: Growing): Promise<Checked<Store>> {
  if (!(await handle.stat()).isFile()) return refuse("the audit log is no ordinary file");
  const recent = new Recent();
  const verdict = verify(chunksOf(handle.fd), (found) => recent.add(found));
  const { chain, length, torn, fault } = verdict;
  if (fault !== undefined) return refuse(`the audit log is damaged at byte ${fault.offset}: ${fault.reason}`);
  if (torn > 0) await handle.truncate(length);
  await handle.sync();
  await syncDirectory(dirname(path));
  const store = new Store(boot, handle, new LogFile(file, length), chain, recent);
  const booted = await store.append(boot.writer, bootEntry(boot, verdict));
  return booted.ok ? accept(store) : booted;
}

function bootEntry({ systemId, version }: Boot, { torn, chain }: Verdict): AuditEntry {
  return { which: "boot", boot: { systemId, version, recovered: torn, orphans: chain.open } };
}

/** A new file is on the disk only when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
