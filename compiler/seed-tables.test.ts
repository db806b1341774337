// Three rooms implement papers of other projects, called seeds. Each README has a table that lists the lines of its
// paper, with tests for each line. These tests check that every line has a test, that every named test exists, and that
// the table names every test file of the room.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CHECKOUT = fileURLToPath(new URL("..", import.meta.url));
const ROOMS = ["engine/outside/bridge", "engine/lib/context", "engine/outside/osd"];

interface Row {
  readonly line: string;
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

/** Returns the rows of a table. A cell contains `file.test.ts`: name · name, for one or more files. A name that ends with … is a prefix. */
function rowsOf(room: string, readme: string): readonly Row[] {
  const [, table = ""] = /^\| seed \d \| test \|\n\|---\|---\|\n((?:\|.*\|\n)+)/m.exec(readme) ?? [];
  return table
    .trimEnd()
    .split("\n")
    .map((row) => {
      const [, line = "", cell = ""] = /^\| (.*?) \| (.*) \|$/.exec(row) ?? [];
      const [, ...pieces] = cell.split(/`([\w./-]+\.test\.ts)`:/);
      const tests = pieces.flatMap((file, index) => {
        if (index % 2 === 1) return [];
        const path = /^(compiler|engine)\//.test(file) ? file : `${room}/${file}`;
        return (pieces[index + 1] ?? "").split(" · ").map((name) => ({ file: path, name: name.trim() }));
      });
      return { line, tests };
    });
}

/** Returns the titles of all tests of a file, from `test(…` and `test.each(…)(…`. */
function titlesIn(source: string): readonly string[] {
  const form = /(?:\btest\(|\]\)\(|\)\(|\b[A-Z]+\)\()\s*(["`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;
  return [...source.matchAll(form)].map(([, , title = ""]) => title.replaceAll(/\\(["`])/g, "$1"));
}

/** Minimum length of a prefix; a shorter prefix would match too many titles. */
const LEAST_LETTERS = 5;

/**
 * Returns whether a test has this title. A title may have marks such as `%s`; the name then has values in place of the
 * marks, and each of these values must occur in the test file.
 */
function isTitled(name: string, source: string): boolean {
  const isBeginning = name.endsWith("…");
  const wanted = isBeginning ? name.slice(0, -1).trimEnd() : name;
  if (wanted.length < LEAST_LETTERS) return false;
  return titlesIn(source).some((title) => {
    if (title === wanted || (isBeginning && title.startsWith(wanted))) return true;
    if (!title.includes("%")) return false;
    const [first = "", ...rest] = title.split(/%[sij#]/).map(escaped);
    const whole = new RegExp(`^${first}${rest.map((piece) => `(.+?)${piece}`).join("")}$`);
    const begun = new RegExp(`^${first}(.+?)(?:${rest[0] === "" ? "$" : rest[0]}.*|$)`);
    const found = (isBeginning ? begun : whole).exec(wanted);
    return (
      found?.slice(1).every((mark) => source.includes(JSON.stringify(mark).slice(1, isBeginning ? -2 : -1))) === true
    );
  });
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const sourceOf = (file: string) => readFileSync(join(CHECKOUT, file), "utf8");

for (const room of ROOMS) {
  const rows = rowsOf(room, sourceOf(`${room}/README.md`));

  test(`${room}: each row of the README's table about the seed names existing tests`, () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ tests }) => tests.length === 0).map(({ line }) => line)).toEqual([]);
    const missing = rows.flatMap(({ tests }) =>
      tests.filter(({ file, name }) => !existsSync(join(CHECKOUT, file)) || !isTitled(name, sourceOf(file))),
    );
    expect(missing).toEqual([]);
  });

  test(`${room}: the README's table about the seed names each test file of the room`, () => {
    const named = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)));
    const there = globSync(`${room}/**/*.test.ts`, { cwd: CHECKOUT }).map((path) => relative(".", path));
    expect(there.filter((path) => !named.has(path))).toEqual([]);
  });
}

test("a table that names a test that does not exist is detected", () => {
  const source = 'test("alpha beta gamma", () => {});\ntest.each([["one"], ["two"]])("rejected: %s", () => {});';
  expect(
    ["alpha beta gamma", "alpha beta …", "rejected: one", "rejected: %s", "rejected: …"].map((name) =>
      isTitled(name, source),
    ),
  ).toEqual(Array(5).fill(true));
  expect(["alpha beta", "beta gamma", "rejected: three", "x …", "…"].map((name) => isTitled(name, source))).toEqual(
    Array(5).fill(false),
  );
  const room = rowsOf(
    "engine/x",
    "| seed 9 | test |\n|---|---|\n| a \\ b | `y.test.ts`: one · two … `compiler/z.test.ts`: three |\n",
  );
  expect(room).toEqual([
    {
      line: "a \\ b",
      tests: [
        { file: "engine/x/y.test.ts", name: "one" },
        { file: "engine/x/y.test.ts", name: "two …" },
        { file: "compiler/z.test.ts", name: "three" },
      ],
    },
  ]);
});
