// Lines that forbid, or ask for a signature, and do not hold for some tool, because looser lines go before them: more specific ones
// of the same layer, or those of a session that takes others as defaults (`from`). Rulings 3 and 5 want it so; but whoever reads the
// stricter line alone believes that it holds.

import { isStricter } from "../../engine/policy/index.ts";
import type { Decision } from "../../engine/wire/generated/policy.ts";
import { byCodeUnits } from "../../lang/text/index.ts";
import type { Mode } from "../../lang/tree/index.ts";
import { type BoundLine, keysOf, type Tool } from "../bind/index.ts";
import { type Clause, linesByKey, type RuleWords, textOf, wireCondition } from "../policy/index.ts";
import { pairsOf } from "../prove/index.ts";
import type { Page } from "./law.ts";
import { answersWithin, type Written, writtenIn } from "./written.ts";

/** One line that does not hold, for the tools for which the same lines go before it. */
export interface Loosened {
  /** Where it does not: a session, a task, a phase or a worker. */
  readonly place: string;
  /** In the words of the page, or of the standard library. */
  readonly line: RuleWords;
  /** Lines that go before it, never none; those of `place`. */
  readonly by: readonly RuleWords[];
  /** In code-unit order, never none. */
  readonly tools: readonly string[];
  readonly shown: LoosenedCall;
}

/** A call that the stricter line would have kept back, or asked a signature for. */
export interface LoosenedCall {
  readonly tool: string;
  /** Canonical JSON; undefined where none was found, and none can be ruled out. */
  readonly arguments: string | undefined;
  /** By the stricter line. */
  readonly before: Mode;
  /** As it is decided. */
  readonly after: Mode;
}

/** Of the page's own layers, in their order. Of a page without errors. */
export function loosenedLines(page: Pick<Page, "model" | "resolution">): readonly Loosened[] {
  return writtenIn(page.model).flatMap((layer) => (layer.said.lines.length === 0 ? [] : loosenedIn(page, layer)));
}

/** A line that goes behind others, and what decides instead. */
interface Behind {
  readonly clause: Clause;
  readonly before: readonly Clause[];
  readonly deciding: readonly Clause[];
}

function loosenedIn(page: Pick<Page, "model" | "resolution">, layer: Written): readonly Loosened[] {
  const { name, said, session } = layer;
  const lines = linesByKey(said);
  const answers = answersWithin(page as Page, layer);
  const takesDefaults = layer.kind === "session" && session.relation === "from";
  const defaults = takesDefaults && session.base !== undefined ? page.resolution.get(session.base) : undefined;
  const clauses = new Map<BoundLine, Clause>();
  const found = new Map<string, Loosened & { readonly tools: string[] }>();
  const shown = new Map<string, LoosenedCall | undefined>();
  for (const [index, tool] of page.model.tools.entries()) {
    const answer = answers[index];
    // What is widened has its reason on its line.
    if (answer === undefined || answer.suppressed || answer.widened) continue;
    const [first, ...others] = keysOf(tool).flatMap((key) => {
      const held = lines.get(key);
      return held === undefined ? [] : [held.map((line) => clauseOf(clauses, name, line))];
    });
    if (first === undefined) continue;
    for (const clause of [...others.flat(), ...(defaults?.[index]?.clauses ?? [])].filter(isHard)) {
      const behind: Behind = { clause, before: first, deciding: answer.clauses };
      const key = textOf([clause.rule.id, first.map(({ rule }) => rule.id)]);
      // Tools that take the same, and of which the same decides, are looked at once.
      const form = textOf([
        key,
        tool.service.interface.name,
        tool.method.description.name,
        answer.clauses.map(({ rule }) => rule.id),
      ]);
      if (!shown.has(form)) shown.set(form, looserCall(tool, behind));
      const call = shown.get(form);
      if (call === undefined) continue;
      const known = found.get(key);
      if (known === undefined) {
        const by = first.map(({ rule }) => rule);
        found.set(key, { place: name, line: clause.rule, by, tools: [tool.name], shown: call });
      } else known.tools.push(tool.name);
    }
  }
  return [...found.values()].map((one) => ({ ...one, tools: [...new Set(one.tools)].sort(byCodeUnits) }));
}

function clauseOf(known: Map<BoundLine, Clause>, place: string, line: BoundLine): Clause {
  const made = known.get(line) ?? {
    checks: line.where?.checks ?? [],
    met: line.mode,
    otherwise: line.where?.otherwise,
    rule: { id: `${place}/${line.words}`, words: line.words, span: line.node.span },
  };
  known.set(line, made);
  return made;
}

/** An exception from asking is what lines are for; one from what is forbidden, or has to be signed for, has to be meant. */
function isHard({ met, otherwise }: Clause): boolean {
  return isHardMode(met) || (otherwise !== undefined && isHardMode(otherwise));
}

function isHardMode(mode: Mode): boolean {
  return mode === "forbidden" || mode === "stepUp";
}

function looserCall({ name, method }: Tool, { clause, deciding }: Behind): LoosenedCall | undefined {
  const { params } = method.description;
  const { pairs } = pairsOf(params, { clauses: [wired(clause)] }, { clauses: deciding.map(wired) });
  const looser = pairs.filter(({ before, after }) => isHardMode(before) && isStricter(before, after));
  const one = looser.find((pair) => pair.arguments !== undefined) ?? looser[0];
  return one && { tool: name, arguments: one.arguments, before: one.before, after: one.after };
}

function wired({ checks, met, otherwise = met }: Clause): Decision["clauses"][number] {
  return { conditions: checks.map(wireCondition), met, otherwise, rule: 0 };
}
