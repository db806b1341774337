import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { digestFile, renderDigestLine } from "./file-digest.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-told-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([0, 1, 3_000_000])("a file of %i bytes is reported with its digest", (size) => {
  const bytes = Buffer.alloc(size, "told");
  writeFileSync(join(folder, "file"), bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(digestFile(join(folder, "file"))).toEqual({ bytes: size, sha256 });
  expect(renderDigestLine("file", digestFile(join(folder, "file")))).toBe(
    `${sha256}  ${`${size}`.padStart(10)}  file\n`,
  );
});

test("a file that is too large has no digest, and the report says so", () => {
  writeFileSync(join(folder, "file"), "12345");
  const large = digestFile(join(folder, "file"), 4);
  expect(large).toEqual({ bytes: 5, sha256: null });
  expect(renderDigestLine("file", large)).toContain("too large to be digested");
});
