import { type InlayHint, InlayHintKind, MarkupKind, type Range } from "vscode-languageserver/node";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import type { Span } from "../../../../lang/text/index.ts";
import type { BoundPattern, Model, Narrowings, Tool } from "../../../phases/bind/index.ts";
import type { Place } from "../../../phases/policy/index.ts";
import { renderCode } from "../../../queries/reference/index.ts";
import { convertToRange } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { IndexedPolicy } from "../snapshot.ts";
import { explainToolDecision, findPlaces, getMode } from "./decisions.ts";

/** Maximum number of patterns that get hints at once. */
const MOST_HINTS = 200;
/** Maximum number of tools of one pattern for which a hint shows decisions; it only counts the others. */
const MOST_COUNTED = 200;
/** Maximum numbers of tools that a hint names and that its tooltip lists. */
const MOST_NAMED = 2;
const MOST_LISTED = 50;

/**
 * Returns a hint after each pattern of a rule, a floor, `only` or `suppress`. It states the tools that match the
 * pattern, and the decisions about these tools in this place. These decisions take into account lines of other layers,
 * more specific lines, and floors. A pattern gets no hint if only one tool matches it, and the decision about this tool
 * is the mode of the line.
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
    const hint = place === undefined ? undefined : describeCaught(decided, place, pattern.tools, mode);
    if (hint === undefined) return [];
    return [{ ...hint, position: convertToRange(pattern.span).end, kind: InlayHintKind.Type, paddingLeft: true }];
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
  const widened = sessions.flatMap(({ widenings }) => widenings.flatMap(({ lines }) => lines));
  const rules = [...layers.flatMap(({ lines, floors }) => [...lines, ...floors]), ...widened];
  const kept = layers.flatMap(({ only, suppress }) => [...only.flat(), ...suppress]);
  return [
    ...rules.flatMap(({ patterns, mode }) => patterns.map((pattern) => ({ pattern, mode }))),
    ...kept.map((pattern) => ({ pattern, mode: undefined })),
  ];
}

/**
 * Returns a label such as `auto`, or `2 auto, 1 consent: notes.read, notes.list and 1 more`, and a list of the tools.
 * Returns `undefined` if there is no decision about any of the tools, or if the only tool has the mode of the line.
 */
function describeCaught(
  decided: IndexedPolicy,
  place: Place,
  tools: readonly Tool[],
  mode: string | undefined,
): Pick<InlayHint, "label" | "tooltip"> | undefined {
  const answers = tools.slice(0, MOST_COUNTED).flatMap(({ name }) => {
    const explained = explainToolDecision(decided, place, name);
    return explained === undefined ? [] : [{ name, answer: getMode(explained) }];
  });
  const [first] = answers;
  if (first === undefined) return undefined;
  if (tools.length === 1) return first.answer === mode ? undefined : { label: first.answer };
  const counted = [...Map.groupBy(answers, ({ answer }) => answer)].sort(
    ([, left], [, right]) => right.length - left.length,
  );
  const uncounted = tools.length - answers.length;
  const counts = counted.map(([answer, { length }]) => `${length} ${answer}`);
  const summary = [...counts, ...(uncounted > 0 ? [`${uncounted} more`] : [])].join(", ");
  const named = answers.slice(0, MOST_NAMED).map(({ name }) => name);
  const unnamed = tools.length - named.length;
  const label = `${summary}: ${named.join(", ")}${unnamed > 0 ? ` and ${unnamed} more` : ""}`;
  const listed = answers.slice(0, MOST_LISTED).map(({ name, answer }) => `- ${renderCode(name)}: **${answer}**`);
  const unlisted = tools.length - listed.length;
  const value = [...listed, ...(unlisted > 0 ? [`- and ${unlisted} more`] : [])].map(escapeInvisible).join("\n");
  return { label: escapeInvisible(label), tooltip: { kind: MarkupKind.Markdown, value } };
}
