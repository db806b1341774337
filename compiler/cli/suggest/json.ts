// Suggestions for programs: what `capc schema suggest` describes.

import { rangeOf } from "../../../lang/diagnostics/index.ts";
import { rowPath } from "../../phases/policy/index.ts";
import type { Suggestion, Unsuggested } from "../../queries/suggest/index.ts";
import { asJson } from "../audit/record-text.ts";
import { logAsJson } from "../replay/json.ts";
import type { SuggestReport } from "./text.ts";

export function suggestJson({ policy, logs, suggestions, left, days, span }: SuggestReport): string {
  return asJson({
    policy,
    logs: logs.map(logAsJson),
    suggestions: suggestions.map((one) => suggestionAsJson(one, span)),
    left: left.map(leftAsJson),
    prompts: days.map(({ day = null, ...count }) => ({ day, ...count })),
  });
}

function suggestionAsJson(
  { session, tool, line, edits, records, opens, free }: Suggestion,
  span: SuggestReport["span"],
): object {
  return {
    session,
    tool,
    line,
    edits: edits.map(({ span: at, replacement }) => ({ ...rangeOf(span(at)), replacement })),
    records,
    opens: opens.flatMap(({ at, widens }) =>
      at.flatMap(({ place, tools }) =>
        tools.map((one) => ({
          place: rowPath(place),
          tool: one,
          arguments: widens?.arguments ?? null,
          before: widens?.before ?? null,
          after: widens?.after ?? null,
        })),
      ),
    ),
    free,
  };
}

function leftAsJson({ session, tool, because, records }: Unsuggested): object {
  return { session, tool, because, records };
}
