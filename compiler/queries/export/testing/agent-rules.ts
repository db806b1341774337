// Evaluates exported rules about a tool as the agents' own documentation describes.

import { parse } from "smol-toml";
import type { Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import type { AgentAnswer } from "../agents/settled.ts";
import type { Target } from "../target.ts";

type Agents = Exclude<Target, "cedar" | "rego">;

export function answerIn(target: Agents, text: string, tool: Tool): AgentAnswer {
  switch (target) {
    case "claude":
      return inSettings(JSON.parse(text), `mcp__${tool.provider}__${methodName(tool)}`);
    case "codex":
      return inServers(parse(text), tool.provider, methodName(tool));
    case "gemini":
      return inRules(parse(text), tool.provider, methodName(tool));
  }
}

function methodName({ name, provider }: Tool): string {
  return name.slice(provider.length + 1);
}

/**
 * Returns the answer of Claude Code's settings: `deny` has priority over `ask`, and `ask` over `allow`. If no rule
 * names a tool, the agent asks, or refuses if the mode is `dontAsk`.
 */
function inSettings(
  { permissions }: { permissions: Record<"allow" | "ask" | "deny" | "defaultMode", unknown> },
  name: string,
): AgentAnswer {
  for (const answer of ["deny", "ask", "allow"] as const) {
    const rules = permissions[answer];
    if (Array.isArray(rules) && rules.includes(name)) return answer;
  }
  return permissions.defaultMode === "dontAsk" ? "deny" : "ask";
}

function inServers(config: object, server: string, method: string): AgentAnswer {
  const table = at(at(config, "mcp_servers"), server);
  const enabled = at(table, "enabled_tools");
  if (!Array.isArray(enabled) || !enabled.includes(method)) return "deny";
  const own = at(at(at(table, "tools"), method), "approval_mode");
  return (own ?? at(table, "default_tools_approval_mode")) === "approve" ? "allow" : "ask";
}

/**
 * Returns the answer of the rule with the highest priority in Gemini's rules that names the tool. The name of the
 * server ends at the first underscore.
 */
function inRules(config: object, server: string, method: string): AgentAnswer {
  const rules = at(config, "rule");
  const [read = "", ...rest] = `${server}_${method}`.split("_");
  const fitting = (Array.isArray(rules) ? rules : []).filter((rule: unknown) => {
    const names = at(rule, "toolName");
    if (names === "*") return true;
    return at(rule, "mcpName") === read && Array.isArray(names) && names.includes(rest.join("_"));
  });
  const [first] = fitting.sort((left, right) => Number(at(right, "priority")) - Number(at(left, "priority")));
  const decision = at(first, "decision");
  return decision === "allow" ? "allow" : decision === "ask_user" ? "ask" : "deny";
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
