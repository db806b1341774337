// Uses real files in a real folder, and waits for the command's output, never for a fixed time.

import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatch } from "./dispatch.ts";
import { createMemoryWorld } from "./memory-world.ts";

const GOOD = readFileSync(fileURLToPath(new URL("../rules/advice/stray-doc/good.cap", import.meta.url)), "utf8");
const WATCHING = /capc \w+: watching \d+ files?; Ctrl-C ends it\n$/;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-watch-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

interface Watched {
  /** Returns the standard error of the next run, up to the point at which the command waits for a change. */
  readonly nextRun: () => Promise<string>;
  readonly interrupt: () => void;
  readonly status: Promise<number>;
}

function watched(...words: string[]): Watched {
  let said = "";
  let heard = (): void => {};
  const interrupt = new AbortController();
  const report = (text: string): void => {
    said += text;
    heard();
  };
  const status = dispatch(words, createMemoryWorld({ folder, report, interrupted: interrupt.signal }));
  const nextRun = (): Promise<string> =>
    new Promise((resolve) => {
      heard = () => {
        if (!WATCHING.test(said)) return;
        resolve(said.replace(WATCHING, ""));
        said = "";
        heard = () => {};
      };
      heard();
    });
  return { nextRun, interrupt: () => interrupt.abort(), status };
}

test("a page that changes in place or is replaced is checked again, until Ctrl-C", async () => {
  write("system.cap", GOOD);
  const { nextRun, interrupt, status } = watched("check", "system.cap", "--watch");
  expect(await nextRun()).toBe("");
  write("system.cap", GOOD.replace("auto readOnly", "auto readOnlie"));
  expect(await nextRun()).toContain("readOnlie");
  write("new.cap", GOOD);
  renameSync(join(folder, "new.cap"), join(folder, "system.cap"));
  expect(await nextRun()).toBe("");
  interrupt();
  expect(await status).toBe(0);
});

test("a page that the checked page uses is watched too, even if it does not exist yet", async () => {
  write("system.cap", GOOD.replace("use std.tools", 'use std.tools\n  use "./more.cap"'));
  const { nextRun, interrupt, status } = watched("lint", "system.cap", "--watch");
  expect(await nextRun()).toContain("more.cap");
  write("more.cap", "category extra : readOnly\n");
  expect(await nextRun()).not.toContain("there is no such file");
  write("more.cap", "category extra : readOnlie\n");
  expect(await nextRun()).toContain("readOnlie");
  rmSync(join(folder, "more.cap"));
  expect(await nextRun()).toContain("there is no such file");
  interrupt();
  expect(await status).toBe(0);
});

test("a file with unchanged bytes starts no check, and neither does a file that the page does not use", async () => {
  write("system.cap", GOOD);
  const { nextRun, interrupt, status } = watched("check", "system.cap", "--watch");
  await nextRun();
  write("system.cap", GOOD);
  write("other.cap", "x");
  write("system.cap", `${GOOD}}`);
  expect(await nextRun()).toContain("error");
  interrupt();
  expect(await status).toBe(0);
});

test("the command does not watch if the page that it checks does not exist", async () => {
  const { status } = watched("check", "none.cap", "--watch");
  expect(await status).toBe(3);
});
