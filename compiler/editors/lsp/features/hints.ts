import { type InlayHint, InlayHintKind, type Range } from "vscode-languageserver/node";
import type { Span } from "../../../../lang/text/index.ts";
import type { BoundPattern, Model, Narrowings, Tool } from "../../../phases/bind/index.ts";
import type { Place } from "../../../phases/policy/index.ts";
import { convertToRange } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { IndexedPolicy } from "../snapshot.ts";
import { explainToolDecision, findPlaces, getMode } from "./decisions.ts";

/** Maximum number of lines with hints at once. */
const MOST_HINTS = 200;
/** Maximum number of tools of one pattern whose answers are counted. */
const MOST_COUNTED = 200;

/**
 * Returns a hint behind each pattern of a permission line: the final decisions about its tools in that place. Lines of other
 * layers, more specific lines and floors are included. A hint is omitted if the line alone decides its only tool.
 */
export function computeHints({ snapshot, tree }: PositionContext, within: Range): InlayHint[] {
  const { model, decided } = snapshot;
  if (model === undefined || decided === undefined) return [];
  const patterns = collectWritten(model).filter(({ pattern: { span } }) => {
    if (span.source !== tree.source) return false;
    const { start } = convertToRange(span);
    return within.start.line <= start.line && start.line <= within.end.line;
  });
  return patterns.slice(0, MOST_HINTS).flatMap(({ pattern, mode }) => {
    const places = findPlaces(model, { tree, offset: pattern.span.start });
    const place = places.find(({ session }) => isWithin(pattern.span, session.node.span)) ?? places[0];
    const label = place === undefined ? undefined : summarizeAnswers(decided, place, pattern.tools, mode);
    if (label === undefined) return [];
    return [{ position: convertToRange(pattern.span).end, label, kind: InlayHintKind.Type, paddingLeft: true }];
  });
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.source === outer.source && outer.start <= inner.start && inner.end <= outer.end;
}

interface Written {
  readonly pattern: BoundPattern;
  readonly mode: string | undefined;
}

function collectWritten({ sessions, tasks, workers }: Model): Written[] {
  const layers: readonly Narrowings[] = [...sessions, ...tasks, ...tasks.flatMap(({ phases }) => phases), ...workers];
  return layers.flatMap(({ lines, only, floors }) => [
    ...lines.flatMap(({ patterns, mode }) => patterns.map((pattern) => ({ pattern, mode }))),
    ...floors.flatMap(({ patterns, mode }) => patterns.map((pattern) => ({ pattern, mode }))),
    ...only.flat().map((pattern) => ({ pattern, mode: undefined })),
  ]);
}

/** Returns a text such as `auto`, or `2 auto, 1 consent`. */
function summarizeAnswers(
  decided: IndexedPolicy,
  place: Place,
  tools: readonly Tool[],
  mode: string | undefined,
): string | undefined {
  const [first, ...others] = tools;
  if (first === undefined) return undefined;
  const answers = tools
    .slice(0, MOST_COUNTED)
    .flatMap(({ name }) => explainToolDecision(decided, place, name) ?? [])
    .map(getMode);
  const counted = [...Map.groupBy(answers, (answer) => answer)].sort(
    ([, left], [, right]) => right.length - left.length,
  );
  if (others.length === 0) {
    const [answer] = answers;
    return answer === mode ? undefined : answer;
  }
  const more = tools.length - MOST_COUNTED;
  const words = counted.map(([answer, { length }]) => `${length} ${answer}`);
  return [...words, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
