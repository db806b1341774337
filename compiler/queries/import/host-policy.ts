// Defines what settings of another agent decide about the tools of a page. Each importer makes a `HostPolicy`, and `page.ts` writes
// it as a page.

import type { AddressPlace } from "./addresses.ts";
import type { FilePlace } from "./file-places.ts";
import type { Mode, Stance } from "./stance.ts";

/**
 * The decision about a tool of an MCP server, and whether a rule of the settings names the tool or its server
 * explicitly.
 */
export interface ServerDecision {
  readonly mode: Mode;
  readonly isNamed: boolean;
}

export interface HostPolicy {
  /** Name of the agent, such as `Claude Code`. */
  readonly host: string;
  readonly files: Readonly<Record<"read" | "list" | "write" | "delete", Stance<FilePlace>>>;
  /** Decisions about requests for web pages; `undefined` if the settings do not concern such requests. */
  readonly web: Stance<AddressPlace> | undefined;
  /** Decisions about methods of the library that do the same as a command; see `programs.ts`. */
  readonly methods: ReadonlyMap<string, ServerDecision>;
  readonly decideServerTool: (server: string, tool: string) => ServerDecision;
}
