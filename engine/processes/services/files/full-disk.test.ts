// Tests a full disk, and a disk that refuses one step. The file has the complete old content or the complete new
// content, and there is no other file. A reported success is true, and reads and deletions still work.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Files } from "../../../lib/wire/generated/tools.ts";
import { answerCall } from "./calls.ts";
import { Directory } from "./directory.ts";
import { watchSteps } from "./steps.fixture.ts";

const [OLD, NEW] = ["old\n".repeat(999), "new\n".repeat(9999)];
/** Failures that the service reports if a change is already visible but may be lost in a crash. */
const UNSURE = {
  write: "the new text is there, and after a crash what was there before may be again: the disk refused: ENOSPC",
  delete: "the file is gone, and after a crash it may be there again: the disk refused: ENOSPC",
};
/** A number of steps that is higher than the number of steps of any write. */
const MOST_STEPS = 20;

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "capos-full-"));
  writeFileSync(join(root, "file"), OLD);
});

afterEach(() => rmSync(root, { recursive: true }));

async function call(method: keyof typeof Files.methods, args: object): Promise<string> {
  const reach = { directory: new Directory(root, 0) };
  const { signal } = new AbortController();
  const answer = await answerCall(reach, Files.methods[method].ordinal, JSON.stringify(args), signal);
  return answer?.ok === true ? answer.value : (answer?.reason ?? "");
}

const write = () => call("write", { path: "file", content: NEW });
const held = () => readFileSync(join(root, "file"), "utf8");

/** Calls `run` with a simulated disk, which is full at each step for whose number `hasRoom` returns false. */
async function without(hasRoom: (step: number) => boolean, run: () => Promise<string>) {
  let steps = 0;
  const restore = watchSteps(() => {
    steps += 1;
    if (!hasRoom(steps - 1)) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
  });
  try {
    return { answer: await run(), steps };
  } finally {
    restore();
  }
}

test("if the disk refuses any one step of a write, only the whole old or new file is left, and the error is reported", async () => {
  const { steps } = await without(() => true, write);
  const told = new Set<string>();
  expect([steps > 4, steps < MOST_STEPS, held() === NEW]).toEqual([true, true, true]);
  for (let refused = 0; refused < steps; refused += 1) {
    writeFileSync(join(root, "file"), OLD);
    const { answer } = await without((step) => step !== refused, write);
    const [text, words] = answer.startsWith("the new text") ? [NEW, UNSURE.write] : [OLD, "the disk refused: ENOSPC"];
    expect([refused, answer, held() === text]).toEqual([refused, words, true]);
    expect(readdirSync(root)).toEqual(["file"]);
    told.add(words);
  }
  expect([...told]).toEqual(["the disk refused: ENOSPC", UNSURE.write]);
});

test("if the disk refuses any one step of a deletion, the answer says whether the file is gone", async () => {
  const remove = () => call("delete", { path: "file" });
  const { steps } = await without(() => true, remove);
  const told = new Set<string>();
  for (let refused = 0; refused < steps; refused += 1) {
    writeFileSync(join(root, "file"), OLD);
    const { answer } = await without((step) => step !== refused, remove);
    const [names, words] = answer.startsWith("the file is gone")
      ? [[], UNSURE.delete]
      : [["file"], "the disk refused: ENOSPC"];
    expect([refused, answer, readdirSync(root)]).toEqual([refused, words, names]);
    told.add(words);
  }
  expect([...told]).toEqual(["the disk refused: ENOSPC", UNSURE.delete]);
});

test("if the disk refuses any one step of a write into new folders, a failure leaves neither the file nor a folder", async () => {
  const writeBelow = () => call("write", { path: "new/folder/file", content: NEW });
  const { steps } = await without(() => true, writeBelow);
  const told = new Set<string>();
  for (let refused = 0; refused < steps; refused += 1) {
    rmSync(join(root, "new"), { recursive: true });
    const { answer } = await without((step) => step !== refused, writeBelow);
    const isWritten = answer.startsWith("the new text");
    expect([refused, answer]).toEqual([refused, isWritten ? UNSURE.write : "the disk refused: ENOSPC"]);
    expect([refused, readdirSync(root, { recursive: true }).sort()]).toEqual([
      refused,
      isWritten ? ["file", "new", "new/folder", "new/folder/file"] : ["file"],
    ]);
    mkdirSync(join(root, "new"), { recursive: true });
    told.add(answer);
  }
  expect([...told]).toEqual(["the disk refused: ENOSPC", UNSURE.write]);
});

test("on a full disk the old file can be read and deleted", async () => {
  const { answer } = await without((step) => step !== 1, write);
  expect(answer).toBe("the disk refused: ENOSPC");
  expect(await call("read", { path: "file" })).toBe(JSON.stringify({ content: OLD }));
  expect(await call("delete", { path: "file" })).toBe("{}");
  expect(readdirSync(root)).toEqual([]);
});
