// Managed settings of Claude Code: https://code.claude.com/docs/en/permissions. `deny` has priority over `ask`, and
// `ask` over `allow`. The agent asks about a tool that no rule names. It runs its own read-only tools without asking,
// so the export denies the agent's own tools by name.

import type { Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { createLoss } from "../loss.ts";
import type { Agent, AgentTool } from "./agent.ts";
import { getMethod, getServer } from "./names.ts";

export const claude: Agent = {
  isSayable,
  files: (_, tools) => [
    { name: "managed-settings.json", text: `${JSON.stringify(createSettings(tools), undefined, 2)}\n` },
  ],
  losses: [
    createLoss(
      "own-tools",
      "Tools of Claude Code that are newer than this export are not denied by name: it asks before most of them.",
    ),
    createLoss(
      "other-settings",
      "Only where this is the machine's managed-settings.json do no rules, servers and hooks of others count beside it.",
    ),
    createLoss(
      "gate-not-kept",
      "Whoever sits there consents, and may be asked about a tool that a server has since added.",
    ),
  ],
};

/**
 * Returns whether rules can name the tool. In `mcp__server__tool`, two underscores within a name, or one at its end,
 * could be read as the separator.
 */
function isSayable(tool: Tool): boolean {
  const names = [getServer(tool), getMethod(tool)];
  return names.every((name) => /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/.test(name));
}

function createSettings(tools: readonly AgentTool[]): object {
  const renderRules = (answer: AgentTool["answer"]) =>
    tools.filter((one) => one.answer === answer).map(({ tool }) => renderRule(tool));
  const servers = new Set(tools.filter(({ answer }) => answer !== "deny").map(({ tool }) => getServer(tool)));
  const ask = renderRules("ask");
  return {
    permissions: {
      allow: renderRules("allow"),
      ask,
      deny: [...renderRules("deny"), ...OWN_TOOLS],
      // `dontAsk` refuses calls that no rule allows. It also refuses calls for which a rule says `ask`, so it is set only without such rules.
      defaultMode: ask.length === 0 ? "dontAsk" : "default",
      disableBypassPermissionsMode: "disable",
      disableAutoMode: "disable",
    },
    // Different versions of Claude Code read this setting in different places, so both places have it.
    disableAutoMode: "disable",
    allowManagedPermissionRulesOnly: true,
    allowManagedHooksOnly: true,
    allowManagedMcpServersOnly: true,
    allowedMcpServers: [...servers].map((serverName) => ({ serverName })),
    enableAllProjectMcpServers: false,
  };
}

function renderRule(tool: Tool): string {
  return `mcp__${getServer(tool)}__${getMethod(tool)}`;
}

/**
 * The agent's own tools that affect something outside of the conversation, with their older names. Source: its tools
 * reference in November 2026.
 */
const OWN_TOOLS = [
  "Agent",
  "Artifact",
  "Bash",
  "CronCreate",
  "CronDelete",
  "CronList",
  "Edit",
  "EnterWorktree",
  "ExitWorktree",
  "Glob",
  "Grep",
  "LS",
  "LSP",
  "ListAgents",
  "ListMcpResourcesTool",
  "Monitor",
  "MultiEdit",
  "NotebookEdit",
  "NotebookRead",
  "PowerShell",
  "PushNotification",
  "Read",
  "ReadMcpResourceTool",
  "RemoteTrigger",
  "ScheduleWakeup",
  "SendFeedback",
  "SendMessage",
  "SendUserFile",
  "ShareOnboardingGuide",
  "Skill",
  "SlashCommand",
  "Task",
  "TaskOutput",
  "WebFetch",
  "WebSearch",
  "Workflow",
  "Write",
];
