import { createHash } from "node:crypto";
import {
  type AdvertisedTool,
  type Conversation,
  type IndexedTables,
  listAdvertisedTools,
} from "../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../lib/wire/generated/capos.ts";
import { ToolProxyDescribeToolsResults } from "../../lib/wire/generated/wire.ts";
import { encode } from "../../lib/wire/index.ts";

export interface ToolTable {
  readonly tools: readonly ToolDescriptor[];
  /** SHA-256 of the canonical encoding of the list of tools. */
  readonly snapshot: Uint8Array;
}

const NONE = new Uint8Array();

/**
 * Returns the tools as the model sees them. Suppressed and uncovered tools are left out; forbidden tools remain, so that the model
 * can explain a refusal.
 */
export function buildToolTable(tables: IndexedTables, conversation: Conversation): ToolTable {
  const tools = listAdvertisedTools(tables, conversation).map((advertised) => createDescriptor(tables, advertised));
  const bytes = encode(ToolProxyDescribeToolsResults, { tools, snapshot: NONE, turn: 0, nonce: NONE, backend: "" });
  return { tools, snapshot: createHash("sha256").update(bytes).digest() };
}

export function createDescriptor(tables: IndexedTables, { tool, mode }: AdvertisedTool): ToolDescriptor {
  return {
    name: tool.name,
    description: tool.description,
    interfaceId: tool.interfaceId,
    methodName: tool.methodName,
    paramSchema: tool.paramSchema,
    permission: mode,
    category: tables.categories[tool.category]?.name ?? "",
  };
}
