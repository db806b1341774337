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

/** Returns the edit with the digest of the file as it is, unless the edit has one. */
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

test("several edits of several files happen together, and a file is made", async () => {
  const edits: Plain[] = [
    ["todo.txt", "milk", "tea"],
    ["./todo.txt", "bread", "cake"],
    ["reports/may", "rain", "sun"],
    ["reports/june", "", "warm\n"],
  ];
  expect(await apply(edits)).toEqual({});
  expect(contents()).toEqual({ "todo.txt": "buy tea\nbuy cake\n", "reports/may": "sun\n", "reports/june": "warm\n" });
});

test("checking gives the digest of each edit's file, and touches nothing", async () => {
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
  ["a text that is not there", ["todo.txt", "wine", "x"], /edit 2: what should stand there does not/],
  ["a text that is there twice", ["todo.txt", "buy", "x"], /edit 2: .* more than once/],
  ["a file that has changed meanwhile", ["todo.txt", "milk", "x", digestOf("other")], /not what it was/],
  ["a file that was expected to be new", ["todo.txt", "milk", "x", ""], /not what it was/],
  ["a file that is there already", ["todo.txt", "", "x"], /already/],
  ["a directory", ["reports", "a", "x"], /not a file/],
  ["a directory in a new file's place", ["reports", "", "x"], /already/],
  ["the directory itself", ["", "", "x"], /already/],
  ["what is not there", ["none", "a", "x"], /no such file/],
  ["a directory that is not there", ["none/a", "", "x"], /no such directory/],
  ["a path upwards", ["../secret.txt", "outside", "x"], /may not hold/],
  ["a path upwards within", ["reports/../../secret.txt", "outside", "x"], /may not hold/],
  ["an absolute path", ["/etc/passwd", "root", "x"], /not accepted/],
  ["a link", ["link.txt", "outside", "x"], /links are not followed/],
  ["a file behind a linked directory", ["up/secret.txt", "outside", "x"], /links are not followed/],
  ["a file of several names", ["hard.txt", "outside", "x"], /other names/],
  ["what is not text", ["raw", "a", "x"], /not UTF-8/],
  ["a file that is too large", ["large", "b", "x"], /larger than/],
  ["what would be too large", ["new", "", "é".repeat(MAX_FILE_BYTES / 2 + 1)], /at most/],
  ["a file being written", [`${UNFINISHED}0123456789abcdef`, "", "x"], /being written/],
  ["the journal", [`${UNFINISHED}journal`, "", "x"], /being written/],
];

for (const [name, second, why] of REFUSED) {
  test(`one edit that does not fit stops all: ${name}`, async () => {
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

test("edits that overlap, also under another way of writing the path, and two that make one file are refused", async () => {
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

test("the total size of all files is counted before a write", async () => {
  const stateBytes = Buffer.byteLength(Object.values(BEFORE).join("")) + 6;
  const grown: Plain[] = [
    ["todo.txt", "milk", "milk 1"],
    ["reports/may", "rain", "rain 12345"],
  ];
  expect(await apply(grown, { stateBytes })).toMatch(/together/);
  expect(contents()).toEqual(BEFORE);
  // One file may take the room that another gives up.
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

test("a holder of some folders edits what is below them, and a set that goes beyond is refused whole", async () => {
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

test("sets are bounded, and what is not an edit is none", async () => {
  const many = Array.from({ length: MAX_EDITS + 1 }, (_, index): Plain => [`n${index}`, "", "x"]);
  expect(await apply(many)).toBe(`a set has at most ${MAX_EDITS} edits`);
  expect(await apply([])).toBe("there is no edit");
  for (const odd of [undefined, 7, "todo.txt", { 0: {} }]) expect(await call("apply", odd)).toBe("there is no edit");
  for (const odd of [[7], [null], [{ edit: 7 }], [{ edit: [] }]]) expect(await call("apply", odd)).toMatch(/already/);
  expect(contents()).toEqual(BEFORE);
  expect(await apply(many.slice(1))).toEqual({});
});

test("a set that was given up changes nothing, and leaves nothing beside the files", async () => {
  const givenUp = new AbortController();
  const directory = new Directory(root, 0);
  const first = apply([["todo.txt", "milk", "tea"]], { directory });
  const second = apply([["reports/may", "rain", "sun"]], { directory, signal: givenUp.signal });
  givenUp.abort();
  expect([await first, await second]).toEqual([{}, "the call was given up, and nothing was changed"]);
  expect(contents()).toEqual({ ...BEFORE, "todo.txt": "buy tea\nbuy bread\n" });
});

test("one of two sets for the same text is applied, and the other one finds the file changed", async () => {
  const directory = new Directory(root, 0);
  const sets = ["tea", "wine"].map((drink) => apply([["todo.txt", "milk", drink]], { directory }));
  expect(await Promise.all(sets)).toEqual([{}, "edit 1: the file is not what it was any more"]);
});

const JOURNAL = `${UNFINISHED}journal`;
const BESIDE = `${UNFINISHED}0123456789abcdef`;

for (const [name, journal] of Object.entries({
  "no JSON": "{",
  "no list": "{}",
  "an entry of another form": '{"renamings":[7]}',
  "a name that is none of ours": '{"renamings":[{"beside":"todo.txt","path":"reports/may"}]}',
  "a path upwards": `{"renamings":[{"beside":"${BESIDE}","path":"../secret.txt"}]}`,
  "a path through a link": `{"renamings":[{"beside":"${BESIDE}","path":"up/secret.txt"}]}`,
  "a directory": `{"renamings":[{"beside":"${BESIDE}","path":"reports"}]}`,
})) {
  test(`a journal that a disk brought is not believed: ${name}`, async () => {
    symlinkSync(top, join(root, "up"));
    writeFileSync(join(root, BESIDE), "evil");
    writeFileSync(join(top, BESIDE), "evil");
    writeFileSync(join(root, JOURNAL), journal);
    await expect(new Directory(root, 0).tidy()).rejects.toThrow();
    expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("outside");
    expect(contents()).toMatchObject(BEFORE);
  });
}

test.each(["null", "7", "[]"])("an entry of a journal that is %s is reported as what it is", async (entry) => {
  writeFileSync(join(root, JOURNAL), `{"renamings":[${entry}]}`);
  await expect(new Directory(root, 0).tidy()).rejects.toThrow("the journal of edits cannot be read");
});

test("a journal that is a link is none of ours", async () => {
  writeFileSync(join(top, "journal"), '{"renamings":[]}');
  symlinkSync(join(top, "journal"), join(root, JOURNAL));
  await expect(new Directory(root, 0).tidy()).rejects.toThrow("none of ours");
});

test("edits that were decided and cannot be carried out end the process, and are finished at the next start", async () => {
  const ends: string[] = [];
  const directory = new Directory(root, 0, (why) => ends.push(why));
  await expect(directory.finish(() => Promise.reject(new Error("the disk is gone")))).rejects.toThrow(
    "the disk is gone",
  );
  expect(ends).toEqual(["edits that were decided cannot be carried out: the disk is gone"]);
});

test("law: whatever edits come, all or none happen, nothing outside is touched, and nothing is left beside", async () => {
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
