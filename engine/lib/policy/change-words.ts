// Describes changes that would loosen a decision. `capc why`, which has the page, and `/why`, which has its tables, use the same words.
import type { Label, Lattice, Release } from "../wire/generated/policy.ts";
import type { RowChange } from "./difference.ts";
import { formatLabel, formatSecrecy } from "./label.ts";

export const NOTHING_ASKS = "nothing asks: there is no looser answer";

/** Returns the lines of an answer. `edits` and `opens` become one line each. */
export function changeWords(answer: string, edits: readonly string[], opens: readonly string[]): string[] {
  return [
    `least change, after which the answer is ${answer}:`,
    ...edits.map((edit) => `  ${edit}`),
    ...(opens.length === 0 ? ["it opens nothing else"] : ["what else that opens:"]),
    ...opens.map((line) => `  ${line}`),
  ];
}

export function renderChange({ place, what, before, after }: RowChange): string {
  return `${place} ${what}: ${before} → ${after}`;
}

/** Returns a rule for the page that releases one tool's arguments from the conversation's label; a person adds the reason. */
export function releaseLine(
  lattice: Lattice,
  act: Release["act"],
  {
    tool,
    session,
    from,
    to,
  }: { readonly tool: string; readonly session: string; readonly from: Label; readonly to: Label },
): string {
  const target = { declassify: formatSecrecy, endorse: formatLabel }[act](lattice, to);
  return `${act} ${tool} from ${formatSecrecy(lattice, from)} to ${target} by stepUp for ${session} because "say why"`;
}
