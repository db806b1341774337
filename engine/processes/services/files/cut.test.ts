// Tests a power cut before each step of a set of edits on the disk: no later step happens, as after a kill. In other runs the disk refuses
// one step, and the process dies soon after it or not at all. After the next start, either all edits or none must be there. killed.test.ts
// shows that a kill has the same effect.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileEdits } from "../../../lib/wire/generated/service.ts";
import { answerEdits } from "./calls.ts";
import { Directory } from "./directory.ts";
import { watchSteps } from "./steps.fixture.ts";

const EDITED: Readonly<Record<string, readonly [before: string, after: string]>> = {
  a: ["one\n", "two\n"],
  "folder/b": ["old\n", "new\n"],
  "folder/made": ["", "made\n"],
  "new/folder/made": ["", "made too\n"],
};
const EDITS = JSON.stringify({
  edits: Object.entries(EDITED).map(([path, [before, after]]) => ({
    edit: { path, before, after },
    digest: before === "" ? "" : createHash("sha256").update(before).digest("hex"),
  })),
});

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "capos-cut-"));
});

afterEach(() => rmSync(root, { recursive: true }));

/**
 * Runs with a disk that accepts `steps` steps, refuses one, accepts `more` further steps, and then refuses all. Returns
 * whether the disk refused any step.
 */
async function cut(steps: number, more: number, run: () => Promise<unknown>): Promise<boolean> {
  let left = steps;
  const restore = watchSteps(() => {
    left -= 1;
    if (left === -1 || left < -1 - more) throw Object.assign(new Error("the machine is gone"), { code: "EIO" });
  });
  try {
    await run();
  } catch {
    // The caller got no answer, because the power was cut.
  } finally {
    restore();
  }
  return left < 0;
}

/**
 * Returns the files after edits on a disk that accepts `steps` steps, refuses one, and accepts `more` further steps.
 * After the edits, the service starts once for each number of `starts`, each time with a disk that accepts this number
 * of steps. After that, it starts once with a disk that accepts all steps.
 */
async function after(steps: number, more: number, ...starts: readonly number[]) {
  rmSync(root, { recursive: true });
  mkdirSync(join(root, "folder"), { recursive: true });
  for (const [path, [before]] of Object.entries(EDITED)) if (before !== "") writeFileSync(join(root, path), before);
  let answer: unknown;
  let hasEnded = false;
  const { ordinal } = FileEdits.methods.apply;
  const directory = new Directory(root, 0, () => {
    hasEnded = true;
  });
  const wasCut = await cut(steps, more, async () => {
    answer = await answerEdits({ directory }, ordinal, EDITS, new AbortController().signal);
  });
  const cuts: boolean[] = [];
  for (const start of starts) cuts.push(await cut(start, 0, () => new Directory(root, 0).tidy()));
  await new Directory(root, 0).tidy();
  const names = readdirSync(root, { recursive: true }).map(String).sort();
  const texts = Object.keys(EDITED).map((path) => (names.includes(path) ? readFileSync(join(root, path), "utf8") : ""));
  return { wasCut, cuts, hasEnded, wasTold: isSuccess(answer), texts, names };
}

function isSuccess(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "ok" in answer && answer.ok === true;
}

const [NONE, ALL] = [0, 1].map((side) => Object.values(EDITED).map((texts) => texts[side]));

test("after a power cut before any step, all edits or none are made, and no temporary file is left", async () => {
  const runs: Awaited<ReturnType<typeof after>>[] = [];
  do runs.push(await after(runs.length, 0));
  while (runs.at(-1)?.wasCut && runs.length < 60);
  expect(runs.length).toBeGreaterThan(25);
  expect(runs.at(-1)).toMatchObject({ wasCut: false, wasTold: true, texts: ALL });
  for (const { texts, names, wasTold, hasEnded } of runs) {
    expect([NONE, ALL]).toContainEqual(texts);
    if (!wasTold && !hasEnded) expect(texts).toEqual(NONE);
    const made = texts[2] === "" ? [] : ["folder/made", "new/folder/made"];
    // A cut may leave empty folders, but no other file.
    expect(names.filter((name) => name !== "new" && name !== "new/folder")).toEqual([
      "a",
      "folder",
      "folder/b",
      ...made,
    ]);
    if (wasTold) expect(texts).toEqual(ALL);
  }
  // After the step that stores the decision about the edits, every power cut leaves all edits made.
  const isDone = runs.map(({ texts }) => texts[0] === "two\n");
  expect(isDone).toEqual([...isDone].sort());
  expect(isDone.slice(0, 12)).not.toContain(true);
});

for (const more of [1, 2, Infinity]) {
  test(`if the disk refuses one step and accepts ${more} more steps, all edits or none are made`, async () => {
    for (let steps = 0; ; steps += 1) {
      const { wasCut, wasTold, hasEnded, texts } = await after(steps, more);
      expect([NONE, ALL]).toContainEqual(texts);
      // If the process still runs, a caller that got an error finds no edit, and a caller that got a success finds all
      // edits.
      if (!hasEnded) expect(texts).toEqual(wasTold ? ALL : NONE);
      if (!wasCut) break;
    }
  });
}

test("a start that completes edits can itself be interrupted at any step, repeatedly", async () => {
  const decided = await firstDecided();
  let steps = 0;
  for (;;) {
    const left = await after(decided, 0, steps, Math.floor(steps / 2));
    expect(left.texts).toEqual(ALL);
    if (!left.cuts[0]) break;
    steps += 1;
  }
  expect(steps).toBeGreaterThan(8);
});

/** Returns the smallest number of accepted disk steps after which the next start of the service applies the edits. */
async function firstDecided(): Promise<number> {
  for (let steps = 0; ; steps += 1) if ((await after(steps, 0)).texts[0] === "two\n") return steps;
}
