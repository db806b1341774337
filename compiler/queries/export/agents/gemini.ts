// Rules of Gemini CLI's policy engine: https://geminicli.com/docs/reference/policy-engine. The rule with the highest priority decides.
// The last rule of the export denies all tools that no other rule names, including the agent's own tools.

import type { Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { createLoss } from "../loss.ts";
import type { Agent, AgentTool } from "./agent.ts";
import { getMethod, getServer, groupByServer } from "./names.ts";
import { renderTomlList, renderTomlString } from "./toml.ts";

export const gemini: Agent = {
  isSayable,
  files: (title, tools) => [{ name: "policy.toml", text: renderPolicy(title, tools) }],
  losses: [
    createLoss(
      "other-settings",
      "Only in the system's policy folder do no rules of users and extensions go before these.",
    ),
    createLoss("gate-not-kept", "Whoever sits there consents, and can let a tool run for the rest of the session."),
  ],
};

/** Maximum length of a full name. Gemini shortens longer names before it matches them. */
const LONGEST_NAME = 63;

/** Returns whether rules can name the tool. For Gemini, the name of the server ends at the first underscore. */
function isSayable(tool: Tool): boolean {
  const [server, method] = [getServer(tool), getMethod(tool)];
  const isPlain = /^[A-Za-z0-9-]+$/.test(server) && /^[A-Za-z0-9_-]+$/.test(method);
  return isPlain && `mcp_${server}_${method}`.length <= LONGEST_NAME;
}

const PRIORITIES = { allow: 900, ask: 950, deny: 990 } as const;
const DECISIONS = { allow: "allow", ask: "ask_user", deny: "deny" } as const;

function renderPolicy(title: string, tools: readonly AgentTool[]): string {
  const rules = (["deny", "ask", "allow"] as const).flatMap((answer) => {
    const named = tools.filter((one) => one.answer === answer && isSayable(one.tool));
    return [...groupByServer(named, ({ tool }) => tool)].map(([server, some]) => renderRule(server, some, answer));
  });
  return `# ${escapeInvisible(title)}\n${rules.join("")}${REST}`;
}

function renderRule(server: string, tools: readonly AgentTool[], answer: AgentTool["answer"]): string {
  return `
[[rule]]
mcpName = ${renderTomlString(server)}
toolName = ${renderTomlList(tools.map(({ tool }) => getMethod(tool)))}
decision = "${DECISIONS[answer]}"
priority = ${PRIORITIES[answer]}
`;
}

const REST = `
[[rule]]
toolName = "*"
decision = "deny"
priority = 0
denyMessage = "no line of the page allows it"
`;
