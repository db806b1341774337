import type { World } from "../../host/world.ts";

/**
 * Shows a person at a terminal the current step of a build, on one line that the next step replaces. If standard error
 * is not a terminal, the interface shows nothing.
 */
export interface Progress {
  readonly step: (words: string) => void;
  readonly done: () => void;
}

const CLEAR_LINE = "\r\u001b[K";

export function createProgress(world: World): Progress {
  if (!world.errorIsTerminal) return { step: () => {}, done: () => {} };
  return {
    step: (words) => world.report(`${CLEAR_LINE}capc: ${words} …`),
    done: () => world.report(CLEAR_LINE),
  };
}
