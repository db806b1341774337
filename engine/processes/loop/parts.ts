import type { ToolProxyDescribeToolsResults } from "../../lib/wire/generated/wire.ts";
import type { Connection } from "../../lib/wire/index.ts";
import type { Tokens } from "./tokens.ts";
import type { Transcript } from "./transcript.ts";

/** The connections that a loop holds; none of them is a tool. */
export interface LoopParts {
  readonly terminal: Connection;
  readonly gate: Connection;
  /** Models by the name of their backend; the gate decides which of them answers. */
  readonly models: ReadonlyMap<string, Connection>;
  /** Store of the open conversation's sayings. */
  readonly store: Connection;
}

/** The connections of a loop, with the line that begins a turn, the transcript and the token counters. */
export interface TurnParts extends LoopParts {
  readonly transcript: Transcript;
  /** Token counters, by the name of the backend whose model counts. */
  readonly tokens: ReadonlyMap<string, Tokens>;
  /** Text that the person entered. */
  readonly line: string;
}

/**
 * Offer of the gate for one answer: the tools, the backend and the nonce. Calls must name the offer's `turn` and its
 * `snapshot`, the digest of the tool table.
 */
export type Offer = Pick<ToolProxyDescribeToolsResults, "tools" | "snapshot" | "turn" | "nonce" | "backend">;
