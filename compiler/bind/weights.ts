import type { ModelNode } from "../../lang/tree/index.ts";
import type { Package } from "../source/index.ts";
import { type Context, declare, ofKind, once } from "./context.ts";
import type { Weights } from "./model/index.ts";
import { percentOf, tokensOf } from "./quantities.ts";

/** Language models by name: what the page says of each. Nobody opens their weights here. */
export function bindWeights(
  context: Context,
  files: Package["weights"],
  nodes: readonly ModelNode[],
): Map<string, Weights> {
  const first = new Map<string, ModelNode>();
  for (const node of nodes) declare(context, first, "model", node.name, node);
  return new Map([...first].map(([name, node]) => [name, weightsOf(context, files, name, node)]));
}

function weightsOf(context: Context, files: Package["weights"], name: string, node: ModelNode): Weights {
  const one = <K extends ModelNode["attributes"][number]["kind"]>(kind: K) =>
    once(context, `\`${kind}\``, ofKind(node.attributes, kind));
  const path = one("weights")?.path;
  const window = one("context");
  const accept = one("accept");
  return {
    name,
    path,
    file: path && files.get(path),
    arch: one("arch")?.name.text,
    quantisation: one("quantisation")?.name.text,
    contextTokens: window === undefined ? 0 : tokensOf(context, window.size),
    tools: one("tools")?.supported.value ?? false,
    acceptPercent: accept === undefined ? 0 : percentOf(context, accept.size),
    node,
  };
}
