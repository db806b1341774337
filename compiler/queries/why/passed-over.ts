import type { Span } from "../../../lang/text/index.ts";
import { type BoundLine, listKeys, type Model, type Narrowings, type Tool } from "../../phases/bind/index.ts";
import { groupLinesByKey, listBases } from "../../phases/policy/index.ts";
import { findPlace } from "./candidates.ts";
import type { Explanation } from "./explain.ts";

// Finds lines that cover a tool but decide nothing about it. The tables do not contain these lines, so they come from
// the model.

export interface PassedLine {
  readonly words: string;
  readonly span: Span;
  /** The line that takes precedence over this line. */
  readonly by: string;
  readonly why: "closer" | "own";
}

/**
 * Returns the names of the tools that a question names: one tool of the page, or all tools with a method of an
 * interface.
 */
export function findAskedTools({ tools }: Model, name: string): readonly string[] {
  if (tools.some((tool) => tool.name === name)) return [name];
  const found = tools.filter(({ service, method }) => `${service.interface.name}.${method.name}` === name);
  return found.length === 0 ? [name] : found.map((tool) => tool.name);
}

/**
 * Returns the lines of the package and of the library that cover the tool but do not decide. Lines of sessions come first, followed by
 * those of the task and the phase.
 */
export function listPassedOver(model: Model, explanation: Explanation): readonly PassedLine[] {
  const place = findPlace(model, explanation);
  const tool = model.tools.find(({ name }) => name === explanation.question.tool);
  if (place === undefined || tool === undefined) return [];
  const found: PassedLine[] = [];
  let own: BoundLine | undefined;
  for (const session of listBases(place.session)) {
    const { deciding, others } = splitLines(session, tool);
    const [first] = deciding;
    if (own !== undefined) found.push(...[...deciding, ...others].map((line) => describe(line, own, "own")));
    else if (first !== undefined) found.push(...others.map((line) => describe(line, first, "closer")));
    // In `session a from b`, the lines of `a` about the tool replace those of `b`. In `session a extends b`, the lines of
    // both sessions apply.
    own = session.relation === "from" ? (own ?? first) : undefined;
  }
  for (const layer of [place.task, place.phase].filter((one) => one !== undefined)) {
    const { deciding, others } = splitLines(layer, tool);
    const [first] = deciding;
    if (first !== undefined) found.push(...others.map((line) => describe(line, first, "closer")));
  }
  return found;
}

/**
 * The lines of one declaration that cover a tool: lines with the most specific pattern (`deciding`), and other lines.
 */
interface CoveringLines {
  readonly deciding: readonly BoundLine[];
  readonly others: readonly BoundLine[];
}

function splitLines(narrowings: Narrowings, tool: Tool): CoveringLines {
  const byKey = groupLinesByKey(narrowings);
  const [deciding = [], ...others] = listKeys(tool).flatMap((key) => {
    const lines = byKey.get(key);
    return lines === undefined ? [] : [lines];
  });
  return { deciding, others: [...new Set(others.flat())].filter((line) => !deciding.includes(line)) };
}

function describe({ words, node }: BoundLine, by: BoundLine | undefined, why: PassedLine["why"]): PassedLine {
  return { words, span: node.span, by: by?.words ?? "", why };
}
