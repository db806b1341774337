import type { Sources } from "./sources.ts";
import { listPeerTools, MODES, renderSessions } from "./tools.ts";

/** Renders a Rego policy: the tools are one object, and each line of a session is a rule. */
export function renderRegoSources(tools: number, sessions: number): Sources {
  const declared = listPeerTools(tools).map(({ service, method, category }) => {
    return `\t"${service}.${method}": {"provider": "${service}", "method": "${method}", "category": "${category}"},\n`;
  });
  const opened = renderSessions(tools, sessions, (session, lines) => {
    const categories = Object.entries(MODES).map(([category, mode]) => {
      return `by_category["${session}"]["${category}"] := "${mode}"\n`;
    });
    const named = lines.map(({ mode, service }) => `named["${session}"]["${service}.write"] := "${mode}"\n`);
    return [...categories, ...named].join("");
  });
  return { "policy.rego": `package policy\n\ntools := {\n${declared.join("")}}\n\n${opened}\n${DECISION}` };
}

const DECISION = `mode := asked if {
	asked := named[input.session][input.tool]
} else := asked if {
	asked := by_category[input.session][tools[input.tool].category]
} else := "forbidden"
`;
