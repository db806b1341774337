// Compares the writer with the Rust crate `capnp`: the crate must read each value exactly as we wrote it. The crate
// shares no code with this project or with Cap'n Proto's own tool.

import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { buildWithCargo } from "../../image/init/toolchain.ts";
import { encodeMessage } from "./encode.ts";
import { dumpOf } from "./fixture/dump.ts";
import { ROOTS } from "./fixture/layouts.ts";
import { valuesOf } from "./fixture/values.ts";

const REPOSITORY = new URL("../../../", import.meta.url).pathname;
const TARGET = `${REPOSITORY}build/oracle`;
const VALUES_OF_EACH = 50;

beforeAll(() => {
  const manifest = `${REPOSITORY}engine/lib/wire/oracle/Cargo.toml`;
  buildWithCargo("the oracle", ["--manifest-path", manifest], { CARGO_TARGET_DIR: TARGET });
}, 300_000);

function asked(lines: readonly string[]): string[] {
  const input = lines.map((line) => `${line}\n`).join("");
  const run = spawnSync(`${TARGET}/debug/wire-oracle`, { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (run.error !== undefined || run.status !== 0) throw new Error(`the oracle broke off: ${run.error} ${run.stderr}`);
  return run.stdout.split("\n").slice(0, -1);
}

test("the Rust crate reads our encoding of every struct", () => {
  const cases = ROOTS.flatMap(({ file, layout }) =>
    fc.sample(valuesOf(layout), VALUES_OF_EACH).map((value) => ({
      line: `${file} ${layout.name} ${Buffer.from(encodeMessage(layout, value)).toString("hex")}`,
      expected: dumpOf(layout, value),
    })),
  );
  const found = asked(cases.map(({ line }) => line));
  expect(found.length).toBe(cases.length);
  for (const [at, { line, expected }] of cases.entries()) expect(found[at], line).toBe(expected);
});

test("the program with the Rust crate refuses malformed messages and unknown structs", () => {
  const [unknown, broken] = asked(["policy Nothing 00", "policy Label 0000000001000000ffffffffffffffff"]);
  expect(unknown).toMatch(/^refused: /);
  expect(broken).toMatch(/^refused: /);
});
