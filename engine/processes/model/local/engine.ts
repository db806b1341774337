// The inference engine, llama.cpp: loaded once, without another process and without a search for what might fit.

import { constants } from "node:os";
import { type Result, refuse } from "../../../lib/result/result.ts";
import type { Addon } from "./addon.ts";
import { ADDONS_DESCRIPTOR, FORMS_DESCRIPTOR, loadAtDescriptor } from "./descriptor.ts";

/**
 * Forms of what computes, the best first; each in a folder of its own, in which the engine finds one. It asks the processor
 * itself whether a form fits it. The last fits all.
 */
export const FORMS = ["sapphirerapids", "skylakex", "haswell", "x64"] as const;

/** `folder` holds the addon, its libraries, and below it the forms; the first of `forms` that fits is taken. */
export async function loadEngine(
  folder: string,
  tell: (line: string) => void,
  forms: readonly (typeof FORMS)[number][] = FORMS,
): Promise<Result<Addon>> {
  // Else it starts a debugger when it gives up, which would read what hostile weights have made of this process.
  process.env["GGML_NO_BACKTRACE"] = "1";
  const addon = loadAtDescriptor(ADDONS_DESCRIPTOR, () => {
    const loaded = { exports: {} };
    process.dlopen(loaded, `${folder}/llama-addon.node`, constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_LOCAL);
    // The type is that of the package with this name and version: it is one file of the locked inputs.
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
