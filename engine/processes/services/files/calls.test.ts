import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Files } from "../../../lib/wire/generated/tools.ts";
import { answerCall } from "./calls.ts";
import { Directory } from "./directory.ts";
import { MAX_FILE_BYTES } from "./files.ts";
import { UNFINISHED } from "./path.ts";
import { watchSteps } from "./steps.fixture.ts";

let top = "";
let root = "";

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "capos-files-"));
  root = join(top, "granted");
  mkdirSync(join(root, "reports"), { recursive: true });
  writeFileSync(join(root, "todo.txt"), "buy milk\n");
  writeFileSync(join(top, "secret.txt"), "outside");
});

afterEach(() => rmSync(top, { recursive: true }));

const never = new AbortController().signal;

async function call(
  method: keyof typeof Files.methods,
  args: object,
  stateBytes = 0,
  { directory = new Directory(root, stateBytes), signal = never } = {},
): Promise<unknown> {
  const answer = await answerCall({ directory }, Files.methods[method].ordinal, JSON.stringify(args), signal);
  if (answer === undefined) return undefined;
  return answer.ok ? JSON.parse(answer.value) : answer.reason;
}

test("reads, writes, deletes and lists files", async () => {
  expect(await call("read", { path: "todo.txt" })).toEqual({ content: "buy milk\n" });
  expect(await call("write", { path: "reports/a", content: "é" })).toEqual({ bytes: 2 });
  expect(await call("list", { path: "" })).toEqual({ entries: ["reports/", "todo.txt"] });
  expect(await call("list", { path: "./reports/" })).toEqual({ entries: ["a"] });
  expect(await call("delete", { path: "reports//a" })).toEqual({});
  expect(readdirSync(join(root, "reports"))).toEqual([]);
});

test("reads a range of lines, including the first and the last", async () => {
  writeFileSync(join(root, "lines"), "one\ntwo\n\nfour");
  const lines = (from: number, to: number) => call("read", { path: "lines", from, to });
  expect(await lines(1, 1)).toEqual({ content: "one\n" });
  expect(await lines(2, 3)).toEqual({ content: "two\n\n" });
  expect(await lines(4, 4)).toEqual({ content: "four" });
  expect(await lines(2, 99)).toEqual({ content: "two\n\nfour" });
  expect(await call("read", { path: "lines", from: 3 })).toEqual({ content: "\nfour" });
  expect(await call("read", { path: "lines", to: 1 })).toEqual({ content: "one\n" });
  expect(await lines(5, 9)).toBe("the file has 4 lines");
  for (const [from, to] of [
    [0, 1],
    [3, 2],
    [0, 0],
  ] as const)
    expect(await lines(from, to)).toMatch(/counted from 1/);
  expect(await call("read", { path: "../secret.txt", from: 1, to: 1 })).toMatch(/may not hold/);
});

test("reads lines of a file above the read limit, and refuses a file above the maximum size", async () => {
  writeFileSync(join(root, "log"), `${"x".repeat(99)}\n`.repeat(9000));
  expect(await call("read", { path: "log" })).toMatch(/larger than 65536 bytes/);
  expect(await call("read", { path: "log", from: 9000 })).toEqual({ content: `${"x".repeat(99)}\n` });
  expect(await call("read", { path: "log", from: 2 })).toBe("these lines are more than 65536 bytes");
  writeFileSync(join(root, "log"), "x\n".repeat(2 ** 19 + 1));
  expect(await call("read", { path: "log", from: 2, to: 2 })).toMatch(/larger than 1048576 bytes/);
});

test("property: the lines of a file, read one by one, add up to the file", async () => {
  const text = fc.string({ unit: fc.constantFrom("\n", "\r", "a", "é", "\u2028"), minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      writeFileSync(join(root, "any"), content);
      const parts: string[] = [];
      for (let line = 1; ; line += 1) {
        const read = await call("read", { path: "any", from: line, to: line });
        if (typeof read === "string") break;
        parts.push((read as { readonly content: string }).content);
      }
      expect(parts.join("")).toBe(content);
      expect(parts.every((part) => part.indexOf("\n") === part.length - 1 || !part.includes("\n"))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("a write replaces the whole file and leaves no temporary file", async () => {
  expect(await call("write", { path: "todo.txt", content: "x" })).toEqual({ bytes: 1 });
  expect(readFileSync(join(root, "todo.txt"), "utf8")).toBe("x");
  expect(readdirSync(root).sort()).toEqual(["reports", "todo.txt"]);
});

const OUTSIDE = ["../secret.txt", "reports/../../secret.txt", "/etc/passwd", "..", "todo.txt\0.png"];

for (const path of OUTSIDE) {
  test(`reads no file outside of the directory: ${JSON.stringify(path)}`, async () => {
    for (const method of ["read", "list", "delete"] as const) {
      expect(await call(method, { path })).toMatch(/not accepted|may not hold/);
    }
    expect(await call("write", { path, content: "x" })).toMatch(/not accepted|may not hold/);
    expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("outside");
  });
}

test("neither follows nor lists links to files or directories", async () => {
  symlinkSync(join(top, "secret.txt"), join(root, "link.txt"));
  symlinkSync(top, join(root, "up"));
  for (const path of ["link.txt", "up/secret.txt", "up"]) {
    expect(await call("read", { path })).toBe("links are not followed");
    expect(await call("write", { path, content: "x" })).toBe("links are not followed");
    expect(await call("delete", { path })).toBe("links are not followed");
  }
  expect(await call("list", { path: "up" })).toBe("links are not followed");
  expect(await call("list", { path: "" })).toEqual({ entries: ["reports/", "todo.txt"] });
});

test("bounds the size of reads and writes", async () => {
  writeFileSync(join(root, "large"), "a".repeat(MAX_FILE_BYTES + 1));
  expect(await call("read", { path: "large" })).toMatch(/larger than/);
  expect(await call("write", { path: "b", content: "a".repeat(MAX_FILE_BYTES + 1) })).toMatch(/at most/);
  expect(await call("write", { path: "b", content: "a".repeat(MAX_FILE_BYTES) })).toEqual({ bytes: MAX_FILE_BYTES });
  expect(await call("read", { path: "b" })).toEqual({ content: "a".repeat(MAX_FILE_BYTES) });
});

test("bounds the service's total size, and counts only the growth of a replaced file", async () => {
  expect(await call("write", { path: "b", content: "12345" }, 14)).toEqual({ bytes: 5 });
  expect(await call("write", { path: "c", content: "1" }, 14)).toMatch(/together/);
  expect(await call("write", { path: "b", content: "54321" }, 14)).toEqual({ bytes: 5 });
});

test("reads only UTF-8 text, and keeps byte order marks", async () => {
  writeFileSync(join(root, "raw"), Buffer.from([0xff, 0xfe]));
  writeFileSync(join(root, "marked"), "\ufeffa");
  expect(await call("read", { path: "raw" })).toMatch(/UTF-8/);
  expect(await call("read", { path: "marked" })).toEqual({ content: "\ufeffa" });
});

test("distinguishes directories, missing files and missing directories", async () => {
  expect(await call("read", { path: "reports" })).toMatch(/not a file/);
  expect(await call("delete", { path: "" })).toMatch(/not a file/);
  expect(await call("write", { path: "reports", content: "x" })).toMatch(/not a file/);
  expect(await call("write", { path: "todo.txt/x", content: "x" })).toMatch(/no such directory/);
  expect(await call("read", { path: "none" })).toMatch(/no such file/);
  expect(await call("list", { path: "none" })).toMatch(/no such directory/);
  expect(await call("read", { path: "a/".repeat(17) })).toMatch(/levels/);
  expect(await call("read", { path: "é".repeat(128) })).toMatch(/too long/);
});

test("a write makes the missing folders of its path, and no other method does", async () => {
  expect(await call("write", { path: "added/2026/a.txt", content: "x" })).toEqual({ bytes: 1 });
  expect(await call("write", { path: "./added//2026/b.txt", content: "y" })).toEqual({ bytes: 1 });
  expect(await call("list", { path: "added/2026" })).toEqual({ entries: ["a.txt", "b.txt"] });
  expect(await call("write", { path: "reports/new/a", content: "z" })).toEqual({ bytes: 1 });
  expect(statSync(join(root, "added")).mode & 0o777).toBe(0o700);
  for (const method of ["read", "list", "delete"] as const)
    expect(await call(method, { path: "none/a" })).toBe("there is no such directory");
  expect(readdirSync(root).sort()).toEqual(["added", "reports", "todo.txt"]);
});

test("a write that is refused makes no folder", async () => {
  symlinkSync(top, join(root, "up"));
  symlinkSync(join(top, "made"), join(root, "dangling"));
  const refused: readonly (readonly [path: string, why: RegExp])[] = [
    ["../made/a", /may not hold/],
    ["new/../../made/a", /may not hold/],
    ["/made/a", /not accepted/],
    ["up/made/a", /links are not followed/],
    ["dangling/a", /links are not followed/],
    ["todo.txt/made/a", /no such directory/],
    [`new/${UNFINISHED}1/a`, /being written/],
    [`${"a/".repeat(16)}a`, /levels/],
    [`new/${"é".repeat(128)}/a`, /too long/],
  ];
  for (const [path, why] of refused) expect(await call("write", { path, content: "x" })).toMatch(why);
  expect(await call("write", { path: "new/a", content: "a".repeat(MAX_FILE_BYTES + 1) })).toMatch(/at most/);
  const givenUp = new AbortController();
  const { signal } = givenUp;
  const directory = new Directory(root, 0);
  const restore = watchSteps((step) => {
    if (step === "mkdir") givenUp.abort();
  });
  try {
    const answer = await call("write", { path: "new/a", content: "x" }, 0, { directory, signal });
    expect(answer).toBe("the call was given up, and nothing was written");
  } finally {
    restore();
  }
  expect([readdirSync(root).sort(), readdirSync(top).sort()]).toEqual([
    ["dangling", "reports", "todo.txt", "up"],
    ["granted", "secret.txt"],
  ]);
});

test("a folder that becomes a link during a write is not followed", async () => {
  const restore = watchSteps((step) => {
    if (step === "mkdir" && !existsSync(join(root, "new"))) symlinkSync(top, join(root, "new"));
  });
  try {
    expect(await call("write", { path: "new/a", content: "x" })).toBe("the disk refused: EEXIST");
  } finally {
    restore();
  }
  expect([lstatSync(join(root, "new")).isSymbolicLink(), readdirSync(top).sort()]).toEqual([
    true,
    ["granted", "secret.txt"],
  ]);
});

test("new folders need space within the service's limit, but files in existing folders may use the whole limit", async () => {
  // `reports` and two new folders take 4096 bytes each, and the files take 9 and 5 bytes.
  const enough = 3 * 4096 + 14;
  expect(await call("write", { path: "a/b/c", content: "12345" }, enough - 1)).toMatch(/no space for a new folder/);
  expect(readdirSync(root).sort()).toEqual(["reports", "todo.txt"]);
  expect(await call("write", { path: "a/b/c", content: "12345" }, enough)).toEqual({ bytes: 5 });
  expect(await call("write", { path: "a/d", content: "12345" }, 19)).toEqual({ bytes: 5 });
});

test("bounds the number of folders, even if the page states no maximum size", async () => {
  for (let count = 2; count < 1000; count += 1) mkdirSync(join(root, "reports", String(count)));
  expect(await call("write", { path: "a/b/c", content: "x" })).toBe("there may be at most 1000 folders");
  expect(await call("write", { path: "a/c", content: "x" })).toEqual({ bytes: 1 });
  expect(await call("write", { path: "b/c", content: "x" })).toBe("there may be at most 1000 folders");
  expect(await call("write", { path: "reports/2/c", content: "x" })).toEqual({ bytes: 1 });
});

test("two concurrent writes into one missing folder both succeed", async () => {
  const directory = new Directory(root, 0);
  const writes = ["new/a", "new/b"].map((path) => call("write", { path, content: "1" }, 0, { directory }));
  expect(await Promise.all(writes)).toEqual([{ bytes: 1 }, { bytes: 1 }]);
});

test("neither lists nor reads unfinished files", async () => {
  writeFileSync(join(root, `${UNFINISHED}1`), "half");
  expect(await call("list", { path: "" })).toEqual({ entries: ["reports/", "todo.txt"] });
  expect(await call("read", { path: `${UNFINISHED}1` })).toMatch(/being written/);
});

test("refuses arguments that are not a JSON object, and unknown methods", async () => {
  const directory = new Directory(root, 0);
  expect(await answerCall({ directory }, 0, "[", never)).toMatchObject({ ok: false });
  expect(await answerCall({ directory }, 9, "{}", never)).toBeUndefined();
});

test("does not list a name that is not valid UTF-8", async () => {
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x61])]), "");
  expect(await call("list", { path: "" })).toEqual({ entries: ["reports/", "todo.txt"] });
});

test("refuses a file with several names, because the other names may belong to another service", async () => {
  linkSync(join(top, "secret.txt"), join(root, "hard.txt"));
  const fault = "the file has other names";
  expect(await call("read", { path: "hard.txt" })).toBe(fault);
  expect(await call("write", { path: "hard.txt", content: "x" })).toBe(fault);
  expect(await call("delete", { path: "hard.txt" })).toBe(fault);
  expect([readFileSync(join(top, "secret.txt"), "utf8"), readdirSync(root)]).toEqual([
    "outside",
    ["hard.txt", "reports", "todo.txt"],
  ]);
});

test("refuses a directory with too many entries without reading it to its end", async () => {
  const [fits, over] = [join(root, "fits"), join(root, "over")];
  for (const folder of [fits, over]) mkdirSync(folder);
  for (let count = 0; count < 1000; count += 1) writeFileSync(join(fits, String(count)), "");
  expect(await call("list", { path: "fits" })).toMatchObject({ entries: expect.arrayContaining(["0", "999"]) });
  for (let count = 0; count < 1001; count += 1) writeFileSync(join(over, String(count)), "");
  expect(await call("list", { path: "over" })).toBe("the directory holds more than 1000 entries");
});

test("bounds the entries of a directory, including those that are not listed", async () => {
  const links = join(root, "links");
  mkdirSync(links);
  for (let count = 0; count <= 2000; count += 1) symlinkSync("x", join(links, String(count)));
  expect(await call("list", { path: "links" })).toBe("the directory holds more than 1000 entries");
});

test("two concurrent writes cannot both use the same free space", async () => {
  const directory = new Directory(root, 14);
  const writes = ["a", "b"].map((path) => call("write", { path, content: "12345" }, 0, { directory }));
  const [first, second] = await Promise.all(writes);
  expect([first, second]).toEqual([{ bytes: 5 }, expect.stringMatching(/together/)]);
});

test("changes of one file run in the order of their calls, each completely", async () => {
  const directory = new Directory(root, 0);
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(1000));
  const writes = contents.map((content) => call("write", { path: "todo.txt", content }, 0, { directory }));
  const gone = call("delete", { path: "todo.txt" }, 0, { directory });
  expect([...(await Promise.all(writes)), await gone]).toEqual([
    ...contents.map(({ length }) => ({ bytes: length })),
    {},
  ]);
  expect(readdirSync(root)).toEqual(["reports"]);
});

test("does not make a change that was cancelled before it began", async () => {
  const directory = new Directory(root, 0);
  const givenUp = new AbortController();
  const first = call("write", { path: "a", content: "1" }, 0, { directory });
  const { signal } = givenUp;
  const later = [
    call("write", { path: "todo.txt", content: "2" }, 0, { directory, signal }),
    call("delete", { path: "todo.txt" }, 0, { directory, signal }),
  ];
  givenUp.abort();
  const nothing = "the call was given up, and nothing was changed";
  expect([await first, ...(await Promise.all(later))]).toEqual([{ bytes: 1 }, nothing, nothing]);
  expect(readFileSync(join(root, "todo.txt"), "utf8")).toBe("buy milk\n");
});

test("a start removes unfinished files from every directory", async () => {
  writeFileSync(join(root, `${UNFINISHED}1`), "half");
  writeFileSync(join(root, "reports", `${UNFINISHED}2`), "half");
  const directory = new Directory(root, 14);
  expect(await call("write", { path: "b", content: "12345" }, 0, { directory })).toMatch(/together/);
  await directory.tidy();
  expect([readdirSync(root).sort(), readdirSync(join(root, "reports"))]).toEqual([["reports", "todo.txt"], []]);
  expect(await call("write", { path: "b", content: "12345" }, 0, { directory })).toEqual({ bytes: 5 });
});

test("property: neither reads nor changes a file outside of the directory, and every answer is a result or a reason", async () => {
  const segment = fc.constantFrom(
    "..",
    ".",
    "",
    "todo.txt",
    "reports",
    "a",
    "\0",
    "x".repeat(300),
    "é",
    "link.txt",
    UNFINISHED,
  );
  const path = fc.oneof(
    fc.array(segment, { maxLength: 5 }).map((parts) => parts.join("/")),
    fc.string({ unit: "binary" }),
  );
  const args = fc.oneof(fc.record({ path, content: fc.string() }), fc.dictionary(fc.string(), fc.jsonValue()));
  symlinkSync(join(top, "secret.txt"), join(root, "link.txt"));
  const directory = new Directory(root, 0);
  await fc.assert(
    fc.asyncProperty(fc.nat(5), args, async (method, given) => {
      const answer = await answerCall({ directory }, method, JSON.stringify(given), never);
      const text = answer === undefined || answer.ok ? (answer?.value ?? "") : answer.reason;
      expect(text).not.toContain("outside");
      expect(text).not.toContain(top);
      expect([readdirSync(top).sort(), readFileSync(join(top, "secret.txt"), "utf8")]).toEqual([
        ["granted", "secret.txt"],
        "outside",
      ]);
    }),
    { numRuns: 300 },
  );
});
