import { placeOf } from "../../../lang/text/index.ts";
import type { Coverage } from "../../queries/page-tests/index.ts";

/** Renders which rules and calls were tested, and which were not. */
export function renderCoverage({ rules, pairs }: Coverage): string {
  const idle = rules.filter(({ times }) => times === 0);
  const uncalled = pairs.filter(({ times }) => times === 0);
  return [
    `rules that decided something: ${renderShare(rules.length - idle.length, rules.length)}`,
    ...idle.map(({ words, span }) => `  not ${placeOf(span)} ${words}`),
    `tools that were called in a session: ${renderShare(pairs.length - uncalled.length, pairs.length)}`,
    ...uncalled.map(({ session, tool }) => `  not ${tool} in ${session}`),
    "",
  ].join("\n");
}

function renderShare(part: number, whole: number): string {
  return `${part} of ${whole}${whole === 0 ? "" : ` (${Math.floor((part * 100) / whole)} %)`}`;
}
