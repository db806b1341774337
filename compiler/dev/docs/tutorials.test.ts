// Runs the tutorials as a reader would. It writes each file, types each command, and checks that the command's output
// contains the output that the tutorial shows.

import { spawnSync } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const TUTORIALS = fileURLToPath(new URL("tutorials", import.meta.url));
const LAUNCHER = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
const BLOCK = /^```(\S+)(?: (.+))?\n([\s\S]*?)^```$/gm;

/** Temporary folder in which the command `capc` runs the code of this checkout. */
class Workplace {
  readonly #root = mkdtempSync(join(tmpdir(), "capc-tutorial-"));
  #folder = this.#root;
  #printed = "";

  constructor() {
    const capc = join(this.#root, "capc");
    writeFileSync(capc, `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`);
    chmodSync(capc, 0o755);
    onTestFinished(() => rmSync(this.#root, { recursive: true }));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }

  /** Inserts lines into a page, before the first line that begins with `word`. */
  add(text: string, word: string): void {
    const path = join(this.#folder, "system.cap");
    const page = readFileSync(path, "utf8");
    const at = page.search(new RegExp(`^ *${word}\\b`, "m"));
    expect(at).toBeGreaterThan(0);
    writeFileSync(path, `${page.slice(0, at)}${text}\n${page.slice(at)}`);
  }

  type(commands: string, wanted: number): void {
    const env = { ...process.env, PATH: `${this.#root}:${dirname(process.execPath)}:/usr/bin:/bin`, NO_COLOR: "1" };
    const script = `set -e\n${commands}\npwd > "${this.#root}/folder"\n`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { cwd: this.#folder, env, encoding: "utf8" });
    this.#printed = stdout + stderr;
    expect(status, `${commands}${this.#printed}`).toBe(wanted);
    if (status === 0) this.#folder = readFileSync(join(this.#root, "folder"), "utf8").trim();
  }

  look(lines: string): void {
    for (const line of lines.trim().split("\n")) expect(this.#printed).toContain(line.trim());
  }
}

const pages = globSync("*.md", { cwd: TUTORIALS }).sort();

test("there is one tutorial for each of six kinds of work, such as reading an audit log", () => {
  expect(pages.map((page) => basename(page, ".md"))).toEqual([
    "add-a-tool",
    "read-an-audit",
    "recover-a-machine",
    "review-a-change",
    "understand-a-refusal",
    "write-a-page",
  ]);
});

test.each(pages)("the commands of %s print what the tutorial shows", (page) => {
  const place = new Workplace();
  const text = readFileSync(join(TUTORIALS, page), "utf8");
  for (const [, language = "", what, body = ""] of text.matchAll(BLOCK)) {
    if (what === "no-run") continue;
    if (language === "sh") place.type(body, Number(what?.replace("exit=", "") ?? 0));
    else if (language === "text") place.look(body);
    else if (what?.startsWith("add before ")) place.add(body, what.slice("add before ".length));
    else if (what !== undefined) place.write(what, body);
  }
});
