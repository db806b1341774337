import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const HOW_MANY = 22;

/** Every test of the repository that names a ruling. */
const NAMED = globSync("{lang,stdlib,compiler,targets,engine}/**/*.test.ts", { cwd: CHECKOUT })
  .sort()
  .flatMap((path) => {
    const text = readFileSync(`${CHECKOUT}/${path}`, "utf8");
    // A name with a backslash is not matched, because its text in the source differs from its printed name.
    const names = [...text.matchAll(/"ruling (\d+): ([^"\\]*)"/g)];
    return names.map(([, number = "", name = ""]) => ({ path, number: Number(number), name }));
  });

const PAGE = readFileSync(new URL("rulings.md", import.meta.url), "utf8");

/** The tests that the page `rulings.md` lists for each number of a ruling, by their files and names. */
const LISTED = PAGE.split(/^(?=\d+\. )/m)
  .slice(1)
  .map((part) => ({
    number: Number.parseInt(part, 10),
    tests: [...part.matchAll(/^ {3}- `([^`]+)`: (.+)$/gm)].map(([, path = "", name = ""]) => ({ path, name })),
  }));

test("every ruling is listed, in order, with at least one test that names it", () => {
  const numbers = Array.from({ length: HOW_MANY }, (_, index) => index + 1);
  expect(LISTED.map(({ number }) => number)).toEqual(numbers);
  expect(LISTED.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test("every listed test exists under its listed name", () => {
  const missing = LISTED.flatMap(({ number, tests }) =>
    tests.filter((listed) =>
      NAMED.every((named) => named.number !== number || named.path !== listed.path || named.name !== listed.name),
    ),
  );
  expect(missing).toEqual([]);
});

test("tests name only rulings that exist", () => {
  expect(NAMED.filter(({ number }) => number < 1 || number > HOW_MANY)).toEqual([]);
  expect(NAMED.length).toBeGreaterThanOrEqual(HOW_MANY);
});
