// Finds `forbidden` and `stepUp` lines that looser lines override for at least one tool. The looser lines are more
// specific lines of the same layer, or lines of a session that inherits the stricter line with `from`. A `consent` line
// is found only if a session that inherits it with `from` replaces it by a line that covers at least the same tools. A
// more specific line is not reported, because it is an intended exception from the `consent` line. Rulings 3 and 5
// allow such looser lines, but a person who reads only the stricter line believes that it always applies.

import { isStricter } from "../../../engine/lib/policy/index.ts";
import { compareCodeUnits, type Span } from "../../../lang/text/index.ts";
import type { Mode } from "../../../lang/tree/index.ts";
import { type BoundLine, listKeys, type Session, type Tool } from "../../phases/bind/index.ts";
import {
  type Clause,
  encodeUnnamedClauses,
  groupLinesByKey,
  type RuleWords,
  serializeValue,
} from "../../phases/policy/index.ts";
import { findModePairs } from "../../phases/prove/index.ts";
import type { Page } from "./law.ts";
import { collectLayers, computeAnswersWithin, listLines, type OwnLayer } from "./own-layers.ts";

/** A stricter line, the looser lines that override it, and the tools for which they do. */
export interface OverriddenLine {
  /** Session, task, phase or worker in which the stricter line does not apply. */
  readonly place: string;
  /** The stricter line. */
  readonly line: RuleWords;
  /** Lines of `place` that take precedence over the stricter line; at least one. */
  readonly by: readonly RuleWords[];
  /** Names of the tools in code-unit order; at least one. */
  readonly tools: readonly string[];
  readonly shown: LoosenedCall;
}

/** An example of a call that the stricter line would have denied or put behind a gate. */
interface LoosenedCall {
  readonly tool: string;
  /** Arguments as canonical JSON; `undefined` if no example was found, although there may be one. */
  readonly arguments: string | undefined;
  /** Mode of the stricter line. */
  readonly before: Mode;
  /** Mode that the call actually has. */
  readonly after: Mode;
}

/**
 * Returns the stricter lines that looser lines displace in the page's own layers, in the order of the layers. The page
 * must have no errors.
 */
export function findLoosenedLines(page: Pick<Page, "model" | "resolution">): readonly OverriddenLine[] {
  return collectLayers(page.model).flatMap((layer) =>
    layer.said.lines.length === 0 ? [] : findLoosenedIn(page, layer),
  );
}

/** A line that other lines displace, and the lines that decide instead. */
interface Behind {
  readonly clause: Clause;
  /**
   * All clauses with the same pattern in the same layer. For a call, clauses with more conditions displace those with
   * fewer, and the strictest remaining clause decides (ruling 4).
   */
  readonly group: readonly Clause[];
  /** Whether a line with `consent` counts as strict; otherwise only `forbidden` and `stepUp` do. */
  readonly asks: boolean;
  readonly before: readonly Clause[];
  readonly deciding: readonly Clause[];
}

function findLoosenedIn(page: Pick<Page, "model" | "resolution">, layer: OwnLayer): readonly OverriddenLine[] {
  const { name, said, session } = layer;
  const lines = groupLinesByKey(said);
  const answers = computeAnswersWithin(page as Page, layer);
  const base = layer.kind === "session" && session.relation === "from" ? session.base : undefined;
  const defaults = base && page.resolution.get(base);
  const keysBySpan = readKeysOfLines(base);
  const clauses = new Map<BoundLine, Clause>();
  const found = new Map<string, OverriddenLine & { readonly tools: string[] }>();
  const shown = new Map<string, LoosenedCall | undefined>();
  for (const [index, tool] of page.model.tools.entries()) {
    const answer = answers[index];
    // Lines of widenings are not reported, because a widening states its reason.
    if (answer === undefined || answer.suppressed || answer.widened) continue;
    const keys = listKeys(tool);
    const [first, ...others] = keys.flatMap((key) => {
      const held = lines.get(key);
      return held === undefined ? [] : [held.map((line) => makeClause(clauses, name, line))];
    });
    if (first === undefined) continue;
    const rank = keys.findIndex((key) => lines.has(key));
    const behinds = [
      ...others.flatMap((group) => group.map((clause) => ({ clause, group, asks: false }))),
      ...(defaults?.[index]?.clauses ?? []).map((clause, _, all) => {
        const group = all.filter((one) => one.group === clause.group);
        return { clause, group, asks: !isBefore(rank, rankOf(clause, keys, keysBySpan)) };
      }),
    ];
    for (const { clause, group, asks } of behinds.filter(isStrict)) {
      const behind: Behind = { clause, group, asks, before: first, deciding: answer.clauses };
      const key = serializeValue([clause.rule.id, first.map(({ rule }) => rule.id)]);
      // Tools with the same arguments and the same deciding lines are examined once.
      const form = serializeValue([
        key,
        asks,
        tool.service.interface.name,
        tool.method.description.name,
        answer.clauses.map(({ rule }) => rule.id),
      ]);
      if (!shown.has(form)) shown.set(form, findLooserCall(tool, behind));
      const call = shown.get(form);
      if (call === undefined) continue;
      const known = found.get(key);
      if (known === undefined) {
        const by = first.map(({ rule }) => rule);
        found.set(key, { place: name, line: clause.rule, by, tools: [tool.name], shown: call });
      } else known.tools.push(tool.name);
    }
  }
  return [...found.values()].map((one) => ({ ...one, tools: [...new Set(one.tools)].sort(compareCodeUnits) }));
}

function makeClause(known: Map<BoundLine, Clause>, place: string, line: BoundLine): Clause {
  const made = known.get(line) ?? {
    checks: line.where?.checks ?? [],
    met: line.mode,
    otherwise: line.where?.otherwise,
    rule: { id: `${place}/${line.words}`, words: line.words, span: line.node.span },
    group: line,
  };
  known.set(line, made);
  return made;
}

/**
 * Returns whether a pattern is more specific than another one. Both numbers are positions in the list of patterns that
 * cover a tool, the most specific first; `undefined` means that the other pattern is not in the list.
 */
function isBefore(rank: number, other: number | undefined): boolean {
  return other === undefined || rank < other;
}

/**
 * Returns the keys of each line's patterns, by the position of the line. The lines are those of a session and of its
 * bases, including lines of widenings.
 */
function readKeysOfLines(session: Session | undefined): KeysBySpan {
  const keys = new Map<Span, Set<string>>();
  for (let one = session; one !== undefined; one = one.base)
    for (const [key, lines] of groupLinesByKey({ ...one, lines: listLines(one, one.widenings) }))
      for (const { node } of lines) keys.set(node.span, (keys.get(node.span) ?? new Set()).add(key));
  return keys;
}

type KeysBySpan = ReadonlyMap<Span, ReadonlySet<string>>;

/**
 * Returns the position of a clause's pattern among the patterns that cover a tool (`keys`). Returns `undefined` if the
 * clause does not come from a line of the session or its bases.
 */
function rankOf({ rule: { span } }: Clause, keys: readonly string[], keysBySpan: KeysBySpan): number | undefined {
  const own = keysBySpan.get(span);
  const rank = own === undefined ? -1 : keys.findIndex((key) => own.has(key));
  return rank === -1 ? undefined : rank;
}

type Strict = Pick<Behind, "clause" | "asks">;

/**
 * Returns whether an exception from the line should be reported. Exceptions from `consent` are usually intended, but
 * exceptions from `stepUp` or `forbidden` may be mistakes.
 */
function isStrict({ clause: { met, otherwise = met }, asks }: Strict): boolean {
  return isHeld(met, asks ? "consent" : "stepUp") || isHeld(otherwise, asks ? "consent" : "stepUp");
}

function isHeld(mode: Mode, least: "consent" | "stepUp"): boolean {
  return mode === "forbidden" || mode === "stepUp" || (least === "consent" && mode === "consent");
}

function findLooserCall({ name, method }: Tool, { clause, group, asks, deciding }: Behind): LoosenedCall | undefined {
  const { params } = method.description;
  // Decides as if `clause` were the only strict line: every other line of its group gets the mode `auto`, but still
  // displaces `clause` if it has more conditions.
  const alone = group.map((one): Clause => {
    if (one === clause) return { ...one, group };
    return { ...one, met: "auto", otherwise: "auto", group };
  });
  const { pairs } = findModePairs(
    params,
    { clauses: encodeUnnamedClauses(alone), floors: [] },
    { clauses: encodeUnnamedClauses(deciding), floors: [] },
  );
  const looser = pairs.filter(
    ({ before, after }) => isHeld(before, asks ? "consent" : "stepUp") && isStricter(before, after),
  );
  const hard = looser.filter(({ before }) => isHeld(before, "stepUp"));
  // The example is best if the stricter line forbids the call or requires a signature. A call that needs only consent
  // is the second choice.
  const shown = hard.length > 0 ? hard : looser;
  const one = shown.find((pair) => pair.arguments !== undefined) ?? shown[0];
  return one && { tool: name, arguments: one.arguments, before: one.before, after: one.after };
}
