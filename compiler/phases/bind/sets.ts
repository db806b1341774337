import type { LetNode, Literal } from "../../../lang/tree/index.ts";
import { mixedSet } from "./codes.ts";
import { type Context, declare } from "./context.ts";
import { type BoundLiteral, bindLiteral } from "./literals.ts";

/** A set of texts or numbers that conditions can name. */
export interface BoundSet {
  readonly name: string;
  readonly literals: readonly BoundLiteral[];
  readonly node: LetNode;
}

/** Returns the page's sets by name. A set with an invalid value, which is reported, keeps its other values. */
export function bindSets(context: Context, nodes: readonly LetNode[]): Map<string, BoundSet> {
  const first = new Map<string, LetNode>();
  for (const node of nodes) declare(context, { names: first, what: "set", name: node.name, declared: node });
  return new Map([...first].map(([name, node]) => [name, { name, literals: bindValues(context, node), node }]));
}

/** Returns the values of a set that have the same kind as its first value, and reports the others. */
function bindValues(context: Context, { name, literals }: LetNode): BoundLiteral[] {
  const [first] = literals;
  const fits = ({ kind }: Literal) => kind !== "boolean" && kind === first?.kind;
  const stray = literals.find((literal) => !fits(literal));
  if (stray !== undefined) context.report(mixedSet.at(stray.span, { name: name.text }));
  return literals.filter(fits).flatMap((literal) => bindLiteral(context, literal) ?? []);
}
