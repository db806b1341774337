// Settings of Codex: https://developers.openai.com/codex/config-reference. A server shows the tools that `enabled_tools` lists and
// no other; each of them is approved, or prompts.

import type { Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { visible } from "../../../../lang/diagnostics/index.ts";
import { lossOf } from "../loss.ts";
import type { Agent, AgentTool } from "./agent.ts";
import { byServer, methodOf, serverOf } from "./names.ts";
import { tomlList, tomlText } from "./toml.ts";

export const codex: Agent = {
  isSayable,
  files: (title, tools) => [{ name: "config.toml", text: configText(title, tools) }],
  losses: [
    lossOf(
      "own-tools",
      "apply_patch, and tools of Codex that are newer than this export, are not switched off; beyond reading the person is asked.",
    ),
    lossOf(
      "other-settings",
      "A command line, a profile and a trusted project's own settings go before these; only requirements.toml binds all.",
    ),
    lossOf("gate-not-kept", "Whoever sits there consents."),
  ],
};

/** Servers have names of these characters alone. */
function isSayable(tool: Tool): boolean {
  return /^[A-Za-z0-9_-]+$/.test(serverOf(tool));
}

function configText(title: string, tools: readonly AgentTool[]): string {
  const servers = [
    ...byServer(
      tools.filter(({ answer }) => answer !== "deny"),
      ({ tool }) => tool,
    ),
  ];
  return `# ${visible(title)}\n${HEAD}${servers.map(([server, named]) => `\n${serverText(server, named)}`).join("")}`;
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

function serverText(server: string, tools: readonly AgentTool[]): string {
  const approvals = tools.map(
    ({ tool, answer }) => `
[mcp_servers.${server}.tools.${tomlText(methodOf(tool))}]
approval_mode = ${tomlText(answer === "allow" ? "approve" : "prompt")}
`,
  );
  return `[mcp_servers.${server}]
command = "/bin/false"  # put the program that serves these tools here, or a url in its place
enabled_tools = ${tomlList(tools.map(({ tool }) => methodOf(tool)))}
default_tools_approval_mode = "prompt"
${approvals.join("")}`;
}
