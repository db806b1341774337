// The daemon is killed before each step of a write, or the disk refuses that step: afterwards the file has the old or the new content,
// complete.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { steppedWrite } from "../testing/writing.ts";

const WRITING = new URL("../testing/writing.ts", import.meta.url).href;
const [OLD, NEW] = ["old\n".repeat(999), "new\n".repeat(9999)];
/** Steps of a write: open the folder, the file and the new file; write; sync; rename; sync the folder. */
const STEPS = 7;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-osd-killed-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Makes a folder; the file is in it unless the content is `undefined`. */
function begin(content: string | undefined): void {
  rmSync(folder, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "capc-osd-killed-"));
  if (content !== undefined) writeFileSync(join(folder, "file"), content);
}

/**
 * Returns the file's content, or `undefined` if it is missing. All other files in the folder must have names of
 * unfinished files.
 */
function found(): string | undefined {
  const names = readdirSync(folder);
  for (const name of names) expect(name).toMatch(/^(file|\.llm-osd-[0-9a-f]{16})$/);
  return names.includes("file") ? readFileSync(join(folder, "file"), "utf8") : undefined;
}

interface Run {
  /** Whether the run ended by itself. */
  readonly isWhole: boolean;
  readonly isNew: boolean;
}

/** Checks that the file has the old content before some step, the new content from that step on, and never any other content. */
function judge(runs: readonly Run[]): void {
  const isNew = runs.map((run) => run.isNew);
  expect(runs.length).toBe(STEPS + 1);
  expect(isNew).toEqual([...isNew].sort());
  expect([isNew[0], isNew.at(-1), runs.at(-1)?.isWhole]).toEqual([false, true, true]);
  expect(readdirSync(folder)).toEqual(["file"]);
}

test("a write that is killed at any step leaves the old text or the new one", () => {
  const runs: Run[] = [];
  do {
    begin(OLD);
    const words = [folder, NEW, runs.length].map((word) => JSON.stringify(word)).join(", ");
    const program = `import { killedWrite } from ${JSON.stringify(WRITING)}; await killedWrite(${words});`;
    const node = ["--input-type=module", "--eval", program];
    const { signal, stdout } = spawnSync(process.execPath, node, { encoding: "utf8", env: {} });
    const content = found();
    expect([OLD, NEW]).toContain(content);
    // If the client received an answer, the answer is correct.
    if (stdout !== "") expect([JSON.parse(stdout).ok, content]).toEqual([true, NEW]);
    runs.push({ isWhole: signal !== "SIGKILL", isNew: content === NEW });
  } while (!runs.at(-1)?.isWhole && runs.length <= STEPS);
  judge(runs);
});

test("a new file whose write stops at any step is whole or absent", async () => {
  const runs: Run[] = [];
  do {
    begin(undefined);
    let isWhole = true;
    await steppedWrite(folder, NEW, (step) => {
      if (step < runs.length) return;
      isWhole = false;
      throw Object.assign(new Error("the machine is gone"), { code: "EIO" });
    });
    const content = found();
    expect([undefined, NEW]).toContain(content);
    runs.push({ isWhole, isNew: content === NEW });
  } while (!runs.at(-1)?.isWhole && runs.length <= STEPS);
  judge(runs);
});

/** Writes to a disk that refuses one step; returns the answer, and whether the write reached that step. */
async function refusing(at: number) {
  let refused = false;
  const answer = await steppedWrite(folder, NEW, (step) => {
    if (step !== at) return;
    refused = true;
    throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
  });
  return { answer, refused };
}

test("a disk that refuses any one step leaves the old file or the new one, and no other file", async () => {
  for (let step = 0; ; step += 1) {
    begin(OLD);
    const { answer, refused } = await refusing(step);
    const content = found();
    expect([OLD, NEW]).toContain(content);
    expect(readdirSync(folder)).toEqual(["file"]);
    expect(answer.ok).toBe(!refused);
    if (answer.ok) expect(content).toBe(NEW);
    else expect(answer.error).toMatchObject({ code: "write_failed", message: "the system says ENOSPC" });
    if (!refused) return expect(step).toBe(STEPS);
  }
});

test("overwriting a file keeps its permissions, and drops setuid", async () => {
  begin(OLD);
  for (const [before, after] of [
    [0o604, 0o604],
    [0o4755, 0o755],
  ] as const) {
    chmodSync(join(folder, "file"), before);
    expect((await refusing(99)).answer).toMatchObject({ ok: true });
    expect(statSync(join(folder, "file")).mode & 0o7777).toBe(after);
  }
});

test("overwriting a file keeps its owner and group", async () => {
  begin(OLD);
  // Root can change the owner of a file; other users can change only its group, to one of their own groups.
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? 1 : (process.getuid?.() ?? 0);
  const gid = isRoot ? 1 : (process.getgroups?.().at(-1) ?? 0);
  chownSync(join(folder, "file"), uid, gid);
  expect((await refusing(99)).answer).toMatchObject({ ok: true });
  expect(statSync(join(folder, "file"))).toMatchObject({ uid, gid });
});
