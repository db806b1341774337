// Runs weights with the engine of an image's model worker, but on this computer and without an image.

import { mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Addon } from "../local/addon.ts";
import { Decoder } from "../local/decoder.ts";
import { FORMS, loadEngine } from "../local/engine.ts";
import { readHeader } from "../local/header.ts";

const BINARIES = fileURLToPath(
  new URL("../../../../node_modules/@node-llama-cpp/linux-x64/bins/linux-x64", import.meta.url),
);
const CONTEXT_TOKENS = 2048;

/**
 * Returns the engine. `folder` is an empty folder, into which the engine's files are copied in the layout of an image.
 */
export async function installEngine(folder: string, tell: (line: string) => void = () => undefined): Promise<Addon> {
  for (const name of readdirSync(BINARIES).filter((each) => !each.startsWith("libggml-cpu"))) {
    symlinkSync(join(BINARIES, name), join(folder, name));
  }
  for (const form of FORMS) {
    mkdirSync(join(folder, form));
    symlinkSync(join(BINARIES, `libggml-cpu-${form}.so`), join(folder, form, "libggml-cpu.so"));
  }
  const engine = await loadEngine(folder, tell);
  if (!engine.ok) throw new Error(engine.reason);
  return engine.value;
}

/** Opens weights on one thread. `folder` is an empty folder, as for `installEngine`. */
export async function openWeights(path: string, folder: string): Promise<Decoder> {
  const said: string[] = [];
  const engine = await installEngine(folder, (line) => said.push(line));
  const header = readHeader(path, statSync(path).size);
  if (!header.ok) throw new Error(`${path}: ${header.reason}`);
  const { reluctance, copying } = header.value;
  const decoder = await Decoder.open(engine, path, { contextTokens: CONTEXT_TOKENS, threads: 1, reluctance, copying });
  if (decoder === undefined)
    throw new Error(`the engine does not take ${path}: ${said.at(-1) ?? "it does not say why"}`);
  return decoder;
}
