import type { Sources } from "./sources.ts";
import { listPeerTools, MODES, renderSessions } from "./tools.ts";

/**
 * Renders tools as entities that belong to an entity for their category. A policy of Cedar permits or forbids a
 * request, and cannot return a mode, so each request contains the mode to check. Rejected: tools as actions, because
 * Cedar then tries every policy for each action, which took more than seven minutes for ten thousand tools.
 */
export function renderCedarSources(tools: number, sessions: number): Sources {
  const categories = Object.keys(MODES).map((category) => createEntity("Category", category, []));
  const declared = listPeerTools(tools).map(({ service, method, category }) => {
    return createEntity("Tool", `${service}.${method}`, [{ type: "Category", id: category }]);
  });
  const opened = renderSessions(tools, sessions, (session, lines) => {
    const said = Object.entries(MODES).map(([category, mode]) =>
      renderPolicy(session, `in Category::"${category}"`, mode),
    );
    const named = lines.map(({ mode, service }) => renderPolicy(session, `== Tool::"${service}.write"`, mode));
    return [...said, ...named].join("");
  });
  return {
    "schema.cedarschema": SCHEMA,
    "entities.json": JSON.stringify([...categories, ...declared]),
    "policy.cedar": opened,
    "check.cjs": CHECK,
  };
}

const SCHEMA = `entity Session;
entity Category;
entity Tool in [Category];
action call appliesTo { principal: Session, resource: Tool, context: { gate: String } };
`;

function createEntity(type: string, id: string, parents: readonly { type: string; id: string }[]): object {
  return { uid: { type, id }, attrs: {}, parents };
}

function renderPolicy(session: string, resource: string, mode: string): string {
  const head = `(principal == Session::"${session}", action == Action::"call", resource ${resource})`;
  if (mode === "forbidden") return `forbid ${head};\n`;
  return `permit ${head}${mode === "auto" ? "" : ` when { context.gate == "${mode}" }`};\n`;
}

/** Script that checks the sources. Its argument is the path of the library. */
const CHECK = `const { readFileSync } = require("node:fs");
const { checkParseEntities, validate } = require(process.argv[2]);
const schema = readFileSync("schema.cedarschema", "utf8");
const parsed = checkParseEntities({ entities: JSON.parse(readFileSync("entities.json", "utf8")), schema });
const answer = validate({
  schema,
  policies: { staticPolicies: readFileSync("policy.cedar", "utf8") },
  validationSettings: { mode: "strict" },
});
const wrong = [...(parsed.errors ?? []), ...(answer.errors ?? []), ...(answer.validationErrors ?? [])];
if (parsed.type !== "success" || answer.type !== "success" || wrong.length > 0) {
  console.error(JSON.stringify(wrong.slice(0, 3)));
  process.exitCode = 1;
}
`;
