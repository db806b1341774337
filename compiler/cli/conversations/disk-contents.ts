// Reads the conversations on a data disk: the bytes of their store, and the label of each, as the broker stores it.

import { accept, type Result } from "../../../engine/lib/result/result.ts";
import { ConversationState } from "../../../engine/lib/wire/generated/conversations.ts";
import { decode } from "../../../engine/lib/wire/index.ts";
import { computeStateFileName, unsealState } from "../../../engine/processes/broker/conversation-states.ts";
import { MAX_FILE_BYTES } from "../../../engine/processes/conversations/limits.ts";
import { isHot, rollBack } from "../../../engine/processes/conversations/rollback-journal.ts";
import { Ext4 } from "../../artefacts/disk/ext4.ts";
import { type Partition, type ReadAt, readTable, type Table } from "../../artefacts/disk/gpt.ts";
import { findPartition, readDiskTable } from "../../artefacts/disk/image.ts";
import { createPlainReader, restrictToPartition, unlock } from "../../artefacts/disk/luks.ts";
import { createReader, readOpened } from "../../host/files.ts";

/** Text for a conversation whose label was not recorded: a machine resumes it at the highest label. */
const NOT_ON_RECORD = "the highest label, since none is on record";
/** Maximum bytes of a conversation's recorded state; the broker writes far less. */
const MOST_STATE_BYTES = 4096;
const STORE = "conversations.db";

export interface KeptStore {
  readonly database: Uint8Array;
  /** Returns the label with which a machine resumes the conversation, in words. */
  readonly labelOf: (session: string, conversation: string) => string;
}

/**
 * Calls `use` while the disk is open. `passphrase` opens an encrypted disk; the decrypted content is written nowhere.
 */
export function useStore<T>(
  path: string,
  passphrase: string | undefined,
  use: (store: KeptStore) => Result<T>,
): Result<T> {
  const table = readDiskTable(path);
  if (!table.ok) return table;
  return readOpened(path, (file) => {
    const files = openFiles(path, table.value, createReader(file), passphrase);
    if (!files.ok) return files;
    const store = storeIn(path, limitReads(files.value));
    return store.ok ? use(store.value) : store;
  });
}

interface Inside {
  readonly readAt: ReadAt;
  readonly partition: Partition;
}

/** Opens the only file system of the disk. */
function openFiles(path: string, { partitions, disk }: Table, readAt: ReadAt, passphrase?: string): Result<Inside> {
  const locked = partitions.find(({ kind }) => kind === "encrypted");
  if (locked !== undefined) return openEncrypted(path, readAt, locked, passphrase);
  const plain = findPartition({ partitions, disk }, path, "files", "file system");
  return plain.ok ? { ok: true, value: { readAt, partition: plain.value } } : plain;
}

/** Opens the file system inside an encrypted partition. */
function openEncrypted(path: string, readAt: ReadAt, partition: Partition, passphrase?: string): Result<Inside> {
  if (passphrase === undefined)
    return { ok: false, reason: `${path} is encrypted; --passphrase-file FILE says with what` };
  const outside = restrictToPartition(readAt, partition);
  const opened = unlock(outside, partition.size, Buffer.from(passphrase));
  if (!opened.ok) return { ok: false, reason: `${path}: ${opened.reason}` };
  const inside = createPlainReader(outside, opened.value);
  const table = readTable(inside, partition.size - opened.value.header.dataAt);
  if (!table.ok) return { ok: false, reason: `${path}: the disk inside: ${table.reason}` };
  const files = findPartition(table.value, path, "files", "file system inside");
  return files.ok ? { ok: true, value: { readAt: inside, partition: files.value } } : files;
}

/** Returns a reader of the partition alone; it returns no bytes from behind the partition. */
function limitReads({ readAt, partition: { offset, size } }: Inside): ReadAt {
  return (at, length) => (at < 0 || at >= size ? new Uint8Array() : readAt(offset + at, Math.min(length, size - at)));
}

function storeIn(path: string, readAt: ReadAt): Result<KeptStore> {
  const opened = Ext4.open(readAt);
  if (!opened.ok) return { ok: false, reason: `${path}: ${opened.reason}` };
  const files = opened.value;
  const journal = files.readFile("conversations", `${STORE}-journal`, MAX_FILE_BYTES);
  if (!journal.ok) return { ok: false, reason: `${path}: ${journal.reason}` };
  const database = files.readFile("conversations", STORE, MAX_FILE_BYTES);
  if (!database.ok) return { ok: false, reason: `${path}: ${database.reason}` };
  if (database.value === undefined) return { ok: false, reason: `${path}: no conversations are kept on it` };
  const settled = isHot(journal.value)
    ? rollBack(database.value, journal.value ?? new Uint8Array())
    : accept<Uint8Array>(database.value);
  if (!settled.ok) return { ok: false, reason: `${path}: ${settled.reason}` };
  const labelOf = (session: string, conversation: string) => {
    const state = files.readFile("broker", computeStateFileName(session, conversation), MOST_STATE_BYTES);
    return readLabel(state.ok ? unsealState(state.value ?? new Uint8Array()) : new Uint8Array());
  };
  return { ok: true, value: { database: settled.value, labelOf } };
}

/** Returns the recorded label in the notation of a page. */
function readLabel(state: Uint8Array): string {
  const read = state.length === 0 ? undefined : decode(ConversationState, state);
  if (read?.ok !== true || read.value.confidentiality === "") return NOT_ON_RECORD;
  const { confidentiality, integrity, compartments } = read.value;
  const rooms = compartments.length === 0 ? "" : `:{${compartments.join(", ")}}`;
  return `${confidentiality}${rooms}/${integrity}`;
}
