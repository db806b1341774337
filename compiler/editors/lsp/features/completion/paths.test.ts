// Tests the completion of paths in quotes, with files in memory and with a real folder.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readText } from "../../testing/snapshots.ts";
import { listDiskFolder, MOST_ENTRIES } from "../../workspace/disk-folder.ts";
import { computeCompletion } from "./completion.ts";
import { createMemoryLister, type ListFolder } from "./paths.ts";

const FILES = [
  ...["system.cap", "people.cap", "keys/alice.pub", "keys/bob.pub", "keys/old/carol.pub", "keys/alice"],
  ...["schemas/ledger.capnp", "a b.pub", 'quo"te.pub', "back\\slash.pub", ".hidden.pub", ".git/x.pub", "..pub"],
].map((file) => `/page/${file}`);
const lister = createMemoryLister([...FILES, "/outside/eve.pub"]);

/** Returns for each completion at the `|` the text that results if a person accepts this completion. */
async function accepted(marked: string, path = "/page/system.cap", list: ListFolder = lister) {
  const at = marked.indexOf("|");
  const text = marked.replace("|", "");
  const { items } = await computeCompletion(readText(text, path), at, undefined, list);
  return items.map(({ textEdit }) => {
    if (textEdit === undefined || !("range" in textEdit)) throw new Error("an item without a range");
    const { start, end } = textEdit.range;
    return text.slice(0, start.character) + textEdit.newText + text.slice(end.character);
  });
}

test.each<[string, string, readonly string[]]>([
  [
    "files first, then folders, without hidden ones",
    'principal a { ssh "|" }',
    ['ssh "a b.pub" }', 'ssh "quo\\"te.pub" }', 'ssh "keys/" }', 'ssh "schemas/" }'].map(
      (end) => `principal a { ${end}`,
    ),
  ],
  ["the typed part, in any case", 'use "PE|', ['use "people.cap"']],
  [
    "a folder below, with a path to it",
    'principal a { ssh "keys/|" }',
    ['"keys/alice.pub" }', '"keys/bob.pub" }', '"keys/old/" }'].map((end) => `principal a { ssh ${end}`),
  ],
  ["a folder two levels below", 'principal a { ssh "./keys/old/|', ['principal a { ssh "./keys/old/carol.pub"']],
  [
    "hidden files if a dot is typed",
    'principal a { ssh ".|',
    ['principal a { ssh "..pub"', 'principal a { ssh ".hidden.pub"'],
  ],
  ["the rest of a part is replaced", 'principal a { ssh "keys/al|x.pub" }', ['principal a { ssh "keys/alice.pub" }']],
  [
    "the rest of a folder is replaced",
    'principal a { ssh "ke|x/alice.pub" }',
    ['principal a { ssh "keys/alice.pub" }'],
  ],
  [
    "text after a blank stays",
    'use capnp "schemas/le| as x  use "a.cap"',
    ['use capnp "schemas/ledger.capnp as x  use "a.cap"'],
  ],
  ["no file outside of the root page's folder", 'principal a { ssh "../outside/|', []],
  ["no folder of git", 'principal a { ssh ".git|', []],
  ["no file of a folder of git", 'principal a { ssh ".git/|', []],
  ["no absolute path", 'principal a { ssh "/page/keys/|', []],
  ["no path with a backslash", 'principal a { ssh "keys\\\\|', []],
])("%s", async (_, text, wanted) => {
  expect(await accepted(text)).toEqual(wanted);
});

test("a path is relative to the page that names it, within the folder of the root page", async () => {
  expect(await accepted('principal a { ssh "|', "/page/keys/people.cap")).toEqual([
    'principal a { ssh "alice.pub"',
    'principal a { ssh "bob.pub"',
    'principal a { ssh "old/',
  ]);
});

test("a real folder is listed, links are resolved, and files outside of the package are left out", async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capc-paths-")));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const root = join(base, "page");
  for (const folder of [root, join(root, "keys"), join(root, ".git"), join(base, "other")]) mkdirSync(folder);
  for (const file of [join(root, "b.pub"), join(root, ".git/x.pub"), join(base, "eve.pub")]) writeFileSync(file, "");
  writeFileSync(Buffer.from(`${root}/not-utf8-\xff.pub`, "latin1"), "");
  symlinkSync(join(root, ".git"), join(root, "history"));
  symlinkSync(join(root, "b.pub"), join(root, "a.pub"));
  symlinkSync(join(root, "keys"), join(root, "more"));
  symlinkSync(join(base, "eve.pub"), join(root, "eve.pub"));
  symlinkSync(join(base, "other"), join(root, "other"));
  symlinkSync(join(root, "lost"), join(root, "lost.pub"));
  const list = async (text: string) => (await accepted(text, join(root, "system.cap"), listDiskFolder)).join("\n");
  expect(await list('principal a { ssh "|')).toBe(
    ["a.pub", "b.pub"].map((file) => `principal a { ssh "${file}"`).join("\n") +
      ["keys/", "more/"].map((folder) => `\nprincipal a { ssh "${folder}`).join(""),
  );
  for (const path of ["other/", "lost/", "b.pub/", "history/"])
    expect(await list(`principal a { ssh "${path}|`)).toBe("");
});

test("a folder with too many entries is not read to its end, and the list says that it is incomplete", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capc-paths-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (let index = 0; index <= MOST_ENTRIES; index += 1) writeFileSync(join(root, `${index}.pub`), "");
  const listing = await listDiskFolder(root, root);
  expect({ entries: listing.entries.length, isWhole: listing.isWhole }).toEqual({
    entries: MOST_ENTRIES,
    isWhole: false,
  });
  const text = 'principal a { ssh "';
  const page = readText(text, join(root, "system.cap"));
  const { items, isIncomplete } = await computeCompletion(page, text.length, undefined, listDiskFolder);
  expect({ items: items.length, isIncomplete }).toEqual({ items: 1000, isIncomplete: true });
});
