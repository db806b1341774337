// Rules of Gemini CLI's policy engine: https://geminicli.com/docs/reference/policy-engine. The rule of the highest priority decides;
// the last one here denies what no other names, its own tools too.

import type { Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { visible } from "../../../../lang/diagnostics/index.ts";
import { lossOf } from "../loss.ts";
import type { Agent, AgentTool } from "./agent.ts";
import { byServer, methodOf, serverOf } from "./names.ts";
import { tomlList, tomlText } from "./toml.ts";

export const gemini: Agent = {
  isSayable,
  files: (title, tools) => [{ name: "policy.toml", text: policyText(title, tools) }],
  losses: [
    lossOf("other-settings", "Only in the system's policy folder do no rules of users and extensions go before these."),
    lossOf("gate-not-kept", "Whoever sits there consents, and can let a tool run for the rest of the session."),
  ],
};

/** Longer full names are shortened before they are matched. */
const LONGEST_NAME = 63;

/** The engine takes the server's name to end at the first underscore. */
function isSayable(tool: Tool): boolean {
  const [server, method] = [serverOf(tool), methodOf(tool)];
  const isPlain = /^[A-Za-z0-9-]+$/.test(server) && /^[A-Za-z0-9_-]+$/.test(method);
  return isPlain && `mcp_${server}_${method}`.length <= LONGEST_NAME;
}

const PRIORITIES = { allow: 900, ask: 950, deny: 990 } as const;
const DECISIONS = { allow: "allow", ask: "ask_user", deny: "deny" } as const;

function policyText(title: string, tools: readonly AgentTool[]): string {
  const rules = (["deny", "ask", "allow"] as const).flatMap((answer) => {
    const named = tools.filter((one) => one.answer === answer && isSayable(one.tool));
    return [...byServer(named, ({ tool }) => tool)].map(([server, some]) => ruleText(server, some, answer));
  });
  return `# ${visible(title)}\n${rules.join("")}${REST}`;
}

function ruleText(server: string, tools: readonly AgentTool[], answer: AgentTool["answer"]): string {
  return `
[[rule]]
mcpName = ${tomlText(server)}
toolName = ${tomlList(tools.map(({ tool }) => methodOf(tool)))}
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
