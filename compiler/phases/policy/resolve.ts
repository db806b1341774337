import { type BoundLine, isWithin, type Model, type Narrowings, type Session, type Tool } from "../bind/index.ts";
import { getSessionKind } from "./effective.ts";
import {
  type CellFloor,
  type Clause,
  collectDecidingKeys,
  createLayer,
  createLayerReader,
  groupByKey,
  type Layer,
  type LayerStatements,
  makeRule,
} from "./layers.ts";

// Computes the answer of each session to each tool: the clauses and floors that decide about calls of the tool. Layers
// are joined so that the strictest answer wins (ruling 5), and widenings replace answers (ruling 6). This module does
// not check laws.

export interface Answer {
  /** Whether the session does not have the tool, because of a `suppress` or an `only`. */
  readonly suppressed: boolean;
  /**
   * Clauses that decide about the tool. Clauses of the same group are adjacent. Each group gives a mode, and the
   * strictest of these modes applies. If there are no clauses, no line covers the tool, and it never runs.
   */
  readonly clauses: readonly Clause[];
  readonly floors: readonly CellFloor[];
  /** Whether a widening has lines about the tool: a widening of the session, or of a base whose lines still apply. */
  readonly widened: boolean;
}

/** The answers of every session: one answer for each tool, in the model's order. */
export type Resolution = ReadonlyMap<Session, readonly Answer[]>;

export function resolveSessions(model: Model): Resolution {
  const resolution = new Map<Session, readonly Answer[]>();
  // Bases come before the sessions that build on them, because the binding phase creates sessions in that order.
  for (const session of model.sessions) {
    const base = session.base && resolution.get(session.base);
    const said = createLayerReader(createLayer(session.id, session, session.widenings));
    const answer = shareAnswers((tool, says, around) => answerOf(session, says, tool, around));
    resolution.set(
      session,
      model.tools.map((tool, index) => answer(tool, said(tool), base?.[index])),
    );
  }
  return resolution;
}

type Answering = (tool: Tool, said: LayerStatements, base: Answer | undefined) => Answer;

/**
 * Returns a function that gives one shared answer object to all tools with the same statements and the same base
 * answer. So code that processes all answers can skip an object that it has already processed.
 */
function shareAnswers(answering: Answering): Answering {
  const made = new Map<LayerStatements, Map<Answer | undefined, Answer>>();
  return (tool, said, base) => {
    const bySaid = made.get(said) ?? new Map<Answer | undefined, Answer>();
    made.set(said, bySaid);
    const answer = bySaid.get(base) ?? answering(tool, said, base);
    bySaid.set(base, answer);
    return answer;
  };
}

function answerOf(session: Session, said: LayerStatements, tool: Tool, base: Answer | undefined): Answer {
  const widened = said.widened.length > 0;
  const inherited = base?.clauses ?? [];
  const answer: Answer = {
    suppressed: base?.suppressed === true || said.suppressed,
    clauses: widened ? said.widened : joinClauses(session.relation, said.clauses, inherited),
    floors: [...(base?.floors ?? []), ...said.floors],
    // A widening of a profile applies only to the profile's own lines. If the session has lines that take precedence
    // over the profile's lines, the session needs a widening of its own.
    widened: widened || (base?.widened === true && (said.clauses.length === 0 || session.relation === "extends")),
  };
  return applyAdminGuard(session, tool, answer);
}

/**
 * Joins clauses. Lines of a base that the session is declared `from` are only defaults. If the session `extends` its
 * base, the lines of the base also apply, so the session's own lines cannot allow what the base forbids.
 */
function joinClauses(
  relation: Session["relation"],
  own: readonly Clause[],
  inherited: readonly Clause[],
): readonly Clause[] {
  if (own.length === 0) return inherited;
  if (relation !== "extends") return own;
  return inherited.length === 0 ? [] : [...inherited, ...own];
}

/**
 * Returns the answers that remain if a task, a phase or a worker narrows the answers of the outer layers. The layer
 * narrows the outer answers as a session with `extends` narrows its base.
 */
export function narrowLayer(model: Model, layer: Layer, around: readonly Answer[]): readonly Answer[] {
  const saidOf = createLayerReader(layer);
  const answer = shareAnswers((_, said, base = UNCOVERED) => ({
    suppressed: base.suppressed || said.suppressed,
    clauses: joinClauses("extends", said.clauses, base.clauses),
    floors: [...base.floors, ...said.floors],
    widened: base.widened,
  }));
  return model.tools.map((tool, index) => answer(tool, saidOf(tool), around[index]));
}

const UNCOVERED: Answer = { suppressed: false, clauses: [], floors: [], widened: false };

/** Ruling 7: in a session whose kind is not `operator`, `admin` tools are forbidden unless a widening names them. */
function applyAdminGuard(session: Session, tool: Tool, answer: Answer): Answer {
  const kind = getSessionKind(session);
  if (kind === undefined || kind.name === "operator" || answer.widened || answer.clauses.length === 0) return answer;
  if (!isWithin(tool.method.category, "admin")) return answer;
  const rule = makeRule(session.id, `kind ${kind.name}`, kind.span);
  return {
    ...answer,
    clauses: [...answer.clauses, { checks: [], met: "forbidden", otherwise: undefined, rule, group: {} }],
  };
}

/**
 * Returns a function that computes the answer of the session without its own widenings, from the answer of its base.
 * The law about widenings compares this answer with the actual one.
 */
export function createUnwidenedReader(session: Session): (tool: Tool, base: Answer | undefined) => Answer {
  const said = createLayerReader(createLayer(session.id, session));
  return (tool, base) => answerOf(session, said(tool), tool, base);
}

export function groupLinesByKey(narrowings: Narrowings): ReadonlyMap<string, readonly BoundLine[]> {
  return groupByKey(narrowings.lines);
}

/** Returns the keys, such as `category readOnly`, of those lines of `narrowings` that decide about some tool. */
export function findDecidedKeys(model: Model, narrowings: Narrowings): ReadonlySet<string> {
  return collectDecidingKeys(model.tools, narrowings);
}
