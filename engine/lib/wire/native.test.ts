// Compares the writer with Cap'n Proto's own tool. This tool must be installed (Debian: capnproto), otherwise these
// tests fail.

import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encode, encodeMessage } from "./encode.ts";
import { ROOTS, schemaOf } from "./fixture/layouts.ts";
import { valuesOf } from "./fixture/values.ts";

const ROUNDS = 6;

/** Returns the canonical form of one message with header, from Cap'n Proto's own tool. The tool's output has no header. */
function natively(file: string, name: string, message: Uint8Array): Buffer {
  const schema = schemaOf(file);
  const run = spawnSync("capnp", ["convert", "--quiet", "binary:canonical", schema, name], { input: message });
  if (run.error !== undefined) {
    throw new Error(`the native capnp cannot be run; install the Debian package capnproto: ${run.error.message}`);
  }
  if (run.status !== 0) throw new Error(`capnp convert: ${run.stderr}`);
  return run.stdout;
}

test("each schema has structs to compare", () => {
  expect([...new Set(ROOTS.map(({ file }) => file))]).toEqual([
    "audit",
    "capos",
    "everything",
    "manifest",
    "policy",
    "service",
    "tools",
    "wire",
  ]);
});

test.each(ROOTS)("$title: has the bytes of `capnp convert binary:canonical`", ({ file, layout }) => {
  fc.assert(
    fc.property(valuesOf(layout), (value) => {
      const native = natively(file, layout.name, encodeMessage(layout, value));
      expect(Buffer.from(encode(layout, value)).toString("hex")).toBe(native.toString("hex"));
    }),
    { numRuns: ROUNDS },
  );
});
