// Tests README.md, the first page that a new user reads: its commands and options must exist on the command line.

import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readArguments } from "./arguments.ts";
import { loadCommands } from "./commands.ts";
import { renderCommandsPage } from "./commands-page.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const MAKEFILE = readFileSync(new URL("../../Makefile", import.meta.url), "utf8");
const commands = await loadCommands();

/** Rows of the table of commands: the words after `capc`, and the options that the row mentions. */
const rows = [...README.matchAll(/^\| `capc ([^`]+)` \|(.*)\|$/gm)].map(([, words = "", does = ""]) => ({
  words: words.split(" "),
  options: [...does.matchAll(/--([\w-]+)/g)].map(([, name = ""]) => name),
}));

test("the README has a table of commands", () => {
  expect(rows.length).toBeGreaterThan(25);
});

test("the README has 150 lines at most, and table rows of 25 words at most", () => {
  expect(README.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  const words = (row: string) =>
    row
      .replace(/\]\([^)]*\)/g, "]")
      .split(/\s+/)
      .filter((word) => /\w/.test(word));
  expect(README.split("\n").filter((line) => line.startsWith("|") && words(line).length > 25)).toEqual([]);
});

test("the README's first shell block has the commands make run-agent and make test, each on a line of its own", () => {
  const [, block = ""] = /```sh\n([^`]*`[^`]*`[^`]*)```/.exec(README) ?? [];
  expect(
    block
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" #")[0]?.trimEnd()),
  ).toEqual(["make run-agent", "make test"]);
});

test("no text tells a reader, an editor or a makefile to run capc with npx, which could download somebody else's package", () => {
  const checkout = fileURLToPath(new URL("../../", import.meta.url));
  const isOther = (path: string): boolean => /^(node_modules|build|golden|CHANGES\.md)(\/|$)/.test(path);
  const kinds = ["**/*.md", "**/Makefile", "**/*.{yml,yaml,json,toml,lua}", "compiler/cli/init/template/**/*.*"];
  const texts = globSync(kinds, { cwd: checkout, exclude: isOther });
  expect(texts.length).toBeGreaterThan(300);
  const run = /\bnpx\b[\s"',\]]+(?:--?[\w-]+[\s"',]+)*capc\b|\bnpm (?:exec|x)\b[^\n]*\bcapc\b/;
  expect(texts.filter((path) => run.test(readFileSync(`${checkout}${path}`, "utf8")))).toEqual([]);
  expect(run.test('cmd = { "npx", "capc", "lsp" }') && run.test("npx --no-install capc x")).toBe(true);
});

test("COMMANDS.md lists every command and option with the text of the help", async () => {
  await expect(renderCommandsPage(commands)).toMatchFileSnapshot("COMMANDS.md");
  expect(README).toContain("](compiler/cli/COMMANDS.md)");
});

test.each(rows)(
  "capc $words is a command with the options $options",
  ({ words: [name = "", ...operands], options }) => {
    const command = commands.find((each) => each.name === name);
    if (command === undefined) throw new Error(`there is no command ${name}`);
    expect(readArguments(command, operands)).toMatchObject({ kind: "typed" });
    expect(command.options.map((option) => option.name)).toEqual(expect.arrayContaining(options));
  },
);

test.each([
  ["README.md", "run-agent"],
  ["compiler/dev/MAKE.md", "test-images"],
])("every target of make that %s names exists", (path, known) => {
  const page = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const named = [...page.matchAll(/(?:^|`)make ([a-z][\w-]*)/gm)].map(([, target = ""]) => target);
  const targets = [...MAKEFILE.matchAll(/^([\w-]+):/gm)].map(([, target = ""]) => target);
  expect(named).toContain(known);
  expect(named.filter((name) => !targets.includes(name))).toEqual([]);
});

/** Returns the files of the checkout that a page names, in links and in code that looks like a path. */
function findNamedFiles(page: string): string[] {
  const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)];
  const code = [...page.matchAll(/(?<=[` ])((?:compiler|engine|lang|stdlib|targets|examples|golden)\/[\w./-]+)/g)];
  return [...links, ...code].map(([, path = ""]) => path).filter((path) => !/[A-Z]{4}\b(?!\.md)/.test(path));
}

test("every file and every make target that CONTRIBUTING names exists", () => {
  const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  const named = findNamedFiles(page);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(new URL(path, new URL("../../", import.meta.url))))).toEqual([]);
  const targets = [...page.matchAll(/`make ([a-z][\w-]*)/g)].map(([, target = ""]) => target);
  expect(targets.filter((target) => !new RegExp(`^${target}:`, "m").test(MAKEFILE))).toEqual([]);
  expect(README).toContain("](CONTRIBUTING.md)");
});

test("the README links to the map, the map links to the README of every folder, and no link is broken", () => {
  const checkout = new URL("../../", import.meta.url);
  const read = (path: string): string => readFileSync(new URL(path, checkout), "utf8");
  const listLinks = (page: string) => [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = ""]) => path);
  const map = read("MAP.md");
  const rooms = globSync("{lang,stdlib,compiler,targets,engine,examples}/*/README.md", {
    cwd: fileURLToPath(checkout),
  });
  expect(rooms.length).toBeGreaterThan(10);
  expect(rooms.filter((path) => !listLinks(map).includes(path))).toEqual([]);
  expect(README).toContain("](MAP.md)");
  const dead = [README, map, read("LIMITS.md")]
    .flatMap(listLinks)
    .filter((path) => !existsSync(new URL(path, checkout)));
  expect(dead).toEqual([]);
});
