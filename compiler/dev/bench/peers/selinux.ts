import type { Sources } from "./sources.ts";
import { listPeerTools, MODES, renderSessions } from "./tools.ts";

/**
 * Returns the sources in CIL. Tools are types and categories are attributes; a mode is a separate permission, and forbidden is a
 * neverallow.
 */
export function renderCilSources(tools: number, sessions: number): Sources {
  const all = listPeerTools(tools);
  const types = all.map(({ service, method }) => `(type ${service}_${method})\n`);
  const groups = Object.keys(MODES).map((category) => {
    const members = all
      .filter((tool) => tool.category === category)
      .map(({ service, method }) => `${service}_${method}`);
    return `(typeattribute ${category})\n(typeattributeset ${category} (${members.join(" ")}))\n`;
  });
  const opened = renderSessions(tools, sessions, (session, lines) => {
    const categories = Object.entries(MODES).map(([category, mode]) => renderRule(session, category, mode));
    const named = lines.map(({ mode, service }) =>
      renderRule(session, `${service}_write`, mode === "forbidden" ? "stepUp" : mode),
    );
    return `(type ${session})\n(roletype object_r ${session})\n${categories.join("")}${named.join("")}`;
  });
  return { "policy.cil": `${CIL}${types.join("")}${groups.join("")}${opened}` };
}

function renderRule(session: string, target: string, mode: string): string {
  if (mode === "forbidden") return `(neverallow ${session} ${target} (tool (auto)))\n`;
  return `(allow ${session} ${target} (tool (${mode})))\n`;
}

/** Mandatory statements at the beginning of every policy. */
const CIL = `(class tool (auto consent stepUp))
(classorder (tool))
(sid kernel)
(sidorder (kernel))
(user system_u)
(role object_r)
(userrole system_u object_r)
(sensitivity s0)
(sensitivityorder (s0))
(category c0)
(categoryorder (c0))
(sensitivitycategory s0 (c0))
(level low (s0))
(level high (s0 (c0)))
(levelrange all (low high))
(userlevel system_u low)
(userrange system_u all)
(type kernel_t)
(roletype object_r kernel_t)
(sidcontext kernel (system_u object_r kernel_t all))
`;
