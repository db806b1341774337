// Settings of Codex: https://developers.openai.com/codex/config-reference. A server offers exactly the tools in
// `enabled_tools`; each tool either runs or needs approval.

import type { Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { createLoss } from "../loss.ts";
import type { Agent, AgentTool } from "./agent.ts";
import { getMethod, getServer, groupByServer } from "./names.ts";
import { renderTomlList, renderTomlString } from "./toml.ts";

export const codex: Agent = {
  isSayable,
  files: (title, tools) => [{ name: "config.toml", text: renderConfig(title, tools) }],
  losses: [
    createLoss(
      "own-tools",
      "apply_patch, and tools of Codex that are newer than this export, are not switched off; beyond reading the person is asked.",
    ),
    createLoss(
      "other-settings",
      "A command line, a profile and a trusted project's own settings go before these; only requirements.toml binds all.",
    ),
    createLoss("gate-not-kept", "Whoever sits there consents."),
  ],
};

/** Returns whether rules can name the tool. Codex allows only some characters in names of servers. */
function isSayable(tool: Tool): boolean {
  return /^[A-Za-z0-9_-]+$/.test(getServer(tool));
}

function renderConfig(title: string, tools: readonly AgentTool[]): string {
  const servers = [
    ...groupByServer(
      tools.filter(({ answer }) => answer !== "deny"),
      ({ tool }) => tool,
    ),
  ];
  return `# ${escapeInvisible(title)}\n${HEAD}${servers.map(([server, named]) => `\n${renderServer(server, named)}`).join("")}`;
}

const HEAD = `# What is not listed here does not exist for the model: no shell, no web, no tools of apps and plugins.
# Edits (apply_patch) exist where a model brings them: the sandbox holds them to reading until the person there says otherwise.
approval_policy = "untrusted"
sandbox_mode = "read-only"
web_search = "disabled"

[features]
apps = false
hooks = false
multi_agent = false
plugins = false
shell_tool = false
unified_exec = false
view_image = false
`;

function renderServer(server: string, tools: readonly AgentTool[]): string {
  const approvals = tools.map(
    ({ tool, answer }) => `
[mcp_servers.${server}.tools.${renderTomlString(getMethod(tool))}]
approval_mode = ${renderTomlString(answer === "allow" ? "approve" : "prompt")}
`,
  );
  return `[mcp_servers.${server}]
command = "/bin/false"  # put the program that serves these tools here, or a url in its place
enabled_tools = ${renderTomlList(tools.map(({ tool }) => getMethod(tool)))}
default_tools_approval_mode = "prompt"
${approvals.join("")}`;
}
