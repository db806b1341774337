import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConversationState } from "../../../engine/lib/wire/generated/conversations.ts";
import { encode } from "../../../engine/lib/wire/index.ts";
import { computeStateFileName } from "../../../engine/processes/broker/conversation-states.ts";
import { seal } from "../../../engine/processes/broker/disk/sealed.ts";
import { openCopy } from "../../../engine/processes/conversations/database.ts";
import { openStore } from "../../../engine/processes/conversations/opening.ts";
import { type Cut, leftBy } from "../../../engine/processes/conversations/testing/cut-file.ts";
import {
  expectValue,
  makeWorld,
  makeSaying as saidOf,
} from "../../../engine/processes/conversations/testing/saying.ts";
import { Ext4 } from "../../artefacts/disk/ext4.ts";
import { readDiskTable } from "../../artefacts/disk/image.ts";
import { encryptDisk } from "../../artefacts/disk/luks-create.ts";
import { makeDataDisk } from "../../machine/data-disk.ts";
import { runCommand } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-conversations-"));
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["conversations", ...words], { folder });
const LABEL = { confidentiality: "secret", integrity: "reviewed", compartments: ["finance"] };
const STATE = {
  schemaVersion: 1,
  policyDigest: new Uint8Array(32),
  task: "",
  phase: "",
  label: { confidentiality: 2, integrity: 1, compartments: 1n },
  turn: 3,
};

const ROOT = join(folder, "files");

function makeFiles(): void {
  for (const one of ["conversations", "broker"]) mkdirSync(join(ROOT, one), { recursive: true });
  const store = openStore(join(ROOT, "conversations"), makeWorld());
  for (const session of ["operator", "visitor"]) {
    const conversation = expectValue(store.begin(session));
    expectValue(store.open(session, conversation));
    expectValue(store.append(session, conversation, [saidOf(`hello of ${session}\u202e\u001b[2J`, { turn: 1 })]));
    const call = { id: "1", name: "notes.read", arguments: '{"path":"a"}' };
    expectValue(store.append(session, conversation, [saidOf("I look", { role: "assistant", turn: 1, calls: [call] })]));
    // Four messages of this size are more than the store returns in one response.
    const long = saidOf("x".repeat(150_000), { role: "tool", turn: 1, callId: "1", source: "notes.read" });
    expectValue(store.append(session, conversation, [long, long, long, long]));
  }
  expectValue(store.open("operator", ""));
  expectValue(store.forget("operator", "a1"));
  const again = expectValue(store.begin("operator"));
  expectValue(store.open("operator", again));
  expectValue(store.append("operator", again, [saidOf("a word", { turn: 1 })]));
  store.close();
  rmSync(join(ROOT, "conversations/reserve"));
  const state = seal(encode(ConversationState, { ...STATE, ...LABEL, parameters: [] }));
  writeFileSync(join(ROOT, "broker", computeStateFileName("visitor", "a2")), state);
}

/**
 * Makes a data disk with the files in ROOT. The files contain two sessions, a long conversation, a deleted
 * conversation, and the stored state of one conversation.
 */
function makeDisk(name: string, change: (root: string) => void = () => {}): string {
  const root = join(folder, `${name}-files`);
  cpSync(ROOT, root, { recursive: true });
  change(root);
  const disk = join(folder, name);
  const made = makeDataDisk(disk, root);
  if (!made.ok) throw new Error(made.reason);
  return disk;
}

let disk = "";
beforeAll(() => {
  makeFiles();
  disk = makeDisk("data.img");
});

test("list prints the stored conversations with their labels, and does not write to the disk", async () => {
  const before = readFileSync(disk);
  const { status, out, err } = await say("list", "data.img");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out.split("\n")).toEqual([
    "operator a3: 1 sayings, the highest label, since none is on record, 1970-01-01T00:00:01.000Z: a word",
    expect.stringMatching(
      /^visitor a2: 6 sayings, secret:\{finance\}\/reviewed, 1970-01-01T00:00:01.000Z: hello of visitor/,
    ),
    "",
  ]);
  expect(["\u001b", "\u202e"].filter((one) => out.includes(one))).toEqual([]);
  expect(readFileSync(disk).equals(before)).toBe(true);
  const json = await say("list", "data.img", "--json", "--session", "visitor");
  expect(json.out).toMatch(/^[\n\x20-\x7e]*$/);
  expect(JSON.parse(json.out)).toMatchObject([
    { session: "visitor", conversation: "a2", label: "secret:{finance}/reviewed", sayings: 6 },
  ]);
});

test("exports a conversation as the machine itself does, with its label first", async () => {
  const one = await say("export", "data.img", "a2");
  const lines = one.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ conversation: "a2", session: "visitor", label: "secret:{finance}/reviewed" });
  expect(lines[1]).toEqual({
    sequence: 1,
    turn: 1,
    role: "user",
    text: "hello of visitor\u202e\u001b[2J",
    saidMs: 1000,
  });
  expect(lines[2].calls).toEqual([{ id: "1", name: "notes.read", arguments: '{"path":"a"}' }]);
  expect(lines).toHaveLength(7);
  expect(one.out).toMatch(/^[\n\x20-\x7e]*$/);
  const { out } = await say("show", "data.img", "a3");
  expect(out).toBe(
    "# a3 of session operator, the highest label, since none is on record\n\n### 1 user\n\n    a word\n\n",
  );
  expect((await say("export", "data.img", "a3", "--format", "markdown")).out).toBe(out);
});

test.each<[words: readonly string[], status: number, reason: string]>([
  [["look", "data.img"], 2, "'look' is neither list, show nor export"],
  [["list", "data.img", "a1"], 2, "list takes a disk and nothing behind it"],
  [["show", "data.img"], 2, "show takes the name of a conversation; list tells them"],
  [["show", "data.img", "a1"], 3, "no conversation a1 is kept on it"],
  [["show", "data.img", "a2", "--format", "jsonl"], 2, "--format does not go with show"],
  [["export", "data.img", "a2", "--json"], 2, "--json does not go with export"],
  [["export", "data.img", "a2", "--session", "operator"], 3, "no conversation a2 is kept on it"],
])("%j is refused in one sentence", async (words, status, reason) => {
  expect(await say(...words)).toEqual({ status, out: "", err: `capc conversations: ${reason}\n` });
});

test("an encrypted disk is read with its passphrase", async () => {
  encryptDisk(disk, Buffer.from("correct horse"), "capos-data", join(folder, "locked.img"));
  writeFileSync(join(folder, "right"), "correct horse\n");
  expect((await say("list", "locked.img")).err).toContain("is encrypted; --passphrase-file FILE says with what");
  const { status, out } = await say("show", "locked.img", "a3", "--passphrase-file", "right");
  expect([status, out]).toEqual([0, expect.stringContaining("    a word\n")]);
});

const STRANGE: Readonly<Record<string, [change: (root: string) => void, reason: RegExp]>> = {
  "no database": [
    (root) => writeFileSync(join(root, "conversations/conversations.db"), "x".repeat(9000)),
    /not a database/,
  ],
  "a view in place of a table": [
    (root) => {
      const path = join(root, "conversations/conversations.db");
      rmSync(path);
      const database = new DatabaseSync(path);
      database.exec("CREATE TABLE t (a); CREATE VIEW conversations AS SELECT load_extension('/tmp/x') AS session");
      database.close();
    },
    /its tables are not those of this program/,
  ],
  "a corrupt page": [
    (root) => {
      const file = openSync(join(root, "conversations/conversations.db"), "r+");
      for (let at = 8192; at < 80_000; at += 512) writeSync(file, Buffer.alloc(300, 0xee), 0, 300, at);
      closeSync(file);
    },
    /malformed|vtable constructor failed|not those/,
  ],
  "a journal of a database larger than the limit": [
    (root) => {
      const journal = Buffer.alloc(512 + 4104);
      Buffer.from("d9d505f920a163d7", "hex").copy(journal);
      for (const [index, word] of [1, 0, 0xffffffff, 512, 4096].entries()) journal.writeUInt32BE(word, 8 + index * 4);
      writeFileSync(join(root, "conversations/conversations.db-journal"), journal);
    },
    /its journal is of a larger file than is kept/,
  ],
  "a disk without conversations": [
    (root) => rmSync(join(root, "conversations"), { recursive: true }),
    /no conversations are kept on it/,
  ],
};

/**
 * Returns the database after a power cut that happened while a message was stored. The message is so long that the file
 * needs new pages.
 */
function cutAt(at: Cut["at"]) {
  const root = join(folder, `cut-${at}-files`);
  cpSync(ROOT, root, { recursive: true });
  const path = join(root, "conversations/conversations.db");
  const before = readFileSync(path);
  const store = openStore(join(root, "conversations"), makeWorld());
  expectValue(store.open("operator", "a3"));
  expectValue(store.append("operator", "a3", [saidOf("cut ".repeat(4000), { turn: 2 })]));
  store.close();
  let turn = 0;
  // A sector reaches the disk before the power cut with a probability of 0.4 or 0.9 in turns. So some pages of the
  // database are written only in part.
  const chance = () => (turn++ % 2 === 0 ? 0.4 : 0.9);
  const left = leftBy(before, readFileSync(path), { at, chance });
  writeFileSync(path, left.file);
  writeFileSync(`${path}-journal`, left.journal);
  rmSync(join(root, "conversations/reserve"), { force: true });
  const made = makeDataDisk(join(folder, `cut-${at}.img`), root);
  if (!made.ok) throw new Error(made.reason);
}

test.each(["journal", "file", "emptied"] as const)(
  "after a power cut during a change (%s), a disk is read in the state that the next start would recover, and is not written to",
  async (at) => {
    cutAt(at);
    const before = readFileSync(join(folder, `cut-${at}.img`));
    const cut = await say("list", `cut-${at}.img`);
    expect(cut).toEqual(await say("list", "data.img"));
    expect(cut.status).toBe(0);
    expect((await say("show", `cut-${at}.img`, "a3")).out).toContain("    a word\n");
    expect(readFileSync(join(folder, `cut-${at}.img`)).equals(before)).toBe(true);
  },
);

test("refuses a foreign or corrupt disk in one sentence, and executes nothing on it", async () => {
  let number = 0;
  for (const [change, reason] of Object.values(STRANGE)) {
    number += 1;
    makeDisk(`strange-${number}.img`, change);
    const { status, out, err } = await say("list", `strange-${number}.img`);
    expect([status, out]).toEqual([3, ""]);
    expect(err).toMatch(reason);
  }
});

test("a directory is read once, however many of its files are requested", () => {
  const table = readDiskTable(disk);
  const { offset = 0 } = (table.ok ? table.value.partitions.find(({ kind }) => kind === "files") : undefined) ?? {};
  const bytes = readFileSync(disk).subarray(offset);
  let count = 0;
  const opened = Ext4.open((at, length) => {
    count += 1;
    return bytes.subarray(at, at + length);
  });
  const reads = (name: string) => {
    const before = count;
    return [opened.ok && opened.value.readFile("broker", name, 4096), count - before];
  };
  expect(reads("no such file")).toEqual([{ ok: true, value: undefined }, expect.any(Number)]);
  expect(reads("nor this one")).toEqual([{ ok: true, value: undefined }, 0]);
});

test("refuses a file that is too large, not regular, or has overlapping or too deep extents, with the reason", () => {
  const table = readDiskTable(disk);
  const { offset = 0 } = (table.ok ? table.value.partitions.find(({ kind }) => kind === "files") : undefined) ?? {};
  const sound = readFileSync(disk).subarray(offset);
  const { length: size } = readFileSync(join(ROOT, "conversations/conversations.db"));
  const isInode = (at: number) =>
    sound.readUInt16LE(at) >> 12 === 8 && sound.readUInt32LE(at + 4) === size && sound.readUInt16LE(at + 40) === 0xf30a;
  const inode = Array.from({ length: 1 << 15 }, (_, at) => at * 128).find(isInode) ?? 0;
  const read = (change: (inode: Buffer) => void, most = size) => {
    const bytes = Buffer.from(sound);
    change(bytes.subarray(inode, inode + 128));
    const opened = Ext4.open((at, length) => bytes.subarray(at, at + length));
    const file = opened.ok ? opened.value.readFile("conversations", "conversations.db", most) : opened;
    return file.ok ? (file.value?.length ?? 0) : file.reason;
  };
  expect(read(() => {})).toBe(size);
  expect(read(() => {}, size - 1)).toContain(`has ${size} bytes, and ${size - 1} is the most`);
  expect(read((bytes) => bytes.writeUInt16LE(0xa1ff, 0))).toContain("conversations.db is no file");
  const twice = (bytes: Buffer) => {
    bytes.writeUInt16LE(2, 42);
    bytes.copyWithin(64, 52, 64);
  };
  expect(read(twice)).toContain("pieces of a file lie over one another");
  expect(read((bytes) => bytes.writeUInt16LE(6, 46))).toContain("where a file lies is unsound");
});

test("property: reading arbitrary bytes as a file system or database returns a value and never throws", () => {
  const table = readDiskTable(disk);
  const files = table.ok ? table.value.partitions.find(({ kind }) => kind === "files") : undefined;
  const bytes = readFileSync(disk).subarray(files?.offset);
  const change = fc.record({
    at: fc.oneof(fc.nat(0x20000), fc.nat(bytes.length - 8)),
    value: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.boolean(), (changes, isCut) => {
      const undo = changes.map(({ at, value: to }) => [at, Buffer.from(bytes.subarray(at, at + to.length))] as const);
      for (const { at, value: to } of changes) bytes.set(to, at);
      const end = isCut ? (changes[0]?.at ?? 0) : bytes.length;
      const opened = Ext4.open((at, length) => bytes.subarray(Math.min(at, end), Math.min(at + length, end)));
      const read = opened.ok ? opened.value.readFile("conversations", "conversations.db", 1 << 23) : opened;
      expect(read.ok || read.reason.startsWith("its file system: ")).toBe(true);
      for (const [at, was] of undo.reverse()) bytes.set(was, at);
    }),
    { numRuns: 150 },
  );
  const database = readFileSync(join(ROOT, "conversations/conversations.db")).subarray(0, 65_536);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(65_535), fc.nat(255)), { maxLength: 20 }), (changes) => {
      const changed = Buffer.from(database);
      for (const [at, to] of changes) changed[at] = to;
      const copy = openCopy(changed);
      if (copy.ok) copy.value.close();
    }),
    { numRuns: 60 },
  );
});
