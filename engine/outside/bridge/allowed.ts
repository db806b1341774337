// Returns the actions that the page allows a session to propose, and the risk of each. A tool serves an action if its method has the
// action's name, such as `list_files` or `listFiles`. The tool's category states its effect, and the page states its gate.

import {
  type AdvertisedTool,
  type Conversation,
  type IndexedTables,
  listAdvertisedTools,
  type PermissionMode,
} from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import { ACTIONS, type Action, ARGUMENTS, type Risk } from "./names.ts";

export interface AllowedAction {
  readonly action: Action;
  readonly tool: Tool;
  /** Name of the tool's argument; absent if the action has none. */
  readonly target?: string;
  /** Risk before the arguments are known; the page's rules about arguments may increase the risk. */
  readonly risk: Risk;
}

/**
 * Returns the allowed actions in the protocol's order. Fails if several tools of the page have the name of one action.
 * Fails if a tool requires more or fewer arguments than the action takes, or one that is not a text.
 */
export function findAllowedActions(
  tables: IndexedTables,
  conversation: Conversation,
): Result<readonly AllowedAction[]> {
  const offered = listAdvertisedTools(tables, conversation).filter(({ mode }) => mode !== "forbidden");
  const allowed: AllowedAction[] = [];
  for (const action of ACTIONS) {
    const [found, another] = offered.filter(({ tool }) => convertToSnakeCase(tool.methodName) === action);
    if (found === undefined) continue;
    if (another !== undefined) return refuse(`${action} is both ${found.tool.name} and ${another.tool.name}`);
    const made = makeAllowedAction(action, found);
    if (!made.ok) return made;
    allowed.push(made.value);
  }
  return accept(allowed);
}

/**
 * An action is safe if it only reads and needs no approval. Deleting is always risky, because only the kernel knows whether a person has
 * confirmed it.
 */
export function assessRisk(action: Action, { readOnly }: Pick<Tool, "readOnly">, mode: PermissionMode): Risk {
  return readOnly && mode === "auto" && action !== "delete_file" ? "safe" : "risky";
}

function makeAllowedAction(action: Action, { tool, mode }: AdvertisedTool): Result<AllowedAction> {
  const needed = tool.params.filter(({ required }) => required);
  const [target] = needed;
  if (needed.length !== ARGUMENTS[action] || (target !== undefined && target.type.which !== "text"))
    return refuse(`${tool.name} does not take what ${action} does: ${ARGUMENTS[action]} required texts`);
  const risk = assessRisk(action, tool, mode);
  return accept({ action, tool, risk, ...(target && { target: target.name }) });
}

function convertToSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
