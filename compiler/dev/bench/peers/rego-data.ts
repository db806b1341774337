import { listNamedLines } from "../large-page.ts";
import type { Sources } from "./sources.ts";
import { listPeerTools, MODES } from "./tools.ts";

/**
 * Returns a policy without tools and sessions, which are in a separate file of data. OPA would build values in a policy
 * anew for each query.
 */
export function renderRegoWithData(tools: number, sessions: number): Sources {
  const opened = Array.from({ length: sessions }, (_, at) => [`session${at}`, listNamedLines(tools, at)] as const);
  const facts = {
    tools: Object.fromEntries(listPeerTools(tools).map((tool) => [`${tool.service}.${tool.method}`, tool])),
    by_category: Object.fromEntries(opened.map(([session]) => [session, MODES])),
    named: Object.fromEntries(
      opened.map(([session, lines]) => [
        session,
        Object.fromEntries(lines.map(({ service, mode }) => [`${service}.write`, mode])),
      ]),
    ),
  };
  return { "policy.rego": POLICY, "facts.json": JSON.stringify(facts) };
}

const POLICY = `package policy

default mode := "forbidden"

mode := said if {
	said := data.named[input.session][input.tool]
} else := said if {
	said := data.by_category[input.session][data.tools[input.tool].category]
}
`;
