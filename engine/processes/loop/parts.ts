import type { ToolProxyDescribeToolsResults } from "../../lib/wire/generated/wire.ts";
import type { Connection } from "../../lib/wire/index.ts";
import type { Tokens } from "./tokens.ts";
import type { Transcript } from "./transcript.ts";

/** What a loop holds. None of it is a tool. */
export interface LoopParts {
  readonly terminal: Connection;
  readonly gate: Connection;
  /** By name of their backend; the gate says which one answers. */
  readonly models: ReadonlyMap<string, Connection>;
  /** Of what was said in the conversation that is open. */
  readonly store: Connection;
}

/** What a turn begins with. */
export interface TurnParts extends LoopParts {
  readonly transcript: Transcript;
  /** By name of the backend whose model counts them. */
  readonly tokens: ReadonlyMap<string, Tokens>;
  /** What the person said. */
  readonly line: string;
}

/** What the gate offers, and under which turn and table it wants to be asked. */
export type Offer = Pick<ToolProxyDescribeToolsResults, "tools" | "snapshot" | "turn" | "nonce" | "backend">;
