import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainUnclean, makeDataDisk, readFromDisk } from "./data-disk.ts";
import { judgeBlank, judgeCollector, judgeEffects } from "./effects.ts";

let place: string;
let files: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "capc disk, "));
  files = join(place, "files");
  mkdirSync(join(files, "notes/deep"), { recursive: true });
  writeFileSync(join(files, "notes/todo.txt"), "buy milk\n");
  writeFileSync(join(files, "notes/deep/empty"), "");
});
afterEach(() => rmSync(place, { recursive: true }));

function disk(name = "data.img"): string {
  const path = join(place, name);
  expect(makeDataDisk(path, files)).toMatchObject({ ok: true });
  return path;
}

const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

test("files are read back unchanged, and a file that is not on the disk is reported as missing", () => {
  const image = disk();
  expect(readFromDisk(image, "/notes/todo.txt")).toEqual({ kind: "text", text: "buy milk\n" });
  expect(readFromDisk(image, "/notes/deep/empty")).toEqual({ kind: "text", text: "" });
  expect(readFromDisk(image, "/notes/other.txt")).toEqual({ kind: "missing" });
  expect(explainUnclean(image)).toBeUndefined();
});

test("the same files give the same bytes, for any times and modes on the host", () => {
  const first = digest(disk("first.img"));
  utimesSync(join(files, "notes/todo.txt"), 12_345, 67_890);
  chmodSync(join(files, "notes/todo.txt"), 0o600);
  expect(digest(disk("second.img"))).toBe(first);
  writeFileSync(join(files, "notes/todo.txt"), "buy silk\n");
  expect(digest(disk("third.img"))).not.toBe(first);
});

test("file names that debugfs would read as commands are refused, and so are special files", () => {
  writeFileSync(join(files, "notes/a b"), "");
  expect(makeDataDisk(join(place, "x.img"), files)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("a b"),
  });
  rmSync(join(files, "notes/a b"));
  symlinkSync("/dev/null", join(files, "notes/link"));
  expect(makeDataDisk(join(place, "x.img"), files)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("link"),
  });
});

test("a missing folder or an unwritable path is reported", () => {
  expect(makeDataDisk(join(place, "x.img"), join(place, "none"))).toEqual({
    ok: false,
    reason: `${join(place, "none")} does not exist`,
  });
  expect(makeDataDisk(join(place, "none/x.img"), undefined)).toMatchObject({ ok: false });
});

test("a file in an image without a file system is reported as unreadable, not as missing", () => {
  writeFileSync(join(place, "junk.img"), Buffer.alloc(1_000_000, 7));
  expect(readFromDisk(join(place, "junk.img"), "/x").kind).toBe("unreadable");
  expect(explainUnclean(join(place, "junk.img"))).toBeDefined();
});

test("a claim about a file passes, or its failure reports the actual content", () => {
  const image = disk();
  const effects = [
    { line: 1, kind: "holds", path: "/notes/todo.txt", text: "buy milk\n" },
    { line: 2, kind: "holds", path: "/notes/todo.txt", text: "buy silk\n" },
    { line: 3, kind: "missing", path: "/notes/none" },
    { line: 4, kind: "missing", path: "/notes/todo.txt" },
    { line: 5, kind: "unchanged", path: "/notes/todo.txt" },
    { line: 6, kind: "unchanged", path: "/notes/none" },
  ] as const;
  const verdicts = judgeEffects(effects, image, files);
  expect(verdicts.map(({ line, passed }) => [line, passed])).toEqual([
    [1, true],
    [2, false],
    [3, true],
    [4, false],
    [5, true],
    [6, false],
    [0, true],
  ]);
  expect(verdicts[1]?.words).toContain('it holds "buy milk\\n"');
});

test("a file cannot be compared with its original if the disk was not filled from a folder", () => {
  const image = join(place, "empty.img");
  expect(makeDataDisk(image, undefined)).toMatchObject({ ok: true });
  const effects = [
    { line: 1, kind: "unchanged", path: "/notes/none" },
    { line: 2, kind: "unchanged", path: "/notes/todo.txt" },
  ] as const;
  const [none, todo] = judgeEffects(effects, image, undefined);
  const words = expect.stringContaining("is not known: the disk was not filled from --files DIR");
  expect([none, todo]).toMatchObject([
    { line: 1, passed: false, words },
    { line: 2, passed: false, words },
  ]);
});

test("a disk with a single changed bit is not blank, wherever the bit is", () => {
  const path = join(place, "blank.img");
  const bytes = 2 * 1024 * 1024 + 5;
  writeFileSync(path, Buffer.alloc(bytes));
  expect(judgeBlank(path)).toEqual({ line: 0, passed: true, words: "the blank disk stays so" });
  for (const at of [0, 1024 * 1024, bytes - 1]) {
    const written = Buffer.alloc(bytes);
    written[at] = 1;
    writeFileSync(path, written);
    expect(judgeBlank(path)).toMatchObject({ passed: false, words: expect.stringContaining("was written on it") });
  }
});

test("a claim about the collector passes only if one message contains the text", () => {
  const files = { syslog: join(place, "syslog.log"), otlp: join(place, "otlp.log") };
  const claims = [
    { line: 1, from: "syslog", text: "post.send" },
    { line: 2, from: "syslog", text: "ok b" },
    { line: 3, from: "otlp", text: "post.send" },
  ] as const;
  const held = (): readonly boolean[] => judgeCollector(claims, files).map(({ passed }) => passed);
  expect(held()).toEqual([false, false, false]);
  writeFileSync(files.syslog, "<110>1 post.send ok\n<110>1 by alice\n");
  expect(held()).toEqual([true, false, false]);
  writeFileSync(files.otlp, '{"body":"post.send"}\n');
  expect(held()).toEqual([true, false, true]);
});
