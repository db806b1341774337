// Loads the inference engine, llama.cpp, into the worker's own process. The engine's files are in a given folder,
// so none is downloaded or built.

import { constants } from "node:os";
import { type Result, refuse } from "../../../lib/result/result.ts";
import type { Addon } from "./addon.ts";
import { ADDONS_DESCRIPTOR, FORMS_DESCRIPTOR, loadAtDescriptor } from "./descriptor.ts";

/**
 * Compute backends, the fastest first. Each has a folder of its own, so that the engine finds only this backend there. The engine itself checks
 * whether the processor supports a backend. The last backend runs on all processors.
 */
export const FORMS = ["sapphirerapids", "skylakex", "haswell", "x64"] as const;

/**
 * Loads the engine. `folder` contains the addon, its libraries, and a folder for each compute backend. The first
 * backend of `forms` that fits the processor is used. Fails if none fits.
 */
export async function loadEngine(
  folder: string,
  tell: (line: string) => void,
  forms: readonly (typeof FORMS)[number][] = FORMS,
): Promise<Result<Addon>> {
  // Without GGML_NO_BACKTRACE, the engine starts a debugger when it aborts. The debugger would read memory that hostile
  // weights have corrupted.
  process.env["GGML_NO_BACKTRACE"] = "1";
  const addon = loadAtDescriptor(ADDONS_DESCRIPTOR, () => {
    const loaded = { exports: {} };
    process.dlopen(loaded, `${folder}/llama-addon.node`, constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_LOCAL);
    // This is the native binding of node-llama-cpp in the locked version. `Addon` lists the functions of this version.
    return loaded.exports as Addon;
  });
  for (const form of forms) {
    if (addon.systemInfo() === "") loadAtDescriptor(FORMS_DESCRIPTOR, () => addon.loadBackends(`${folder}/${form}`));
  }
  addon.setLogger((_, text) => tell(text.trimEnd()));
  addon.setLoggerLogLevel(ERRORS);
  if (addon.systemInfo() === "") return refuse("nothing computes on this processor");
  await addon.init();
  return { ok: true, value: addon };
}

const ERRORS = 2;
