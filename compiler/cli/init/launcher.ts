// Writes capc.mk, by which `make` finds the capc that made a project. The file is for one machine only, so it is not
// committed.

import { fileURLToPath } from "node:url";

const LAUNCHER = fileURLToPath(new URL("../capc.mjs", import.meta.url));

/**
 * Returns the text of capc.mk. capc.mk has no effect if `launcher` or `node` does not exist any more, or if CAPC is
 * already set.
 */
export function renderLauncherFile(node = process.execPath, launcher = LAUNCHER): string {
  return [
    "# Written by capc init: the capc of this machine that made the project. Git ignores this file.",
    `MADE_WITH_NODE := ${quote(node)}`,
    `MADE_WITH_CAPC := ${quote(launcher)}`,
    "ifeq ($(strip $(CAPC)),)",
    "ifneq ($(shell test -x $(MADE_WITH_NODE) && test -r $(MADE_WITH_CAPC) && echo yes),)",
    "CAPC := $(MADE_WITH_NODE) $(MADE_WITH_CAPC)",
    "endif",
    "endif",
    "",
  ].join("\n");
}

/** Quotes a path for the shell, in the value of a variable of make. */
function quote(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`.replaceAll("$", "$$$$").replaceAll("#", "\\#");
}
