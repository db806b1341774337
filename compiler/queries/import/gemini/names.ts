// The documented settings and tools of Gemini CLI: https://geminicli.com/docs/reference/configuration and
// https://geminicli.com/docs/reference/tools, November 2026.

import type { KnownNames } from "../known-names.ts";
import { splitWords } from "../names.ts";

export const NAMES: KnownNames = new Map([
  [
    "",
    splitWords(`$schema adminPolicyPaths admin advanced agents billing context contextManagement experimental extensions general hooks
    hooksConfig ide mcp mcpServers model modelConfigs output policyPaths privacy security skills telemetry tools ui useWriteTodos`),
  ],
  [
    "tools",
    splitWords(`allowed callCommand confirmationRequired core disableLLMCorrection discoveryCommand exclude sandbox sandboxAllowedPaths
    sandboxNetworkAccess shell truncateToolOutputThreshold useRipgrep`),
  ],
  ["mcp", splitWords("allowed autoAllowInHeadless excluded serverCommand")],
  [
    "security",
    splitWords(`allowedExtensions auth autoAddToPolicyByDefault blockGitExtensions disableAlwaysAllow disableYoloMode enableConseca
    enablePermanentToolApproval environmentVariableRedaction folderTrust toolSandboxing`),
  ],
]);

/** Settings of old versions, with their current path. Newer versions do not read them. */
export const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ["allowMCPServers", "mcp.allowed"],
  ["allowedTools", "tools.allowed"],
  ["autoAccept", "general.defaultApprovalMode"],
  ["coreTools", "tools.core"],
  ["excludeMCPServers", "mcp.excluded"],
  ["excludeTools", "tools.exclude"],
  ["mcpServerCommand", "mcp.serverCommand"],
  ["sandbox", "tools.sandbox"],
  ["toolCallCommand", "tools.callCommand"],
  ["toolDiscoveryCommand", "tools.discoveryCommand"],
]);

export const SERVER_NAMES: ReadonlySet<string> =
  splitWords(`args authProviderType command cwd description env excludeTools headers httpUrl
includeTools oauth targetAudience targetServiceAccount timeout trust type url extension`);

export const RULE_NAMES: ReadonlySet<string> =
  splitWords(`allowRedirection allow_redirection argsPattern commandPrefix commandRegex decision
denyMessage deny_message interactive mcpName modes name priority safety_checker subagent toolAnnotations toolName`);

export const SHELL = "run_shell_command";

/** Names of the tools, including names of earlier versions. */
export const TOOLS: ReadonlySet<string> =
  splitWords(`activate_skill ask_user codebase_investigator cli_help complete_task enter_plan_mode
exit_plan_mode get_internal_docs glob google_web_search grep_search invoke_agent list_directory list_mcp_resources read_file read_many_files
read_mcp_resource replace run_shell_command save_memory search_file_content tracker_add_dependency tracker_create_task tracker_get_task
tracker_list_tasks tracker_update_task tracker_visualize update_topic web_fetch write_file write_todos`);

/** Class names that old versions used as names of tools. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["EditTool", "replace"],
  ["GlobTool", "glob"],
  ["GrepTool", "grep_search"],
  ["LSTool", "list_directory"],
  ["ReadFileTool", "read_file"],
  ["ShellTool", SHELL],
  ["WebFetchTool", "web_fetch"],
  ["WriteFileTool", "write_file"],
]);

/** Returns the current name of a tool. */
export function normalizeTool(name: string): string {
  return CLASSES.get(name) ?? name;
}

/**
 * Returns whether a name in a rule can be the name of a tool. The tool may belong to the agent or to a server, or the
 * project's `discoveryCommand` reports it: `discovered_tool_NAME`.
 */
export function isToolName(name: string): boolean {
  return (
    TOOLS.has(normalizeTool(name)) ||
    /^(?:mcp_|discovered_tool_)/.test(name) ||
    name.includes("__") ||
    name.includes("*")
  );
}
