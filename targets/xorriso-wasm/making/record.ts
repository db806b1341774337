// Records in generated/made.json the sources and the programs from which the committed program was built.

import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { computeSha256, PACKAGE } from "./sources.ts";

const FILES = ["xorriso.cjs", "xorriso.wasm"];

/** Debian packages on which the bytes depend; the first also contains the C library. */
const TOOLCHAIN = ["emscripten", "clang-14", "lld-14", "binaryen", "node-acorn"];

interface Making {
  /** Digest of the files of this package from which the program is made, as `digestInputs` computes it. */
  readonly inputs: string;
  /** Versions of the packages of the toolchain. */
  readonly toolchain: Readonly<Record<string, string>>;
  /** SHA-256 of each output file. */
  readonly files: Readonly<Record<string, string>>;
}

export const GENERATED = join(PACKAGE, "generated");

/** Returns a digest of the list of sources, our patches and shims, and the compile commands, including their paths. */
export function digestInputs(): string {
  const paths = ["sources.json", "making/compile.ts", ...globSync("{patches,shims}/*", { cwd: PACKAGE })].sort();
  return computeSha256(paths.map((path) => `${computeSha256(readFileSync(join(PACKAGE, path)))}  ${path}\n`).join(""));
}

/** Returns digests of the files that were made in `folder`. */
export function digestFiles(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(FILES.map((name) => [name, computeSha256(readFileSync(join(folder, name)))]));
}

export function readMaking(): Making {
  return JSON.parse(readFileSync(join(GENERATED, "made.json"), "utf8"));
}

export function writeMaking(making: Making): void {
  writeFileSync(join(GENERATED, "made.json"), `${JSON.stringify(making, undefined, 2)}\n`);
}

export function readToolchain(): Readonly<Record<string, string>> {
  return Object.fromEntries(TOOLCHAIN.map((name) => [name, readVersion(name)]));
}

function readVersion(name: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: `${Version}` is a placeholder of dpkg-query
  const asked = spawnSync("dpkg-query", ["-W", "-f", "${Version}", name], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : "absent";
}

/** Returns a sentence for each package whose version differs from the one that made the committed program. */
export function compareToolchains(from: Making["toolchain"], to: Making["toolchain"]): readonly string[] {
  return Object.keys(from)
    .filter((name) => from[name] !== to[name])
    .map((name) => `${name} is ${to[name] ?? "absent"} here; the committed program was made with ${from[name]}`);
}
