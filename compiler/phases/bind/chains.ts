import { bug } from "../../../lang/diagnostics/index.ts";
import type { Name } from "../../../lang/tree/index.ts";
import { declarationCycle, tooManyLevels } from "./codes.ts";
import type { Context } from "./context.ts";

/** Maximum length of a chain of declarations. Longer chains are hard to follow for a reader of the page. */
const MAX_CHAIN = 32;

/**
 * Builds a declaration from its node and its base. `chain` is `cut` if a cycle, or a chain that is too long, was cut at
 * this declaration.
 */
type Build<N, B> = (node: N, base: B | undefined, chain: "whole" | "cut") => B;

/**
 * Declarations of one kind: the name of the kind, the nodes, and functions that find the base of a node and build its
 * declaration.
 */
interface Chains<N, B> {
  readonly what: string;
  readonly nodes: readonly N[];
  readonly baseOf: (node: N) => N | undefined;
  readonly build: Build<N, B>;
}

/**
 * Binds declarations that inherit from each other; each base is bound before the declarations that inherit from it. A
 * cycle or a chain that is too long is reported at one of its members, and cut there. The function does not recurse,
 * because a hostile page may chain fifty thousand declarations.
 */
export function bindChains<N extends { readonly name: Name }, B>(
  context: Context,
  { what, nodes, baseOf, build }: Chains<N, B>,
): Map<N, B> {
  const bound = new Map<N, B>();
  const depths = new Map<N, number>();
  for (const node of nodes) {
    const { chain, cycle } = collectChain(node, baseOf, bound);
    if (cycle) {
      const last = chain[chain.length - 1] ?? bug("a circle without members");
      context.report(declarationCycle.at(last.name.span, { what, name: last.name.text }));
    }
    for (const [index, member] of chain.reverse().entries()) {
      const base = cycle && index === 0 ? undefined : baseOf(member);
      const depth = base === undefined ? 0 : (depths.get(base) ?? 0) + 1;
      const tooLong = depth > MAX_CHAIN;
      if (tooLong)
        context.report(tooManyLevels.at(member.name.span, { what: `${what} built on each other`, limit: MAX_CHAIN }));
      depths.set(member, tooLong ? 0 : depth);
      const usable = base === undefined || tooLong ? undefined : bound.get(base);
      bound.set(member, build(member, usable, (cycle && index === 0) || tooLong ? "cut" : "whole"));
    }
  }
  return bound;
}

/** Returns the node, followed by its bases that are not bound yet; the nearest base comes first. */
function collectChain<N, B>(
  node: N,
  baseOf: (node: N) => N | undefined,
  bound: ReadonlyMap<N, B>,
): { chain: N[]; cycle: boolean } {
  const chain: N[] = [];
  const members = new Set<N>();
  for (let at: N | undefined = node; at !== undefined && !bound.has(at); at = baseOf(at)) {
    if (members.has(at)) return { chain, cycle: true };
    members.add(at);
    chain.push(at);
  }
  return { chain, cycle: false };
}
