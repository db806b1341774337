import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadCommands } from "../commands.ts";
import { dispatch } from "../dispatch.ts";
import { createMemoryWorld } from "../memory-world.ts";
import { renderBashScript } from "./bash.ts";
import { renderFishScript } from "./fish.ts";
import { renderZshScript } from "./zsh.ts";

const COMMANDS = await loadCommands();

let folder: string;
let script: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-completions-"));
  script = join(folder, "capc.bash");
  writeFileSync(script, renderBashScript(COMMANDS));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what bash offers for the last word. */
function offered(...words: string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _capc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync("bash", ["--norc", "-c", program, "bash", script, ...words], { encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  return ran.stdout.split("\n").filter((word) => word !== "");
}

test("bash completes commands, options, values and actions, and file names everywhere else", () => {
  expect(offered("capc", "")).toEqual([...COMMANDS.map(({ name }) => name), "--help", "--version"]);
  expect(offered("capc", "li")).toEqual(["lint"]);
  expect(offered("capc", "lint", "--f")).toContain("--format");
  expect(offered("capc", "lint", "--format", "s")).toEqual(["sarif"]);
  expect(offered("capc", "completions", "")).toEqual(["bash", "zsh", "fish"]);
  expect(offered("capc", "audit", "sh")).toEqual(["show"]);
  expect(offered("capc", "check", "")).toEqual([]);
  expect(offered("capc", "build", "--out", "")).toEqual([]);
});

test.each(COMMANDS)("bash completes every option of capc $name", ({ name, options }) => {
  expect(offered("capc", name, "--")).toEqual([...options.map((option) => `--${option.name}`), "--help"]);
});

test.each(COMMANDS)("the scripts for zsh and fish contain capc $name and its options", ({ name, options }) => {
  for (const text of [renderZshScript(COMMANDS), renderFishScript(COMMANDS)]) expect(text).toContain(name);
  for (const option of options) {
    expect(renderZshScript(COMMANDS)).toContain(`--${option.name}[`);
    expect(renderFishScript(COMMANDS)).toContain(`-l ${option.name} `);
  }
});

test("a quote in a command's description does not end a quoted string of a completion script", () => {
  const odd = { name: "odd", operands: [], does: "it's a `trap` $(false)\\", options: [], run: async () => 0 as const };
  for (const text of [renderBashScript([odd]), renderZshScript([odd]), renderFishScript([odd])])
    expect(text.replaceAll("$funcstack[1]", "").split("'").length % 2).toBe(1);
  expect(renderFishScript([odd])).toContain("'it’s a `trap` $(false)/'");
});

test("an unknown shell is refused by name", async () => {
  const world = createMemoryWorld();
  expect(await dispatch(["completions", "tcsh"], world)).toBe(2);
  expect(world.reported()).toBe("capc completions: 'tcsh' is none of bash, zsh, fish\n");
});
