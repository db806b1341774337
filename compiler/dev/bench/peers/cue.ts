import type { Sources } from "./sources.ts";
import { listPeerTools, MODES, renderSessions } from "./tools.ts";

/**
 * Renders values with constraints: categories and modes must be in closed lists, and every tool that a session names
 * must exist.
 */
export function renderCueSources(tools: number, sessions: number): Sources {
  const declared = listPeerTools(tools).map(({ service, method, category }) => {
    return `tools: "${service}.${method}": {provider: "${service}", method: "${method}", category: "${category}"}\n`;
  });
  const said = Object.entries(MODES).map(([category, mode]) => `${category}: "${mode}"`);
  const opened = renderSessions(tools, sessions, (session, lines) => {
    const named = lines.map(({ mode, service }) => `sessions: ${session}: named: "${service}.write": "${mode}"\n`);
    return `sessions: ${session}: categories: {${said.join(", ")}}\n${named.join("")}`;
  });
  return { "policy.cue": `${CUE}${declared.join("")}${opened}` };
}

const CUE = `package policy
#Category: "readOnly" | "mutatingLocal" | "destructive" | "outboundNet" | "admin"
#Mode: "auto" | "consent" | "stepUp" | "forbidden"
#Tool: {provider: string, method: string, category: #Category}
#Session: {categories: [#Category]: #Mode, named: [string]: #Mode}
tools: [string]: #Tool
sessions: [string]: #Session
`;
