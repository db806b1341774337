import type { ServiceNode } from "../../lang/tree/index.ts";
import { wrongCase } from "./codes.ts";
import { type Context, declare, ofKind, once } from "./context.ts";
import { bindRange } from "./lattice.ts";
import type { Interface, Lattice, Service } from "./model.ts";
import { interfaceOf } from "./patterns.ts";
import { bytesOf } from "./quantities.ts";

const MAX_STATE = 1n << 40n;

export function bindServices(
  context: Context,
  lattice: Lattice,
  interfaces: ReadonlyMap<string, Interface>,
  nodes: readonly ServiceNode[],
): Map<string, Service> {
  const first = new Map<string, ServiceNode>();
  for (const node of nodes) declare(context, first, "service", node.name, node);
  const bound = new Map<string, Service>();
  for (const node of first.values()) {
    const { name } = node;
    if (!/^[a-z]/.test(name.text)) {
      const wanted = "a lower-case letter";
      context.report(wrongCase.at(name.span, { what: "service", name: name.text, wanted }));
    }
    const face = interfaceOf(context, { interfaces }, node.interface);
    const state = once(context, "`state`", ofKind(node.attributes, "state"));
    const label = once(context, "`label`", ofKind(node.attributes, "label"));
    const stateBytes = state === undefined ? 0n : (bytesOf(context, state.size, MAX_STATE) ?? 0n);
    const range = label && bindRange(context, lattice, label);
    if (face !== undefined) bound.set(name.text, { name: name.text, interface: face, label: range, stateBytes, node });
  }
  return bound;
}

/** Services that were declared but could not be bound: their names are known, and nothing more. */
export function unboundOf(nodes: readonly ServiceNode[], bound: ReadonlyMap<string, Service>): string[] {
  return nodes.map((node) => node.name.text).filter((name) => !bound.has(name));
}
