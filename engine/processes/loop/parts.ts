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

/** The parts with which a turn begins. */
export interface TurnParts extends LoopParts {
  readonly transcript: Transcript;
  /** Token counters, by the name of the backend whose model counts. */
  readonly tokens: ReadonlyMap<string, Tokens>;
  /** Text that the person entered. */
  readonly line: string;
}

/** The tools that the gate offers, and the turn and snapshot that calls must name. */
export type Offer = Pick<ToolProxyDescribeToolsResults, "tools" | "snapshot" | "turn" | "nonce" | "backend">;
