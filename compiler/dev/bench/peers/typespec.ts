import type { Sources } from "./sources.ts";
import { listPeerTools, MODES, type PeerTool, renderSessions } from "./tools.ts";

/**
 * Renders each service as an interface, and each tool as an operation with a category. A session is a model with the
 * modes of categories and tools.
 */
export function renderTypespecSources(tools: number, sessions: number): Sources {
  const services = Map.groupBy(listPeerTools(tools), ({ service }) => service);
  const declared = [...services].map(([service, methods]) => {
    return `interface ${service} {\n${methods.map(renderOperation).join("")}}\n`;
  });
  const opened = renderSessions(tools, sessions, (session, lines) => {
    const categories = Object.entries(MODES).map(([category, mode]) => `  ${category}: Mode.${mode};\n`);
    const named = lines.map(({ mode, service }) => `  ${service}_write: Mode.${mode};\n`);
    return `model ${session} {\n${[...categories, ...named].join("")}}\n`;
  });
  return { "main.tsp": `enum Mode { auto, consent, stepUp, forbidden }\n${declared.join("")}${opened}` };
}

function renderOperation({ method, category }: PeerTool): string {
  return `  @tag("${category}") ${method}(path: string): string;\n`;
}
