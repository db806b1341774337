import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareToolchains, digestFiles, digestInputs, GENERATED, readMaking } from "./making/record.ts";
import { PACKAGE } from "./making/sources.ts";

const REBUILD = "sources, patches, shims or flags have changed: make xorriso WRITE=yes";

test("the committed program has the digests that made.json records", () => {
  const { files } = readMaking();
  expect(Object.keys(files).sort()).toEqual(["xorriso.cjs", "xorriso.wasm"]);
  expect(digestFiles(GENERATED)).toEqual(files);
});

test("the committed program was built from the current sources, patches, shims and flags", () => {
  expect(readMaking().inputs, REBUILD).toBe(digestInputs());
});

test("if the toolchain has changed, the report has the name and both versions of each changed package", () => {
  const { toolchain } = readMaking();
  expect(compareToolchains(toolchain, toolchain)).toEqual([]);
  expect(compareToolchains(toolchain, { ...toolchain, binaryen: "109-1" })).toEqual([
    "binaryen is 109-1 here; the committed program was made with 108-1",
  ]);
  expect(compareToolchains(toolchain, {})).toHaveLength(Object.keys(toolchain).length);
});

test("the program reports the version of sources.json, and contains no path of the machine that built it", () => {
  const said = execFileSync(process.execPath, [join(PACKAGE, "xorriso-program.mjs"), "-no_rc", "-version"]);
  const [{ version }] = JSON.parse(readFileSync(join(PACKAGE, "sources.json"), "utf8"));
  expect(said.toString()).toContain(`xorriso version   :  ${version.replace(/-\d+$/, "")}`);
  const program = readFileSync(join(GENERATED, "xorriso.wasm"), "latin1");
  expect(program.match(/\/(home|root|tmp\/xorriso-wasm|work)\b[^\0]*/g)).toBe(null);
});

test("every patch and every shim states the reason for it", () => {
  const paths = globSync("{patches,shims}/*", { cwd: PACKAGE });
  expect(paths.length).toBeGreaterThan(8);
  // A patch begins with a sentence that states its reason. A shim begins with a comment that states its reason, or
  // with an include of a header.
  const explained = /^([A-Z][\s\S]{60,}?\n\n--- a\/|\/\* \w|\/\/ \w|#include "[\w-]+\.h")/;
  expect(paths.filter((path) => !explained.test(readFileSync(join(PACKAGE, path), "utf8")))).toEqual([]);
});
