// Lists the files of the inference engine for images with a local model, from npm's prebuilt package of node-llama-cpp: its native
// binding and the libraries of llama.cpp. The package's JavaScript is not used (`engine/processes/model/local/addon.ts`).

import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { computeFileSha256, type Input, placeOf } from "./inputs.ts";

const PACKAGE = "@node-llama-cpp/linux-x64";
const BINARIES = `node_modules/${PACKAGE}/bins/linux-x64`;
const RELEASE = "v0.5.0";

/** Folder in the root; the folder is empty if an image has no local model. */
export const LLAMA_FOLDER = "/capos/llama";

const LIBRARIES = [
  "libggml-base.so",
  `libggml.${RELEASE}.so`,
  "libllama-common.so",
  `libllama.${RELEASE}.so`,
  "llama-addon.node",
] as const;

/**
 * Variants of the engine that `engine/processes/model/local/engine.ts` tries; the package has eleven more, for other
 * processors.
 */
const FORMS = ["haswell", "sapphirerapids", "skylakex", "x64"] as const;

/** Path of a file in the root, and its name in the lock of inputs. */
export interface LlamaFile {
  readonly path: string;
  readonly input: string;
}

/** The engine looks for each variant under the same file name, so each variant has its own folder. */
export const LLAMA_FILES: readonly LlamaFile[] = [
  ...LIBRARIES.map((name) => ({ path: `${LLAMA_FOLDER}/${name}`, input: `${BINARIES}/${name}` })),
  ...FORMS.map((form) => ({
    path: `${LLAMA_FOLDER}/${form}/libggml-cpu.so`,
    input: `${BINARIES}/libggml-cpu-${form}.so`,
  })),
];

/**
 * Makes links to the engine's files on this machine: `folder` gets the layout that /capos/llama has in an image. Returns
 * `folder`.
 */
export function layEngine(checkout: string, folder: string): string {
  for (const { path, input } of LLAMA_FILES) {
    const place = join(folder, path.slice(LLAMA_FOLDER.length));
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(placeOf(checkout, input), place);
  }
  return folder;
}

/**
 * Returns the entries of the engine's files for the lock. These files come from npm, and belong to no Debian package.
 */
export function readLlamaInputs(checkout: string): readonly Input[] {
  const description = readFileSync(placeOf(checkout, `node_modules/${PACKAGE}/package.json`), "utf8");
  const { version, license: licence } = JSON.parse(description) as {
    readonly version: string;
    readonly license: string;
  };
  const source = `node-llama-cpp ${version}, with llama.cpp ${RELEASE}`;
  return LLAMA_FILES.map(({ input: name }) => {
    return { name, package: PACKAGE, version, source, sha256: computeFileSha256(placeOf(checkout, name)), licence };
  });
}
