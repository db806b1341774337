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

// Computes the decision of each session about each tool. Layers are combined so that the strictest decision wins (ruling 5), and widenings
// replace the decisions that they name (ruling 6). The checks of compiler/rules report errors in the rules.

export interface Answer {
  /** Whether the tool is suppressed or outside of an `only`, and so does not exist here. */
  readonly suppressed: boolean;
  /**
   * Clauses of the tool. Those of one group are adjacent, and the strictest group decides. Without clauses, no rule covers the tool and it
   * never runs.
   */
  readonly clauses: readonly Clause[];
  readonly floors: readonly CellFloor[];
  /** Whether a widening names this tool here. */
  readonly widened: boolean;
}

/** Decisions of every session, one for each tool in the model's order. */
export type Resolution = ReadonlyMap<Session, readonly Answer[]>;

export function resolveSessions(model: Model): Resolution {
  const resolution = new Map<Session, readonly Answer[]>();
  // Binding puts bases before the sessions that extend them.
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

/** Returns the same object for all tools with equal statements and equal base, so that callers can skip decisions that they know. */
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
    // A widening of a profile applies to the profile's own rules. Rules of the session that override them must be widened again.
    widened: widened || (base?.widened === true && (said.clauses.length === 0 || session.relation === "extends")),
  };
  return applyAdminGuard(session, tool, answer);
}

/**
 * Combines inherited clauses with the session's own clauses. With `from`, inherited clauses are only defaults. With `extends`, they apply
 * together with the session's own, so that the session cannot allow what its parent forbids.
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

/** Returns the decisions after a task, phase or worker narrows the decisions of the outer layers, as `extends` does. */
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

/**
 * Ruling 7: in a session whose kind is not `operator`, tools of the category `admin` are forbidden, whatever the rules state. Only a
 * widening can allow them.
 */
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
 * Returns a function that computes the session's decisions without its own widenings, from the decisions of its base. The check of
 * widenings compares them with the actual decisions.
 */
export function createUnwidenedReader(session: Session): (tool: Tool, base: Answer | undefined) => Answer {
  const said = createLayerReader(createLayer(session.id, session));
  return (tool, base) => answerOf(session, said(tool), tool, base);
}

export function groupLinesByKey(narrowings: Narrowings): ReadonlyMap<string, readonly BoundLine[]> {
  return groupByKey(narrowings.lines);
}

/** Returns the keys of those rules of a session, task, phase or worker that decide about at least one tool. */
export function findDecidedKeys(model: Model, narrowings: Narrowings): ReadonlySet<string> {
  return collectDecidingKeys(model.tools, narrowings);
}
