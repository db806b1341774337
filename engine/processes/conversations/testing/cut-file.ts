// Possible contents of the disk after a power cut during one change of an SQLite file. The order is that of a rollback journal with
// `synchronous = FULL`: the journal is written and synced, then the file, then the journal is emptied. Any part of the writes since
// the last sync may be on the disk.

/** The file and its journal after the power cut. */
interface Left {
  readonly file: Buffer;
  readonly journal: Buffer;
}

/** `at`: the step that was cut; `chance`: random numbers from 0 to 1 that decide how much of the step has reached the disk. */
export interface Cut {
  readonly at: "journal" | "file" | "emptied" | "done";
  readonly chance: () => number;
}

const PAGE = 4096;
const SECTOR = 512;
const MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const NONCE = 0x5eed_1234;
const RECORD = 4 + PAGE + 4;

/** Returns the content of the disk after the cut. `before`, `after`: the file before and after the change. */
export function leftBy(before: Buffer, after: Buffer, { at, chance }: Cut): Left {
  const journal = journalOf(before, after);
  switch (at) {
    case "journal":
      return { file: before, journal: half(journal, chance) };
    case "file":
      return { file: partly(before, after, chance), journal };
    case "emptied":
      return { file: after, journal };
    case "done":
      return { file: after, journal: Buffer.alloc(0) };
  }
}

/** Returns a journal that was not synced: the page count in its header is 0, and it may end anywhere. */
function half(journal: Buffer, chance: () => number): Buffer {
  const cut = Buffer.from(journal.subarray(0, Math.floor(chance() * journal.length)));
  if (cut.length >= 12) cut.writeUInt32BE(0, 8);
  return cut;
}

/** Returns the file after a power cut: each sector of the change has reached the disk or not, so that a page may be torn. */
function partly(before: Buffer, after: Buffer, chance: () => number): Buffer {
  const isLonger = chance() < 0.5;
  const file = Buffer.alloc(isLonger ? Math.max(before.length, after.length) : before.length);
  before.copy(file);
  for (let from = 0; from < file.length; from += SECTOR) {
    if (chance() < 0.5) after.copy(file, from, from, Math.min(from + SECTOR, after.length));
  }
  return file;
}

/** Returns the journal of a change: the old content of the pages that it touches. */
function journalOf(before: Buffer, after: Buffer): Buffer {
  const pages: number[] = [];
  for (let page = 0; page < before.length / PAGE; page += 1) {
    const [was, is] = [before, after].map((file) => file.subarray(page * PAGE, (page + 1) * PAGE));
    if (was !== undefined && is !== undefined && !was.equals(is)) pages.push(page);
  }
  const header = Buffer.alloc(SECTOR);
  MAGIC.copy(header);
  for (const [index, word] of [pages.length, NONCE, before.length / PAGE, SECTOR, PAGE].entries()) {
    header.writeUInt32BE(word, 8 + index * 4);
  }
  return Buffer.concat([header, ...pages.map((page) => record(page, before.subarray(page * PAGE, (page + 1) * PAGE)))]);
}

function record(page: number, bytes: Buffer): Buffer {
  const made = Buffer.alloc(RECORD);
  made.writeUInt32BE(page + 1, 0);
  bytes.copy(made, 4);
  let sum = NONCE;
  for (let at = PAGE - 200; at > 0; at -= 200) sum = (sum + (bytes[at] ?? 0)) >>> 0;
  made.writeUInt32BE(sum, 4 + PAGE);
  return made;
}
