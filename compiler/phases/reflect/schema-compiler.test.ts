import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { compileSchemas, readPinnedBytes, type SchemaComplaint } from "./schema-compiler.ts";

async function complaintsAbout(text: string): Promise<readonly SchemaComplaint[]> {
  const compiled = await compileSchemas(new Map([["a.capnp", text]]), ["a.capnp"]);
  return compiled.ok ? [] : compiled.complaints;
}

test("every error has its position, and one run reports all errors", async () => {
  expect(await complaintsAbout("@0xd3807a61ee95bc05;\nstruct X { a @0 :Tex; b @2 :Text; }")).toEqual([
    { file: "a.capnp", line: 2, column: 18, endColumn: 21, reason: "Not defined: Tex" },
    {
      file: "a.capnp",
      line: 2,
      column: 26,
      endColumn: 27,
      reason: "Skipped ordinal @1.  Ordinals must be sequential with no holes.",
    },
  ]);
});

test("a schema can import the schemas that are compiled with it, but no other file of the computer", async () => {
  const sources = new Map([
    ["a.capnp", '@0xd3807a61ee95bc05; using B = import "in/b.capnp"; struct X { b @0 :B.Y; }'],
    ["in/b.capnp", "@0xd3807a61ee95bc06; struct Y {}"],
  ]);
  expect((await compileSchemas(sources, ["a.capnp"])).ok).toBe(true);
  for (const path of ["/etc/hostname", "../../../../../../etc/hostname"]) {
    const [found] = await complaintsAbout(`@0xd3807a61ee95bc05; using B = import "${path}";`);
    expect(found?.reason).toContain("Import failed");
  }
});

test.each(["/a.capnp", "../a.capnp", "x/../a.capnp", "./a.capnp"])("the schema path %s is refused", async (path) => {
  const compiled = await compileSchemas(new Map([[path, "@0xd3807a61ee95bc05;"]]), [path]);
  expect(compiled).toMatchObject({ ok: false, complaints: [{ reason: expect.stringContaining("must be relative") }] });
});

test("a missing schema is reported by name", async () => {
  const compiled = await compileSchemas(new Map(), ["a.capnp"]);
  expect(compiled).toMatchObject({ ok: false, complaints: [{ file: "a.capnp", reason: "there is no such schema" }] });
});

test("sources of more than 4 MiB are refused before they are compiled", async () => {
  const [found] = await complaintsAbout("#".repeat(4 * 1024 * 1024 + 1));
  expect(found?.reason).toContain("at most 4194304 are taken");
});

test("a thousand nested brackets cause an error, not a crash", async () => {
  expect(await complaintsAbout(`@0xd3807a61ee95bc05; const a :Text = ${"(".repeat(1000)};`)).not.toEqual([]);
});

test("a file whose digest differs from the pinned one is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-pinned-"));
  const url = pathToFileURL(`${folder}/`);
  writeFileSync(join(folder, "a"), "one");
  writeFileSync(join(folder, "a.sha256"), `${createHash("sha256").update("one").digest("hex")}  a\n`);
  expect(Buffer.from(readPinnedBytes(url, "a")).toString()).toBe("one");
  writeFileSync(join(folder, "a"), "two");
  expect(() => readPinnedBytes(url, "a")).toThrow("it was changed");
  rmSync(folder, { recursive: true });
});
