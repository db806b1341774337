// The layout of each tool's parameter struct. Layouts of the standard library are generated; those of a schema that a page imports
// are in its tables; other tools, such as those of MCP lists, have none.
import { buildStruct, isOfParams, isWithoutLayout } from "../policy/index.ts";
import type { Layout, Tool } from "../wire/generated/policy.ts";
import * as standard from "../wire/generated/tools.ts";
import type { StructLayout } from "../wire/layout.ts";

const STANDARD: ReadonlyMap<string, StructLayout<unknown>> = new Map(
  Object.values(standard).flatMap((one) =>
    one.kind === "interfaceLayout"
      ? Object.values(one.methods).map(({ ordinal, params }) => [`${one.id}.${ordinal}`, params] as const)
      : [],
  ),
);
const NO_PARAMETERS: Layout = { dataWords: 0, pointers: 0, places: [] };
const known = new WeakMap<Tool, { readonly layout: StructLayout<unknown> | undefined }>();

/**
 * Returns the layout of a tool's parameter struct: the tool's own layout or, if it states none, that of the same
 * method in a standard interface. Returns `undefined` if there is none, or if it does not fit the parameters.
 */
export function findParamLayout(tool: Tool): StructLayout<unknown> | undefined {
  const found = known.get(tool) ?? { layout: deriveParamLayout(tool) };
  known.set(tool, found);
  return found.layout;
}

function deriveParamLayout(tool: Tool): StructLayout<unknown> | undefined {
  if (!isWithoutLayout(tool)) return buildStruct(tool.params, tool.layout);
  if (tool.params.length === 0) return buildStruct([], NO_PARAMETERS);
  const layout = STANDARD.get(`${tool.interfaceId}.${tool.method}`);
  return layout !== undefined && isOfParams(tool.params, layout.shape().fields) ? layout : undefined;
}
