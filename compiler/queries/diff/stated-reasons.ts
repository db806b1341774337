// Compares the reasons and expiry dates of lines. A reviewer accepted a line because of its reason, so another reason
// needs another review.

import { renderLine } from "../../../lang/format/index.ts";
import {
  type BoundLine,
  formatQuotaKey,
  type Model,
  type Narrowings,
  type Session,
  type Widening,
} from "../../phases/bind/index.ts";
import { type Fact, type FactContent, measureMembers, measureRank } from "./facts.ts";

/**
 * Returns the reason of each line of the page itself, for all kinds of lines that may give a reason. The words of a
 * line without the reason identify the line, so a line with other words is another line.
 */
export function collectReasonFacts(model: Model): readonly Fact[] {
  const { tasks, workers, releases } = model;
  return [
    ...model.sessions.filter(({ own }) => own).flatMap(collectSessionFacts),
    ...[...tasks, ...tasks.flatMap(({ phases }) => phases), ...workers].flatMap(collectLayerFacts),
    ...releases.flatMap(({ words, node, session, task }): Fact[] => {
      const because = node.because.value;
      const line = words.slice(0, words.lastIndexOf(" because "));
      return [{ place: task?.id ?? session?.id ?? "", ...makeReasonFact(line, because) }];
    }),
  ];
}

function collectSessionFacts(session: Session): readonly Fact[] {
  return [...collectLayerFacts(session), ...session.widenings.flatMap((one) => collectWideningFacts(session.id, one))];
}

function collectLayerFacts({ id, lines }: Narrowings & { readonly id: string }): readonly Fact[] {
  return lines.flatMap((line) =>
    renderPatternLines(line).map((part) => ({ place: id, ...makeReasonFact(part, line.node.because?.value) })),
  );
}

/**
 * Returns a line with several patterns as several lines with one pattern each. So a line with its patterns in another
 * order gives the same facts.
 */
function renderPatternLines({ node }: BoundLine): readonly string[] {
  return node.patterns.map((pattern) => renderLine({ ...node, patterns: [pattern], because: undefined }));
}

/**
 * Returns the fact of a line's reason. A new reason counts as a narrowing, and a removed reason as a widening. A
 * changed reason counts as `moved`, which is neither.
 */
function makeReasonFact(line: string, because: string | undefined): FactContent {
  return {
    what: `reason of \`${line}\``,
    value: because === undefined ? "none" : `"${because}"`,
    measure: measureMembers(because === undefined ? undefined : [because]),
    without: "told",
  };
}

const FOREVER = "no day";

/** Returns facts about every right that a `widen` adds, so that a reviewer sees each new right. */
function collectWideningFacts(place: string, { lines, models, clearance, quotas, node }: Widening): readonly Fact[] {
  const brought = [
    ...lines.flatMap((line) => line.patterns.map(({ key }) => key)),
    ...(models ?? []).map(({ backend }) => `backend ${backend.name}`),
    ...(clearance === undefined ? [] : ["clearance"]),
    ...quotas.map((quota) => `quota of ${formatQuotaKey(quota)}`),
  ];
  const until = node.until?.value ?? FOREVER;
  const parts = [
    ...lines.flatMap(renderPatternLines),
    ...(models ?? []).map(({ mode, backend }) => `${mode} ${backend.name}`),
    ...(clearance === undefined ? [] : ["clearance"]),
    ...quotas.map(({ words }) => `quota ${words}`),
  ];
  return [
    ...brought.map((what): Fact => {
      const days = until === FOREVER ? Number.MAX_SAFE_INTEGER : Number(until.replaceAll("-", ""));
      return {
        place,
        what: `last day of \`widen ${what}\``,
        value: until,
        measure: measureRank(days),
        without: "told",
      };
    }),
    ...parts.map((part): Fact => ({ place, ...makeReasonFact(`widen ${part}`, node.because.value) })),
  ];
}
