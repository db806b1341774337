import { accept, type Result, refuse } from "../result/result.ts";
import type { Decision as DecisionList, Tool } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import { chooseAdvertisedMode, type PermissionMode } from "./mode.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

export interface AdvertisedTool {
  readonly tool: Tool;
  /**
   * The strictest mode that the tool can run behind; `forbidden` if it can never run. The mode is a hint: `decide`
   * makes the decision about a call.
   */
  readonly mode: PermissionMode;
}

/** Returns the tools that exist for a conversation, in the tables' order, without suppressed and uncovered ones. */
export function listAdvertisedTools(tables: IndexedTables, conversation: Conversation): readonly AdvertisedTool[] {
  return tables.tools.flatMap((_, index) => findAdvertisedAt(tables, conversation, index) ?? []);
}

/** Returns the tool of this name, or `undefined` if it does not exist for the conversation. */
export function findAdvertisedTool(
  tables: IndexedTables,
  conversation: Conversation,
  name: string,
): AdvertisedTool | undefined {
  return findAdvertisedAt(tables, conversation, tables.toolIndex.get(name) ?? -1);
}

/**
 * Returns the name of the session's tool for this method of an interface, whatever service provides it. Fails if there is no
 * such tool, and if there are two, because one may be stricter than the other.
 */
export function findToolOfMethod(
  tables: IndexedTables,
  conversation: Conversation,
  [interfaceId, methodName]: readonly [bigint, string],
  what: string,
): Result<string> {
  const [found, another] = listAdvertisedTools(tables, conversation).filter(
    ({ tool }) => tool.interfaceId === interfaceId && tool.methodName === methodName,
  );
  if (found === undefined) return refuse(`this session has no tool for ${what}`);
  return another ? refuse(`${what} is both ${found.tool.name} and ${another.tool.name}`) : accept(found.tool.name);
}

function findAdvertisedAt(
  tables: IndexedTables,
  conversation: Conversation,
  index: number,
): AdvertisedTool | undefined {
  const tool = tables.tools[index];
  const cell = tables.rows[conversation.row]?.cells[index] ?? 0;
  const list = tables.decisions[cell - FIRST_DECISION];
  return tool && list && { tool, mode: computeAdvertisedMode(list, conversation) };
}

/**
 * Caches the advertised mode of each decision list without floors. This mode does not depend on the conversation, so it
 * is computed once.
 */
const FOUND = new WeakMap<DecisionList, PermissionMode>();

function computeAdvertisedMode(list: DecisionList, conversation: Conversation): PermissionMode {
  if (list.floors.length > 0) return chooseAdvertisedMode(list, conversation);
  const mode = FOUND.get(list) ?? chooseAdvertisedMode(list, conversation);
  FOUND.set(list, mode);
  return mode;
}
