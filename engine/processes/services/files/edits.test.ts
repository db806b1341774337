import { createHash } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileEdits } from "../../../lib/wire/generated/service.ts";
import { answerEdits } from "./calls.ts";
import { Directory } from "./directory.ts";
import { MAX_EDITS } from "./edits.ts";
import { MAX_FILE_BYTES } from "./files.ts";
import type { Folders } from "./folder-scope.ts";
import { UNFINISHED } from "./path.ts";

let top = "";
let root = "";

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "capos-edits-"));
  root = join(top, "granted");
  mkdirSync(join(root, "reports"), { recursive: true });
  writeFileSync(join(root, "todo.txt"), "buy milk\nbuy bread\n");
  writeFileSync(join(root, "reports", "may"), "rain\n");
  writeFileSync(join(top, "secret.txt"), "outside");
});

afterEach(() => rmSync(top, { recursive: true }));

type Plain = readonly [path: string, before: string, after: string, digest?: string];

const never = new AbortController().signal;
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Returns the edit with the digest of the current file, unless it has a digest. */
function expected([path, before, after, digest]: Plain) {
  const found = (): string => {
    try {
      return digestOf(readFileSync(join(root, path), "utf8"));
    } catch {
      return "";
    }
  };
  return { edit: { path, before, after }, digest: digest ?? found() };
}

interface Setting {
  readonly stateBytes?: number;
  readonly folders?: Folders;
  readonly signal?: AbortSignal;
  readonly directory?: Directory;
}

async function call(method: "apply" | "check", edits: unknown, setting: Setting = {}): Promise<unknown> {
  const { stateBytes = 0, folders, signal = never, directory = new Directory(root, stateBytes) } = setting;
  const { ordinal } = FileEdits.methods[method];
  const answer = await answerEdits({ directory, folders }, ordinal, JSON.stringify({ edits }), signal);
  return answer?.ok ? JSON.parse(answer.value) : answer?.reason;
}

const apply = (edits: readonly Plain[], setting?: Setting) => call("apply", edits.map(expected), setting);

/** Returns all files below the directory, with their content. */
const contents = () =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  );

const BEFORE = { "todo.txt": "buy milk\nbuy bread\n", "reports/may": "rain\n" };

test("makes several edits of several files together, and creates a file", async () => {
  const edits: Plain[] = [
    ["todo.txt", "milk", "tea"],
    ["./todo.txt", "bread", "cake"],
    ["reports/may", "rain", "sun"],
    ["reports/june", "", "warm\n"],
  ];
  expect(await apply(edits)).toEqual({});
  expect(contents()).toEqual({ "todo.txt": "buy tea\nbuy cake\n", "reports/may": "sun\n", "reports/june": "warm\n" });
});

test("a set makes the missing folders of its new files, or no folder if it fails", async () => {
  const edits: Plain[] = [
    ["new/folder/a", "", "one\n"],
    ["new/b", "", "two\n"],
    ["todo.txt", "milk", "tea"],
  ];
  expect(await call("check", edits.map(expected))).toEqual({ digests: ["", "", digestOf(BEFORE["todo.txt"])] });
  const nothing = ["reports", "reports/may", "todo.txt"];
  const names = () => readdirSync(root, { recursive: true }).sort();
  expect(names()).toEqual(nothing);
  expect(await apply(edits, { stateBytes: 3 * 4096 })).toMatch(/no space for a new folder/);
  const clash: Plain[] = [["new", "", "a file"], ...edits];
  expect(await apply(clash)).toBe("a new file and a new folder have the same name: new");
  expect(names()).toEqual(nothing);
  expect(await apply(edits)).toEqual({});
  expect(contents()).toMatchObject({ "new/folder/a": "one\n", "new/b": "two\n" });
});

test("check returns the digest of each edit's file, and changes no file", async () => {
  const edits = [
    { edit: { path: "todo.txt", before: "milk", after: "tea" }, digest: "" },
    { edit: { path: "new", before: "", after: "x" }, digest: "" },
  ];
  expect(await call("check", edits)).toEqual({ digests: [digestOf(BEFORE["todo.txt"]), ""] });
  expect(contents()).toEqual(BEFORE);
  expect(await call("check", [{ edit: { path: "todo.txt", before: "wine", after: "" } }])).toMatch(
    /edit 1: what should/,
  );
});

const REFUSED: readonly (readonly [name: string, second: Plain, why: RegExp])[] = [
  ["a missing text", ["todo.txt", "wine", "x"], /edit 2: what should stand there does not/],
  ["a repeated text", ["todo.txt", "buy", "x"], /edit 2: .* more than once/],
  ["a file that has changed meanwhile", ["todo.txt", "milk", "x", digestOf("other")], /not what it was/],
  ["an existing file that was expected to be new", ["todo.txt", "milk", "x", ""], /not what it was/],
  ["an existing file as a new one", ["todo.txt", "", "x"], /already/],
  ["a directory", ["reports", "a", "x"], /not a file/],
  ["a directory as a new file", ["reports", "", "x"], /already/],
  ["the root directory", ["", "", "x"], /already/],
  ["a missing file", ["none", "a", "x"], /no such file/],
  ["a file of a missing directory", ["none/a", "b", "x"], /no such directory/],
  ["a new file below a file", ["todo.txt/a", "", "x"], /no such directory/],
  ["a path that climbs", ["../secret.txt", "outside", "x"], /may not hold/],
  ["a path that climbs from a folder", ["reports/../../secret.txt", "outside", "x"], /may not hold/],
  ["an absolute path", ["/etc/passwd", "root", "x"], /not accepted/],
  ["a link", ["link.txt", "outside", "x"], /links are not followed/],
  ["a file below a linked directory", ["up/secret.txt", "outside", "x"], /links are not followed/],
  ["a file with several names", ["hard.txt", "outside", "x"], /other names/],
  ["a file that is not text", ["raw", "a", "x"], /not UTF-8/],
  ["a file that is too large", ["large", "b", "x"], /larger than/],
  ["a text that is too large", ["new", "", "é".repeat(MAX_FILE_BYTES / 2 + 1)], /at most/],
  ["a file being written", [`${UNFINISHED}0123456789abcdef`, "", "x"], /being written/],
  ["the journal", [`${UNFINISHED}journal`, "", "x"], /being written/],
];

for (const [name, second, why] of REFUSED) {
  test(`one edit that does not fit stops the whole set: ${name}`, async () => {
    symlinkSync(join(top, "secret.txt"), join(root, "link.txt"));
    symlinkSync(top, join(root, "up"));
    linkSync(join(top, "secret.txt"), join(root, "hard.txt"));
    writeFileSync(join(root, "raw"), Buffer.from([0xff, 0x61]));
    writeFileSync(join(root, "large"), `b${"a".repeat(MAX_FILE_BYTES)}`);
    const before = contents();
    expect(await apply([["reports/may", "rain", "sun"], second])).toMatch(why);
    expect(contents()).toEqual(before);
    expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("outside");
  });
}

test("refuses overlapping edits, even with another spelling of the path, and two edits that create the same file", async () => {
  const overlap: Plain[] = [
    ["todo.txt", "buy milk", "a"],
    [".//todo.txt", "milk\nbuy", "b"],
  ];
  expect(await apply(overlap)).toMatch(/overlap/);
  const twice: Plain[] = [
    ["new", "", "a"],
    ["./new", "", "b"],
  ];
  expect(await apply(twice)).toMatch(/one edit/);
  expect(
    await apply([
      ["new", "", "a"],
      ["new", "a", "b"],
    ]),
  ).toMatch(/one edit/);
  expect(contents()).toEqual(BEFORE);
});

test("counts the total size of all files before it writes", async () => {
  const stateBytes = Buffer.byteLength(Object.values(BEFORE).join("")) + 6;
  const grown: Plain[] = [
    ["todo.txt", "milk", "milk 1"],
    ["reports/may", "rain", "rain 12345"],
  ];
  expect(await apply(grown, { stateBytes })).toMatch(/together/);
  expect(contents()).toEqual(BEFORE);
  // A file may use the space that another file in the same set frees.
  expect(
    await apply(
      [
        ["todo.txt", "milk", ""],
        ["reports/may", "rain", "rain 12345"],
      ],
      { stateBytes },
    ),
  ).toEqual({});
});

test("a holder can edit files in its granted folders; a set that also edits a file outside of them is refused as a whole", async () => {
  const folders = [["reports"]];
  const inside: Plain = ["reports/may", "rain", "sun"];
  expect(await apply([inside, ["todo.txt", "milk", "x"]], { folders })).toBe("this is outside of what was granted");
  expect(await apply([inside, ["reports-old", "", "x"]], { folders })).toBe("this is outside of what was granted");
  expect(await apply([inside, ["reports/../todo.txt", "milk", "x"]], { folders })).toMatch(/may not hold/);
  expect(await call("check", [expected(["todo.txt", "milk", ""])], { folders })).toBe(
    "this is outside of what was granted",
  );
  expect(contents()).toEqual(BEFORE);
  expect(await apply([inside], { folders })).toEqual({});
});

test("bounds the number of edits, and refuses malformed ones", async () => {
  const many = Array.from({ length: MAX_EDITS + 1 }, (_, index): Plain => [`n${index}`, "", "x"]);
  expect(await apply(many)).toBe(`a set has at most ${MAX_EDITS} edits`);
  expect(await apply([])).toBe("there is no edit");
  for (const odd of [undefined, 7, "todo.txt", { 0: {} }]) expect(await call("apply", odd)).toBe("there is no edit");
  for (const odd of [[7], [null], [{ edit: 7 }], [{ edit: [] }]]) expect(await call("apply", odd)).toMatch(/already/);
  expect(contents()).toEqual(BEFORE);
  expect(await apply(many.slice(1))).toEqual({});
});

test("a cancelled set of edits changes no file, and leaves no unfinished file", async () => {
  const givenUp = new AbortController();
  const directory = new Directory(root, 0);
  const first = apply([["todo.txt", "milk", "tea"]], { directory });
  const second = apply([["reports/may", "rain", "sun"]], { directory, signal: givenUp.signal });
  givenUp.abort();
  expect([await first, await second]).toEqual([{}, "the call was given up, and nothing was changed"]);
  expect(contents()).toEqual({ ...BEFORE, "todo.txt": "buy tea\nbuy bread\n" });
});

test("if two sets edit the same text, one succeeds and the other finds the file changed", async () => {
  const directory = new Directory(root, 0);
  const sets = ["tea", "wine"].map((drink) => apply([["todo.txt", "milk", drink]], { directory }));
  expect(await Promise.all(sets)).toEqual([{}, "edit 1: the file is not what it was any more"]);
});

const JOURNAL = `${UNFINISHED}journal`;
const BESIDE = `${UNFINISHED}0123456789abcdef`;

for (const [name, journal] of Object.entries({
  "malformed JSON": "{",
  "not a list": "{}",
  "a malformed entry": '{"renamings":[7]}',
  "a foreign name": '{"renamings":[{"beside":"todo.txt","path":"reports/may"}]}',
  "a path that climbs": `{"renamings":[{"beside":"${BESIDE}","path":"../secret.txt"}]}`,
  "a path through a link": `{"renamings":[{"beside":"${BESIDE}","path":"up/secret.txt"}]}`,
  "a directory": `{"renamings":[{"beside":"${BESIDE}","path":"reports"}]}`,
})) {
  test(`does not trust a journal from the disk: ${name}`, async () => {
    symlinkSync(top, join(root, "up"));
    writeFileSync(join(root, BESIDE), "evil");
    writeFileSync(join(top, BESIDE), "evil");
    writeFileSync(join(root, JOURNAL), journal);
    await expect(new Directory(root, 0).tidy()).rejects.toThrow();
    expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("outside");
    expect(contents()).toMatchObject(BEFORE);
  });
}

test.each(["null", "7", "[]"])("reports an entry %s of a journal as unreadable", async (entry) => {
  writeFileSync(join(root, JOURNAL), `{"renamings":[${entry}]}`);
  await expect(new Directory(root, 0).tidy()).rejects.toThrow("the journal of edits cannot be read");
});

test("refuses a journal that is a link", async () => {
  writeFileSync(join(top, "journal"), '{"renamings":[]}');
  symlinkSync(join(top, "journal"), join(root, JOURNAL));
  await expect(new Directory(root, 0).tidy()).rejects.toThrow("none of ours");
});

test("if edits cannot be made after they were decided, the process of the file service ends", async () => {
  const ends: string[] = [];
  const directory = new Directory(root, 0, (why) => ends.push(why));
  await expect(directory.finish(() => Promise.reject(new Error("the disk is gone")))).rejects.toThrow(
    "the disk is gone",
  );
  expect(ends).toEqual(["edits that were decided cannot be carried out: the disk is gone"]);
});

test("property: makes all edits or none, changes no file outside of the directory, and leaves no unfinished file", async () => {
  symlinkSync(join(top, "secret.txt"), join(root, "link.txt"));
  const path = fc.constantFrom(
    "todo.txt",
    "./todo.txt",
    "reports/may",
    "new",
    "reports/new",
    "link.txt",
    "../secret.txt",
    "",
  );
  const before = fc.constantFrom("", "buy", "milk", "bread", "rain", "milk\nbuy");
  const edit = fc.tuple(path, before, fc.constantFrom("", "x", "milk"));
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 4 }), async (edits) => {
      for (const [name, text] of Object.entries(BEFORE)) writeFileSync(join(root, name), text);
      for (const name of ["new", "reports/new"]) rmSync(join(root, name), { force: true });
      const answer = await apply(edits);
      const found = contents();
      expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("outside");
      expect(Object.keys(found).filter((name) => name.includes(UNFINISHED))).toEqual([]);
      if (typeof answer === "string") expect(found).toEqual(BEFORE);
      else for (const [name, , after] of edits) expect(found[join(name)]).toContain(after);
    }),
    { numRuns: 150 },
  );
});
