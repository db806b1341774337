import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { joined, split, updated } from "./parts.ts";

test("joins the parts of a weights file to the same bytes, and refuses them if one was changed", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-parts-"));
  try {
    const file = join(folder, "agent.gguf");
    const bytes = Uint8Array.from({ length: 2500 }, (_, index) => (index * 7) % 256);
    writeFileSync(file, bytes);
    const there = join(folder, "agent");
    expect(split(file, there, 1000).parts.map((part) => part.bytes)).toEqual([1000, 1000, 500]);
    expect(readdirSync(there).sort()).toEqual(["agent.gguf.1", "agent.gguf.2", "agent.gguf.3", "weights.json"]);
    const again = join(folder, "again.gguf");
    expect(joined(there, again)).toEqual({ ok: true, value: 2500 });
    expect(readFileSync(again)).toEqual(Buffer.from(bytes));
    rmSync(again);
    const second = readFileSync(join(there, "agent.gguf.2"));
    second.writeUInt8(second.readUInt8(0) ^ 1, 0);
    writeFileSync(join(there, "agent.gguf.2"), second);
    expect(joined(there, again)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("not those of agent.gguf"),
    });
    expect([existsSync(again), existsSync(`${again}.part`)]).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const NONE = /not those of agent\.gguf|cannot be joined/;

test.each<[string, (folder: string) => void]>([
  ["a part is missing", (folder) => rmSync(join(folder, "agent.gguf.3"))],
  ["a part ends early", (folder) => truncateSync(join(folder, "agent.gguf.3"), 499)],
  [
    "two parts are swapped",
    (folder) => {
      const [one, two] = [join(folder, "agent.gguf.1"), join(folder, "agent.gguf.2")];
      const bytes = readFileSync(one);
      renameSync(two, one);
      writeFileSync(two, bytes);
    },
  ],
  ["a part is a folder", (folder) => relist(folder, (list) => list.replaceAll("agent.gguf.3", "../../.."))],
  [
    "a part lies elsewhere, with the right bytes",
    (folder) => {
      renameSync(join(folder, "agent.gguf.3"), join(folder, "..", "elsewhere"));
      relist(folder, (list) => list.replaceAll("agent.gguf.3", "../elsewhere"));
    },
  ],
  ["the list is null", (folder) => relist(folder, () => "null")],
  ["the list is missing", (folder) => rmSync(join(folder, "weights.json"))],
])("joins no parts of a weights file and leaves no files if %s", (_, spoil) => {
  const folder = mkdtempSync(join(tmpdir(), "capos-parts-"));
  try {
    const file = join(folder, "agent.gguf");
    writeFileSync(
      file,
      Uint8Array.from({ length: 2500 }, (_, index) => index % 251),
    );
    const there = join(folder, "agent");
    split(file, there, 1000);
    spoil(there);
    const again = join(folder, "again.gguf");
    expect(joined(there, again)).toMatchObject({ ok: false, reason: expect.stringMatching(NONE) });
    expect([existsSync(again), existsSync(`${again}.part`)]).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function relist(folder: string, change: (list: string) => string): void {
  const path = join(folder, "weights.json");
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

test("set-up joins new parts of the weights, skips parts that it joined before, and writes no file if there are no parts", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-parts-"));
  try {
    const [source, there, target] = [join(folder, "agent.gguf"), join(folder, "agent"), join(folder, "target.gguf")];
    expect(updated(there, target)).toEqual({ ok: true, value: 0 });
    expect(existsSync(target)).toBe(false);
    for (const words of ["one", "two"]) {
      writeFileSync(source, words);
      split(source, there);
      expect(updated(there, target)).toEqual({ ok: true, value: 3 });
      expect(readFileSync(target, "utf8")).toBe(words);
      expect(updated(there, target)).toEqual({ ok: true, value: 0 });
    }
    rmSync(target);
    expect(updated(there, target)).toEqual({ ok: true, value: 3 });
    writeFileSync(source, "three");
    split(source, there);
    truncateSync(join(there, "agent.gguf.1"), 2);
    expect(updated(there, target)).toMatchObject({ ok: false });
    expect(readFileSync(target, "utf8")).toBe("two");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
