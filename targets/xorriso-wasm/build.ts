// Builds xorriso from Debian's sources, and compares the result with the committed program. `make xorriso` runs this program.
//
// Without an option, the bytes must equal those in generated/. If the toolchain has changed, they cannot be compared, and the program
// reports this. With `--write`, it copies the result into generated/, with a record of its inputs. With `--sources DIR`, it uses the
// archives in DIR and downloads none.
//
// Exit status: 0 on success, 1 if the bytes differ unexpectedly, 3 if a required program or archive is missing.

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
