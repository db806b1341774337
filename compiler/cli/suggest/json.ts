// Renders suggestions for programs, in the form that `capc schema suggest` describes.

import { encodeRange } from "../../../lang/diagnostics/index.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import type { Suggestion, UnsuggestedCalls } from "../../queries/suggest/index.ts";
import { renderJson } from "../audit/record-text.ts";
import { convertLogToJson } from "../audit/records.ts";
import type { SuggestReport } from "./text.ts";

export function suggestJson({ policy, logs, suggestions, left, days, span }: SuggestReport): string {
  return renderJson({
    policy,
    logs: logs.map(convertLogToJson),
    suggestions: suggestions.map((one) => convertSuggestionToJson(one, span)),
    left: left.map(convertUnsuggestedToJson),
    prompts: days.map(({ day = null, ...count }) => ({ day, ...count })),
  });
}

function convertSuggestionToJson(
  { session, tool, line, edits, records, opens, free }: Suggestion,
  span: SuggestReport["span"],
): object {
  return {
    session,
    tool,
    line,
    edits: edits.map(({ span: at, replacement }) => ({ ...encodeRange(span(at)), replacement })),
    records,
    opens: opens.flatMap(({ at, widens }) =>
      at.flatMap(({ place, tools }) =>
        tools.flatMap((one) =>
          widens.map((call) => ({
            place: formatRowPath(place),
            tool: one,
            arguments: call.arguments ?? null,
            before: call.before,
            after: call.after,
          })),
        ),
      ),
    ),
    free,
  };
}

function convertUnsuggestedToJson({ session, tool, because, records }: UnsuggestedCalls): object {
  return { session, tool, because, records };
}
