import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useScratch, writeArtifacts } from "./output.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-output-"));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("artefacts are moved to the output folder, folders are created, and files from elsewhere are copied", async () => {
  writeFileSync(join(folder, "large"), "from a file");
  const out = join(folder, "out");
  const written = await useScratch(out, async (scratch) =>
    writeArtifacts(out, scratch, [
      { path: "policy/tables.bin", bytes: bytes("tables") },
      { path: "system.iso", bytes: { file: join(folder, "large") } },
    ]),
  );
  expect(written).toEqual({ ok: true });
  expect(readFileSync(join(out, "policy/tables.bin"), "utf8")).toBe("tables");
  expect(readFileSync(join(out, "system.iso"), "utf8")).toBe("from a file");
  expect(readdirSync(out).sort()).toEqual(["policy", "system.iso"]);
});

test("if one artefact cannot be written, all old artefacts stay unchanged", async () => {
  writeFileSync(join(folder, "manifest.bin"), "old");
  const written = await useScratch(folder, async (scratch) =>
    writeArtifacts(folder, scratch, [
      { path: "manifest.bin", bytes: bytes("new") },
      { path: "system.iso", bytes: { file: join(folder, "not there") } },
    ]),
  );
  expect(written).toMatchObject({ ok: false });
  expect(readFileSync(join(folder, "manifest.bin"), "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["manifest.bin"]);
});

test("a scratch folder is removed if the work throws", async () => {
  await expect(useScratch(folder, () => Promise.reject(new Error("defect")))).rejects.toThrow("defect");
  expect(readdirSync(folder)).toEqual([]);
});

test("an output folder that cannot be made is reported in one sentence, and the work does not run", async () => {
  writeFileSync(join(folder, "file"), "");
  let ran = false;
  const written = await useScratch(join(folder, "file/out"), async () => {
    ran = true;
    return { ok: true as const };
  });
  expect(written).toMatchObject({ ok: false, reason: expect.stringContaining("not a directory") });
  expect(ran).toBe(false);
});

// Every write to /dev/full fails with ENOSPC, as on a full disk.
test("if the disk is full, the reason says so", () => {
  mkdirSync(join(folder, "scratch/out"), { recursive: true });
  symlinkSync("/dev/full", join(folder, "scratch/out/manifest.bin"));
  const written = writeArtifacts(folder, join(folder, "scratch"), [{ path: "manifest.bin", bytes: bytes("new") }]);
  expect(written).toMatchObject({ ok: false, reason: `${join(folder, "manifest.bin")}: the disk is full` });
  expect(existsSync(join(folder, "manifest.bin"))).toBe(false);
});
