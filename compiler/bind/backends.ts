import type { BackendNode } from "../../lang/tree/index.ts";
import type { Package } from "../source/index.ts";
import { type Context, declare, ofKind, once } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import type { Backend, Lattice } from "./model.ts";

/** Backends by name. One whose engine was lost to a syntax error counts as a stub: nothing is built from a damaged page. */
export function bindBackends(
  context: Context,
  lattice: Lattice,
  assets: Package["assets"],
  nodes: readonly BackendNode[],
): Map<string, Backend> {
  const first = new Map<string, BackendNode>();
  for (const node of nodes) declare(context, first, "backend", node.name, node);
  return new Map([...first].map(([name, node]) => [name, bindBackend(context, lattice, assets, node)]));
}

function bindBackend(context: Context, lattice: Lattice, assets: Package["assets"], node: BackendNode): Backend {
  const { engine, name } = node;
  const clearance = once(context, "`clearance`", ofKind(node.attributes, "clearance"));
  const replies = engine?.kind === "stub" && engine.replies !== undefined ? assets.get(engine.replies) : undefined;
  return {
    name: name.text,
    kind: engine?.kind ?? "stub",
    clearance: clearance && bindLabel(context, lattice, clearance.label),
    replies,
    span: name.span,
  };
}
