// Builds xorriso again from Debian's sources, and compares it with the committed program. `make xorriso` runs this.
//
//   node targets/xorriso-wasm/build.ts                the bytes must equal those in generated/; if the toolchain has changed, they
//                                                     cannot be compared, which is reported
//   node targets/xorriso-wasm/build.ts --write        copies the result into generated/, with a record of its inputs
//   node targets/xorriso-wasm/build.ts --sources DIR  uses the archives in DIR and downloads none
//
// Exits with 0; with 1 if bytes differ unexpectedly; with 3 if a tool or a source is missing.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileIn } from "./making/compile.ts";
import { Refusal } from "./making/programs.ts";
import {
  compareToolchains,
  digestFiles,
  digestInputs,
  GENERATED,
  readMaking,
  readToolchain,
  writeMaking,
} from "./making/record.ts";
import { layOutSources } from "./making/sources.ts";

const { values } = parseArgs({ options: { write: { type: "boolean" }, sources: { type: "string" } } });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function adopt(made: string): void {
  mkdirSync(GENERATED, { recursive: true });
  const files = digestFiles(made);
  for (const name of Object.keys(files)) copyFileSync(join(made, name), join(GENERATED, name));
  writeMaking({ inputs: digestInputs(), toolchain: readToolchain(), files });
}

function compare(made: string): number {
  const { toolchain, files, inputs } = readMaking();
  const found = digestFiles(made);
  const different = Object.keys(files).filter((name) => files[name] !== found[name]);
  if (inputs !== digestInputs()) {
    say("the committed program was made of other inputs; to take this one: make xorriso WRITE=yes");
    return 1;
  }
  if (different.length === 0) {
    say("the committed program is what its sources give, byte for byte");
    return 0;
  }
  const reasons = compareToolchains(toolchain, readToolchain());
  for (const reason of reasons) say(reason);
  if (reasons.length > 0) {
    say("the bytes cannot be compared with this toolchain; the sources compile with it");
    return 0;
  }
  say(`${different.join(" and ")}: made of the same sources with the same toolchain, the bytes differ`);
  return 1;
}

const folder = mkdtempSync(join(tmpdir(), "xorriso-wasm-"));
try {
  layOutSources(folder, values.sources);
  const made = compileIn(folder);
  if (values.write === true) adopt(made);
  else process.exitCode = compare(made);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 3;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
