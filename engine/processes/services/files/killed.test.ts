// The service is killed before each step of a write. Afterwards the file has the complete old or the complete new
// content, and the next start removes any temporary file that the killed write left.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Directory } from "./directory.ts";

const FIXTURE = fileURLToPath(new URL("killed.fixture.ts", import.meta.url));
const [OLD, NEW] = ["old\n".repeat(999), "new\n".repeat(9999)];
/** Maximum number of steps, more than any call makes: in the last run of a call, the process is not killed. */
const MOST_STEPS = 20;

interface Left {
  readonly killed: boolean;
  readonly answer: string;
  /** Content of the file; `undefined` if it is gone. */
  readonly content: string | undefined;
  readonly names: readonly string[];
}

/** Returns the files after the process was killed before a step, and the service was started again. */
async function after(step: number, method: string, content: string, path: string): Promise<Left> {
  const root = mkdtempSync(join(tmpdir(), "capos-killed-"));
  try {
    writeFileSync(join(root, "file"), OLD);
    const words = [FIXTURE, root, String(step), method, path, content];
    const { signal, stdout } = spawnSync(process.execPath, words, { encoding: "utf8", env: {} });
    await new Directory(root, 0).tidy();
    const names = readdirSync(root, { recursive: true }).map(String).sort();
    const found = names.includes(path) ? readFileSync(join(root, path), "utf8") : undefined;
    return { killed: signal === "SIGKILL", answer: stdout, content: found, names };
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Runs the method once for each step at which it can be killed, and ends with the first run that is not killed. */
async function walk(method: string, content = "", path = "file"): Promise<readonly Left[]> {
  const runs: Left[] = [];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const left = await after(step, method, content, path);
    runs.push(left);
    if (!left.killed) return runs;
  }
  throw new Error("it is killed however late");
}

test("a write that is killed at any step leaves the old text or the new one, and no temporary file", async () => {
  const runs = await walk("write", NEW);
  expect(runs.length).toBeGreaterThan(5);
  expect(runs.map(({ names }) => names)).toEqual(runs.map(() => ["file"]));
  // Up to a certain step a kill leaves the old text, and after that step the new text; a kill never leaves any other content.
  const isNew = runs.map(({ content }) => content === NEW);
  expect(runs.every(({ content }) => content === OLD || content === NEW)).toBe(true);
  expect(isNew).toEqual([...isNew].sort());
  expect([isNew[0], isNew.at(-1)]).toEqual([false, true]);
  // Every caller that got a success finds the new content.
  for (const { answer, content } of runs) if (answer !== "") expect(content).toBe(NEW);
  expect(runs.at(-1)?.answer).toContain('"ok":true');
});

test("a write into new folders that is killed at any step leaves the whole new file or none", async () => {
  const runs = await walk("write", NEW, "new/file");
  expect(runs.length).toBeGreaterThan(8);
  // A kill may leave empty folders, but no other file.
  const empty = [["file"], ["file", "new"]];
  const whole = ["file", "new", "new/file"];
  for (const { names, content } of runs) {
    expect([undefined, NEW]).toContain(content);
    expect(content === undefined ? empty : [whole]).toContainEqual(names);
  }
  expect(runs.at(-1)).toMatchObject({ killed: false, content: NEW });
});

test("a deletion that is killed at any step leaves the file or removes it", async () => {
  const runs = await walk("delete");
  expect(runs.length).toBeGreaterThan(2);
  expect(runs.every(({ content }) => content === OLD || content === undefined)).toBe(true);
  expect(runs.every(({ names }) => names.length === 0 || names.join() === "file")).toBe(true);
  expect(runs.at(-1)).toMatchObject({ killed: false, content: undefined });
});
