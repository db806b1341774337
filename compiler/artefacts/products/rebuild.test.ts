// Tests rebuilding a changed page: the last image is reused, and the bytes equal those of a full build.

import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../cli/memory-world.ts";
import { findKnownImage, rememberImage } from "./kept-images.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-rebuild-"));
  cpSync(EXAMPLE, join(folder, "page"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function built(out: string, ...more: readonly string[]): Promise<string> {
  const { status, err } = await runCommand(["build", "page/system.cap", "--out", out, "--verbose", ...more], {
    folder,
  });
  expect(status).toBe(0);
  return err;
}

const image = (out: string): Buffer => readFileSync(join(folder, out, "system.iso"));

function change(from: string, to: string): void {
  const page = join(folder, "page/system.cap");
  const text = readFileSync(page, "utf8");
  expect(text).toContain(from);
  writeFileSync(page, text.replace(from, to));
}

const REWRITTEN = /^capc build: the image is the last one but for what changed\ncapc build: signed with [^\n]+\n$/;

test("after a change of the page's policy, version or text, a build rewrites the last image, with the same bytes as a full build with either writer", async () => {
  expect(await built("one")).toContain("was written whole: there is no last image in its place");
  for (const [from, to] of [
    ["16 MiB", "24 MiB"],
    ['version "0.2.0"', 'version "0.10.0"'],
    ["state 24 MiB", "state 24 MiB "],
  ] as const) {
    change(from, to);
    expect(await built("one")).toMatch(REWRITTEN);
  }
  await built("two");
  expect(image("one").equals(image("two"))).toBe(true);
  expect(await built("two", "--iso-writer", "native")).toContain("was written whole: the writer is another");
  expect(image("one").equals(image("two"))).toBe(true);
  appendFileSync(join(folder, "one/system.iso"), "x");
  expect(await built("one")).toContain("was written whole: there is no last image in its place");
  expect(image("one").equals(image("two"))).toBe(true);
});

test("a built image can be reused until it is modified or replaced", () => {
  const [path, notes] = [join(folder, "image"), join(folder, "notes")];
  const known = () => findKnownImage(path, notes)?.isUntouched() ?? false;
  expect(known()).toBe(false);
  writeFileSync(path, "image");
  rememberImage(path, { writer: "none" }, notes);
  expect(known()).toBe(true);
  expect(findKnownImage(path, notes)).toMatchObject({ file: path, frame: { writer: "none" } });
  cpSync(path, join(folder, "other"));
  rmSync(path);
  expect(known()).toBe(false);
  cpSync(join(folder, "other"), path);
  expect(known()).toBe(false);
  rememberImage(path, { writer: "none" }, notes);
  expect(known()).toBe(true);
  writeFileSync(path, "image");
  appendFileSync(path, "!");
  expect(known()).toBe(false);
});

test.each(["", "{}", '{"stamp":1,"frame":{}}', '{"stamp":"","frame":{"writer":1}}', "[", "null"])(
  "an invalid note about a built image is ignored: %j",
  (note) => {
    const [path, notes] = [join(folder, "image"), join(folder, "notes")];
    writeFileSync(path, "image");
    rememberImage(path, { writer: "none" }, notes);
    for (const name of readdirSync(notes)) writeFileSync(join(notes, name), note);
    expect(findKnownImage(path, notes)).toBeUndefined();
  },
);
