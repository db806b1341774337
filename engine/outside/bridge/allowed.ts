// Which actions the page lets a session propose, and how risky each is. A tool is an action by its method's name, `list_files` or
// `listFiles`; what it does to the world is its category's word, and the gate before it is the page's.

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
  /** Before there are arguments: what the page asks for them can make it riskier. */
  readonly risk: Risk;
}

/** In the protocol's order. Fails if several tools of the page fit an action, or if a tool cannot be one. */
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

/** Safe is what only reads, behind no gate. To delete is always risky: whether a person has confirmed it the kernel alone knows. */
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
