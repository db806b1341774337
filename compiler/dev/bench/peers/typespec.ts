import type { Sources } from "./sources.ts";
import { MODES, ofSessions, type PeerTool, toolsOf } from "./tools.ts";

/** Services are interfaces, tools operations with a category; a session is a model that names them. */
export function typespecSources(tools: number, sessions: number): Sources {
  const services = Map.groupBy(toolsOf(tools), ({ service }) => service);
  const declared = [...services].map(([service, methods]) => {
    return `interface ${service} {\n${methods.map(operation).join("")}}\n`;
  });
  const opened = ofSessions(tools, sessions, (session, lines) => {
    const categories = Object.entries(MODES).map(([category, mode]) => `  ${category}: Mode.${mode};\n`);
    const named = lines.map(({ mode, service }) => `  ${service}_write: Mode.${mode};\n`);
    return `model ${session} {\n${[...categories, ...named].join("")}}\n`;
  });
  return { "main.tsp": `enum Mode { auto, consent, stepUp, forbidden }\n${declared.join("")}${opened}` };
}

function operation({ method, category }: PeerTool): string {
  return `  @tag("${category}") ${method}(path: string): string;\n`;
}
