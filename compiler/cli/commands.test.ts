// The commands as a person meets them: good pages, bad input, and what is left behind.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatch } from "./dispatch.ts";
import { memoryWorld } from "./memory-world.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/first-agent/system.cap", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-commands-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function say(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const world = memoryWorld({ folder });
  const status = await dispatch(words, world);
  return { status, out: world.printed(), err: world.reported() };
}

function page(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

test("a good page passes in silence", async () => {
  expect(await say("check", EXAMPLE)).toEqual({ status: 0, out: "", err: "" });
  expect(JSON.parse((await say("check", EXAMPLE, "--json")).out)).toMatchObject({ errors: 0, diagnostics: [] });
});

test("every independent mistake is told, with its place; nothing is on standard output", async () => {
  const text = readFileSync(EXAMPLE, "utf8")
    .replace("suppress machine.*", "suppress machinery.*")
    .replace("auto canned", "auto caned");
  const wrong = page("wrong.cap", text);
  const { status, out, err } = await say("check", wrong);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("wrong.cap:");
  for (const words of ["machinery", "canned"]) expect(err).toContain(words);
  const json = await say("check", wrong, "--json");
  expect(JSON.parse(json.out)).toMatchObject({ errors: expect.any(Number) });
});

/** What findings end with. */
const COUNTED = /\n\d+ errors?(; the first 50 are shown, \d+ more are not)?\n$/;

test.each([
  ["a missing file", () => "none.cap", 3, "does not exist"],
  ["a directory", () => ".", 3, "is a directory, not a file"],
  ["a device", () => "/dev/zero", 3, "is no ordinary file"],
  ["a file in place of a folder", () => `${page("x", "")}/y.cap`, 3, "is not a directory"],
  ["bytes that are no UTF-8", () => page("x.cap", Uint8Array.of(0xff, 0xfe)), 1, "not-utf8"],
  ["ten megabytes of brackets", () => page("x.cap", "{".repeat(10_000_000)), 1, "at most"],
  ["brackets without end", () => page("x.cap", `system x ${"{".repeat(100_000)}`), 1, "error["],
  ["another language", () => page("x.cap", '[{ "when": { "user": "x" } }]'), 1, "error["],
  ["nothing", () => page("x.cap", ""), 1, "error["],
])("%s is refused with a message by check and by build", async (_, file, expected, words) => {
  for (const command of ["check", "build"]) {
    const { status, out, err } = await say(command, file());
    expect({ status, out }).toEqual({ status: expected, out: "" });
    expect(err).toContain(words);
    expect(err).toMatch(expected === 3 ? new RegExp(`^capc ${command}: .*\\n$`) : COUNTED);
    expect(existsSync(join(folder, "build"))).toBe(false);
  }
});

test("build writes what --emit names, the same bytes each time, and says what it wrote", async () => {
  const first = await say("build", EXAMPLE, "--emit", "tables", "--out", "one");
  const second = await say("build", EXAMPLE, "--emit", "tables", "--out", "two", "--json");
  expect([first.status, second.status]).toEqual([0, 0]);
  expect(readdirSync(join(folder, "one"), { recursive: true }).sort()).toEqual(["policy", "policy/tables.bin"]);
  expect(readFileSync(join(folder, "one/policy/tables.bin"))).toEqual(
    readFileSync(join(folder, "two/policy/tables.bin")),
  );
  const [file] = JSON.parse(second.out).files;
  expect(file).toMatchObject({ path: "two/policy/tables.bin" });
  expect(first.out).toContain(file.sha256);
});

test("the output is named after the page's folder", async () => {
  await say("build", EXAMPLE, "--emit", "tables");
  expect(readdirSync(join(folder, "build/first-agent"))).toEqual(["policy"]);
});

test("wrong words, times and places are told apart", async () => {
  expect(await say("build", EXAMPLE, "--emit", "tables,floppy")).toMatchObject({
    status: 2,
    err: expect.stringContaining("floppy"),
  });
  const world = memoryWorld({ folder, environment: { SOURCE_DATE_EPOCH: "yesterday" } });
  expect(await dispatch(["build", EXAMPLE], world)).toBe(2);
  page("file", "");
  expect(await say("build", EXAMPLE, "--emit", "tables", "--out", "file/out")).toMatchObject({ status: 3, out: "" });
});

/** Where the cache has no root file system for this engine, one is made first. */
const MAKES_A_ROOT_MS = 180_000;

test(
  "manifest: signed by this checkout's key, seen by inspect, and no longer after one changed byte",
  async () => {
    expect((await say("build", EXAMPLE, "--emit", "tables,manifest", "--out", "out")).status).toBe(0);
    const seen = await say("inspect", "out/manifest.bin");
    expect(seen).toMatchObject({ status: 0, err: "" });
    expect(seen.out).toContain("holds notes");
    expect(seen.out).toContain("signature for image of first_agent 0.2.0: holds");
    expect((await say("inspect", "out/manifest.bin.sig")).out).toContain("the development key of this checkout");
    const tables = await say("inspect", "out/policy/tables.bin", "--json");
    expect(JSON.parse(tables.out)).toMatchObject({ kind: "policy tables", tables: { systemId: "first_agent" } });

    const bytes = readFileSync(join(folder, "out/manifest.bin"));
    const at = bytes.indexOf("first_agent");
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(folder, "out/manifest.bin"), bytes);
    expect(await say("inspect", "out/manifest.bin")).toMatchObject({
      status: 1,
      err: "capc inspect: the signature does not hold\n",
    });
  },
  MAKES_A_ROOT_MS,
);

test("inspect refuses what is no artefact", async () => {
  expect(await say("inspect", page("x", "hello"))).toMatchObject({
    status: 1,
    err: expect.stringContaining("is none of"),
  });
  expect(await say("inspect", "none")).toMatchObject({ status: 3 });
});

test("every law has a page, and a code that is nearly right is found", async () => {
  const all = JSON.parse((await say("explain", "all", "--json")).out) as { code: string }[];
  const laws = readdirSync(fileURLToPath(new URL("../check/rules", import.meta.url)));
  expect(all.length).toBeGreaterThan(laws.length);
  const { out } = await say("explain", "rule-shadowed");
  expect(out).toContain("good.cap:");
  expect(await say("explain", "rule-shadowd")).toMatchObject({
    status: 2,
    err: expect.stringContaining("did you mean rule-shadowed?"),
  });
});

test("run refuses what it cannot boot before it starts anything", async () => {
  expect(await say("run", "none.iso", "--script", "x")).toMatchObject({
    status: 3,
    err: expect.stringContaining("none.iso"),
  });
  const image = page("x.iso", "");
  expect(await say("run", image)).toMatchObject({ status: 2, err: expect.stringContaining("no terminal") });
  expect(await say("run", image, "--script", page("x.chat", "hello"))).toMatchObject({
    status: 2,
    err: expect.stringContaining("x.chat:1:"),
  });
  expect(await say("run", image, "--memory", "lots")).toMatchObject({ status: 2 });
  const bare = page("bare.chat", "@ nodisk");
  expect(await say("run", image, "--script", bare, "--disk", "data.img")).toMatchObject({
    status: 2,
    err: expect.stringContaining("without a data disk"),
  });
  expect(await say("run", image, "--script", page("list.chat", "= nowhere.tsv"))).toMatchObject({
    status: 2,
    err: expect.stringContaining("list.chat:1: nowhere.tsv cannot be read"),
  });
});
