// Lists the kinds of projects that capc init makes, in the order in which it offers them.

/** Kind of a project, as the option --kind names it. */
export const KINDS = ["console", "web-search", "mcp-tools", "mcp-server", "claude"] as const;
export type Kind = (typeof KINDS)[number];

interface KindFacts {
  /** Describes projects of this kind, for the help and for the question about the kind. */
  readonly does: string;
  /** Question for the value of --from; absent if projects of this kind have no source. */
  readonly asks?: string;
  /** Value of --from if nothing is typed; absent if a value is required. */
  readonly otherwise?: string;
}

export const KIND_FACTS: Readonly<Record<Kind, KindFacts>> = {
  console: { does: "an agent with notes, which a person talks with at a console" },
  "web-search": { does: "an agent with notes, private notes and a web search; a person approves each search" },
  "mcp-tools": { does: "the console project with tools of your own, as an MCP server in the project" },
  "mcp-server": {
    does: "the tools of an existing MCP server; a person approves each call",
    asks: "Command that starts the server, or a .json file with its response to tools/list",
  },
  claude: {
    does: "a page with the rules about files from your Claude Code settings",
    asks: "Settings file",
    otherwise: ".claude/settings.json",
  },
};

export function isKind(word: string): word is Kind {
  return KINDS.some((kind) => kind === word);
}
