import {
  type BoundLine,
  isWithin,
  keysOf,
  type Model,
  type Narrowings,
  type Session,
  type Tool,
} from "../bind/index.ts";
import { kindOf } from "./effective.ts";
import { byKey, type CellFloor, type Clause, decidingKeys, type Layer, layerOf, ruleOf, saidOf } from "./layers.ts";

// What each session answers to each tool: layers joined so that the strictest answer wins (ruling 5), widenings in place
// of the answers they name (ruling 6). Lawful or not is not asked.

export interface Answer {
  /** Suppressed, or outside of an `only`: the tool does not exist here. */
  readonly suppressed: boolean;
  /** All hold together; none: no line covers the tool, and it never runs. */
  readonly clauses: readonly Clause[];
  readonly floors: readonly CellFloor[];
  /** A widening named this cell. */
  readonly widened: boolean;
}

/** Answers of every session, one for each tool in the model's order. */
export type Resolution = ReadonlyMap<Session, readonly Answer[]>;

export function resolveSessions(model: Model): Resolution {
  const resolution = new Map<Session, readonly Answer[]>();
  // Bases stand before what builds on them: binding made them in that order.
  for (const session of inBaseOrder(model.sessions)) {
    const base = session.base && resolution.get(session.base);
    const layer = layerOf(session.id, session, session.widenings);
    resolution.set(
      session,
      model.tools.map((tool, index) => answerOf(session, layer, tool, base?.[index])),
    );
  }
  return resolution;
}

function inBaseOrder(sessions: readonly Session[]): Session[] {
  const depth = (session: Session): number => (session.base === undefined ? 0 : 1 + depth(session.base));
  return [...sessions].sort((left, right) => depth(left) - depth(right));
}

function answerOf(session: Session, layer: Layer, tool: Tool, base: Answer | undefined): Answer {
  const said = saidOf(layer, keysOf(tool));
  const widened = said.widened.length > 0;
  const inherited = base?.clauses ?? [];
  const answer: Answer = {
    suppressed: base?.suppressed === true || said.suppressed,
    clauses: widened ? said.widened : joined(session.relation, said.clauses, inherited),
    floors: [...(base?.floors ?? []), ...said.floors],
    // What a profile widens holds for its own lines: lines that go before them have to be widened again.
    widened: widened || (base?.widened === true && (said.clauses.length === 0 || session.relation === "extends")),
  };
  return withAdminGuard(session, tool, answer);
}

/** `from` gives defaults; `extends` holds beside what is written, and opens nothing that the parent leaves shut. */
function joined(
  relation: Session["relation"],
  own: readonly Clause[],
  inherited: readonly Clause[],
): readonly Clause[] {
  if (own.length === 0) return inherited;
  if (relation !== "extends") return own;
  return inherited.length === 0 ? [] : [...inherited, ...own];
}

/** What a task, a phase or a worker leaves of the answers of the layers around it: it narrows, as `extends` does. */
export function narrowed(model: Model, layer: Layer, around: readonly Answer[]): readonly Answer[] {
  return model.tools.map((tool, index): Answer => {
    const base = around[index] ?? UNCOVERED;
    const said = saidOf(layer, keysOf(tool));
    return {
      suppressed: base.suppressed || said.suppressed,
      clauses: joined("extends", said.clauses, base.clauses),
      floors: [...base.floors, ...said.floors],
      widened: base.widened,
    };
  });
}

const UNCOVERED: Answer = { suppressed: false, clauses: [], floors: [], widened: false };

/** Ruling 7: where nobody operates the machine, `admin` is forbidden whatever a line says, unless it is widened. */
function withAdminGuard(session: Session, tool: Tool, answer: Answer): Answer {
  const kind = kindOf(session);
  if (kind === undefined || kind.name === "operator" || answer.widened || answer.clauses.length === 0) return answer;
  if (!isWithin(tool.method.category, "admin")) return answer;
  const rule = ruleOf(session.id, `kind ${kind.name}`, kind.span);
  return { ...answer, clauses: [...answer.clauses, { checks: [], met: "forbidden", otherwise: undefined, rule }] };
}

/** What a session would answer without its own widenings, by what its base answers: for the law about what they change. */
export function unwidened(session: Session): (tool: Tool, base: Answer | undefined) => Answer {
  const layer = layerOf(session.id, session);
  return (tool, base) => answerOf(session, layer, tool, base);
}

export function linesByKey(narrowings: Narrowings): ReadonlyMap<string, readonly BoundLine[]> {
  return byKey(narrowings.lines);
}

/** The keys of the lines of a session, a task, a phase or a worker that decide about some tool. */
export function decidedKeys(model: Model, narrowings: Narrowings): ReadonlySet<string> {
  return decidingKeys(model.tools, narrowings);
}
